"""What is fuzzed: every decoder, and the table's step. One function of bytes each.

The invariant: a message is accepted, or refused by the one error of its part, with a numbered
check where checks have numbers; never anything else. A decoder that accepts gives the same bytes
back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PartingPlace, parse_word, say
from p2p304.log.chain import Chain
from p2p304.log.entry import NO_LINK, Entry, parse_entry, parse_receipt, sign_entry, sign_receipt
from p2p304.log.evidence import Evidence, of_fork, parse_evidence
from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, Unreadable, encode_last
from p2p304.net.links.handshake import Handshake, HandshakeRefused, Role
from p2p304.net.mdns.txt_record import LONGEST, clean, read_record
from p2p304.offline.audit import audit
from p2p304.rules.variants.presets import preset
from p2p304.storage.known_players import KnownPlayer, Players
from p2p304.table.evidence.evidence_file import parse_evidence_file
from p2p304.table.evidence.share_complaint import judge
from p2p304.table.exchange.journal_records import PlaceRecord, read_journal
from p2p304.table.exchange.notes import NOTHING, Note, note_bytes, parse_note
from p2p304.table.exchange.sync import parse_have
from p2p304.table.gathering.exchange.begin_record import BeginRecord, NotAJournal
from p2p304.table.gathering.exchange.messages import (
    Full,
    Guest,
    Join,
    ListHoldings,
    Pledge,
    Seated,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.state.table import TableState
from p2p304.table.transition.replay import Replay
from p2p304.table.transition.step import step
from p2p304.wire.bodies import body_value, parse_body
from p2p304.wire.canonical import NotCanonical, decode, encode
from p2p304.wire.forms import Malformed
from p2p304.wire.framing import BadFrame, Frame, FrameReader, frame
from tests.support.paths import PROTOCOL, TRANSCRIPTS

CHECK = re.compile(r"[A-Z]\d\d")


def _numbered(refused: Refused | HandshakeRefused) -> None:
    check = refused.finding.check if isinstance(refused, Refused) else refused.check
    if not CHECK.fullmatch(check):
        raise AssertionError(f"a refusal without a number: {check}")


def fuzz_canonical(data: bytes) -> None:
    try:
        value = decode(data)
    except NotCanonical:
        return
    if encode(value) != data:
        raise AssertionError("another encoding was accepted")


def fuzz_frames(data: bytes) -> None:
    """The same outcome in one piece and byte by byte."""
    outcomes = []
    for size in (len(data) or 1, 1):
        reader = FrameReader()
        frames: list[Frame | None] = []
        try:
            for at in range(0, len(data), size):
                reader.push(data[at : at + size])
                while (whole := reader.take()) is not None:
                    frames.append(whole)
        except BadFrame:
            frames.append(None)
        outcomes.append(frames)
    if outcomes[0] != outcomes[1]:
        raise AssertionError("the outcome depends on how the stream was cut")
    sent = b"".join(frame(f.kind, f.payload) for f in outcomes[0] if f is not None)
    if not data.startswith(sent):
        raise AssertionError("other bytes were read than were sent")


def _refusing(parse: Callable[[bytes], Any]) -> Callable[[bytes], None]:
    def fuzz(data: bytes) -> None:
        try:
            parse(data)
        except Refused as refused:
            _numbered(refused)

    return fuzz


def fuzz_lobby(data: bytes) -> None:
    try:
        message = parse_lobby(data)
    except Refused as refused:
        _numbered(refused)
        return
    if lobby_bytes(message) != data:
        raise AssertionError("another encoding of a message was accepted")


def fuzz_handshake(data: bytes) -> None:
    """A hello to a listener; a greeting and an answer to a dialer."""
    key, cut = SigningKey.from_seed(bytes(32)), data[0] * len(data) // 256 if data else 0
    for role, messages in (
        (Role.LISTENER, [data]),
        (Role.DIALER, [data[1 : 1 + cut], data[1 + cut :]]),
    ):
        shake = Handshake(key, "Asha", 1, role, bytes(32), bytes(32))
        try:
            for message in messages:
                shake.receive(message)
        except HandshakeRefused as refused:
            _numbered(refused)


def fuzz_record(data: bytes) -> None:
    """A discovery record whose texts are cut out of the data."""
    names = (b"v", b"nick", b"table", b"rules", b"free", b"seats", b"fp", b"at")
    parts = data.split(b"\0", len(names) - 1)
    found = read_record("x", dict(zip(names, parts, strict=False)), ["10.0.0.1"], 1)
    texts = [] if found is None else [found.announcement.nick, found.announcement.table]
    for text in texts:
        if (
            len(text) > LONGEST
            or clean(text) != text
            or (not text.isprintable() and ("\u200c" not in text and "\u200d" not in text))
        ):
            raise AssertionError(f"not fit to be shown: {text!r}")


def fuzz_transcript(data: bytes) -> None:
    try:
        audit(MAGIC + data)
    except Unreadable:
        return


def fuzz_journal(data: bytes) -> None:
    try:
        read_journal(data.split(b"\xc1"))
    except NotAJournal:
        return


def fuzz_players(data: bytes) -> None:
    try:
        Players.from_bytes(data)
    except Malformed:
        return


# The table


@cache
def played() -> tuple[tuple[TableState, Entry], ...]:
    """Every state of two hands that were played, with the entry that came next; the second is
    played out without somebody."""
    return (*_played("good.304"), *_played("played-out.304"))


def _played(name: str) -> tuple[tuple[TableState, Entry], ...]:
    replay = Replay((TRANSCRIPTS / name).read_bytes())
    states: list[TableState | None] = [None]
    for done in replay:
        states.append(done.state)
    if replay.chain is None:
        raise AssertionError("a good transcript is empty")
    entries = [signed.entry for signed in replay.chain.entries]
    pairs = zip(states, entries, strict=False)
    return tuple((state, entry) for state, entry in pairs if state is not None)


def fuzz_step(data: bytes) -> None:
    """At any place of a hand, the entry that came there with something else in its body."""
    at = int.from_bytes(data[:2], "big")
    state, entry = played()[at % len(played())]
    changed = _changed(entry, data[2:])
    try:
        after, _ = step(state, changed)
    except Refused as refused:
        _numbered(refused)
        return
    if after == state:
        raise AssertionError("an entry was accepted and changed nothing")


@cache
def _false_box() -> tuple[Evidence, Chain, TableState]:
    case = parse_evidence_file((PROTOCOL / "evidence" / "box.evidence").read_bytes())
    replay = Replay(case.transcript)
    *_, last = replay
    if replay.chain is None:
        raise LookupError("this evidence holds no agreement")
    return Evidence(case.kind, case.first, case.second), replay.chain, last.state


def fuzz_box(data: bytes) -> None:
    """A receiver's word about a box that is false: another word proves the same, or nothing."""
    evidence, chain, state = _false_box()
    try:
        word = Evidence(evidence.kind, evidence.first, data)
        if judge(word, chain, state).check != "D13":
            raise AssertionError("a box proves something else")
    except Refused as refused:
        _numbered(refused)


