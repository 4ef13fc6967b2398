"""The bytes of the messages of a gathering: what is just allowed, and what is just not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.bot_mark import bot_mark
from p2p304.table.agreement.continuation import Continuation
from p2p304.table.agreement.limits import MAX_HANDS
from p2p304.table.gathering.exchange.messages import (
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
    parse_lobby,
)
from p2p304.wire.canonical import encode
from p2p304.wire.forms import mapping
from tests.support.table.gathering_bus import CHOSEN

KEYS = [SigningKey.from_seed(bytes([n + 1]) * 32) for n in range(4)]
MARK = bot_mark(KEYS[0], KEYS[1].public)
GUESTS = (Guest(KEYS[0].public, "Asha", "", 0), Guest(KEYS[1].public, "Bot", "h", 9, bot=MARK))
LIST = Seated(bytes(16), "Friday", preset("pagat"), 1, GUESTS)
PLEDGE = Pledge(bytes(32), bytes(64))
HELD = ListHoldings(bytes(32), (PLEDGE,) * 4, bytes(32), (bytes(64), None, None, None), (0, 3))
MESSAGES = (
    Join("Asha"),
    Join("Bot", 7, MARK),
    LIST,
    Full("No seat."),
    HELD,
    ListHoldings(bytes(32), (None, PLEDGE, None, None), b"", (None,) * 4, ()),
    Locked(bytes(33)),
    Key(bytes(33), bytes(32)),
    Unlocked(bytes(32)),
)


def value_of(message: LobbyMessage) -> dict[str, Any]:
    return dict(mapping().decode(lobby_bytes(message)))


def is_refused(value: dict[str, Any]) -> bool:
    try:
        parse_lobby(encode(value))
    except Refused as refused:
        assert refused.finding.check == "W06"
        return True
    return False


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.WORD)
def test_every_message_is_read_as_it_was_written(message: LobbyMessage) -> None:
    assert parse_lobby(lobby_bytes(message)) == message


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.WORD)
def test_bytes_have_their_length(message: LobbyMessage) -> None:
    """Every field of bytes, and every such item of a list, is neither longer nor shorter."""
    value = value_of(message)
    for name, field in value.items():
        for at, item in enumerate(field if isinstance(field, list) else [field]):
            if isinstance(item, bytes) and item:
                for wrong in (item[:-1], item + b"\0"):
                    items = [*field[:at], wrong, *field[at + 1 :]] if field is not item else wrong
                    assert is_refused({**value, name: items}), (name, len(wrong))


def test_a_guest_has_a_key_an_address_and_a_mark() -> None:
    value = value_of(LIST)

    def guest(**changed: object) -> dict[str, Any]:
        return {**value, "guests": [value["guests"][0], {**value["guests"][1], **changed}]}

    assert not is_refused(guest(host="h" * 255, port=65535))
    mark = value["guests"][1]["bot"]
    for wrong in (
        {"host": "h" * 256},
        {"port": 65536},
        {"port": -1},
        {"key": bytes(31)},
        {"key": bytes(33)},
        {"key": b"\xff" * 32},
        {"nick": ""},
        {"bot": {**mark, "owner": bytes(31)}},
        {"bot": {**mark, "owner": bytes(33)}},
        {"bot": {**mark, "sig": bytes(63)}},
        {"bot": {**mark, "sig": bytes(65)}},
    ):
        assert is_refused(guest(**wrong)), wrong


@pytest.mark.parametrize(("name", "most"), [("hands", MAX_HANDS), ("number", 2**32 - 1)])
def test_numbers_of_a_list_are_bounded(name: str, most: int) -> None:
    value = value_of(LIST)
    assert not is_refused({**value, name: most}) and not is_refused({**value, name: 0})
    assert is_refused({**value, name: most + 1}) and is_refused({**value, name: -1})


def test_a_sentence_can_be_shown_and_has_up_to_two_hundred_characters() -> None:
    for good in ("x", "x" * 200, "No seat: try again."):
        assert not is_refused({"t": "full", "why": good})
    for bad in ("", "x" * 201, " x", "x  y", "x\ny", "\u202ex", 7):
        assert is_refused({"t": "full", "why": bad})


def test_a_seat_is_one_of_eight() -> None:
    assert not is_refused({"t": "join", "nick": "Asha", "seat": 7})
    for wrong in (8, -1, None, "0"):
        assert is_refused({"t": "join", "nick": "Asha", "seat": wrong})


def test_what_is_held_of_a_list_has_an_item_for_each_guest() -> None:
    for count in (0, 4, 8):
        message = ListHoldings(
            bytes(32), (None,) * count, b"", (None,) * count, tuple(range(count))
        )
        assert parse_lobby(lobby_bytes(message)) == message
    nine = {**value_of(HELD), "table": b"", "pledges": [b""] * 9, "assents": [b""] * 9}
    assert is_refused(nine) and is_refused({**value_of(HELD), "pledges": []})
    assert is_refused({**value_of(HELD), "lacks": [0, 4]})


def test_a_session_has_an_end_and_a_match_needs_none() -> None:
    match = preset("pagat")
    session = match.override({"match": "session"})
    for rules, hands in ((match, 0), (session, 1)):
        assert replace(LIST, rules=rules, hands=hands).is_consistent
    assert is_refused(value_of(replace(LIST, rules=session, hands=0)))


def test_signatures_need_a_table_and_a_table_needs_all_pledges() -> None:
    assert is_refused({**value_of(HELD), "table": b""})
    pledges = value_of(HELD)["pledges"]
    assert is_refused({**value_of(HELD), "pledges": [b"", *pledges[1:]]})


# What a list is


def chosen(*seats: int | None, keys: int = 4) -> Seated:
    people = tuple(
        Guest(KEYS[n % keys].public, f"G{n}", "", 0, seat) for n, seat in enumerate(seats)
    )
    return replace(LIST, rules=CHOSEN, guests=people)


def test_guests_on_chosen_seats_have_different_seats_of_the_table() -> None:
    assert chosen(3, 0, 1, 2).is_consistent and chosen(3).is_consistent
    for wrong in (chosen(0, 0), chosen(4), chosen(0, None), chosen(0, 1, keys=1)):
        assert not wrong.is_consistent
    assert not replace(chosen(0, 1, 2, 3), rules=preset("pagat")).is_consistent
    many = replace(LIST, guests=tuple(replace(GUESTS[0], key=bytes([n]) * 32) for n in range(5)))
    assert not many.is_consistent and many.rules.seats == 4


def test_a_complete_list_has_a_guest_for_every_seat() -> None:
    assert not chosen(0, 1, 2).is_complete and chosen(0, 1, 2, 3).is_complete


def test_guests_are_in_the_order_of_their_seats_or_of_arrival() -> None:
    assert [guest.nick for guest in chosen(2, 0, 3, 1).in_seats] == ["G1", "G3", "G0", "G2"]
    assert LIST.in_seats == GUESTS


def test_the_first_seat_deals_where_seats_are_chosen_and_a_draw_decides_else() -> None:
    assert chosen(0).dealer == 0 and LIST.dealer is None
    assert chosen(0).has_chosen_seats and not LIST.has_chosen_seats


def test_the_digest_covers_all_but_addresses_and_signature() -> None:
    moved = replace(LIST, guests=(GUESTS[0], replace(GUESTS[1], host="x", port=1)))
    assert LIST.signed(KEYS[0]).digest == LIST.digest == moved.digest
    for other in (
        replace(LIST, name="Sunday"),
        replace(LIST, number=1),
        replace(LIST, hands=2),
        replace(LIST, watch="now"),
        replace(LIST, opening=bytes([1]) * 16),
        replace(LIST, guests=GUESTS[::-1]),
        replace(LIST, guests=(GUESTS[0], replace(GUESTS[1], bot=None))),
        replace(LIST, guests=(GUESTS[0], replace(GUESTS[1], nick="Bota"))),
    ):
        assert other.digest != LIST.digest


def test_a_list_is_signed_by_its_founder() -> None:
    signed = LIST.signed(KEYS[0])
    assert signed.is_signed_by(KEYS[0].public) and not LIST.is_signed_by(KEYS[0].public)
    assert not signed.is_signed_by(KEYS[1].public)
    assert not replace(signed, name="Sunday").is_signed_by(KEYS[0].public)


def test_lists_of_one_game_have_the_same_rules_hands_spectators_and_earlier_table() -> None:
    assert LIST.is_same_game(replace(LIST, name="Sunday", number=4, guests=GUESTS[:1]))
    for other in (
        replace(LIST, hands=2),
        replace(LIST, watch="now"),
        replace(LIST, rules=preset("six-24")),
        replace(LIST, after=Continuation(bytes(32), bytes(32), 0, (21, 1), (0, 0), (0, 0))),
    ):
        assert not LIST.is_same_game(other)


def test_a_pledge_is_its_authors_for_one_list() -> None:
    made = Pledge.make(KEYS[0], LIST.digest, bytes(32))
    assert made.is_signed_by(KEYS[0].public, LIST.digest)
    assert not made.is_signed_by(KEYS[1].public, LIST.digest)
    assert not made.is_signed_by(KEYS[0].public, bytes(32))
    assert not replace(made, pledge=bytes([1]) * 32).is_signed_by(KEYS[0].public, LIST.digest)
