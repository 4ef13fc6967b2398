"""The catalogue of attacks before there is a table: a stranger at a founder's locked door, and a
false founder to whom a visitor has come. The link is cut, nobody is named, and the gathering goes
on without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Finding, Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.bot_mark import BotMark, bot_mark
from p2p304.table.agreement.terms import pledge_of
from p2p304.table.gathering.admission import FULL
from p2p304.table.gathering.consent import Consent
from p2p304.table.gathering.exchange.begin_record import BeginRecord
from p2p304.table.gathering.exchange.messages import (
    OPENING,
    Guest,
    Join,
    Key,
    ListHoldings,
    Locked,
    Pledge,
    Seated,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.gathering.guest_names import check_bot_marks, check_guest_names
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.state.events import Event, Fault
from p2p304.table.state.gathering_events import TurnedAway
from p2p304.wire.effects import Outbox

HONEST, FALSE = (SigningKey.from_seed(bytes([n]) * 32) for n in (1, 2))
PASSPHRASE = "jak fruit"
NO_POINT = (2).to_bytes(32, "little")
MIXED_ORDER = bytes.fromhex("98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819")


class FalseGathering:
    """What is sent ``to`` an honest founder or visitor; ``check`` refuses it, and ``then`` what
    stands later in it, if both are told."""

    check: ClassVar[str]
    then: ClassVar[str | None] = None
    to: ClassVar[str]

    def payload(self) -> bytes:
        raise NotImplementedError


class KeyThatIsNoPoint(FalseGathering):
    """A visitor's side of the exchange whose bytes are on no curve."""

    check, to = "W10", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Key(b"B" + NO_POINT, bytes(32)))


class KeyOfMixedOrder(FalseGathering):
    """A visitor's side of the exchange that is a point, but outside the prime-order group."""

    check, to = "W10", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Key(b"B" + MIXED_ORDER, bytes(32)))


class KeyOfTheFoundersSide(FalseGathering):
    """A visitor that plays the founder's side of the exchange."""

    check, to = "W10", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Key(b"A" + FALSE.public, bytes(32)))


class LockedThatIsNoPoint(FalseGathering):
    """A founder's side of the exchange whose bytes are on no curve."""

    check, to = "W10", "visitor"

    def payload(self) -> bytes:
        return lobby_bytes(Locked(b"A" + NO_POINT))


class LockedOfSmallOrder(FalseGathering):
    """A founder's side of the exchange that is the identity."""

    check, to = "W10", "visitor"

    def payload(self) -> bytes:
        return lobby_bytes(Locked(b"A" + (1).to_bytes(32, "little")))


class LockedNotReduced(FalseGathering):
    """A founder's side of the exchange in a second encoding."""

    check, to = "W10", "visitor"

    def payload(self) -> bytes:
        return lobby_bytes(Locked(b"A" + b"\xff" * 32))


class JoinsUnderAnotherName(FalseGathering):
    """A visitor asks for a seat under another name than its handshake's."""

    check, to = "W31", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Join("Bandu"))


class JoinsAsAStrangersBot(FalseGathering):
    """A visitor says that it is the founder's bot, which the founder has not signed."""

    check, to = "W32", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Join("Eve", None, BotMark(HONEST.public, bytes(64))))


class ListThatAnotherKeeps(FalseGathering):
    """A list in which the visitor itself stands first, as its keeper."""

    check, to = "W11", "visitor"

    def payload(self) -> bytes:
        people = (Guest(HONEST.public, "Asha", "", 0), Guest(FALSE.public, "Eve", "127.0.0.1", 1))
        return lobby_bytes(Seated(bytes(OPENING), "Friday", preset("pagat"), 1, people))


def gathered() -> Seated:
    """The list of a table with seats for the two and two more."""
    keys = (HONEST, FALSE, *(SigningKey.from_seed(bytes([n]) * 32) for n in (5, 6)))
    people = tuple(Guest(key.public, f"Guest {n}", "", 0) for n, key in enumerate(keys))
    return Seated(bytes(OPENING), "Friday", preset("pagat"), 1, people).signed(HONEST)


