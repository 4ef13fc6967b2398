"""Messages of a gathering for protocol/messages: good ones that an honest node takes, and ones with
one fault of form (check W06).

Responsible for these messages; well-formed false ones are false_gatherings.py's, which also has the
honest nodes that read them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from p2p304.crypto.signing import SigningKey
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.bot_mark import bot_mark
from p2p304.table.agreement.continuation import Continuation
from p2p304.table.agreement.terms import assent, pledge_of
from p2p304.table.gathering.exchange.begin_record import BeginRecord
from p2p304.table.gathering.exchange.messages import (
    OPENING,
    Full,
    Guest,
    Join,
    Key,
    ListHoldings,
    LobbyMessage,
    Locked,
    Pledge,
    Seated,
    Unlocked,
    lobby_bytes,
)
from p2p304.wire.canonical import Value, decode, encode
from tests.support.edwards import SignsAnew
from tests.support.hostile.false_gatherings import FALSE, HONEST, gathered, members, pledge

RULES = preset("pagat")
CHOSEN = RULES.override({"seating": "chosen"})
OTHERS = [SigningKey.from_seed(bytes([n]) * 32) for n in (5, 6)]


class Row(NamedTuple):
    """One message, who reads it, and what it is."""

    to: str
    payload: bytes
    comment: str


def people(*seats: int) -> tuple[Guest, ...]:
    """Eve, who keeps the list; Asha, who reads it; and two more. With ``seats`` each has one."""
    keys = [FALSE, HONEST, *OTHERS]
    names, hosts = ("Eve", "Asha", "Chitra", "Dilan"), ("", *("192.0.2.7",) * 3)
    guests = [
        Guest(key.public, nick, host, 4304 * bool(host))
        for key, nick, host in zip(keys, names, hosts, strict=True)
    ]
    return tuple(replace(guest, seat=seats[n] if seats else None) for n, guest in enumerate(guests))


def eves_list() -> Seated:
    """An incomplete list, which Eve has signed."""
    return Seated(bytes(OPENING), "Friday", RULES, 1, people()[:3]).signed(FALSE)


def list_with_every_field() -> Seated:
    """A complete list with a bot, chosen seats, spectators and a table that it continues."""
    guests = list(people(2, 0, 3, 1))
    guests[2] = replace(guests[2], bot=bot_mark(FALSE, guests[2].key))
    after = Continuation(b"t" * 32, b"e" * 32, 3, (7, 15), (0, 0), (0, 0))
    whole = Seated(b"o" * OPENING, "Friday", CHOSEN, 3, tuple(guests), "trick", after, 2**32 - 1)
    return whole.signed(FALSE)


def whole_holdings() -> ListHoldings:
    """Everybody's pledge and signature."""
    here = gathered()
    pledges = tuple(pledge(key, pledge_of(HONEST.public, bytes(32))) for key in members())
    table = BeginRecord(here, pledges).terms.table
    return ListHoldings(
        here.digest, pledges, table, tuple(assent(key, table) for key in members()), ()
    )


def half_holdings() -> ListHoldings:
    """Two pledges, and a member that names itself among those whom it lacks."""
    pledges = (pledge(HONEST, pledge_of(HONEST.public, bytes(32))), pledge(FALSE), None, None)
    return ListHoldings(gathered().digest, pledges, b"", (None,) * 4, (1, 3))


def full_of_others() -> Seated:
    """A complete list without Asha, on which two names are alike."""
    eve, asha, *more = people()
    fourth = SigningKey.from_seed(bytes([7]) * 32)
    guests = (eve, *more, replace(asha, key=fourth.public, nick="EVE"))
    return Seated(bytes(OPENING), "Friday", RULES, 1, guests).signed(FALSE)


def signed_anew() -> Pledge:
    """The pledge of `half_holdings`, with a second signature that verifies."""
    first = pledge(FALSE)
    anew = Pledge.make(SignsAnew.of(FALSE), gathered().digest, first.pledge)
    if anew == first or not anew.is_signed_by(FALSE.public, gathered().digest):
        raise ValueError("not a second signature")
    return anew


