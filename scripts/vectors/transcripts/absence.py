"""Tables that all but one player have ended, and a hand played out without a player (SPEC.md,
"Playing out")."""

from __future__ import annotations

from p2p304.log.absence_vote import PartingPlace, say
from p2p304.log.entry import link_of, sign_entry, sign_receipt
from p2p304.log.transcript import MAGIC, RawBlock, encode_block, encode_last, read_blocks
from p2p304.rules.variants.presets import preset
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.signed_blocks import SEED
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table import simnet
from tests.support.table.leaving_games import MOMENTS, left


def ended_tables() -> dict[str, Vector]:
    """Tables that all but one have ended."""
    keys, absent, dealt, shuffling = simnet.signing_keys(SEED, 4), 2, 14, 7

    def block(away: str, at: int | None = dealt, without: int = absent) -> bytes:
        """Everything up to the place ``at``, None for the whole table, and the parts for it."""
        net = simnet.make(SEED, rules=preset("pagat").override({"away": away}))
        net.run(until=lambda: at is not None and net.tables[0].chain.next_seq > at)
        chain = net.tables[0].chain
        at = chain.next_seq if at is None else at
        where = PartingPlace(chain.table, at, chain.entries[at - 1].link, absent)
        parts = [(n, say(keys[n], "part", where, n).sig) for n in range(4) if n != without]
        start = b"".join(encode_block(chain.block(seq)) for seq in range(at - 1))
        return MAGIC + start + encode_last(chain.entries[at - 1].raw, tuple(parts))

    whole = block("playout", shuffling)
    last = list(read_blocks(whole))[-1]
    start = whole[: -len(encode_last(last.entry.raw, last.parts or ()))]
    return {
        "ended.304": (whole, "sound", None, "ended before a card was unlocked: no hand had begun"),
        "lost.304": (
            block("replace"),
            "sound",
            None,
            "ended by all but one, whose side has lost the hand",
        ),
        "E02.304": (
            start + encode_last(last.entry.raw, (last.parts or ())[:2]),
            "not sound",
            "E02",
            "end: somebody's part is missing",
        ),
        "fifth-player-part.304": (
            start + encode_last(last.entry.raw, (*(last.parts or ())[:2], (7, bytes(64)))),
            "not sound",
            "E02",
            "end: a part of a player who does not sit here",
        ),
        "E03.304": (block("wait"), "not sound", "E03", "end: the rules are to wait"),
        "parted-at-the-end.304": (
            block("replace", at=None),
            "sound",
            None,
            "the parts replace the receipts for the entry that ends the table: no hand is lost",
        ),
        "parted-at-the-end-playout.304": (
            block("playout", at=None),
            "sound",
            None,
            "the same with away=playout: no hand is played out",
        ),
        "parted-at-the-end-wait.304": (
            block("wait", at=None),
            "not sound",
            "E03",
            "end: the table is over, and the rules are to wait",
        ),
        "part.304": (
            block("replace", without=1),
            "not sound",
            "L03",
            "end: parts for another absentee",
        ),
    }


def hands_played_out() -> dict[str, Vector]:
    """A hand played to its end without its trump maker, who had cards to look at; and two ways in
    which that player could come into it again."""
    net = left(MOMENTS["announce"])
    net.run()
    whole, chain = net.transcripts[0], net.tables[0].chain
    gone = chain.without
    if gone is None:
        raise LookupError("nobody has left this table")
    blocks = list(read_blocks(whole))
    start = b"".join(encode_block(chain.block(seq)) for seq in range(gone.seq))
    key, first = net.tables[gone.absent].me.key, blocks[gone.seq]
    entry = first.entry.entry
    seen = sign_receipt(key, entry.table, gone.seq, link_of(first.entry.raw), gone.absent, None)
    receipted = raw_block(RawBlock(first.entry, (*first.receipts, seen)))
    own = sign_entry(key, entry.table, gone.seq, entry.prev, gone.absent, "say", {"word": "pass"})
    spoken = raw_block(RawBlock(own, ()))
    at = gone.seq + 3
    again = PartingPlace(chain.table, at + 1, link_of(blocks[at].entry.raw), gone.absent)
    parts = [(n, say(net.tables[n].me.key, "part", again, n).sig) for n, _ in gone.parts]
    twice = b"".join(encode_block(chain.block(seq)) for seq in range(at))
    twice += encode_last(blocks[at].entry.raw, tuple(parts))
    last = chain.next_seq - 1
    end = PartingPlace(chain.table, last + 1, chain.head, (gone.absent + 1) % 4)
    second = [(n, say(t.me.key, "part", end, n).sig) for n, t in enumerate(net.tables)]
    second = [part for part in second if part[0] != end.absent]
    ended_twice = whole[: -len(encode_block(chain.block(last)))]
    ended_twice += encode_last(blocks[last].entry.raw, tuple(second))
    return {
        "played-out.304": (whole, "sound", None, "a hand played out without its trump maker"),
        "parted-twice.304": (
            MAGIC + twice,
            "not sound",
            "E03",
            "playing out: all others part once more",
        ),
        "parted-twice-at-the-end.304": (
            ended_twice,
            "not sound",
            "E03",
            "playing out: all others part once more, after the entry that ends the table",
        ),
        "absent-receipt.304": (
            MAGIC + start + receipted,
            "not sound",
            "L09",
            "playing out: a receipt of who is gone",
        ),
        "absent-entry.304": (
            MAGIC + start + spoken,
            "not sound",
            "S01",
            "playing out: an entry of who is gone",
        ),
    }
