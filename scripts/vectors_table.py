"""Makes protocol/messages.schema.json and the transcripts in protocol/transcripts/.

Every transcript has one fault, named by the check and the layer that must catch it; `index.json`
says which. usage: python scripts/vectors_table.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests" / "table"))

import simnet  # noqa: E402

from p2p304.log.chain import Chain  # noqa: E402
from p2p304.log.entry import sign_entry, sign_receipt  # noqa: E402
from p2p304.log.transcript import MAGIC, RawBlock, encode_block, read_blocks  # noqa: E402
from p2p304.wire.bodies import schema  # noqa: E402
from p2p304.wire.canonical import Value, encode  # noqa: E402

SEED = 1
FOLDER = ROOT / "protocol" / "transcripts"


def raw_block(block: RawBlock) -> bytes:
    receipts: list[Value] = [
        {"author": r.author, "claim": r.claim, "sig": r.sig} for r in block.receipts
    ]
    body = encode({"entry": block.entry.raw, "receipts": receipts})
    return len(body).to_bytes(4, "big") + body


def forged(blocks: list[RawBlock], at: int, change: dict[str, Value], kind: str = "") -> bytes:
    """The transcript up to place ``at``, where the author signs another body, which everybody
    receipts: as a table of four cheats would write it."""
    keys = simnet.signing_keys(SEED, 4)
    entry = blocks[at].entry.entry
    body = {**entry.body, **change} if not kind else change
    false = sign_entry(
        keys[entry.author], entry.table, at, entry.prev, entry.author, kind or entry.kind, body
    )
    chain = Chain(entry.table, tuple(key.public for key in keys))
    for before in blocks[:at]:
        chain.append(chain.authenticate(before.entry))
        for receipt in before.receipts:
            chain.add_receipt(receipt)
    chain.append(chain.authenticate(false))
    for player in range(4):
        if player != entry.author:
            chain.add_receipt(sign_receipt(keys[player], entry.table, at, chain.head, player, None))
    return MAGIC + b"".join([*map(raw_block, blocks[:at]), encode_block(chain.block(at))])


def first(blocks: list[RawBlock], kind: str) -> int:
    return next(n for n, block in enumerate(blocks) if block.entry.entry.kind == kind)


def flipped(value: Value, at: int = 0) -> bytes:
    data = bytearray(value if isinstance(value, bytes) else b"")
    data[at] ^= 1
    return bytes(data)


def vectors() -> dict[str, tuple[bytes, str, str | None, str]]:
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
            start + raw_block(blocks[7]), "not sound", "L04", "log: a place left out"),
        "pledge.304": (
            forged(blocks, 1, {"nonce": bytes(32)}), "not sound", "A04", "draw: another nonce"),
        "body.304": (forged(blocks, 1, {"x": 1}), "not sound", "W04", "wire: a field too many"),
        "turn.304": (
            forged(blocks, shuffle, {"at": 0}, "cut"), "not sound", "S02", "phase: a cut too soon"),
        "identity.304": (
            forged(blocks, shuffle, {"key": bytes(32)}), "not sound", "D01",
            "crypto: the identity as a key"),
        "shuffle.304": (
            forged(blocks, shuffle, {"deck": swapped}), "not sound", "D05",
            "crypto: two cards exchanged after the proof"),
        "unlock.304": (
            forged(blocks, unlock, {"proof": flipped(bodies[unlock]["proof"])}), "not sound",
            "D07", "crypto: one bit of a proof"),
        "card.304": (
            forged(blocks, play, {"card": other}), "not sound", "P02",
            "crypto: another card than lay there"),
        "bid.304": (
            forged(blocks, first(blocks, "say"), {"word": "150"}), "not sound", "G01",
            "rules: a bid under 160"),
    }  # fmt: skip


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    index = []
    for name, (data, verdict, check, comment) in vectors().items():
        (FOLDER / name).write_bytes(data)
        index.append({"file": name, "expect": verdict, "check": check, "comment": comment})
    (FOLDER / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Bodies of p2p304's entries, by kind",
        "$comment": "'bytes' is MessagePack's binary type, lengths in bytes.",
        "definitions": schema(),
    }
    (ROOT / "protocol" / "messages.schema.json").write_text(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()
