"""A false box, shown to all by the player whom it was sealed to.

Owns the one thing about shared keys that only a receiver can see: it opens the box with proof,
and everybody judges what lay in it (SPEC.md, "Playing out"). A box that opens to the share that
was published proves nothing, against nobody.

The word is the canonical ``{point: bytes, proof: bytes, seat}``: the receiver's seat, Z, and
64 bytes of proof that Z opens the box.
"""

from __future__ import annotations

from p2p304.crypto.group import Element, GroupError, base, decode_element
from p2p304.crypto.rng import Rng
from p2p304.crypto.sealing import disclose, is_disclosed, unseal_with
from p2p304.log.entry import Entry, entry_is_signed_by, parse_entry
from p2p304.log.evidence import BOX, Evidence, no_evidence, proves_nothing
from p2p304.log.faults import Finding, Refused
from p2p304.table import checks
from p2p304.table.sharing import Share
from p2p304.table.state import TableState
from p2p304.table.terms import digest
from p2p304.wire import bodies
from p2p304.wire.bodies import Malformed, parse_body
from p2p304.wire.canonical import NotCanonical, decode, encode


def complain(raw: bytes, share: Share, seat: int, e: int, rng: Rng) -> Evidence:
    """What this seat shows to all of an entry whose box for it is false."""
    Z, proof = disclose(e, share.box, _context(raw), rng)
    return Evidence(BOX, raw, encode({"point": Z, "proof": proof, "seat": seat}))


def judge(evidence: Evidence, state: TableState, tables: tuple[bytes, ...]) -> Finding:
    """D13 against the box's author; raises Refused E01 or W03 where nothing is proven."""
    entry = parse_entry(evidence.first).entry
    seat, Z, proof = _word(evidence.second)
    sealed = _box(entry, state, seat)
    here = entry.table in tables and entry.author < state.seats
    if not here or not entry_is_signed_by(entry, state.terms.keys[entry.author]):
        raise proves_nothing("this box is in no entry that its author signed")
    if sealed is None:
        raise proves_nothing("this entry holds no box for that seat")
    key, share = sealed
    receiver = state.boxes[state.player_on(seat)]
    if not is_disclosed(Z, receiver, share.box, proof, _context(evidence.first)):
        raise proves_nothing("this does not open the box")
    s = unseal_with(Z, receiver, share.box, key + share.point)
    try:
        checks.share_is_sealed(s is not None and s > 0 and base(s) == share.point, entry.author)
    except Refused as refused:
        return refused.finding
    raise proves_nothing("this box holds the share that was published")


def _context(raw: bytes) -> bytes:
    return b"p2p304/1 box " + digest(b"p2p304 box", raw)


def _word(raw: bytes) -> tuple[int, Element, bytes]:
    try:
        value = decode(raw)
        if not isinstance(value, dict) or set(value) != {"point", "proof", "seat"}:
            raise no_evidence("this word about a box has other fields")
        seat, point, proof = value["seat"], value["point"], value["proof"]
        whole = isinstance(seat, int) and not isinstance(seat, bool) and seat >= 0
        if not whole or not isinstance(point, bytes) or not isinstance(proof, bytes):
            raise no_evidence("this word about a box is malformed")
        return int(str(seat)), decode_element(point), proof
    except (NotCanonical, GroupError) as error:
        raise no_evidence("this word about a box is not canonical") from error


def _box(entry: Entry, state: TableState, seat: int) -> tuple[Element, Share] | None:
    """The key and this seat's share in an entry, if it holds one."""
    try:
        body = parse_body(entry.kind, entry.body)
    except Malformed as error:
        raise proves_nothing("this entry is malformed") from error
    if not isinstance(body, bodies.Shuffle | bodies.Relock | bodies.Closed):
        return None
    if not state.seating or entry.author >= state.seats or seat >= state.seats:
        return None
    number = (seat - state.seat_of(entry.author)) % state.seats - 1
    if not 0 <= number < len(body.shares):
        return None
    raw = body.shares[number]
    try:
        point, _ = checks.elements((raw[:32], raw[32:64]))
        return checks.element(body.key), Share(point, raw[32:])
    except Refused as error:
        raise proves_nothing("this entry holds no shares") from error
