"""A player's request for a seat, from the typed word to the table.

Responsible for when a request can be sent: a partner's name only once that player is there. Which
seat a word means is ui/common/wording.py's; whether it is free the founder decides.
"""

from __future__ import annotations

from p2p304.app.session import Session
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.variants.options import OptionsError
from p2p304.table.state.gathering_events import Members
from p2p304.ui.common.wording import CANNOT_SIT, EXPLAINED, seat_meant, seat_named


class SeatRequest:
    """The request at one session; ``word`` was given before there was a table."""

    def __init__(self, session: Session, word: str = "") -> None:
        self._session, self._word = session, word.strip()
        session.node.meeting.guests.requested_seat = seat_named(self._word)

    def heard(self, members: Members) -> None:
        """Handle a new list of members: a partner's name may be among them."""
        if not self._word or seat_named(self._word) is not None or not members.at:
            return
        seat = seat_meant(self._word, members)
        if seat is not None:
            self._word = ""
            self.ask(seat)

    def ask(self, seat: int) -> Phrase | None:
        """Ask for a seat (from 0); returns a sentence if there is none to be had."""
        try:
            self._session.choose(seat)
        except LookupError:
            return CANNOT_SIT
        return None


def check_seat_word(word: str) -> str:
    """Check the word of ``--seat`` and return it; raises OptionsError for a number that no table
    has."""
    if word.strip().isdecimal() and seat_named(word) is None:
        raise OptionsError(f"There is no seat {word.strip()}. Enter {EXPLAINED}.")
    return word
