"""Play to the end of a hand with every card known, by quick rules of thumb.

Responsible for a sensible choice by a player who sees all hands. The moves of a world are those of
rules/worlds/world_play.py; the play of those who see their own cards alone is club_play.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2p304.rules.caps.bitboard import SUIT_CARDS
from p2p304.rules.worlds.world_play import ASKED, CARDS, WorldPlay

POINTED = 20
"""Points in a trick that are worth a trump."""
ASK = 0
"""The move of a player who asks for trumps, among cards as bits."""


def tables_after(start: WorldPlay, seat: int, moves: Sequence[int]) -> list[WorldPlay]:
    """The world after each move of this seat."""
    tables = []
    for move in moves:
        table = start.copied()
        if move == ASK:
            ask(table, seat)
        else:
            table.play(seat, move)
        tables.append(table)
    return tables


def ask(table: WorldPlay, seat: int) -> None:
    """Ask for trumps, and play what the rules of thumb say then."""
    table.hands[table.maker] |= table.indicator
    table.indicator = 0
    hand = table.hands[seat]
    able = hand & table.led or hand & table.trump or hand
    table.play(seat, able if not able & (able - 1) else quick_card(table, seat, able))


def finish(table: WorldPlay, choice: Callable[[WorldPlay, int, int], int] | None = None) -> int:
    """Play to the end by rules of thumb, or as ``choice`` says; returns the points of the trump
    maker's side."""
    chosen = quick_card if choice is None else choice
    while any(table.hands) or table.indicator > 0:
        seat = (table.leader + len(table.plays)) % table.seats
        able = table.legal(seat)
        table.play(seat, able if not able & (able - 1) else chosen(table, seat, able))
    return table.won[0]


def quick_card(table: WorldPlay, seat: int, able: int) -> int:
    return _lead(table, seat, able) if not table.plays else _answer(table, seat, able)


def _lead(table: WorldPlay, seat: int, able: int) -> int:
    trump, others = table.trump, 0
    for other, hand in enumerate(table.hands):
        if other != seat:
            others |= hand
    if table.indicator > 0 and seat != table.maker:
        others |= table.indicator
    ours = table.side[seat] == 0
    best, value = 0, -1000
    for suit in SUIT_CARDS:
        mine = able & suit
        if not mine:
            continue
        top, against = 1 << mine.bit_length() - 1, others & suit
        low = mine & -mine
        master = top > against
        if suit == trump:
            if master and ours and against:
                one, worth = top, 40
            elif master and not against:
                one, worth = top, 5
            else:
                one, worth = low, -30 if not ours else -10
        elif master:
            cut = others & trump
            one, worth = top, table.points[top] + against.bit_count() * 4 - (12 if cut else 0)
        else:
            one = _poorest(table, mine)
            worth = -table.points[one] - 2
        if worth > value:
            best, value = one, worth
    return best


def _answer(table: WorldPlay, seat: int, able: int) -> int:
    winner, card = table.best()
    trump, points = table.trump, table.points
    last = len(table.plays) == table.seats - 1
    side = table.side
    friend = side[winner] == side[seat]
    later = 0
    if not last:
        for step in range(1, table.seats - len(table.plays)):
            other = (seat + step) % table.seats
            if side[other] != side[seat]:
                later |= table.hands[other]
                if other == table.maker and table.indicator > 0:
                    later |= table.indicator
    asked, able = able >> ASKED & trump, able & CARDS
    if friend and (last or not _beaten(table, card, later)):
        return richest(table, able & ~trump or able)
    if asked:  # only a trump wins, and only after asking for it
        total = sum([points[one] for _, one in table.plays])
        if total >= POINTED // 2 or (last and total):
            return (asked & -asked if last else 1 << asked.bit_length() - 1) << ASKED
        return _poorest(table, able & ~trump or able)
    if table.indicator > 0 and table.rules.asks:
        winning = able & table.led & ~(2 * card - 1)
    elif card & trump & ~table.dead:
        winning = able & trump & ~(2 * card - 1)
    else:
        winning = (able & table.led & ~(2 * card - 1)) | (able & trump)
    if winning:
        total = sum([points[one] for _, one in table.plays])
        plain = winning & table.led & ~trump if table.led != trump else winning
        if plain:
            top = 1 << plain.bit_length() - 1
            if last:
                return richest(table, plain)
            if not _beaten(table, top, later):
                return top
        elif total >= POINTED // 2 or (last and total):
            low = winning & trump
            one = low & -low
            if last or not _beaten(table, one, later):
                return one
            return 1 << low.bit_length() - 1
    rest = able & ~trump or able
    return _poorest(table, rest)


def _beaten(table: WorldPlay, card: int, later: int) -> bool:
    """Whether an opponent still to play can beat a card, as if all cards were seen."""
    trump = table.trump
    if card & trump & ~table.dead:
        if table.led == trump:
            return bool(later & trump & ~(2 * card - 1))
        return bool(later & trump & ~(2 * card - 1)) and not later & table.led
    if later & table.led & ~(2 * card - 1):
        return True
    return bool(later & trump) and not later & table.led


def richest(table: WorldPlay, cards: int) -> int:
    points, best, value = table.points, 0, -1
    while cards:
        one = cards & -cards
        cards ^= one
        if points[one] > value:
            best, value = one, points[one]
    return best


def _poorest(table: WorldPlay, cards: int) -> int:
    points, best, value = table.points, 0, 1000
    while cards:
        one = cards & -cards
        cards ^= one
        if points[one] < value:
            best, value = one, points[one]
    return best
