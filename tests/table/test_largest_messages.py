"""No honest message of any game is near a limit: the largest of every kind takes at most half of
what its field, entry, frame, block, record or list may hold.

An honest message over a limit convicts its author (W04), or is cut off without a word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from p2p304.log.absence_vote import PART, PartingPlace, say
from p2p304.log.chain import Block
from p2p304.log.entry import Receipt, Signed, Unverified, parse_entry, sign_entry
from p2p304.log.evidence import of_fork
from p2p304.log.transcript import MAX_BLOCK, encode_block
from p2p304.net.limits import LIMITS as NET
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.storage.journal import MAX_RECORD
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.exchange.sync import BATCH
from p2p304.table.gathering.exchange.messages import Guest, Seated, lobby_bytes
from p2p304.wire.bodies import BY_KIND, MAX_PROOF, Body, body_value, parse_body
from p2p304.wire.canonical import MAX_ITEMS, Value, encode
from p2p304.wire.framing import LIMITS, FrameKind
from tests.support.table import simnet
from tests.support.table.largest_bodies import (
    LONGEST_NAME,
    every_game,
    largest_bodies,
    largest_terms,
)
from tests.support.table.leaving_games import RULES, in_phase, left

MARGIN = 2
"""No honest message takes more than one part in so many of any limit."""
KEY = simnet.signing_keys(1, 1)[0]
PLACE = 2**31
NICK = LONGEST_NAME


def is_far_below(size: int, limit: int) -> bool:
    return size * MARGIN <= limit


@cache
def games() -> tuple[tuple[str, Options], ...]:
    return tuple(every_game())


def entry(kind: str, value: dict[str, Value]) -> Unverified:
    return sign_entry(KEY, bytes(32), PLACE, bytes(32), 7, kind, value)


def receipts(count: int) -> tuple[Receipt, ...]:
    return tuple(Receipt(bytes(32), PLACE, bytes(32), 7, "spoilt", bytes(64)) for _ in range(count))


@cache
def largest_entries() -> dict[str, tuple[Body, str]]:
    """By kind of entry the largest body in any game, and that game's name."""
    found: dict[str, tuple[int, Body, str]] = {}
    for name, options in games():
        for kind, body in largest_bodies(options).items():
            size = len(encode(body_value(body)))
            if kind not in found or size > found[kind][0]:
                found[kind] = (size, body, name)
    return {kind: (body, name) for kind, (_, body, name) in found.items()}


def lists_in(value: Value) -> Iterator[int]:
    """The sizes of all lists and maps inside a value."""
    if isinstance(value, list | dict):
        yield len(value)
        for item in value.values() if isinstance(value, dict) else value:
            yield from lists_in(item)


def test_every_way_to_deal_is_measured() -> None:
    assert len(games()) > 100
    assert {options.seats for _, options in games()} == {2, 3, 4, 6, 8}
    assert {options.away for _, options in games()} == {"wait", "playout"}


@pytest.mark.parametrize("kind", BY_KIND)
def test_the_largest_honest_entry_is_far_below_every_limit(kind: str) -> None:
    body, game = largest_entries()[kind]
    value = body_value(body)
    assert parse_body(kind, value) == body, game
    raw = entry(kind, value)
    assert is_far_below(len(raw.raw), LIMITS[FrameKind.ENTRY]), (game, len(raw.raw))
    assert is_far_below(max(lists_in(value), default=0), MAX_ITEMS)
    block = encode_block(Block(Signed(raw.entry, raw.raw, bytes(32)), receipts(7)))
    assert is_far_below(len(block), min(MAX_BLOCK, LIMITS[FrameKind.BLOCK]))
    fork = of_fork(raw.raw, raw.raw).encode()
    assert is_far_below(len(fork), LIMITS[FrameKind.EVIDENCE])
    past = PlaceRecord(raw.raw, receipts(1)[0].encode(), receipts(7)).encode()
    assert is_far_below(len(past), MAX_RECORD)
    assert is_far_below(BATCH * (len(raw.raw) + 7 * 300), NET.send_buffer)


def proofs_in(value: Value) -> Iterator[bytes]:
    match value:
        case bytes():
            yield value
        case list():
            for item in value:
                yield from proofs_in(item)
        case dict():
            for item in value.values():
                yield from proofs_in(item)


def test_every_honest_proof_is_far_below_the_limit_of_a_proof() -> None:
    for body, game in largest_entries().values():
        for proof in proofs_in(body_value(body)):
            assert is_far_below(len(proof), MAX_PROOF), (body.KIND, game, len(proof))


def test_what_may_be_sent_fits_where_it_is_kept() -> None:
    """Also the largest entry that a frame lets in, honest or not."""
    most = LIMITS[FrameKind.ENTRY]
    assert 2 * most + 1024 <= LIMITS[FrameKind.EVIDENCE]
    kept = len(encode_block(Block(Signed(SMALL.entry, bytes(most), bytes(32)), receipts(7))))
    assert kept <= min(MAX_BLOCK, LIMITS[FrameKind.BLOCK])
    assert LIMITS[FrameKind.EVIDENCE] < MAX_RECORD
    assert BATCH * most < NET.send_buffer


SMALL = entry("cut", {"at": 0})


@pytest.mark.parametrize("name", ["tamil-904", "eight-32", "online-2"])
def test_other_messages_are_far_below_their_limits(name: str) -> None:
    options = preset(name)
    (receipt,) = receipts(1)
    assert is_far_below(len(receipt.encode()), LIMITS[FrameKind.RECEIPT])
    part = say(KEY, PART, PartingPlace(bytes(32), PLACE, bytes(32), 7), 6)
    assert is_far_below(len(part.encode()), LIMITS[FrameKind.PART])
    have = encode({"have": PLACE, "receipts": list(range(8))})
    assert is_far_below(len(have), LIMITS[FrameKind.SYNC])
    terms = largest_terms(options)
    host = "f" * 39
    guests = tuple(Guest(bytes(32), NICK, host, 65535, n) for n in range(options.seats))
    seated = Seated(bytes(16), NICK, options, terms.hands, guests, terms.watch, terms.after)
    assert is_far_below(len(lobby_bytes(seated)), LIMITS[FrameKind.LOBBY])


def check_as_played(net: simnet.Net, options: Options) -> set[str]:
    """No entry that was written is larger than what is called the largest of its kind."""
    bound = {kind: len(encode(body_value(b))) for kind, b in largest_bodies(options).items()}
    for each in net.tables[0].chain.entries:
        played = parse_entry(each.raw).entry
        assert len(encode(played.body)) <= bound[played.kind], played.kind
    return {each.entry.kind for each in net.tables[0].chain.entries}


@pytest.mark.parametrize("name", ["pagat", "tamil-504", "online-3"])
def test_what_is_called_the_largest_is_no_smaller_than_what_is_played(name: str) -> None:
    net = simnet.make(1, 1, preset(name))
    net.run()
    assert net.finished
    assert {"agreement", "shuffle", "unlock", "play"} <= check_as_played(net, preset(name))


def test_also_where_a_hand_is_played_out() -> None:
    net = left(in_phase(Phase.PLAY))
    net.run()
    assert "stand_in" in check_as_played(net, RULES)
