"""A whole table, its beginning, and transcripts with one fault each, one or more for every layer
of the checks."""

from __future__ import annotations

from p2p304.log.transcript import MAGIC, RawBlock, read_blocks
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.signed_blocks import SEED, first, flipped, forged
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table import simnet


def one_fault() -> dict[str, Vector]:
    """File name to (bytes, verdict, check, comment)."""
    net = simnet.make(SEED)
    net.run()
    whole = net.transcripts[0]
    blocks = list(read_blocks(whole))
    shuffle, unlock, play = (first(blocks, k) for k in ("shuffle", "unlock", "play"))
    bodies = {n: blocks[n].entry.entry.body for n in (shuffle, unlock, play)}
    swapped = list(bodies[shuffle]["deck"])  # type: ignore[arg-type]
    swapped[0], swapped[1] = swapped[1], swapped[0]
    names = ["JS", "9S"]
    other = names[bodies[play]["card"] == names[0]]
    missing = raw_block(RawBlock(blocks[6].entry, blocks[6].receipts[:2]))
    turned = raw_block(RawBlock(blocks[6].entry, blocks[6].receipts[::-1]))
    start = MAGIC + b"".join(map(raw_block, blocks[:6]))
    byte = bytearray(MAGIC + b"".join(map(raw_block, blocks[:8])))
    byte[-1] ^= 1
    return {
        "good.304": (whole, "sound", None, "a whole hand"),
        "unfinished.304": (start, "sound", None, "a sound beginning"),
        "magic.304": (b"p2p305" + whole[6:400], "unreadable", None, "file: another format"),
        "broken-off.304": (start[:-9], "unreadable", None, "file: half a block"),
        "signature.304": (bytes(byte), "not sound", "L07", "log: one bit of the last receipt"),
        "receipt-missing.304": (start + missing, "not sound", "L06", "log: one receipt missing"),
        "receipt-order.304": (start + turned, "not sound", "L12", "log: receipts turned round"),
        "entry-missing.304": (
            start + raw_block(blocks[7]),
            "not sound",
            "L04",
            "log: a place left out",
        ),
        "pledge.304": (
            forged(blocks, 1, {"nonce": bytes(32)}),
            "not sound",
            "A04",
            "draw: another nonce",
        ),
        "body.304": (forged(blocks, 1, {"x": 1}), "not sound", "W04", "wire: a field too many"),
        "turn.304": (
            forged(blocks, shuffle, {"at": 0}, "cut"),
            "not sound",
            "S02",
            "phase: a cut too soon",
        ),
        "identity.304": (
            forged(blocks, shuffle, {"key": bytes(32)}),
            "not sound",
            "D01",
            "crypto: the identity as a key",
        ),
        "shuffle.304": (
            forged(blocks, shuffle, {"deck": swapped}),
            "not sound",
            "D05",
            "crypto: two cards exchanged after the proof",
        ),
        "unlock.304": (
            forged(blocks, unlock, {"proof": flipped(bodies[unlock]["proof"])}),
            "not sound",
            "D07",
            "crypto: one bit of a proof",
        ),
        "card.304": (
            forged(blocks, play, {"card": other}),
            "not sound",
            "P02",
            "crypto: another card than lay there",
        ),
        "bid.304": (
            forged(blocks, first(blocks, "say"), {"word": "150"}),
            "not sound",
            "G01",
            "rules: a bid under 160",
        ),
    }
