"""Messages of a gathering to a visitor or guest whose answer depends on what came before: whether
it was told a passphrase, which `locked` it has answered, whether the founder has proven that it
knows the passphrase too, and which list it has.

Responsible for these messages and for a visitor in such a state; other messages are
gathering_rows.py's and false_gatherings.py's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.table.gathering.exchange.messages import (
    OPENING,
    Full,
    Key,
    Locked,
    Seated,
    Unlocked,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.gathering.exchange.passphrase import Exchange
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.state.gathering_events import TurnedAway
from p2p304.wire.effects import Send
from tests.support.hostile.false_gatherings import (
    FALSE,
    HONEST,
    NO_POINT,
    PASSPHRASE,
    ListThatAnotherKeeps,
    ListThatIsNotSigned,
)
from tests.support.hostile.gathering_rows import eves_list, list_with_every_field, people

ANOTHER = SigningKey.from_seed(bytes([5]) * 32)
NAMES = {FALSE.public: "Eve", ANOTHER.public: "Chitra"}


class VisitorState(NamedTuple):
    """Whether the visitor was told a passphrase, the exchange of the `locked` that it has answered,
    whether the founder's proof has come, whom it has asked for a seat, and the list that it has."""

    passphrase: bool = False
    answered: bytes | None = None
    proven: bool = False
    founder: bytes = FALSE.public
    list: Seated | None = None


class VisitorRow(NamedTuple):
    """A message to such a visitor, the check that refuses it or None, what it is, what comes of it
    (`outcome`), and who sends it."""

    state: VisitorState
    payload: bytes
    check: str | None
    comment: str
    outcome: str
    sender: bytes = FALSE.public


def run() -> Exchange:
    """Eve's side of an exchange: she knows the passphrase."""
    rng = Rng.from_seed(bytes([9]) * 32)
    return Exchange(PASSPHRASE, FALSE.public, HONEST.public, True, rng.bytes)


def usual(payload: bytes) -> VisitorState:
    """The state in which a visitor gets a message that needs no other: it was told a passphrase
    where the message is `locked` or `unlocked`."""
    return VisitorState(passphrase=b"locked" in payload)


def in_state(state: VisitorState) -> Meeting:
    """An honest visitor to whom all this has happened."""
    return _prepared(state)[0]


def expected_proof(state: VisitorState) -> bytes | None:
    """The founder's proof that such a visitor awaits, or has had."""
    return _prepared(state)[1]


def _prepared(state: VisitorState) -> tuple[Meeting, bytes | None]:
    meeting, here = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0), run()
    meeting.visitor.passphrase = PASSPHRASE if state.passphrase else None
    for key, nick in NAMES.items():
        meeting.link_up(key, nick, "127.0.0.1", 1, 0.0)
    meeting.join(state.founder, 0.0)
    if state.answered is not None:
        meeting.receive(FALSE.public, lobby_bytes(Locked(state.answered)), 0.0)
        sent = [parse_lobby(each.payload) for each in meeting.effects() if isinstance(each, Send)]
        (said,) = [each for each in sent if isinstance(each, Key)]
        here.finish(said.exchange)
        if state.proven:
            meeting.receive(FALSE.public, lobby_bytes(Unlocked(here.proof)), 0.0)
    if state.list is not None:
        meeting.receive(state.founder, lobby_bytes(state.list), 0.0)
        assert meeting.list == state.list
    return meeting, None if state.answered is None else here.proof


def outcome(state: VisitorState, sender: bytes, payload: bytes) -> str:
    """What comes of a message: it is refused, answered with a key, taken or passed over, or the
    visitor leaves. A refused one ends the link; some make the visitor leave, too."""
    meeting = in_state(state)
    meeting.effects(), meeting.events()
    before = meeting.list, meeting.visitor.is_founder_trusted
    try:
        meeting.receive(sender, payload, 0.0)
    except Refused:
        return "refused, and leaves" if _has_left(meeting) else "refused"
    if _has_left(meeting):
        return "leaves"
    sent = [parse_lobby(each.payload) for each in meeting.effects() if isinstance(each, Send)]
    if any(isinstance(each, Key) for each in sent):
        return "answered"
    is_taken = (meeting.list, meeting.visitor.is_founder_trusted) != before
    return "taken" if is_taken else "passed over"


