"""Complaints about a false box, and the judgement of evidence of any kind.

Responsible for the one fault of shared keys that only the receiver can see (SPEC.md, "Playing
out"); contradictions are log/evidence.py's. The receiver opens the box with a proof, and every
player judges its content. A box that holds the published share proves nothing against any player.

A complaint is the canonical ``{point: bytes, proof: bytes, seat}``: the receiver's seat, Z, and
64 bytes of proof that Z opens the box.
"""

from __future__ import annotations

from p2p304.crypto.group import Element, GroupError, base, decode_element
from p2p304.crypto.rng import Rng
from p2p304.crypto.sealing import disclose, is_disclosed, unseal_with
from p2p304.log.chain import Chain
from p2p304.log.entry import Entry, Signed, entry_is_signed_by, parse_entry
from p2p304.log.evidence import BOX, Evidence, no_evidence, proves_nothing
from p2p304.log.evidence import judge as contradiction
from p2p304.log.faults import Finding, Refused
from p2p304.table.agreement.terms import digest
from p2p304.table.player.keyring import Secrets
from p2p304.table.proofs import checks
from p2p304.table.state.key_shares import Shared, own_share
from p2p304.table.state.table import TableState
from p2p304.wire import bodies
from p2p304.wire.bodies import parse_body
from p2p304.wire.canonical import encode
from p2p304.wire.forms import Malformed, exactly, number, octets

_COMPLAINT = exactly({"point": octets(), "proof": octets(), "seat": number(0)})


def false_box(signed: Signed, state: TableState, seat: int, secrets: Secrets) -> Evidence | None:
    """Return this seat's complaint if an entry holds a false box for it.

    The entry has passed every check, and ``state`` is the state after it. The box is false if its
    share is not the published one. None for this seat's own keys, and where no key was shared.

    Only such an entry may be complained about. The point that opens the box teaches nothing to a
    player who has proven to know the ephemeral secret (D15), and much to a player who copied the
    ephemeral key."""
    shared = _shared(signed.entry, state, seat)
    e = secrets.box_key
    if shared is None or own_share(shared, seat, e) is not None:
        return None
    child = secrets.hand(state.number).child(b"complaint", signed.raw)
    return complain(signed.raw, shared.ephemeral, seat, e, child)


def complain(raw: bytes, ephemeral: Element, seat: int, e: int, rng: Rng) -> Evidence:
    """Make this seat's complaint about an entry whose box for it is false."""
    Z, proof = disclose(e, ephemeral, _context(raw), rng)
    return Evidence(BOX, raw, encode({"point": Z, "proof": proof, "seat": seat}))


def judge(evidence: Evidence, chain: Chain, state: TableState | None) -> Finding:
    """Return the finding that evidence of any kind proves at a table of this log and state; raises
    Refused (E01, W03) if it proves nothing."""
    if evidence.kind != BOX:
        return contradiction(evidence, chain.tables, chain.players)
    if state is None or len(state.boxes) != state.seats:
        raise proves_nothing("this table has no sealed shares, or not yet")
    return _judge_box(evidence, state, chain.tables)


def check_draws_are_signed(chain: Chain, author: int) -> None:
    """Check that the author of a box has signed the draws of this log, whose keys judge the box;
    raises Refused E01. A table's other players can sign another last draw, and end the table
    without the author. A node needs no such check: the author wrote after the node's receipt."""
    drawn = len(chain.players)  # a draw of each player follows the agreement
    if author != chain.entry(drawn).entry.author and chain.receipt_of(drawn, author) is None:
        raise proves_nothing("the author of this box has not signed the draws of this transcript")


def _judge_box(evidence: Evidence, state: TableState, tables: tuple[bytes, ...]) -> Finding:
    """Return finding D13 against the author of the box."""
    entry = parse_entry(evidence.first).entry
    seat, Z, proof = _parse_disclosure(evidence.second)
    here = entry.table in tables and entry.author < state.seats
    if not here or not entry_is_signed_by(entry, state.terms.keys[entry.author]):
        raise proves_nothing("no entry of its author contains this box")
    shared = _shared(entry, state, seat)
    if shared is None:
        raise proves_nothing("this entry contains no box for that seat")
    R, share = shared.ephemeral, shared.of(seat)
    receiver = state.boxes[state.player_on(seat)]
    if not is_disclosed(Z, receiver, R, proof, _context(evidence.first)):
        raise proves_nothing("this does not open the box")
    s = unseal_with(Z, receiver, R, share.box, shared.key + share.point)
    try:
        checks.check_share_is_sealed(s > 0 and base(s) == share.point, entry.author)
    except Refused as refused:
        return refused.finding
    raise proves_nothing("this box contains the published share, so it is not false")


def _context(raw: bytes) -> bytes:
    return b"p2p304/1 box " + digest(b"p2p304 box", raw)


def _parse_disclosure(raw: bytes) -> tuple[int, Element, bytes]:
    try:
        fields = _COMPLAINT.decode(raw)
        return fields["seat"], decode_element(fields["point"]), fields["proof"]
    except (Malformed, GroupError) as error:
        raise no_evidence(f"this word about a box is malformed: {error}") from error


def _shared(entry: Entry, state: TableState, seat: int) -> Shared | None:
    """Return the key that an entry shares with this seat; None if it shares none as the rules
    require. Raises Refused (E01) for an entry that cannot be read."""
    try:
        body = parse_body(entry.kind, entry.body)
    except Malformed as error:
        raise proves_nothing("this entry is malformed") from error
    if not isinstance(body, bodies.Shuffle | bodies.Relock | bodies.Closed):
        return None
    players = range(state.seats)
    if entry.author not in players or seat not in players:
        return None
    author = state.seat_of(entry.author)
    if seat == author:
        return None
    try:
        return checks.check_shares(checks.parse_element(body.key), author, body, state.seats - 1)
    except Refused:
        return None
