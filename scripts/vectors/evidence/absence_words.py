"""Evidence of a word of parting beside another word, or beside a receipt of its author."""

from __future__ import annotations

from p2p304.log.entry import sign_receipt
from p2p304.log.evidence import Evidence, of_broken_part, of_two_words
from p2p304.table.evidence.evidence_file import of_contradiction
from scripts.vectors.index import Vector
from tests.support.hostile import false_words


def absence_words() -> dict[str, Vector]:
    """Words of parting whose author contradicts itself, and two that are honest together."""
    net = false_words.game()
    chain, at = net.tables[0].chain, false_words.where(net)
    part = false_words.word(net, "part", at).encode()
    late, early = (
        sign_receipt(net.tables[2].me.key, chain.table, seq, bytes(32), 2, None).encode()
        for seq in (at.seq + 7, at.seq - 1)
    )
    words = [false_words.word(net, step, at).encode() for step in ("ready", "stay")]
    files: dict[str, tuple[Evidence, str, str, str]] = {
        "part.evidence": (
            of_broken_part(part, late),
            "proven",
            "E06",
            "a part, and a receipt for a later place",
        ),
        "words.evidence": (
            of_two_words(*words),
            "proven",
            "E07",
            "ready and stay in the same round",
        ),
        "part-and-stay.evidence": (
            of_two_words(part, words[1]),
            "nothing",
            "E01",
            "a part and a stay; the ready that the part shows would prove it",
        ),
        "honest-part.evidence": (
            of_broken_part(part, early),
            "nothing",
            "E01",
            "a part, and a receipt for an earlier place",
        ),
    }
    return {
        name: (of_contradiction(chain, shown).encode(), expect, check, comment)
        for name, (shown, expect, check, comment) in files.items()
    }
