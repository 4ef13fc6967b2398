"""Bots are marked: by their owner's signature, in the list, the agreement and on every screen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.bot_labels import bots_of, labelled
from p2p304.table.agreement.bot_mark import BOT_MARK_FORM, BotMark, bot_keys, bot_mark, bot_owners
from p2p304.table.agreement.terms import Player, Terms, parse_terms
from p2p304.table.gathering.exchange.messages import Guest, Join, lobby_bytes, parse_lobby
from p2p304.table.gathering.guest_list import GuestList
from p2p304.table.state import events, gathering_events
from p2p304.ui.text.narrator import Narrator
from p2p304.wire.forms import Malformed
from tests.support.table.gathering_bus import NICKS, Bus

OWNER, BOT, OTHER = (SigningKey.from_seed(bytes([n]) * 32) for n in (71, 72, 73))
MARK = bot_mark(OWNER, BOT.public)


def with_bots(count: int = 2) -> Bus:
    """Asha opens a table; so many of the others are her bots."""
    bus = Bus(4)
    for number in range(1, 1 + count):
        node = bus.nodes[number]
        node.meeting.guests.bot = bot_mark(bus.nodes[0].key, node.key.public)
    return bus


def test_a_mark_holds_for_one_bot_and_one_owner() -> None:
    assert MARK.is_signed_for(BOT.public) and not MARK.is_signed_for(OTHER.public)
    assert not replace(MARK, owner=OTHER.public).is_signed_for(BOT.public)
    assert BOT_MARK_FORM.read(BOT_MARK_FORM.write(MARK)) == MARK
    assert parse_lobby(lobby_bytes(Join("Kamala", None, MARK))) == Join("Kamala", None, MARK)


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"owner": bytes(32)},
        {"owner": bytes(31), "sig": bytes(64)},
        {"owner": bytes(32), "sig": bytes(63)},
        {"owner": "x" * 32, "sig": bytes(64)},
        {"owner": bytes(32), "sig": bytes(64), "more": 1},
    ],
)
def test_a_malformed_mark_is_none(value: Any) -> None:
    with pytest.raises(Malformed):
        BOT_MARK_FORM.read(value)


def test_all_sign_who_is_a_bot_and_whose() -> None:
    bus = with_bots()
    bus.gather()
    for number, node in enumerate(bus.nodes):
        assert node.table is not None
        players = node.table.terms.players
        assert [player.bot is not None for player in players] == [False, True, True, False]
        told = [e for e in bus.told[number] if isinstance(e, gathering_events.Members)][-1]
        assert told.owners == (None, "Asha", "Asha", None)


@pytest.mark.parametrize("how", ["strips a mark", "marks a person", "names another owner"])
def test_a_founder_that_is_wrong_about_bots_gets_no_signature(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = with_bots(1)
    founder, real = bus.nodes[0].key, GuestList.change

    def false(guest: Guest) -> Guest:
        if how == "strips a mark":
            return replace(guest, bot=None)
        if how == "marks a person" and guest.nick == NICKS[2]:
            return replace(guest, bot=bot_mark(founder, guest.key))
        if how == "names another owner" and guest.bot is not None:
            return replace(guest, bot=BotMark(guest.key, guest.bot.sig))
        return guest

    def change(held: GuestList, guests: tuple[Guest, ...]) -> None:
        real(held, tuple(map(false, guests)))

    monkeypatch.setattr(GuestList, "change", change)
    bus.gather(seconds=8)
    assert all(node.table is None for node in bus.nodes)
    turned = [
        str(e.sentence)
        for told in bus.told[1:]
        for e in told
        if isinstance(e, gathering_events.TurnedAway)
    ]
    assert any("bot" in sentence for sentence in turned)


def _terms(bot: BotMark | None) -> Terms:
    keys = [SigningKey.from_seed(bytes([n]) * 32).public for n in (81, 82, 83)]
    people = (
        Player(BOT.public, "Kamala", bytes(32), bot),
        *(Player(key, f"P{n}", bytes(32)) for n, key in enumerate(keys)),
    )
    return Terms("t", preset("pagat"), 1, people)


def test_an_agreement_with_a_false_mark_is_refused() -> None:
    assert parse_terms(_terms(MARK).to_value()).players[0].bot == MARK
    with pytest.raises(Refused) as refused:
        parse_terms(_terms(bot_mark(OWNER, OTHER.public)).to_value())
    assert refused.value.finding.check == "A08"


def test_owners_are_told_by_name() -> None:
    own = Player(OTHER.public, "Nimal", bytes(32), bot_mark(OTHER, OTHER.public))
    people = (
        Player(OWNER.public, "Asha", bytes(32)),
        Player(BOT.public, "Kamala", bytes(32), MARK),
    )
    owners = bot_owners((*people, own))
    assert owners == (None, "Asha", "")
    nicks = ("Asha", "Kamala", "Nimal")
    assert labelled(nicks, owners) == ("Asha", "Kamala [bot]", "Nimal [bot]")
    assert bots_of(nicks, owners) == [("Asha", ["Kamala"]), ("", ["Nimal"])]
    assert bot_keys(OWNER.public, (*people, own)) == {BOT.public}
    assert bot_keys(OTHER.public, (*people, own)) == set()  # itself
    assert labelled(nicks, ("", "", "")) == nicks and bots_of(nicks, ("", "", "")) == []


def test_text_mode_names_bots_and_their_owner() -> None:
    teller = Narrator("Dilan")
    lines = teller.lines(
        events.Seated(
            NICKS[:4],
            (b"",) * 4,
            0,
            "ABC-DEF",
            Match(preset("pagat"), (11, 11), (0, 0), (0, 0)),
            True,
            (None, "Asha", "Asha", None),
        )
    )
    assert "Bandu [bot] (East)" in lines[0]
    assert "Asha invited these bots: Bandu, Chitra." in lines
    assert teller.renderer.name(2) == "Chitra [bot] (North)"
