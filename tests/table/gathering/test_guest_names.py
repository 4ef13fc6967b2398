"""Names at a gathering: a founder can rename nobody, and no two players look alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.bot_mark import BotMark, bot_mark
from p2p304.table.gathering.exchange.messages import Guest, Join, Seated, lobby_bytes
from p2p304.table.gathering.guest_list import GuestList
from p2p304.table.gathering.guest_names import (
    check_bot_marks,
    check_guest_names,
    check_visitor,
    name_alike,
)
from p2p304.table.node.node import Node
from p2p304.table.state import events, gathering_events
from p2p304.wire.framing import FrameKind
from tests.support.table.gathering_bus import NICKS, Bus


def _list(*nicks: str) -> Seated:
    guests = tuple(Guest(bytes([n]) * 32, nick, "", 0) for n, nick in enumerate(nicks))
    return Seated(bytes(16), "t", preset("pagat"), 0, guests)


def test_a_true_list_is_taken_also_where_somebody_is_not_linked_yet() -> None:
    check_guest_names(_list("Asha", "Bandu", "Chitra"), {bytes([1]) * 32: "Bandu"})


@pytest.mark.parametrize(
    ("given", "check"), [({0: "Asha"}, "W30"), ({1: "Dilan"}, "W30"), ({}, "W30")]
)
def test_names_that_are_alike_are_refused(given: dict[int, str], check: str) -> None:
    with pytest.raises(Refused) as refused:
        check_guest_names(
            _list("Asha", "\u0410sha"), {bytes([n]) * 32: g for n, g in given.items()}
        )
    assert refused.value.finding.check == check


@pytest.mark.parametrize("nick", ["asha", "Asha2", "Bandu"])
def test_a_renamed_player_is_refused(nick: str) -> None:
    with pytest.raises(Refused) as refused:
        check_guest_names(_list("Asha", "Dilan"), {bytes(32): nick})
    assert refused.value.finding.check == "W31"


def _renaming(wrong: Callable[[str], str]) -> Callable[[GuestList, tuple[Guest, ...]], None]:
    real = GuestList.change

    def change(held: GuestList, guests: tuple[Guest, ...]) -> None:
        real(held, tuple(replace(g, nick=wrong(NICKS[_number(g)])) for g in guests))

    return change


def _number(guest: Guest) -> int:
    return int(guest.host.removeprefix("host") or 0)


SWAPS: dict[str, Callable[[str], str]] = {
    "two swapped": lambda nick: {"Bandu": "Chitra", "Chitra": "Bandu"}.get(nick, nick),
    "one renamed": lambda nick: {"Dilan": "Eshan"}.get(nick, nick),
    "another spelling": lambda nick: {"Dilan": "dilan"}.get(nick, nick),
    "the founder itself": lambda nick: {"Asha": "Esha"}.get(nick, nick),
}


@pytest.mark.parametrize("how", SWAPS)
def test_a_founder_that_renames_its_guests_gets_no_signature(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GuestList, "change", _renaming(SWAPS[how]))
    bus = Bus(4)
    bus.nodes[0].meeting.found("t", preset("pagat"), 0)
    for number in (1, 2, 3):
        bus.link(0, number)
        bus.nodes[number].meeting.join(bus.nodes[0].key.public, bus.now)
    for _ in range(6):
        bus.step()
    assert all(node.table is None for node in bus.nodes)
    turned = [
        e for told in bus.told[1:] for e in told if isinstance(e, gathering_events.TurnedAway)
    ]
    assert turned and any("under the name" in str(event.sentence) for event in turned)


def test_who_joins_under_another_name_than_its_own_is_refused() -> None:
    bus = Bus(2)
    bus.nodes[0].meeting.found("t", preset("pagat"), 0)
    bus.link(0, 1)
    bus.nodes[0].receive(
        bus.nodes[1].key.public, FrameKind.LOBBY, lobby_bytes(Join("Chitra")), bus.now
    )
    bus.step()
    assert any("W31" in str(e) for e in bus.told[0] if isinstance(e, events.Fault))
    assert bus.hung


def test_a_visitor_whose_name_looks_like_a_guests_is_told_so() -> None:
    bus = Bus(3)
    key = bus.nodes[2].key
    bus.nodes[2] = Node(key, "B\u0430ndu", Rng.from_seed(key.public), 0.0)
    bus.nodes[0].meeting.found("t", preset("pagat"), 0)
    for number in (1, 2):
        bus.link(0, number)
        bus.nodes[number].meeting.join(bus.nodes[0].key.public, bus.now)
        bus.step()
    told = [str(e.sentence) for e in bus.told[2] if isinstance(e, gathering_events.TurnedAway)]
    assert told and "too similar to Bandu" in told[0]
    here = bus.nodes[0].meeting.list
    assert here is not None and len(here.guests) == 2


OWNER, BOT = (SigningKey.from_seed(bytes([n]) * 32) for n in (1, 2))


def _with_bot(mark: BotMark | None) -> Seated:
    here = _list("Asha", "Bot")
    return replace(here, guests=(here.guests[0], replace(here.guests[1], key=BOT.public, bot=mark)))


def test_a_mark_is_its_owners_and_what_the_bot_itself_says() -> None:
    mark, other = bot_mark(OWNER, BOT.public), bot_mark(BOT, BOT.public)
    check_bot_marks(_with_bot(mark), BOT.public, mark)
    check_bot_marks(_with_bot(mark), bytes(32), None)
    check_bot_marks(_with_bot(None), BOT.public, None)
    for shown, own, said in (
        (BotMark(OWNER.public, other.sig), bytes(32), None),
        (mark, BOT.public, None),
        (mark, BOT.public, other),
        (None, BOT.public, mark),
        (mark, bytes(32), mark),
    ):
        with pytest.raises(Refused, match="W32"):
            check_bot_marks(_with_bot(shown), own, said)


def test_a_visitor_joins_under_its_name_and_with_its_owners_mark() -> None:
    mark = bot_mark(OWNER, BOT.public)
    check_visitor(BOT.public, Join("Bot", None, mark), "Bot")
    check_visitor(BOT.public, Join("Bot"), "Bot")
    with pytest.raises(Refused, match="W32"):
        check_visitor(OWNER.public, Join("Bot", None, mark), "Bot")
    with pytest.raises(Refused, match="W31"):
        check_visitor(BOT.public, Join("Bot", None, mark), "Bat")


def test_the_name_that_looks_alike_is_another_guests() -> None:
    here = _list("Asha", "Bandu")
    assert name_alike(here, None, bytes([1]) * 32, "Bandu") is None
    assert name_alike(here, None, bytes([1]) * 32, "asha") == "Asha"
    assert name_alike(here, None, bytes([9]) * 32, "Bandu") == "Bandu"
    assert name_alike(here, None, bytes([9]) * 32, "Chitra") is None
