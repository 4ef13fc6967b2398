"""Evidence of a true box over a false log: all players but its author sign another last draw, with
another key in it (SPEC.md, "Playing out", complaints)."""

from __future__ import annotations

from collections.abc import Iterator

from p2p304.crypto.group import base
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import Scalars, prove
from p2p304.log.absence_vote import PartingPlace, say
from p2p304.log.entry import Unverified, link_of
from p2p304.log.transcript import RawBlock, encode_last
from p2p304.table.evidence.share_complaint import complain
from p2p304.table.proofs import statements
from p2p304.table.proofs.checks import check_shares, parse_element
from p2p304.table.proofs.statements import Binding
from p2p304.table.transition.replay import Replay
from p2p304.wire.bodies import Shuffle, parse_body
from scripts.vectors.derived.recorded import Recorded, recorded
from scripts.vectors.derived.row import EvidenceRow
from tests.support.hostile.damaged_transcripts import raw_block

_SECRET = 6666
"""Of the key in the other draw."""


def other_draws() -> Iterator[EvidenceRow]:
    table = recorded("transcripts/absent-entry.304")
    at = table.places("shuffle")[0]
    shown = table.blocks[at].entry
    author, last = shown.entry.author, table.blocks[at - 1].entry.entry.author
    other = _other_draw(table, at - 1)
    where = PartingPlace(other.entry.table, at, link_of(other.raw), author)
    present = [player for player in range(len(table.keys)) if player != author]
    parts = tuple((n, say(table.keys[n], "part", where, n).sig) for n in present)
    receipts = table.receipts(other)
    without = tuple(one for one in receipts if one.author != author)
    word = _complaint(table, at, last)
    for block, check, proven, comment in (
        (encode_last(other.raw, parts), "E01", False, "which all others have parted after"),
        (raw_block(RawBlock(other, without)), "L06", False, "which all others have receipts for"),
        (raw_block(RawBlock(other, receipts)), "D13", True, "which the author has signed, too"),
    ):
        comment = f"a true box, and another key in the last draw, {comment}"
        yield EvidenceRow(
            "box", table.file, at - 1, shown.raw, word, check, proven, comment, rest=block
        )


def _other_draw(table: Recorded, at: int) -> Unverified:
    """The draw at this place with the same nonce, so that the seats stay, and another key."""
    said = table.blocks[at].entry.entry
    key = base(_SECRET)
    context = Binding(said.table, 0, at, said.prev, said.author).context(b"box")
    statement, rng = statements.knowledge(key), Rng.from_seed(b"other draw".ljust(32))
    knows = prove(statement, Scalars({"x": _SECRET}), context, rng)
    return table.entry(at, {"box": bytes(key), "box_knows": knows})


def _complaint(table: Recorded, at: int, receiver: int) -> bytes:
    """What the receiver says of its box in the entry at this place, with the other key's secret."""
    replay = Replay(table.beginning(at))
    for _ in replay:
        pass
    state, said = replay.state, table.blocks[at].entry
    body = parse_body(said.entry.kind, said.entry.body)
    if state is None or not isinstance(body, Shuffle):
        raise LookupError("nobody shuffles here")
    seat, author = state.seat_of(receiver), state.seat_of(said.entry.author)
    shared = check_shares(parse_element(body.key), author, body, state.seats - 1)
    if shared is None:
        raise LookupError("no key is shared here")
    rng = Rng.from_seed(b"complaint".ljust(32))
    return complain(said.raw, shared.ephemeral, seat, _SECRET, rng).second