def pledge(signed_by: SigningKey, what: bytes = bytes(32)) -> Pledge:
    return Pledge.make(signed_by, gathered().digest, what)


class ListThatIsNotSigned(FalseGathering):
    """A list that its founder has signed under another name of the table."""

    check, to = "W21", "visitor"

    def payload(self) -> bytes:
        people = (Guest(FALSE.public, "Eve", "127.0.0.1", 1),)
        signed = Seated(bytes(OPENING), "Friday", preset("pagat"), 1, people).signed(FALSE)
        return lobby_bytes(replace(signed, name="Sunday"))


class ListThatAnotherSigned(FalseGathering):
    """A list with somebody else's signature."""

    check, to = "W21", "visitor"

    def payload(self) -> bytes:
        people = (Guest(FALSE.public, "Eve", "127.0.0.1", 1),)
        here = Seated(bytes(OPENING), "Friday", preset("pagat"), 1, people)
        return lobby_bytes(here.signed(SigningKey.from_seed(bytes([7]) * 32)))


class PledgeInAnothersName(FalseGathering):
    """A member passes on a pledge that its author has not signed."""

    check, to = "W20", "member"

    def payload(self) -> bytes:
        pledges = (None, None, pledge(FALSE), None)
        return lobby_bytes(ListHoldings(gathered().digest, pledges, b"", (None,) * 4, ()))


class PledgeOfAnotherList(FalseGathering):
    """An own pledge that was signed for another list."""

    check, to = "W20", "member"

    @staticmethod
    def pledge() -> Pledge:
        return Pledge.make(FALSE, bytes(32), bytes(32))

    def payload(self) -> bytes:
        pledges = (None, self.pledge(), None, None)
        return lobby_bytes(ListHoldings(gathered().digest, pledges, b"", (None,) * 4, ()))


class HoldsForTooFew(FalseGathering):
    """Fewer pledges than the list has guests."""

    check, to = "W20", "member"

    def payload(self) -> bytes:
        return lobby_bytes(ListHoldings(gathered().digest, (None,) * 3, b"", (None,) * 3, ()))


class NamesATableThatDoesNotFollow(FalseGathering):
    """Everybody's pledge, and another table's identifier under them."""

    check, to = "W20", "member"
    table: ClassVar[bytes] = bytes(32)
    sig: ClassVar[bytes] = bytes(64)

    def payload(self) -> bytes:
        own = pledge_of(HONEST.public, bytes(32))
        pledges = tuple(pledge(key, own) for key in members())
        assents = (None, self.sig, None, None)
        return lobby_bytes(ListHoldings(gathered().digest, pledges, self.table, assents, ()))


class SignsTheAgreementFalsely(FalseGathering):
    """Everybody's pledge, and its signature under the label of something else."""

    check, to = "W20", "member"

    def payload(self) -> bytes:
        own = pledge_of(HONEST.public, bytes(32))
        pledges = tuple(pledge(key, own) for key in members())
        table = BeginRecord(gathered(), pledges).terms.table
        assents = (None, FALSE.sign(b"p2p304 pledged\x00" + table), None, None)
        return lobby_bytes(ListHoldings(gathered().digest, pledges, table, assents, ()))


class PledgesTwice(FalseGathering):
    """A second pledge for one list, as well signed as the first."""

    check, to = "W22", "member"

    def payload(self) -> bytes:
        pledges = (None, pledge(FALSE, b"2" * 32), None, None)
        return lobby_bytes(ListHoldings(gathered().digest, pledges, b"", (None,) * 4, ()))


class PledgesTwiceAndFalsely(FalseGathering):
    """A second pledge of its author, and after it a pledge that its author has not signed: the
    judging goes on after the first fault, and both are told."""

    check, to, then = "W22", "member", "W20"

    def payload(self) -> bytes:
        false = Pledge(bytes(32), bytes(64))
        pledges = (None, pledge(FALSE, b"2" * 32), false, None)
        return lobby_bytes(ListHoldings(gathered().digest, pledges, b"", (None,) * 4, ()))


