"""Messages that bring a member the last pledges: does it sign the terms that follow?

Responsible for these messages and for such a member; what a member holds before is
false_gatherings.py's.
"""

from __future__ import annotations

from typing import NamedTuple

from p2p304.crypto.rng import Rng
from p2p304.table.gathering.exchange.messages import ListHoldings, lobby_bytes
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.state.gathering_events import TurnedAway
from tests.support.hostile.false_gatherings import FALSE, HONEST, gathered, members, pledge


class SigningRow(NamedTuple):
    """A message, the players who have left a draw by the reader's notes, what it is, and whether
    the reader signs or leaves (`outcome`)."""

    payload: bytes
    leavers: tuple[bytes, ...]
    comment: str
    outcome: str


def outcome(payload: bytes, leavers: tuple[bytes, ...]) -> str:
    """What a member does that has all links and its own pledge, and draws seats."""
    here = gathered()
    meeting = Meeting(HONEST, here.guests[0].nick, Rng.from_seed(bytes(32)), 0.0)
    meeting.early_leavers = dict.fromkeys(leavers)
    meeting.guests.founder = HONEST.public
    for guest in here.guests[1:]:
        meeting.link_up(guest.key, guest.nick, "192.0.2.7", 1, 0.0)
    meeting.guests.keep(here)
    meeting.receive(FALSE.public, payload, 0.0)
    if any(isinstance(event, TurnedAway) for event in meeting.events()):
        return "leaves"
    return "signs" if meeting.consent.has_signed else "waits"


def signing_rows() -> dict[str, SigningRow]:
    others = (None, *(pledge(key) for key in members()[1:]))
    held = lobby_bytes(ListHoldings(gathered().digest, others, b"", (None,) * 4, ()))
    few = lobby_bytes(ListHoldings(gathered().digest, (*others[:3], None), b"", (None,) * 4, ()))
    leaver = (members()[2].public,)
    return {
        "HoldsTheLastPledges": SigningRow(held, (), "all have pledged now", "signs"),
        "HoldsTheLastPledgesBesideALeaver": SigningRow(
            held, leaver, "the reader signs no draw of seats with one of them (A06)", "leaves"
        ),
        "HoldsSomePledgesBesideALeaver": SigningRow(
            few, leaver, "the same before the last pledge: nothing is compared yet", "waits"
        ),
    }