def _good() -> dict[str, tuple[str, LobbyMessage, str]]:
    point = OTHERS[0].public
    eve_is_a_bot = bot_mark(HONEST, FALSE.public)
    of_none = replace(half_holdings(), list=b"d" * 32)
    reason = "Seat 2 is taken (by the bot): choose another, please."
    return {
        "AsksForASeat": ("founder", Join("Eve"), "a visitor asks for any seat"),
        "AsksForItsBotsSeat": (
            "founder",
            Join("Eve", 7, eve_is_a_bot),
            "a bot with its owner's mark, which asks for a seat that no table of four has",
        ),
        "TriesAPassphrase": (
            "founder",
            Key(b"B" + point, bytes(32)),
            "a point of the group, and a false proof: a typing error is no fault",
        ),
        "JoinsNobody": ("visitor", Join("Asha"), "a join at a visitor: passed over"),
        "KeyForNoRun": ("visitor", Key(b"B" + bytes(32), bytes(32)), "a key at a visitor"),
        "AsksForThePassphrase": ("visitor", Locked(b"A" + point), "a point of the group"),
        "UnlocksFalsely": ("visitor", Unlocked(bytes(32)), "a false proof has no number"),
        "TurnsAway": ("visitor", Full(reason), "marks that a name may not have"),
        "ListOfThree": ("visitor", eves_list(), "an incomplete list"),
        "ListWithEveryField": (
            "visitor",
            list_with_every_field(),
            "seats, a bot, watch and after; the largest number",
        ),
        "ListWithoutTheReader": (
            "visitor",
            replace(eves_list(), guests=people()[:1]).signed(FALSE),
            "the founder alone; the reader goes on asking",
        ),
        "ListOfOthersWithNamesAlike": (
            "guest",
            full_of_others(),
            "a complete list without the reader, on which two names are alike: the reader leaves",
        ),
        "HoldsAPledgeSignedAnew": (
            "member",
            replace(half_holdings(), pledges=(None, signed_anew(), None, None)),
            "the pledge that the reader has of the sender, with another valid signature",
        ),
        "HoldsAPledgeSignedFalsely": (
            "member",
            replace(half_holdings(), pledges=(None, Pledge(bytes(32), bytes(64)), None, None)),
            "the pledge that the reader has of the sender, with a false signature",
        ),
        "HoldsNothing": (
            "member",
            ListHoldings(gathered().digest, (None,) * 4, b"", (None,) * 4, (0, 2, 3)),
            "a member that has not pledged",
        ),
        "HoldsTwoPledges": (
            "member",
            half_holdings(),
            "two pledges; its own number in lacks means nothing",
        ),
        "HoldsEverything": ("member", whole_holdings(), "all pledges, the table, all signatures"),
        "HoldsPledgesOfAll": (
            "member",
            replace(whole_holdings(), table=b"", assents=(None,) * 4),
            "all pledges, and no table yet",
        ),
        "HoldsAnotherList": ("member", of_none, "about a list that has not come: kept"),
        "HoldsWithoutAList": ("visitor", half_holdings(), "the reader has no list yet: kept"),
    }


def good_rows() -> dict[str, Row]:
    """Name to a message that no check refuses."""
    return {
        name: Row(to, lobby_bytes(message), comment)
        for name, (to, message, comment) in _good().items()
    }


