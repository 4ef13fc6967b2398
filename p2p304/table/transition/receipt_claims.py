"""Claims on receipts: which players may make one, and which claim takes the floor.

Responsible for how the receipts for the last entry change the state (SPEC.md, "Claims"). Whether a
call was right is rules/play/claims.py's; signatures are log/chain.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.log.chain import Block, claims_on
from p2p304.log.entry import Receipt
from p2p304.log.faults import Refused
from p2p304.rules.play import claims
from p2p304.table.state.table import TableState
from p2p304.table.transition.phases import duty


def with_claims(state: TableState, block: Block) -> TableState:
    """Return the state once all receipts for its last entry are here.

    The first claim among them, by seats from the author's right, takes the floor. Raises Refused
    S03.
    """
    for receipt in block.receipts:
        check_claim_is_open(state, receipt)
    author = state.seat_of(block.signed.entry.author)
    round_the_table = (state.player_on((author + n) % state.seats) for n in range(1, state.seats))
    made = claims_on(block, tuple(round_the_table))
    return replace(state, claims=made) if made else state


def may_have_missed_claims(state: TableState, player: int) -> bool:
    """Return whether this player would have the floor without some of the others' claims. An entry
    does not say which receipts its author had seen."""
    unclaimed = duty(replace(state, claims=()))
    regular = state.claim is not None and unclaimed is not None and unclaimed.player == player
    return regular or any(claimant == player for claimant, _ in state.claims)


def check_claim_is_open(state: TableState | None, receipt: Receipt) -> None:
    """S03: the receipt's author may make this claim after this entry. The author has signed the
    claim for this head, so a false claim convicts it."""
    if receipt.claim is None:
        return
    hand = None if state is None else state.hand
    if state is not None and hand is not None and state.seating:
        seat = state.seat_of(receipt.author)
        if claims.may_make(hand, seat, receipt.claim):
            return
    sentence = (
        f"claimed {receipt.claim} on the receipt for place {receipt.seq}, where no claim is allowed"
    )
    raise Refused("S03", sentence, receipt.author)