def _has_left(meeting: Meeting) -> bool:
    return any(isinstance(event, TurnedAway) for event in meeting.events())


def visitor_rows() -> dict[str, VisitorRow]:
    return {**_before_a_list(), **_after_a_list()}


def _after_a_list() -> dict[str, VisitorRow]:
    """Messages to a guest, or to a visitor that is not on the list that it has."""
    here = replace(eves_list(), number=1).signed(FALSE)
    guest, point = VisitorState(list=here), run().message
    others = replace(here, guests=people()[:1]).signed(FALSE)
    rows: dict[str, tuple[str, str, Any]] = {
        "ListOfALowerNumber": ("passed over", "a lower number of the same opening", {"number": 0}),
        "ListOfTheSameNumber": (
            "leaves",
            "another list under the same number: its founder has signed two",
            {"guests": people()[:2]},
        ),
        "ListOfAnotherGame": (
            "leaves",
            "the next number, and another number of hands",
            {"number": 2, "hands": 2},
        ),
        "ListAnewOfAnotherGame": (
            "leaves",
            "another opening, and another number of hands",
            {"opening": b"n" * OPENING, "hands": 2},
        ),
        "ListAnew": (
            "taken",
            "another opening and a lower number, of the same game",
            {"opening": b"n" * OPENING, "number": 0},
        ),
        "ListOfTheNextNumber": (
            "taken",
            "the next number, with another name of the table",
            {"number": 2, "name": "Saturday"},
        ),
    }
    refused = {
        "ListAnewOfAnotherKeeper": VisitorRow(
            guest,
            lobby_bytes(replace(here, guests=people()[1::-1]).signed(HONEST)),
            "W11",
            "a list that begins with another player: its link ends, and the reader stays",
            "refused",
        ),
        "ListOfTheNextNumberUnsigned": VisitorRow(
            guest,
            lobby_bytes(replace(here, number=2)),
            "W21",
            "the next number, not signed: its link ends, and the reader stays",
            "refused",
        ),
    }
    made = {
        name: VisitorRow(
            guest, lobby_bytes(replace(here, **change).signed(FALSE)), None, comment, outcome
        )
        for name, (outcome, comment, change) in rows.items()
    }
    whole = list_with_every_field()
    first = replace(whole, number=1, guests=whole.guests[:3])
    after = whole.after
    assert after is not None
    for name, before, later, comment in (
        ("ListThatGoesOnFromATable", None, after, "a table that it continues, where it had none"),
        ("ListThatGoesOnFromNoTable", after, None, "no table that it continues, where it had one"),
        (
            "ListThatGoesOnWithOtherTokens",
            after,
            replace(after, tokens=(21, 1)),
            "other tokens of the table that it continues",
        ),
    ):
        seen = VisitorState(list=replace(first, after=before).signed(FALSE))
        offered = replace(first, number=2, after=later).signed(FALSE)
        made[name] = VisitorRow(
            seen, lobby_bytes(offered), None, f"the next number, and {comment}", "leaves"
        )
    moved = replace(here, guests=(*people()[:2], replace(people()[2], port=1))).signed(FALSE)
    by_another = {
        "ListPassedOn": (
            made["ListOfTheNextNumber"].payload,
            "taken",
            "another guest passes it on",
        ),
        "ListAnewPassedOn": (
            made["ListAnew"].payload,
            "passed over",
            "a list of another opening, by another guest",
        ),
        "ListMovedByAnother": (
            lobby_bytes(moved),
            "passed over",
            "the present list with another port, by another guest than the founder",
        ),
        "FullByAnother": (
            lobby_bytes(Full("No seat.")),
            "passed over",
            "a guest who is not the founder turns nobody away",
        ),
    }
    words = {
        "ListMoved": (guest, lobby_bytes(moved), "taken", "the present list with another port"),
        "FullToAGuest": (
            guest,
            lobby_bytes(Full("No seat.")),
            "leaves",
            "the founder has taken the reader off the list",
        ),
        "LockedToAGuest": (
            guest,
            lobby_bytes(Locked(point)),
            "passed over",
            "the reader is on the list that it has",
        ),
        "LockedToAnUnlistedGuest": (
            VisitorState(list=others),
            lobby_bytes(Locked(point)),
            "leaves",
            "the reader is not on the list that it has: it begins no second run",
        ),
        "UnlockedToAGuest": (
            guest,
            lobby_bytes(Unlocked(bytes(32))),
            "passed over",
            "the reader has a list",
        ),
    }
    return {
        **refused,
        **made,
        **{
            name: VisitorRow(guest, payload, None, comment, outcome, ANOTHER.public)
            for name, (payload, outcome, comment) in by_another.items()
        },
        **{
            name: VisitorRow(state, payload, None, comment, outcome)
            for name, (state, payload, outcome, comment) in words.items()
        },
    }


