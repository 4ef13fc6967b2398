"""A player's request for a seat, from the typed word to the table.

Responsible for when a request can be sent: a partner's name only once that player is there. Which
seat a word means is ui/common/seat_names.py's; whether it is free the founder decides.
"""

from __future__ import annotations

from p2p304.app.session import Session
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants.options import OptionsError
from p2p304.table.state.events import Members
from p2p304.ui.common.seat_names import EXPLAINED, seat_meant, seat_named
from p2p304.ui.narration.reducer import DRAWN

CANNOT = say("You can't have that seat. Enter {what}.", what=EXPLAINED)


class SeatRequest:
    """The request at one session; ``word`` was given before there was a table."""

    def __init__(self, session: Session, word: str = "") -> None:
        self._session, self._word = session, word.strip()
        self._members: Members | None = None
        session.node.meeting.guests.requested_seat = seat_named(self._word)

    def heard(self, members: Members) -> None:
        """Handle a new list of members: a partner's name may be among them."""
        self._members = members
        waits = self._word and seat_named(self._word) is None
        if waits and members.at and seat_meant(self._word, members) is not None:
            word, self._word = self._word, ""
            self.request(word)

    def request(self, word: str) -> Phrase | None:
        """Ask for the seat that a word names; returns a sentence if it names none."""
        members = self._members
        if members is not None and not members.at:
            return DRAWN
        seat = None if members is None else seat_meant(word, members)
        return CANNOT if seat is None else self.ask(seat)

    def ask(self, seat: int) -> Phrase | None:
        """Ask for a seat (from 0); returns a sentence if there is none to be had."""
        try:
            self._session.choose(seat)
        except LookupError:
            return CANNOT
        return None


def check_seat_word(word: str) -> str:
    """Check the word of ``--seat`` and return it; raises OptionsError for a number that no table
    has."""
    if word.strip().isdecimal() and seat_named(word) is None:
        raise OptionsError(f"There is no seat {word.strip()}. Enter {EXPLAINED}.")
    return word