class PledgesForTheOther(FalseGathering):
    """What somebody pledges with one's own identity, on another machine."""

    check, to = "W22", "member"

    def payload(self) -> bytes:
        pledges = (pledge(HONEST, b"2" * 32), None, None, None)
        return lobby_bytes(ListHoldings(gathered().digest, pledges, b"", (None,) * 4, ()))


class PledgesAgainUnsigned(FalseGathering):
    """A second pledge for one list, which its author has not signed: no contradiction."""

    check, to = "W20", "member"

    def payload(self) -> bytes:
        second = Pledge(b"2" * 32, pledge(FALSE).sig)
        pledges = (None, second, None, None)
        return lobby_bytes(ListHoldings(gathered().digest, pledges, b"", (None,) * 4, ()))


class JoinsFalselyTwice(FalseGathering):
    """A visitor with another name than its handshake's, and a mark that nobody has signed."""

    check, to = "W31", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Join("Bandu", None, BotMark(HONEST.public, bytes(64))))


class FalseList(FalseGathering):
    """A founder's list of Eve, of Asha who reads it, and of one more."""

    to = "guest"
    eve: ClassVar[str] = "Eve"
    asha: ClassVar[str] = "Asha"
    third: ClassVar[str] = "Chitra"
    own_mark: ClassVar[BotMark | None] = None
    mark: ClassVar[BotMark | None] = None
    is_signed: ClassVar[bool] = True

    def payload(self) -> bytes:
        other = SigningKey.from_seed(bytes([5]) * 32)
        people = (
            Guest(FALSE.public, self.eve, "127.0.0.1", 1),
            Guest(HONEST.public, self.asha, "127.0.0.1", 2, bot=self.own_mark),
            Guest(other.public, self.third, "127.0.0.1", 3, bot=self.mark),
        )
        here = Seated(bytes(OPENING), "Friday", preset("pagat"), 1, people)
        return lobby_bytes(here.signed(FALSE) if self.is_signed else here)


class ListWithTwoNamesAlike(FalseList):
    """A founder's list on which two players look alike; the visitor leaves the gathering."""

    check, third = "W30", "\u0410sha"


class ListWithoutTheReaderAndNamesAlike(FalseGathering):
    """An incomplete list without the visitor, on which two names are alike."""

    check, to = "W30", "guest"

    def payload(self) -> bytes:
        other = SigningKey.from_seed(bytes([5]) * 32)
        people = (Guest(FALSE.public, "Eve", "", 0), Guest(other.public, "EVE", "", 0))
        return lobby_bytes(
            Seated(bytes(OPENING), "Friday", preset("pagat"), 1, people).signed(FALSE)
        )


class ListWithNamesAlikeWhenFolded(FalseList):
    """Two names that differ in capital letters, a wide letter and a space."""

    check, third = "W30", "\uff25 VE"


class ListThatRenamesItsReader(FalseList):
    """A founder's list that calls the visitor otherwise than its own handshake does."""

    check, asha = "W31", "Bandu"


class ListThatRenamesALink(FalseList):
    """A founder's list with another name of the founder than its handshake has."""

    check, eve = "W31", "Bandu"


class ListWithAFalseMark(FalseList):
    """A founder's list on which a guest is somebody's bot, and that player has not signed it."""

    check, mark = "W32", BotMark(HONEST.public, bytes(64))


class ListThatCallsAPersonABot(FalseList):
    """A founder's list on which the visitor, a person, is the founder's bot; the mark is signed."""

    check, own_mark = "W32", bot_mark(FALSE, HONEST.public)


class ListUnsignedWithNamesAlike(FalseList):
    """A list that nobody has signed, on which two players look alike."""

    check, to, third, is_signed = "W21", "visitor", "\u0410sha", False


class ListWithNamesAlikeAndRenamed(FalseList):
    """The visitor is called otherwise than in its handshake, and two others look alike."""

    check, asha, third = "W30", "Bandu", "Eve"


class ListRenamedAndMarked(FalseList):
    """The founder has another name than in its handshake, and the visitor is called a bot."""

    check, eve, own_mark = "W31", "Ruwan", bot_mark(FALSE, HONEST.public)


