"""What a club player plays in a world: by its own cards and those on the table alone.

Responsible for the rules of bots/card_play.py in sets of bits, so that a world can be played to its
end by players who see no other hand, and a play that was made compared with theirs. What may be
played is rules/worlds/world_play.py's, and the play of those who see all hands playout.py's.
"""

from __future__ import annotations

from p2p304.bots.card_play import RICH
from p2p304.bots.search.playout import quick_card, richest
from p2p304.rules.caps.bitboard import SUIT_CARDS, WIDTH
from p2p304.rules.worlds.world_play import WorldPlay, suit_cards

_RANK = {1 << bit: bit % WIDTH for bit in range(WIDTH * len(SUIT_CARDS))}


def club_card(table: WorldPlay, seat: int, able: int) -> int:
    """The card that a club player chooses of those that it is ``able`` to play. Where trumps are
    asked for, playout.py chooses."""
    if table.rules.asks:
        return quick_card(table, seat, able)
    others = max(table.indicator, 0) if seat != table.maker else 0
    for other, hand in enumerate(table.hands):
        if other != seat:
            others |= hand
    if not table.plays:
        return _lead(table, seat, able, others)
    # While trumps are closed, a card of another suit lies face down, and may be a cut.
    closed, led, side = table.indicator != 0, table.led, table.side
    trump = 0 if closed else table.trump
    winner, best = table.plays[0]
    worth, may_be_cut = 0, False
    for other, card in table.plays:
        if closed and not card & led:
            may_be_cut = may_be_cut or side[other] != side[seat]
            others |= card
            continue
        worth += table.points[card]
        if card & trump:
            if not best & trump or card > best:
                winner, best = other, card
        elif card & led and not best & trump and card > best:
            winner, best = other, card
    last = len(table.plays) == table.seats - 1
    above = suit_cards(best) & ~(2 * best - 1)
    friend = side[winner] == side[seat]
    safe = friend and not may_be_cut and (last or not others & above)
    plain = able & ~trump
    if able & led:
        if safe:
            return _given(table, able, others)
        wins = able & above if best & led else 0
        if wins and last and not may_be_cut:
            ordinary = wins & ((1 << (others & led).bit_length()) - 1)
            return richest(table, ordinary) if ordinary else _poorest(table, wins)
        top = 1 << wins.bit_length() - 1 if wins else 0
        return top if top > others & led else _poorest(table, able)
    if safe and plain and not (closed and seat == table.maker):
        return _given(table, plain, others)
    if not closed:
        cuts = able & trump & (above if best & trump else -1)
        if cuts and (worth >= RICH // 2 or last or not plain):
            return _poorest(table, cuts) if last else 1 << cuts.bit_length() - 1
        return _poorest(table, plain or able)
    if seat == table.maker:
        cut = able & table.indicator if table.indicator > 0 else 0
        rest = able & ~cut
        return (
            cut
            if cut and (not rest or (worth >= RICH // 2 and not friend))
            else _poorest(table, rest)
        )
    if worth >= RICH:  # perhaps a cut: of the suit of which most cards are unseen
        guess = max(SUIT_CARDS, key=lambda suit: (others & suit).bit_count() if able & suit else -1)
        return _poorest(table, able & guess)
    return _poorest(table, able)


def _poorest(table: WorldPlay, cards: int) -> int:
    """The card of fewest points; of equal ones the weakest."""
    points, best, value = table.points, 0, 100_000
    while cards:
        one = cards & -cards
        cards ^= one
        worth = points[one] * WIDTH + _RANK[one]
        if worth <= value:
            best, value = one, worth
    return best


def _given(table: WorldPlay, cards: int, others: int) -> int:
    """The richest card for a trick that is won, but no master if there is another."""
    ordinary = 0
    for suit in SUIT_CARDS:
        ordinary |= cards & suit & ((1 << (others & suit).bit_length()) - 1)
    return richest(table, ordinary or cards)


def _lead(table: WorldPlay, seat: int, able: int, others: int) -> int:
    trump = table.trump if table.indicator == 0 or seat == table.maker else 0
    draws, trumps = 0, able & trump
    if trumps and table.side[seat] == 0:
        top, against = 1 << trumps.bit_length() - 1, others & trump
        draws = top if top > against else 0
        if draws and trumps != draws and against & (against - 1):
            return draws
    best, value = 0, 0
    plain = able & ~trump or able
    for suit in SUIT_CARDS:
        against = others & suit & ~trump
        masters = plain & suit & ~((1 << against.bit_length()) - 1)
        if masters and against.bit_count() >= 3:
            one = richest(table, masters)
            worth = against.bit_count() * 100 + table.points[one]
            if worth > value:
                best, value = one, worth
    if best or draws:
        return best or draws
    value = 100_000
    for suit in SUIT_CARDS:
        if plain & suit:
            one = _poorest(table, plain & suit)
            worth = table.points[one] * 100 - (others & suit).bit_count()
            if worth <= value:
                best, value = one, worth
    return best
