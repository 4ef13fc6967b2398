"""The agreement: what all sign is read strictly, and nobody can change a part of it afterwards."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.log.transcript import read_blocks
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.continuation import CONTINUATION_FORM, Continuation
from p2p304.table.agreement.limits import MAX_HANDS, WATCH
from p2p304.table.agreement.terms import (
    NONCE,
    Terms,
    _by_cards,
    assent,
    check_agreement,
    check_length,
    digest,
    is_assent,
    parse_terms,
    plain_name,
    pledge_of,
    seating_and_dealer,
    spoken_code,
)
from p2p304.table.transition.replay import Replay
from p2p304.wire.bodies import MAX_SEATS, Agreement
from p2p304.wire.canonical import Value
from p2p304.wire.forms import Malformed
from tests.support.paths import TRANSCRIPTS
from tests.support.short_log import refused
from tests.support.table import simnet

PAGAT = preset("pagat")
AFTER = Continuation(b"\x01" * 32, b"\x02" * 32, 3, (5, 17), (0, 0), (0, 0))


def terms(hands: int = 2, **options: str) -> Terms:
    return simnet.make(1, hands=hands, rules=PAGAT.override(options)).tables[0].terms


def test_what_is_written_is_read_again() -> None:
    chosen = terms(seating="chosen")
    for each in (
        terms(),
        terms(0),
        terms(MAX_HANDS),
        *(replace(terms(), watch=watch) for watch in WATCH),
        replace(chosen, after=AFTER),
    ):
        assert parse_terms(each.to_value()) == each
    assert "watch" not in terms().to_value() and "after" not in terms().to_value()


def changed(**fields: Any) -> dict[str, Value]:
    return {**terms().to_value(), **fields}


@pytest.mark.parametrize(
    ("check", "lie"),
    [
        ("A01", {"v": 2}),
        ("A01", {"hands": -1}),
        ("A01", {"hands": MAX_HANDS + 1}),
        ("A01", {"hands": "2"}),
        ("A01", {"name": ""}),
        ("A01", {"name": "a\nb"}),
        ("A01", {"watch": "never"}),
        ("A01", {"watch": ""}),
        ("A01", {"after": None}),
        ("A01", {"more": 1}),
        ("A01", {"rules": []}),
        ("A01", {"players": 4}),
        ("A02", {"players": []}),
    ],
)
def test_terms_of_another_form_are_refused(check: str, lie: dict[str, Any]) -> None:
    refused(check, lambda: parse_terms(changed(**lie)))


def test_terms_have_as_many_different_players_as_seats() -> None:
    players = terms().to_value()["players"]
    assert isinstance(players, list)
    for lie in (players[:3], [*players, players[0]], [*players[:3], players[0]]):
        refused("A02", partial(parse_terms, changed(players=lie)))
    refused("A02", lambda: parse_terms(changed(rules={"preset": "none"})))
    for field in ("key", "nick", "pledge"):
        first = players[0]
        assert isinstance(first, dict)
        lie = [{name: value for name, value in first.items() if name != field}, *players[1:]]
        refused("A01", partial(parse_terms, changed(players=lie)))
        for size in (31, 33):
            false = [{**first, field: bytes(size)}, *players[1:]]
            refused("A01", partial(parse_terms, changed(players=false)))


@pytest.mark.parametrize(
    "lie",
    [
        {"dealer": 4},
        {"tokens": (1,)},
        {"cards": (0, 0, 0)},
        {"games": ()},
        {"tokens": (1, 10**6 + 1)},
        {"tokens": (1, -(10**6) - 1)},
        {"table": bytes(31)},
        {"end": bytes(33)},
    ],
)
def test_a_table_continues_one_with_the_same_seats_and_accounts(lie: dict[str, Any]) -> None:
    chosen = terms(seating="chosen")
    edge = replace(AFTER, tokens=(10**6, -(10**6)))
    assert parse_terms(replace(chosen, after=edge).to_value()).after == edge
    false = replace(chosen, after=replace(AFTER, **lie))
    refused("A01", lambda: parse_terms(false.to_value()))
    refused("A01", lambda: parse_terms(replace(terms(), after=AFTER).to_value()))


def test_no_table_has_a_dealer_beyond_its_greatest_number_of_seats() -> None:
    value = CONTINUATION_FORM.write(AFTER)
    assert isinstance(value, dict)
    last = CONTINUATION_FORM.read({**value, "dealer": MAX_SEATS - 1})
    assert last.dealer == MAX_SEATS - 1
    for seat in (-1, MAX_SEATS):
        with pytest.raises(Malformed):
            CONTINUATION_FORM.read({**value, "dealer": seat})


def test_a_continued_table_begins_as_the_other_ended() -> None:
    rules = PAGAT.override({"seating": "chosen"})
    match = AFTER.match(rules)
    assert (match.tokens, match.cards, match.games) == ((5, 17), (0, 0), (0, 0))
    follows = replace(terms(seating="chosen"), after=AFTER)
    assert seating_and_dealer(follows, (bytes(32),) * 4) == ((0, 1, 2, 3), 3)


def test_every_player_signs_the_whole_agreement() -> None:
    net = simnet.make(1)
    agreed = net.tables[0].terms
    body = Agreement(agreed.to_value(), tuple(assent(t.me.key, agreed.table) for t in net.tables))
    assert check_agreement(body) == agreed
    signed = body.assents
    swapped = (signed[1], signed[0], *signed[2:])
    for lie in (signed[:3], (*signed, signed[0]), swapped, (*signed[:3], bytes(64))):
        refused("A03", partial(check_agreement, replace(body, assents=lie)))
    other = replace(agreed, hands=agreed.hands + 1)
    refused("A03", lambda: check_agreement(replace(body, terms=other.to_value())))


def test_every_part_of_the_terms_changes_the_table() -> None:
    first = terms()
    one, *more = first.players
    others = [
        replace(first, name="another"),
        replace(first, hands=3),
        replace(first, watch=WATCH[0]),
        replace(first, after=AFTER),
        replace(first, rules=PAGAT.override({"exhausted": "off"})),
        replace(first, players=(*more, one)),
        replace(first, players=(replace(one, nick="Kamala"), *more)),
        replace(first, players=(replace(one, pledge=bytes(32)), *more)),
    ]
    assert len({each.table for each in (first, *others)}) == 1 + len(others)


def test_hashes_tell_their_parts_and_purposes_apart() -> None:
    parts = [(b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b"")]
    assert len({digest(b"x", *each) for each in parts}) == 4
    assert digest(b"x", b"y") != digest(b"y", b"y")
    whole = b"x\x00" + b"\x00\x00\x00\x02ab"
    assert digest(b"x", b"ab") == hashlib.new("sha512_256", whole).digest()
    assert pledge_of(bytes(32), bytes(32)) == digest(b"p2p304 pledge", bytes(32), bytes(32))
    assert NONCE == 32


def test_an_assent_is_for_one_table_by_one_player() -> None:
    key, other = (SigningKey.from_seed(bytes([n]) * 32) for n in (1, 2))
    sig = assent(key, bytes(32))
    assert is_assent(key.public, bytes(32), sig)
    assert not is_assent(other.public, bytes(32), sig)
    assert not is_assent(key.public, b"\x01" * 32, sig)
    assert not is_assent(key.public, bytes(32), key.sign(bytes(32)))


def test_a_session_needs_a_number_of_hands() -> None:
    session = PAGAT.override({"match": "session"})
    check_length(PAGAT, 0)
    check_length(PAGAT, MAX_HANDS)
    check_length(session, 1)
    refused("A02", lambda: check_length(session, 0))
    for hands in (-1, MAX_HANDS + 1):
        refused("A02", partial(check_length, PAGAT, hands))


def test_names_are_as_every_screen_can_show_them() -> None:
    assert plain_name("Asha") == "Asha"
    for name in ("", "a\x1b[1m", 7):
        with pytest.raises(Refused, match="A01"):
            plain_name(name)


def test_everybody_reads_the_recorded_code_and_seats() -> None:
    """Known answers: programs that draw otherwise do not sit down at one table."""
    data = (TRANSCRIPTS / "good.304").read_bytes()
    *_, last = Replay(data)
    state = last.state
    nonces = tuple(b.entry.entry.body["nonce"] for b in list(read_blocks(data))[1:5])
    assert nonces == state.nonces
    assert spoken_code(state.terms, state.nonces) == "W67-99Y"
    assert seating_and_dealer(state.terms, state.nonces) == ((3, 0, 1, 2), 0)
    changed = (state.nonces[0][::-1], *state.nonces[1:])
    assert spoken_code(state.terms, changed) != "W67-99Y"
    by_cards = replace(state.terms, rules=PAGAT.override({"seating": "draw"}))
    assert seating_and_dealer(by_cards, state.nonces) == ((2, 3, 0, 1), 0)


def test_equal_ranks_are_told_apart_by_their_suits_spades_first() -> None:
    """Drawn are T♥ 8♣ 8♠ A♣, and 6♥ 6♦ A♥ J♣ T♦ 7♥: high against low, in the order of the cards."""
    rng = Rng.from_seed(bytes(32))
    assert _by_cards(rng, PAGAT.pack, 4) == (3, 2, 0, 1)
    assert _by_cards(rng, preset("six-36").pack, 6) == (3, 5, 2, 0, 4, 1)
    assert sorted(_by_cards(rng, PAGAT.pack, 3)) == [0, 1, 2]
