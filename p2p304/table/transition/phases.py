"""The order of a table's life: which player has the floor, and which kinds of entry it may write.

Responsible for SPEC.md, "Phases", as data. What an entry contains is step.py's to judge. At every
place exactly one player has the floor, so two entries for one place prove a fork.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.play.claims import CAPS, SPOILT, may_make
from p2p304.rules.state.hand import Hand, Phase
from p2p304.table.state.deal import Deal
from p2p304.table.state.table import TableState
from p2p304.table.transition import absent_seat


@dataclass(frozen=True, slots=True)
class Duty:
    """The floor: a player (index in the agreement), its seat, the kinds of entry it may write, and
    whether its program can write the entry without asking the player."""

    player: int
    seat: int
    kinds: tuple[str, ...]
    by_itself: bool


BY_PHASE: dict[Phase, tuple[str, ...]] = {
    Phase.BID4: ("say", "redeal"),
    Phase.PARTNER: ("say",),
    Phase.EXCHANGE: ("say", "exchange"),
    Phase.SHOW: ("open",),
    Phase.TRUMP4: ("indicator",),
    Phase.BID8: ("say",),
    Phase.TRUMP8: ("indicator",),
    Phase.DECLARE: ("open", "closed"),
    Phase.PLAY: ("play", "down"),
    Phase.ANNOUNCE: ("announce",),
    Phase.COUNT: ("count",),
}
CLAIMS = (CAPS, SPOILT)
"""Kinds of entry that are claims, by the player who has the floor or who took it on a receipt."""
CHOICES = {kind for kinds in BY_PHASE.values() for kind in kinds} - {"announce", "count"}
"""Kinds that a player chooses; a program writes all other kinds by itself."""


def duty(state: TableState) -> Duty | None:
    """Return the floor after this state, or None if the table is over."""
    if state.is_over:
        return None
    if len(state.nonces) < state.seats:
        return Duty(len(state.nonces), len(state.nonces), ("draw",), True)
    hand = state.open_hand
    if state.absent_hand is not None and absent_seat.due(state) is not None:
        seat = absent_seat.present(state)[len(state.absent_hand.parts)]
        return Duty(state.player_on(seat), seat, ("stand_in",), True)
    if state.claim is not None:
        player, claim = state.claim
        return Duty(player, state.seat_of(player), (claim,), True)
    dealing = _of_deal(state)
    seat, kinds = dealing or _of_hand(hand, state.open_deal)
    shows = dealing is None and hand.phase is Phase.SHOW
    return Duty(state.player_on(seat), seat, kinds, shows or kinds[0] not in CHOICES)


def _of_deal(state: TableState) -> tuple[int, tuple[str, ...]] | None:
    """Return seat and kinds while cards are dealt, else None. The dealer shuffles first, then every
    other seat in order of play; a gathered pack goes round twice. The dealer's left-hand neighbour
    cuts (``cut.left``)."""
    deal = state.open_deal
    if not deal.is_shuffled:
        return (deal.dealer + deal.shuffled) % deal.seats, ("shuffle",)
    if deal.cut is None:
        return state.cutter, ("cut",)
    if deal.batch:
        return deal.unlockers[deal.unlocked], ("unlock",)
    if deal.to_relock:
        return deal.to_relock[0], ("relock",)
    return None


def _of_hand(hand: Hand, deal: Deal) -> tuple[int, tuple[str, ...]]:
    waiting = deal.to_show(hand) if hand.phase is Phase.ANNOUNCE else ()
    if waiting:
        return waiting[0], ("inspect",)
    if hand.turn is None:
        raise LookupError("a hand that is over has nobody to act")
    if hand.phase is not Phase.PLAY:
        return hand.turn, BY_PHASE[hand.phase]
    # Claims may come instead of a card, and kinds of some rules only.
    claims = tuple(claim for claim in CLAIMS if may_make(hand, hand.turn, claim))
    options = hand.options
    asks = ("ask",) if options.hidden == "ask_reveal" else ()
    says = ("say",) if options.double else ()
    marries = ("marriage",) if options.marriages else ()
    return hand.turn, (*BY_PHASE[Phase.PLAY], *claims, *asks, *says, *marries)
