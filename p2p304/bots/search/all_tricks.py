"""Contracts to win every trick, and double: who plays in them, and whether all tricks are won.

Responsible for one deal, played to its end by the rules of thumb below. Each player knows its own
cards alone: a trump maker that saw all hands would always lead the right suit, and win more than at
a table. The rules of playout.py and club_play.py play for points.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.bots.search.playout import tables_after
from p2p304.rules.caps.bitboard import SUIT_CARDS, WIDTH, bits, each
from p2p304.rules.core.actions import HALF_COURT, PCC
from p2p304.rules.core.seats import Seat
from p2p304.rules.legality.public_checks import has_won_all
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.rules.worlds.world_play import ASKED, CARDS, WorldPlay, without_idle_seats


def players(options: Options, maker: Seat, bid: int) -> tuple[Seat, ...]:
    """The seats that play after this bid: the partners across of a player who bids to win alone
    lay their cards aside."""
    seats = tuple(range(options.seats))
    if bid not in (PCC, HALF_COURT) or options.partner != "across":
        return seats
    ours = options.account(maker)
    return tuple(seat for seat in seats if seat == maker or options.account(seat) != ours)


def is_made(options: Options, start: WorldPlay, bid: int) -> bool:
    """Whether the trump maker's side wins every trick of this deal, not begun, after this bid."""
    playing = without_idle_seats(start, players(options, start.maker, bid))
    return wins_rest(playing, 0, bits(options.pack.cards))


def is_lost(hand: Hand, seat: Seat) -> bool:
    """Whether the side of this seat is known to have lost a trick: then nothing counts any more."""
    return hand.options.partner != "called" and not has_won_all(hand, seat)


def all_tricks_won(view: View, start: WorldPlay, side: int, moves: Sequence[int]) -> list[bool]:
    """Whether this side wins every trick, after each move of the view's seat in this deal."""
    hand, hidden = view.hand, _hidden(view)
    winners = [trick.winner for trick in hand.completed_tricks if trick.winner is not None]
    if any(start.side[winner] != side for winner in winners):
        return [False] * len(moves)
    place = hand.playing.index(view.seat)
    tables = tables_after(without_idle_seats(start, hand.playing), place, moves)
    return [
        wins_rest(table, side, hidden & ~move) for table, move in zip(tables, moves, strict=True)
    ]


def usual_card(view: View, start: WorldPlay) -> int:
    """The card that the view's seat plays by the rules of thumb, in whatever deal."""
    return _card(without_idle_seats(start, view.hand.playing), _hidden(view))[1]


def _hidden(view: View) -> int:
    return bits(view.hand.options.pack.cards) & ~bits(view.hand.seen)


def wins_rest(table: WorldPlay, side: int, hidden: int) -> bool:
    """Whether this side wins the trick on the table and all that follow; plays the table on.
    Nobody has shown the cards that are ``hidden``: they are in hands, or lie aside."""
    while table.plays or table.side[table.leader] == side:
        if not any(table.hands) and table.indicator <= 0:
            return True
        seat, chosen = _card(table, hidden)
        table.play(seat, chosen)
        hidden &= ~(chosen if chosen <= CARDS else chosen >> ASKED)
    return False


def _card(table: WorldPlay, hidden: int) -> tuple[Seat, int]:
    """Whose turn it is, and the card that this player chooses."""
    seat = (table.leader + len(table.plays)) % table.seats
    able, others = table.legal(seat), hidden & ~table.hands[seat]
    if seat == table.maker:
        others &= ~max(table.indicator, 0)
    return seat, _answer(table, seat, able, others) if table.plays else _lead(table, able, others)


def _lead(table: WorldPlay, able: int, others: int) -> int:
    """The highest card of a suit that nobody can beat, of trumps first while others may cut; else
    of the suit in which fewest cards beat it. Of equal suits the longest."""
    best, most = 0, (False, False, 0, 0)
    for suit in SUIT_CARDS:
        mine, against = able & suit, others & suit
        if mine:
            top = 1 << mine.bit_length() - 1
            above = (against & ~(2 * top - 1)).bit_count()
            value = (not above, suit == table.trump and against != 0, -above, mine.bit_count())
            if not best or value > most:
                best, most = top, value
    return best


def _answer(table: WorldPlay, seat: Seat, able: int, others: int) -> int:
    """Win the trick, unless the partner's card does; else the card of the lowest rank."""
    winner, card = table.best()
    is_last, side = len(table.plays) == table.seats - 1, table.side
    asked, able = able >> ASKED & table.trump, able & CARDS
    trump = 0 if table.rules.asks and table.indicator > 0 else table.trump
    if card & table.trump & ~table.dead:
        above, winning = trump & ~(2 * card - 1), able & trump & ~(2 * card - 1)
    else:
        above = table.led & ~(2 * card - 1)
        winning = able & (above | trump)
    if side[winner] != side[seat] or (others & above and not is_last):
        if winning:
            return 1 << winning.bit_length() - 1
        if asked and side[winner] != side[seat]:
            return (1 << asked.bit_length() - 1) << ASKED
    return min(each(able & ~table.trump or able), key=_rank)


def _rank(card: int) -> int:
    return (card.bit_length() - 1) % WIDTH