def _before_a_list() -> dict[str, VisitorRow]:
    good = run().message
    no_point = lobby_bytes(Locked(b"A" + NO_POINT))
    asked, answered = VisitorState(passphrase=True), VisitorState(passphrase=True, answered=good)
    not_signed, others = ListThatIsNotSigned().payload(), ListThatAnotherKeeps().payload()
    return {
        "LockedForNoPassphrase": VisitorRow(
            VisitorState(),
            no_point,
            None,
            "the visitor was told no passphrase: it leaves, and does not look at the exchange",
            "leaves",
        ),
        "LockedAnew": VisitorRow(
            answered,
            no_point,
            None,
            "another locked than the one that the visitor has answered: it leaves likewise",
            "leaves",
        ),
        "LockedFirstAndNoPoint": VisitorRow(
            asked,
            no_point,
            "W10",
            "no point, and the visitor was told a passphrase: it ends the link, and leaves",
            "refused, and leaves",
        ),
        "LockedAgain": VisitorRow(
            answered,
            lobby_bytes(Locked(good)),
            None,
            "the same locked again: the same answer",
            "answered",
        ),
        "LockedByAnother": VisitorRow(
            asked._replace(founder=ANOTHER.public),
            no_point,
            None,
            "locked by a player whom the visitor has not asked: passed over",
            "passed over",
        ),
        "ListBeforeAnyProof": VisitorRow(
            asked,
            not_signed,
            None,
            "told a passphrase, and not asked for it: the visitor leaves",
            "leaves",
        ),
        "ListByAnotherBeforeAnyProof": VisitorRow(
            asked._replace(founder=ANOTHER.public),
            not_signed,
            None,
            "the same by a player whom the visitor has not asked: passed over",
            "passed over",
        ),
        "UnlockedUnasked": VisitorRow(
            asked,
            lobby_bytes(Unlocked(bytes(32))),
            None,
            "a proof before the visitor has answered a locked: it leaves, as after a false one",
            "leaves",
        ),
        "UnlockedFalsely": VisitorRow(
            answered,
            lobby_bytes(Unlocked(bytes(32))),
            None,
            "a false proof after the visitor has answered: it leaves",
            "leaves",
        ),
        "UnlockedTruly": VisitorRow(
            answered,
            lobby_bytes(Unlocked(expected_proof(answered) or b"")),
            None,
            "the founder's proof",
            "taken",
        ),
        "ListBeforeTheProof": VisitorRow(
            answered, others, None, "a list before the founder's proof: passed over", "passed over"
        ),
        "ListAfterTheProof": VisitorRow(
            answered._replace(proven=True),
            not_signed,
            "W21",
            "a list after the founder's proof",
            "refused",
        ),
    }