def _changed(entry: Entry, data: bytes) -> Entry:
    """Byte 0 says what to do: another kind, another author, another value in a field (canonical,
    from the rest), bits turned in a field, or a whole other body."""
    how, rest = data[:1] or b"\0", data[1:]
    body, kind, author = dict(entry.body), entry.kind, entry.author
    names = sorted(body)
    name = names[how[0] // 8 % len(names)] if names else ""
    match how[0] % 8:
        case 0:
            kind = played()[(rest[0] if rest else 0) % len(played())][1].kind
        case 1:
            author = rest[0] % 8 if rest else 0
        case 2 | 3:
            body[name] = _value(rest)
        case 4 | 5:
            body[name] = _bent(body.get(name), rest)
        case 6:
            body.pop(name, None)
        case _:
            value = _value(rest)
            body = value if isinstance(value, dict) else {}
    return Entry(entry.table, entry.seq, entry.prev, author, kind, body, entry.sig)


def _value(data: bytes) -> Any:
    try:
        return decode(data)
    except NotCanonical:
        return data


def _bent(value: Any, data: bytes) -> Any:
    """The value with some of it changed, down to single bits of its bytes."""
    if not data:
        return value
    if isinstance(value, bytes) and value:
        at, bent = data[0] * len(value) // 256, bytearray(value)
        bent[at] ^= data[1] if len(data) > 1 else 1
        return bytes(bent)
    if isinstance(value, int) and not isinstance(value, bool):
        return value + data[0] - 128
    if isinstance(value, str):
        return value[: data[0] % 8] + data[1:].decode("utf-8", "replace")
    if isinstance(value, list) and value:
        at = data[0] % len(value)
        return [*value[:at], _bent(value[at], data[1:]), *value[at + 1 :]]
    return _value(data)


def fuzz_body(data: bytes) -> None:
    try:
        value = decode(data)
    except NotCanonical:
        return
    for kind in {entry.kind for _, entry in played()}:
        try:
            body = parse_body(kind, value if isinstance(value, dict) else {})
        except Malformed:
            continue
        if body_value(body) != value:
            raise AssertionError("a body was read as another")


PARSERS: dict[str, Callable[[bytes], Any]] = {
    "entry": parse_entry,
    "receipt": parse_receipt,
    "evidence": parse_evidence,
    "sync": parse_have,
    "lobby": parse_lobby,
    "parting": parse_word,
    "note": parse_note,
    "transcript": lambda data: audit(MAGIC + data),
    "journal": lambda data: read_journal(data.split(b"\xc1")),
    "players": Players.from_bytes,
}
"""Every form of message or file, and what reads it or raises."""
TARGETS: dict[str, Callable[[bytes], None]] = {
    "canonical": fuzz_canonical,
    "frames": fuzz_frames,
    "entry": _refusing(parse_entry),
    "receipt": _refusing(parse_receipt),
    "evidence": _refusing(parse_evidence),
    "sync": _refusing(parse_have),
    "lobby": fuzz_lobby,
    "parting": _refusing(parse_word),
    "note": _refusing(parse_note),
    "handshake": fuzz_handshake,
    "record": fuzz_record,
    "transcript": fuzz_transcript,
    "journal": fuzz_journal,
    "players": fuzz_players,
    "body": fuzz_body,
    "step": fuzz_step,
    "box": fuzz_box,
}


def forms(target: str) -> dict[str, bytes]:
    """Well-formed messages by name, for a test that they stay so: bodies by kind, others short."""
    if target == "body":
        bodies = sorted(((e.kind, encode(e.body)) for _, e in played()), key=lambda b: -len(b[1]))
        return dict(bodies)
    found = seeds(target) if target in PARSERS else []
    return {str(number): data for number, data in enumerate(found) if len(data) <= 2048}


def seeds(target: str) -> list[bytes]:
    """Something well formed to begin with."""
    entries = [entry for _, entry in played()]
    raw = [encode({**e.unsigned(), "sig": e.sig}) for e in entries]
    guest = Guest(SigningKey.from_seed(bytes(32)).public, "Asha", "10.0.0.1", 5)
    seated = Seated(bytes(16), "Friday", preset("pagat"), 0, (guest,))
    receipt = sign_receipt(SigningKey.from_seed(bytes(32)), bytes(32), 1, bytes(32), 0, None)
    begin = BeginRecord(seated, (Pledge(bytes(32), bytes(64)),)).encode()
    first = sign_entry(SigningKey.from_seed(bytes(32)), bytes(32), 0, NO_LINK, 0, "cut", {"cut": 3})
    past = PlaceRecord(first.raw, receipt.encode(), ()).encode()
    known: dict[str, list[bytes]] = {
        "entry": raw[:80:9],
        "body": [encode(e.body) for e in entries[::7] if len(encode(e.body)) < 2000],
        "step": [
            at.to_bytes(2, "big") + bytes([how]) + b"\x81" * 4
            for at in range(0, len(entries), 5)
            for how in (0, 12, 20, 33)
        ],
        "receipt": [receipt.encode()],
        "sync": [encode({"have": 3, "receipts": [0, 1]})],
        "note": [note_bytes(NOTHING), note_bytes(Note(True, ("Eve", "\u0d85")))],
        "parting": [
            say(
                SigningKey.from_seed(bytes(32)),
                step,
                PartingPlace(bytes(32), 3, bytes(32), 1),
                0,
                2,
                (bytes(64),) * 3 if step == "part" else (),
            ).encode()
            for step in ("ready", "stay", "part")
        ],
        "box": [_false_box()[0].second],
        "evidence": [of_fork(*sorted(raw, key=len)[:2]).encode()],
        "lobby": [
            lobby_bytes(m)
            for m in (
                Join("Asha"),
                Join("Asha", 2),
                seated,
                Full("no"),
                ListHoldings(
                    bytes(32), (Pledge(bytes(32), bytes(64)),), bytes(32), (bytes(64),), (0,)
                ),
            )
        ],
        "record": [b"1\0Asha\0Friday\0pagat\x003\x004\x00abcd\0"],
        "journal": [begin, begin + b"\xc1" + past],
        "players": [Players([KnownPlayer("", "Asha", "x", "y", b"\xab" * 32)]).to_bytes()],
        "transcript": [
            (TRANSCRIPTS / "good.304").read_bytes()[8:3000],
            encode_last(raw[0], ((0, bytes(64)), (1, bytes(64)))),
        ],
    }
    return known.get(target, [b"", encode({"have": 3, "receipts": [0, 1]})])
