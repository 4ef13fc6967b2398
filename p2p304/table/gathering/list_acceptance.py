"""A member's side of a gathering: which list it accepts, and when it leaves.

Responsible for what a member takes from the founder and from other guests (SPEC.md, "Gathering").
A list never changes what is played, and does not change so fast that it floods the guests. The list
itself is guest_list.py's.
"""

from __future__ import annotations

from p2p304.log.faults import Refused
from p2p304.rules.core.phrases import Phrase, say, verbatim
from p2p304.table.gathering.admission import (
    ASKED_ANEW,
    FULL,
    NEEDS_ONE,
    NO_EXCHANGE,
    NOT_THE_TABLE,
    WRONG,
    VisitorAdmission,
)
from p2p304.table.gathering.exchange.messages import Locked, Seated, Unlocked
from p2p304.table.gathering.exchange.passphrase import WrongPassphrase
from p2p304.table.gathering.guest_list import GuestList
from p2p304.wire.rate_limit import Allowance, RateLimit

TURNED_AWAY = say("The player who opened this table did not let you in. {why}")
TWO_LISTS = say(
    "You left this table: {founder}, who opened it, signed two different lists of "
    "players. {founder} cheats, or uses one identity on two computers. Choose "
    "another table."
)
OTHER_GAME = say(
    "You left this table: the player who opened it changed the rules, the number of hands, the "
    "spectators, or the tokens to begin with. Join again if you agree to the change."
)

ASKED_AGAIN = say(
    "You left this table: it asks for the passphrase again, because its player opened it anew or "
    "the connection was lost. Join again, and type the passphrase."
)
_ABOUT_PASSPHRASE = (
    verbatim(NEEDS_ONE),
    TURNED_AWAY.filled(why=WRONG),
    TURNED_AWAY.filled(why=ASKED_ANEW),
    ASKED_AGAIN,
)


def is_about_passphrase(reason: Phrase) -> bool:
    """Whether a player who was turned away for this reason can try again with a passphrase."""
    return reason in _ABOUT_PASSPHRASE


CHANGES = Allowance(16, 0.5)
"""The changes of one kind that are taken of one player: all guests arrive, and some choose another
seat. A change that is dropped is not lost: lists and requests for a seat are repeated each
second."""


class ListAcceptance:
    """What one member takes from others while a table gathers."""

    def __init__(self, guests: GuestList, visitor: VisitorAdmission) -> None:
        self._guests, self._visitor = guests, visitor
        self._limit = RateLimit(CHANGES, 0.0)

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that handling a message changes."""
        return (self, self._limit)

    def on_passphrase(self, peer: bytes, message: Locked | Unlocked) -> None:
        """Answer the founder's question for the passphrase, or check its proof that it knows the
        passphrase."""
        guests = self._guests
        if peer != guests.founder or guests.is_turned_away or guests.previous is not None:
            return  # whoever stays is asked by a founder alone that has not heard of the end yet
        if guests.current is not None:
            if isinstance(message, Locked) and guests.key.public not in guests.members:
                guests.turn_away(ASKED_AGAIN)
            return
        try:
            if isinstance(message, Unlocked):
                self._visitor.check_founder(message)
            else:
                guests.send(peer, self._visitor.answer(peer, message))
        except WrongPassphrase as wrong:
            guests.turn_away(verbatim(str(wrong)))
        except Refused:
            guests.turn_away(verbatim(NO_EXCHANGE))
            raise

    def on_link_down(self, peer: bytes, said: bool) -> None:
        """Leave if this visitor has answered the founder's question for the passphrase and their
        link is lost: the founder forgets the run, and a visitor answers no second one."""
        guests = self._guests
        if peer == guests.founder and guests.current is None and self._visitor.has_answered:
            guests.leave_lost_founder(said)

    def on_full(self, peer: bytes, reason: str) -> None:
        """Leave: the founder has no seat for this player."""
        if peer == self._guests.founder:
            self._guests.turn_away(TURNED_AWAY.filled(why=reason))

    def on_list(self, peer: bytes, offered: Seated, now: float) -> bool:
        """Take a list that the founder signed, from any peer. Of two lists the one with the higher
        number counts.

        Return whether this node accepts another list than before."""
        guests, current = self._guests, self._guests.current
        is_new = current is None or offered.digest != current.digest
        if peer == guests.founder:
            if not self._visitor.is_founder_trusted:
                if not self._visitor.has_answered:
                    guests.turn_away(verbatim(NOT_THE_TABLE))
                return False
        elif current is None or offered.opening != current.opening or not is_new:
            return False
        if guests.founder is None or offered.guests[0].key != guests.founder:
            raise Refused(
                "W11", "this list of players does not begin with the player who opened the table"
            )
        if not offered.is_signed_by(guests.founder):
            raise Refused(
                "W21", "this list of players is not signed by the player who opened the table"
            )
        before, after = guests.previous, offered.after
        if before is not None and (after is None or after.table != before.after.table):
            return False  # a list of the ended table, whose founder does not know its end yet
        if current is not None and offered.opening == current.opening:
            if offered.number == current.number and is_new:
                self._report_two_lists(current, offered)
            if offered.number < current.number:
                return False
        if offered.is_complete and not any(g.key == guests.key.public for g in offered.guests):
            guests.turn_away(verbatim(FULL))
        if current is not None and not offered.is_same_game(current):
            guests.turn_away(OTHER_GAME)
        if guests.is_turned_away or not guests.has_true_names(offered):
            return False
        if is_new and not self._limit.take(1, now):
            return False
        guests.keep(offered)
        guests.close_seat_request()
        return is_new

    def _report_two_lists(self, one: Seated, other: Seated) -> None:
        """Report that the founder has signed two different lists under one number. Every guest of
        either list gets both, so that a guest with only one of them finds the same fault."""
        guests = self._guests
        for guest in {guest.key for guest in (*one.guests, *other.guests)} & set(guests.linked):
            guests.send(guest, one)
            guests.send(guest, other)
        guests.turn_away(TWO_LISTS.filled(founder=one.guests[0].nick))