def malformed_rows() -> dict[str, Row]:
    """Name to a message that W06 refuses, whoever reads it; its signatures do not matter."""
    rows: dict[str, Row] = {}

    def row(message: LobbyMessage, name: str, comment: str, **fields: Any) -> None:
        value: Any = decode(lobby_bytes(message))
        rows[name] = Row("visitor", encode({**value, **fields}), comment)

    def listed(name: str, comment: str, change: Callable[[list[Any]], object]) -> None:
        """A list whose guests are changed."""
        value: Any = decode(lobby_bytes(eves_list()))
        change(value["guests"])
        rows[name] = Row("visitor", encode(value), comment)

    row(Join("Eve"), "JoinForANinthSeat", "seat 8", seat=8)
    row(Join("Eve"), "JoinWithoutAName", "an empty nickname", nick="")
    row(Full("no"), "FullWithTwoSpaces", "two spaces between words", why="no  seat")
    row(Full("no"), "FullAtLength", "201 characters", why="x" * 201)
    row(Locked(bytes(33)), "LockedCutOff", "an exchange of 32 bytes", exchange=bytes(32))
    row(eves_list(), "ListOfALongOpening", "an opening of 32 bytes", opening=bytes(32))
    row(eves_list(), "ListOfALargeNumber", "the number 2^32", number=2**32)
    row(eves_list(), "ListOfTooManyHands", "10,001 hands", hands=10001)
    session = {**RULES.to_data(), "match": "session"}
    row(eves_list(), "ListOfNoEnd", "a session, and 0 hands", hands=0, rules=session)
    row(eves_list(), "ListWatchedSomehow", "a word of watch that is none", watch="always")
    rules: dict[str, Value] = dict(RULES.to_data())
    row(eves_list(), "ListOfHalfTheRules", "an option is missing", rules=_without(rules, "caps"))
    row(
        eves_list(), "ListOfNoSuchRule", "a value that no option has", rules={**rules, "caps": "no"}
    )
    row(
        eves_list(),
        "ListOfRulesApart",
        "options that do not go together: two seats, and a partner across",
        rules={**rules, "seats": 2},
    )
    after: Any = {
        "table": bytes(32),
        "end": bytes(32),
        "dealer": 0,
        "tokens": [1, 1],
        "cards": [0, 0],
        "games": [0, 0],
    }
    row(eves_list(), "ListAfterADraw", "after, where seats are not chosen", after=after)
    row(
        list_with_every_field(),
        "ListAfterAnotherTable",
        "after with three accounts, at a table that has two",
        after={**after, "tokens": [1, 1, 1]},
    )
    row(eves_list(), "ListOfNobody", "no guests", guests=[])
    listed("ListWithASeat", "a seat where seats are not chosen", lambda g: g[1].update(seat=1))
    listed("ListWithAKeyTwice", "one key twice", lambda g: g[2].update(key=g[1]["key"]))
    listed(
        "ListWithASmallKey",
        "a key whose y is that of a point of small order",
        lambda g: g[1].update(key=(1).to_bytes(32, "little")),
    )
    listed(
        "ListWithAKeyNotReduced",
        "a key whose y is 2^255 - 18",
        lambda g: g[1].update(key=(2**255 - 18).to_bytes(32, "little")),
    )
    listed("ListWithAWideHost", "a host beyond ASCII", lambda g: g[1].update(host="w\u00fcste"))
    listed("ListWithALargePort", "port 65536", lambda g: g[1].update(port=65536))
    listed("ListWithoutAHost", "a guest without host", lambda g: g[1].pop("host"))
    listed(
        "ListWithHalfAMark",
        "a bot's mark without owner",
        lambda g: g[1].update(bot={"sig": bytes(64)}),
    )
    chosen: Any = decode(lobby_bytes(list_with_every_field()))
    for name, seat, comment in (
        ("ListWithOneSeatTwice", 2, "two guests on seat 2"),
        ("ListWithASeatTooHigh", 4, "seat 4 of four"),
        ("ListWithoutASeat", None, "seats are chosen, and a guest has none"),
    ):
        one, two, *more = chosen["guests"]
        changed = _without(two, "seat") if seat is None else {**two, "seat": seat}
        rows[name] = Row("visitor", encode({**chosen, "guests": [one, changed, *more]}), comment)
    held, whole = half_holdings(), whole_holdings()
    row(held, "HoldsForMoreSignatures", "five signatures, four pledges", assents=[b""] * 5)
    row(held, "HoldsForNine", "nine pledges", pledges=[b""] * 9, assents=[b""] * 9)
    row(held, "HoldsAShortPledge", "a pledge of 95 bytes", pledges=[bytes(95), b"", b"", b""])
    row(held, "HoldsTooEarlyATable", "a table, and two pledges missing", table=bytes(32))
    row(held, "HoldsAShortTable", "a table of 16 bytes", table=bytes(16))
    row(whole, "HoldsSignaturesOfNoTable", "signatures, and no table", table=b"")
    row(held, "LacksNobody", "a number beyond the pledges", lacks=[4])
    row(held, "LacksOneTwice", "one number twice", lacks=[3, 3])
    row(held, "LacksOutOfOrder", "numbers that descend", lacks=[3, 1])
    return rows


def _without(value: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value[key] for key in value if key != name}
