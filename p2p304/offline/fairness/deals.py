"""The deals of a transcript: who was dealt which cards, as far as the cards were ever shown.

Responsible for what is read off a verified table. A hand counts as shown if every card of the pack
is known at its end; all other hands that were dealt are kept as unseen, because a hand is shown or
not for reasons that lie in its cards. What unseen hands mean for a count is counts.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.log.transcript import Source
from p2p304.rules.core.cards import Card
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.counting import hands_as_dealt
from p2p304.rules.state.hand import Hand
from p2p304.table.state.table import TableState
from p2p304.table.transition.replay import Replay

Cards = tuple[frozenset[Card], ...]


@dataclass(frozen=True, slots=True)
class DealtHand:
    """One hand that was dealt: its dealer's seat, and the cards by seat (None: unseen)."""

    dealer: Seat
    cards: Cards | None


@dataclass(frozen=True, slots=True)
class TableDeals:
    """All hands that were dealt at one table. ``keys`` and ``nicks`` are by seat; ``is_uniform``:
    the rules of the table ask for a thorough shuffle."""

    table: str
    preset: str
    pack: int | str
    seats: int
    keys: tuple[str, ...]
    nicks: tuple[str, ...]
    is_uniform: bool
    hands: tuple[DealtHand, ...]

    @property
    def length(self) -> tuple[int, int]:
        """How far the transcript goes: hands dealt, and hands seen."""
        return len(self.hands), sum(hand.cards is not None for hand in self.hands)


def read_deals(source: bytes | Source) -> TableDeals | None:
    """Verify a transcript and return its deals, None if the seats were never drawn. Raises
    Unreadable, or Refused at the first false entry."""
    replay = Replay(source, keeps_log=False)
    # A hand that ends in its shuffle, since a player left, has a record too, but was not dealt.
    hands, is_cut, last = list[DealtHand](), False, None
    for entry in replay:
        is_cut = is_cut or entry.kind == "cut"
        finished = entry.state.last_record
        if finished is not None and finished is not last:
            last = finished
            if is_cut:
                hands.append(DealtHand(finished.dealer, shown_cards(finished.hand)))
        if entry.state.deal is not None:
            is_cut = entry.state.deal.cut is not None
    state = replay.state
    return None if state is None or not state.seating else _deals(state, hands)


def _deals(state: TableState, hands: list[DealtHand]) -> TableDeals:
    """Return the deals of a table from its last public state, and from its finished hands that
    were dealt."""
    rules, players = state.terms.rules, [state.terms.players[p] for p in state.seating]
    # From the cut on, somebody may have read a card, and may have left because of it.
    if state.deal is not None and state.deal.cut is not None:
        hands.append(DealtHand(state.dealer, None))
    return TableDeals(
        state.table.hex(),
        rules.preset,
        rules.pack_name,
        rules.seats,
        tuple(player.key.hex() for player in players),
        tuple(player.nick for player in players),
        rules.shuffle == "thorough",
        tuple(hands),
    )


def shown_cards(hand: Hand) -> Cards | None:
    """Return every seat's cards, or None if a card of the pack was never shown."""
    held, pack = hands_as_dealt(hand), hand.options.pack.cards
    is_whole = sum(map(len, held)) == len(pack) and frozenset().union(*held) == frozenset(pack)
    sizes = {len(cards) for cards in held}
    return tuple(held) if is_whole and len(sizes) == 1 else None
