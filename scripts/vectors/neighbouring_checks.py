"""Transcripts with one fault that a program could name by another check than the one that is due.

Responsible for bodies changed in whole games of sound_games.py; two faults at one place are
two_faults.py's.
"""

from __future__ import annotations

from p2p304.log.transcript import RawBlock, read_blocks
from p2p304.wire.canonical import Value
from scripts.vectors.forged import first, flipped, forged

Vector = tuple[bytes, str, str | None, str]
STACKED = 1
"""The seed of the tables with stacked packs."""


def neighbouring_checks(blocks: list[RawBlock], sound: dict[str, Vector]) -> dict[str, Vector]:
    """File name to bytes, verdict, check and comment; ``blocks`` are those of good.304."""
    card = blocks[first(blocks, "open")].entry.entry.body["card"]
    again = next(
        number
        for number, block in enumerate(blocks)
        if block.entry.entry.kind == "play" and block.entry.entry.body["card"] == card
    )
    proof = blocks[again].entry.entry.body["proof"]
    say = first(blocks, "say")
    files = {
        "public-card": (
            forged(blocks, again, {"proof": flipped(proof)}),
            "P02",
            "a card that everybody knows, with a bent proof",
        ),
        "word-beyond-ascii": (
            forged(blocks, say, {"word": "p\u00e4ss"}),
            "W04",
            "a word that is not printable ASCII",
        ),
        "no-such-word": (forged(blocks, say, {"word": "perhaps"}), "G01", "a word of no rule"),
        "no-such-kind": (forged(blocks, say, {}, "murmur"), "W04", "a kind that does not exist"),
        "double-in-court": (
            _doubling(list(read_blocks(sound["court-open.304"][0]))),
            "G01",
            "a double before the third trick from the end, in a full court",
        ),
        "not-shown-early": (
            _announcing(sound["shown-early.304"], 1, "indicator", "indicator_proof"),
            "G01",
            "the indicator is not shown after trick 1 of a high bid",
        ),
        "own-not-turned-up": (
            _announcing(sound["reveal-all.304"], 29, "own", "own_proof"),
            "G01",
            "reveal=all: the trump maker's own card stays down",
        ),
    }
    return {
        f"{name}.304": (data, "not sound", check, comment)
        for name, (data, check, comment) in files.items()
    }


def _doubling(blocks: list[RawBlock]) -> bytes:
    """A game up to the third trick from the end, whose leader says double."""
    led = [n for n, block in enumerate(blocks) if block.entry.entry.kind == "play"][-12]
    return forged(blocks, led, {"word": "double"}, "say", seed=STACKED)


def _announcing(sound: Vector, seed: int, *nothing: str) -> bytes:
    """A game up to its first announcement, in which these fields are nil."""
    blocks = list(read_blocks(sound[0]))
    change: dict[str, Value] = dict.fromkeys(nothing)
    return forged(blocks, first(blocks, "announce"), change, seed=seed)
