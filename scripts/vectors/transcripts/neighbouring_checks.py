"""Transcripts with one fault that a program could name by another check than the one that is due.

Responsible for bodies changed in whole games of sound_games.py; two faults at one place are
two_faults.py's.
"""

from __future__ import annotations

from p2p304.log.entry import sign_receipt
from p2p304.log.transcript import MAGIC, RawBlock, read_blocks
from p2p304.wire.canonical import Value
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.signed_blocks import first, flipped, forged
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table import simnet

STACKED = 1
"""The seed of the tables with stacked packs."""
CLOSED = 3
"""The seed of closed.304."""
CALLED = 4
"""The seed of called-partner.304."""
EARLY = 5
"""The seed of caps-early.304."""
EARLY_DOWN = 14
"""The seed of caps-early-down.304."""


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
        **{
            f"partner-{word.lower()}": (
                _calling_partner(sound["called-partner.304"], f"partner {word}"),
                "G01",
                comment,
            )
            for word, comment in (
                ("10D", "the word `partner 10D`: an entry says TD"),
                ("1D", "the word `partner 1D`: a card of no pack"),
                ("6S", "the word `partner 6S`: a card of another pack"),
            )
        },
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
        **_bound(sound),
        **_claimed(list(read_blocks(sound["closed.304"][0]))),
    }
    return {
        f"{name}.304": (data, "not sound", check, comment)
        for name, (data, check, comment) in files.items()
    }


def _bound(sound: dict[str, Vector]) -> dict[str, tuple[bytes, str, str]]:
    """Early callers of Caps, whose cards are public, that lay a card face down against a rule."""
    leads = list(read_blocks(sound["caps-early.304"][0]))
    follows = list(read_blocks(sound["caps-early-down.304"][0]))
    led, followed = first(leads, "caps") + 1, first(follows, "caps") + 15

    def down(blocks: list[RawBlock], at: int, slot: Value, seed: int) -> tuple[bytes, str]:
        return forged(blocks, at, {"slot": slot, "owed": []}, "down", seed=seed), "G01"

    places: list[Value] = [*leads[led - 1].entry.entry.body["slots"]]  # type: ignore[misc]
    due = follows[followed].entry.entry.body["slot"]
    higher = follows[first(follows, "caps")].entry.entry.body["slots"][3]  # type: ignore[index]
    return {
        "bound-other": (
            *down(leads, led + 7, places[2], EARLY),
            "a caller of Caps that cannot follow suit lays another card than the order's next",
        ),
        "bound-lead-down": (
            *down(leads, led, places[1], EARLY),
            "a caller of Caps leads face down, and another card than the order's next",
        ),
        "bound-follow-down": (
            *down(follows, followed, due, EARLY_DOWN),
            "a caller of Caps follows suit with the order's next card, face down",
        ),
        "bound-revoke": (
            *down(follows, followed, higher, EARLY_DOWN),
            "a caller of Caps that can follow suit lays a card of another suit",
        ),
    }


def _claimed(blocks: list[RawBlock]) -> dict[str, tuple[bytes, str, str]]:
    """Claims on receipts while a trick waits for its announcement: none is open."""
    shown = first(blocks, "inspect")

    def claimed(at: int) -> bytes:
        block, keys = blocks[at], simnet.signing_keys(CLOSED, 4)
        one, *others = block.receipts
        false = sign_receipt(keys[one.author], one.table, one.seq, one.head, one.author, "caps")
        whole = [*blocks[:at], RawBlock(block.entry, (false, *others))]
        return MAGIC + b"".join(map(raw_block, whole))

    return {
        "claim-before-inspect": (
            claimed(shown - 1),
            "S03",
            "a claim on the receipt for a trick's last card, before a card is shown",
        ),
        "claim-before-announce": (
            claimed(shown),
            "S03",
            "a claim on the receipt for the card that is shown, before the announcement",
        ),
    }


def _doubling(blocks: list[RawBlock]) -> bytes:
    """A game up to the third trick from the end, whose leader says double."""
    led = [n for n, block in enumerate(blocks) if block.entry.entry.kind == "play"][-12]
    return forged(blocks, led, {"word": "double"}, "say", seed=STACKED)


def _calling_partner(sound: Vector, word: str) -> bytes:
    """A game up to the call of a partner, with another word."""
    blocks = list(read_blocks(sound[0]))
    at = next(
        number
        for number, block in enumerate(blocks)
        if str(block.entry.entry.body.get("word")).startswith("partner ")
    )
    return forged(blocks, at, {"word": word}, seed=CALLED)


def _announcing(sound: Vector, seed: int, *nothing: str) -> bytes:
    """A game up to its first announcement, in which these fields are nil."""
    blocks = list(read_blocks(sound[0]))
    change: dict[str, Value] = dict.fromkeys(nothing)
    return forged(blocks, first(blocks, "announce"), change, seed=seed)
