"""What a message takes from its sender's budget follows the work that it makes: signatures to
verify and bytes to decode, counted at the dearest message of each kind. (What SYNC costs is its
answer, which has a budget of its own: table/exchange/sync.py.)"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import permutations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2p304.crypto import signing
from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PART, READY, PartingPlace, parse_word, say
from p2p304.log.entry import (
    entry_is_signed_by,
    parse_entry,
    parse_receipt,
    receipt_is_signed_by,
    sign_entry,
    sign_receipt,
)
from p2p304.log.evidence import judge, of_fork, parse_evidence
from p2p304.net.limits import charge
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.bot_mark import bot_mark
from p2p304.table.gathering.exchange.messages import (
    Guest,
    ListHoldings,
    Pledge,
    Seated,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.gathering.guest_names import check_bot_marks, check_guest_names
from p2p304.wire import names
from p2p304.wire.framing import Frame, FrameKind
from tests.support.remembered import CHECK_SIGNATURES

KEYS = [SigningKey.from_seed(bytes([n]) * 32) for n in range(8)]
KEY, TABLE = KEYS[0], bytes(32)
ASSENT = b"p2p304 assent\x00"
BYTES_LIKE_A_SIGNATURE = 7000
"""So many bytes of many items take about as long to decode as a signature to verify: 0.1 ms."""
AT_MOST = 4
"""Signatures for a unit of the charge: twice what it stands for."""
APART = 3
"""A message that makes so many times the work of another's must not be charged less."""
Read = Callable[[bytes], object]
MANY_KEYS = {f"{'k' * 55}{n:04}": n for n in range(980)}


def entry() -> tuple[bytes, Read]:
    def read(raw: bytes) -> object:
        return entry_is_signed_by(parse_entry(raw).entry, KEY.public)

    return sign_entry(KEY, TABLE, 9, TABLE, 0, "shuffle", dict(MANY_KEYS)).raw, read


def receipt() -> tuple[bytes, Read]:
    def read(raw: bytes) -> object:
        return receipt_is_signed_by(parse_receipt(raw), KEY.public)

    return sign_receipt(KEY, TABLE, 9, TABLE, 0, "spoilt").encode(), read


def evidence() -> tuple[bytes, Read]:
    def read(raw: bytes) -> object:
        return judge(parse_evidence(raw), (TABLE,), (KEY.public,))

    other = sign_entry(KEY, TABLE, 9, TABLE, 0, "shuffle", {**MANY_KEYS, "a": 1}).raw
    return of_fork(entry()[0], other).encode(), read


def part() -> tuple[bytes, Read]:
    where = PartingPlace(TABLE, 9, TABLE, 7)

    def read(raw: bytes) -> object:
        word = parse_word(raw)
        words = (word, *word.ready_words)
        return [each.is_signed_by(KEYS[each.author].public) for each in words]

    readies = tuple(say(KEYS[n], READY, where, n).sig for n in range(7))
    return say(KEY, PART, where, 0, 0, readies).encode(), read


def held() -> tuple[bytes, Read]:
    """Everybody's pledge and signature under an agreement of eight."""

    def read(raw: bytes) -> object:
        told = parse_lobby(raw)
        assert isinstance(told, ListHoldings)
        for key, pledge, assent in zip(KEYS, told.pledges, told.assents, strict=True):
            assert pledge is not None and assent is not None
            assert pledge.is_signed_by(key.public, TABLE)
            assert signing.verify(key.public, ASSENT + TABLE, assent)
        return told

    pledges = tuple(Pledge.make(key, TABLE, TABLE) for key in KEYS)
    assents = tuple(key.sign(ASSENT + TABLE) for key in KEYS)
    return lobby_bytes(ListHoldings(TABLE, pledges, TABLE, assents, ())), read


def guests() -> tuple[bytes, Read]:
    """A list of eight bots with names that grow when they are compared."""
    people = tuple(
        Guest(key.public, "\ufdfa" * 31 + chr(0x4E00 + n), "h", 1, None, bot_mark(KEY, key.public))
        for n, key in enumerate(KEYS)
    )

    def read(raw: bytes) -> object:
        told = parse_lobby(raw)
        assert isinstance(told, Seated) and told.is_signed_by(KEY.public)
        check_guest_names(told, {})
        check_bot_marks(told, KEY.public, people[0].bot)
        return told

    return lobby_bytes(Seated(bytes(16), "t", preset("eight-32"), 1, people).signed(KEY)), read


DEAREST = {
    "entry": (FrameKind.ENTRY, entry),
    "receipt": (FrameKind.RECEIPT, receipt),
    "evidence": (FrameKind.EVIDENCE, evidence),
    "part": (FrameKind.PART, part),
    "held": (FrameKind.LOBBY, held),
    "guests": (FrameKind.LOBBY, guests),
}


@contextmanager
def verified(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Counts the signatures that are verified inside."""
    real, count = signing._verifier, [0]

    def counted(public: bytes) -> Ed25519PublicKey:
        count[0] += 1
        return real(public)

    with monkeypatch.context() as patch:
        for module in CHECK_SIGNATURES:
            patch.setattr(module, "verify", signing.verify)
        patch.setattr(signing, "_verifier", counted)
        yield count


def work_and_charge(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[float, float]:
    kind, make = DEAREST[name]
    raw, read = make()
    with verified(monkeypatch) as count:
        assert read(raw) is not False
    return count[0] + len(raw) / BYTES_LIKE_A_SIGNATURE, charge(Frame(kind, raw))


def test_no_kind_makes_much_more_work_than_it_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {name: work_and_charge(name, monkeypatch) for name in DEAREST}
    for name, (work, charged) in told.items():
        assert work <= AT_MOST * charged, (name, work, charged)
    for one, other in permutations(told, 2):
        if told[one][0] > APART * told[other][0]:
            assert told[one][1] > told[other][1], (one, other, told)


def test_a_short_message_of_the_gathering_is_charged_little() -> None:
    assert charge(Frame(FrameKind.LOBBY, bytes(20))) < 2.1
    assert charge(Frame(FrameKind.PING, bytes(8))) == 1


def test_a_name_is_folded_once_for_a_whole_list() -> None:
    names.folded.cache_clear()
    names._skeletons.cache_clear()
    raw, read = guests()
    read(raw)
    assert names.folded.cache_info().misses == names._skeletons.cache_info().misses == 8
