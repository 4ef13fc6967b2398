"""The evidence files: false entries, forks, split receipts and claims, and files like these that
prove nothing.

Responsible for which files there are, and in which order; those about sealed shares are
share_boxes.py's, words of parting absence_words.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto.signing import SigningKey
from p2p304.log.chain import Chain
from p2p304.log.entry import link_of, sign_entry, sign_receipt
from p2p304.log.evidence import Evidence, of_fork, of_split
from p2p304.log.transcript import MAGIC, encode_block
from p2p304.table.evidence.evidence_file import EvidenceFile, of_contradiction, parse_evidence_file
from scripts.vectors.evidence.absence_words import absence_words
from scripts.vectors.evidence.share_boxes import share_boxes
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.caught_cheats import Caught
from tests.support.cheats.receipts import FALSE_RECEIPTS, told_falsely
from tests.support.table import simnet


def evidence(caught: Caught) -> dict[str, Vector]:
    """Evidence files: false entries, a fork, split receipts, and some that prove nothing."""
    outcome, comment = caught["P09"]
    false = outcome.net.evidence[outcome.honest[0]]
    case = parse_evidence_file(false)
    table = outcome.net.tables[outcome.honest[0]]
    kept, player = table.chain.entries[2], table.chain.entries[2].entry.author
    key = outcome.net.tables[player].me.key
    twin = sign_entry(
        key,
        table.chain.table,
        2,
        kept.entry.prev,
        player,
        "draw",
        {"box": None, "box_knows": None, "nonce": bytes(32)},
    )
    fork = of_contradiction(table.chain, of_fork(kept.raw, twin.raw)).encode()
    split = [
        sign_receipt(key, table.chain.table, 3, head, player, None).encode()
        for head in (table.chain.entries[3].link, bytes(32))
    ]
    apart = of_contradiction(table.chain, of_split(*split)).encode()
    true = EvidenceFile("false", table.chain.entries[-1].raw, b"", b"").first
    last = len(encode_block(table.chain.block(table.chain.next_seq - 1)))
    accepted = EvidenceFile("false", true, b"", case.transcript[:-last]).encode()
    lied = told_falsely(lambda: simnet.make_closed(3))
    claims = next(lied[kind] for kind in FALSE_RECEIPTS if kind.check == "S03")
    claim = claims.net.evidence[claims.honest[0]]
    told = parse_evidence_file(claim)
    liar = claims.net.tables[claims.liar]
    mild = sign_receipt(
        liar.me.key, liar.chain.table, claims.seq, link_of(told.second), claims.liar, None
    ).encode()
    honest = EvidenceFile(told.kind, mild, told.second, told.transcript).encode()
    bent = false[:12] + b"\x00" + false[13:]
    same = of_contradiction(table.chain, of_fork(kept.raw, table.chain.entries[4].raw)).encode()
    return {
        "false.evidence": (false, "proven", "P09", comment),
        "fork.evidence": (fork, "proven", "L11", "two draws of one player for one place"),
        "split.evidence": (apart, "proven", "L10", "two receipts of one player for one place"),
        "claim.evidence": (claim, "proven", "S03", "a claim on a receipt where none is open"),
        "claimless.evidence": (honest, "nothing", "E01", "a receipt that claims nothing"),
        "accepted.evidence": (accepted, "nothing", "E01", "an entry that every check accepts"),
        **share_boxes(),
        **absence_words(),
        "one-entry.evidence": (
            of_contradiction(table.chain, Evidence("fork", kept.raw, kept.raw)).encode(),
            "nothing",
            "E01",
            "an honest entry, twice",
        ),
        "log.evidence": (false[:-1] + bytes([false[-1] ^ 1]), "nothing", "L07", "its log is bent"),
        "beginning.evidence": (b"p2p305" + false[6:], "nothing", "W03", "another beginning"),
        "places.evidence": (same, "nothing", "E01", "two entries for different places"),
        "head.evidence": (bent, "nothing", "W03", "its head is broken"),
        "second.evidence": (
            replace(case, second=case.first).encode(),
            "nothing",
            "W03",
            "a second message where none is due",
        ),
        "first-claim.evidence": (
            _claim_at_once(table.chain, outcome.net.tables[1].me.key),
            "proven",
            "S03",
            "a claim on a receipt for the agreement; the log is empty",
        ),
    }


def _claim_at_once(chain: Chain, key: SigningKey) -> bytes:
    """Player 1 claims Caps on its receipt for the agreement."""
    agreed = chain.entries[0]
    receipt = sign_receipt(key, chain.table, 0, agreed.link, 1, "caps")
    return EvidenceFile("claim", receipt.encode(), agreed.raw, MAGIC).encode()