FALSE_GATHERINGS: list[type[FalseGathering]] = [
    *(each for each in FalseGathering.__subclasses__() if each is not FalseList),
    *FalseList.__subclasses__(),
]


def founder() -> Meeting:
    """Opened a locked table; the false visitor has knocked and was sent its side."""
    meeting = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0)
    meeting.admission.passphrase = PASSPHRASE
    meeting.found("Friday", preset("pagat"), 1)
    meeting.link_up(FALSE.public, "Eve", "127.0.0.1", 1, 0.0)
    meeting.receive(FALSE.public, lobby_bytes(Join("Eve")), 0.0)
    return meeting


def visitor(passphrase: str | None = PASSPHRASE) -> Meeting:
    """Asked the false founder for a seat, knowing the passphrase of a friend's table."""
    meeting = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0)
    meeting.visitor.passphrase = passphrase
    meeting.link_up(FALSE.public, "Eve", "127.0.0.1", 1, 0.0)
    meeting.join(FALSE.public, 0.0)
    return meeting


def members() -> tuple[SigningKey, ...]:
    return (HONEST, FALSE, *(SigningKey.from_seed(bytes([n]) * 32) for n in (5, 6)))


def held_before(held: ListHoldings) -> tuple[Pledge | None, ...]:
    """The pledges that an honest member holds before it takes these: its own, and the other's first
    unless the message brings that one, or everybody's. What is held is not verified again."""
    brings_first = all(held.pledges) or held.pledges[1:2] == (PledgeOfAnotherList.pledge(),)
    first = None if brings_first else pledge(FALSE)
    return (pledge(HONEST, pledge_of(HONEST.public, bytes(32))), first, None, None)


def member(raw: bytes) -> None:
    """What a member makes of a message: it raises the first of the faults that it tells."""
    for finding in found_by_member(raw):
        raise Refused.of(finding)


def found_by_member(raw: bytes) -> list[Finding]:
    """An honest member takes what another one holds; it has pledged, and so has the other. Two
    pledges of one author are found before what stands after them."""
    out = Outbox[Event]()
    consent = Consent(HONEST, out)
    consent.set_list(gathered())
    held = parse_lobby(raw)
    assert isinstance(held, ListHoldings)
    consent.pledge(lambda: bytes(32))
    own, *others = held_before(held)
    assert consent.current is not None and consent.current.pledges == {HONEST.public: own}
    if any(others):
        first = ListHoldings(held.list, (None, *others), b"", (None,) * 4, ())
        consent.take(FALSE.public, first)
    consent.take(FALSE.public, held)
    found = [told.finding for told in out.events() if isinstance(told, Fault)]
    return sorted(found, key=lambda finding: finding.check != "W22")


def guest(raw: bytes) -> None:
    """An honest visitor takes a list. It leaves because of a name or a mark with a sentence, and
    the check that it gave tells the number."""
    meeting = visitor(None)
    meeting.receive(FALSE.public, raw, 0.0)
    (sentence,) = [str(e.sentence) for e in meeting.events() if isinstance(e, TurnedAway)]
    here = parse_lobby(raw)
    assert isinstance(here, Seated)
    if sentence == FULL:
        assert here.is_complete
        return
    try:
        check_guest_names(here, {HONEST.public: "Asha", FALSE.public: "Eve"})
        check_bot_marks(here, HONEST.public, None)
    except Refused as refused:
        assert refused.finding.sentence in sentence
        raise


def reader_of(to: str) -> Callable[[bytes], None]:
    """Takes a payload as an honest founder, or visitor, does. Only a visitor who was told no
    passphrase believes a list at once."""
    if to in ("member", "guest"):
        return member if to == "member" else guest
    if to == "founder":
        meeting = founder()
        return lambda raw: meeting.receive(FALSE.public, raw, 0.0)

    def read(raw: bytes) -> None:
        locked = b"locked" in raw
        visitor(PASSPHRASE if locked else None).receive(FALSE.public, raw, 0.0)

    return read
