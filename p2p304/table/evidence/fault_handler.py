"""The handling of refused messages: a proven fault stops the table; anything else is dropped and
reported once.

Responsible for evidence at a running table: what is kept of it, what is passed on, and which player
it names. What counts as a fault is checks.py's; which player evidence convicts is
share_complaint.py's.
"""

from __future__ import annotations

from p2p304.log.entry import Receipt, Signed
from p2p304.log.evidence import Evidence
from p2p304.log.faults import Finding, Refused
from p2p304.rules.core.phrases import english
from p2p304.rules.variants.absence import LeaverCause
from p2p304.table.evidence import evidence_file, share_complaint
from p2p304.table.evidence.evidence_file import EvidenceFile
from p2p304.table.evidence.left_draws import DrawWatch
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.ending import settle_conviction
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Outbox
from p2p304.wire.framing import FrameKind

MAX_REFUSED = 8
"""Refused messages of one member that no honest program sends, before it is disconnected."""
SHUT_OUT = 60.0
"""Seconds for which such a member is not connected again."""
NEVER_HONEST = ("L02", "L03", "L07", "E01")
"""Checks that count beside malformed bytes: no honest member passes on what its author has not
signed, or what proves nothing."""


def repeated_refusals(nick: str) -> Finding:
    """Return finding W14: too many messages of a member were refused."""
    return Refused(
        "W14",
        f"{nick} sends too many invalid messages. The connection is closed for "
        f"{SHUT_OUT:.0f} seconds, and the table waits for {nick}",
    ).finding


class FaultHandler:
    """The faults at one table. ``stopped`` is the proven fault; after it nothing is played."""

    def __init__(self, replica: Replica, draw: DrawWatch, out: Outbox[Event]) -> None:
        self.stopped: Refused | None = None
        self._replica, self._draw, self._out = replica, draw, out
        self._reported: set[tuple[bytes, str]] = set()
        self._proof: tuple[FrameKind, bytes] | None = None
        self._refused: dict[bytes, int] = {}

    def on_false_entry(self, signed: Signed, refused: Refused) -> None:
        """Stop the table on a false entry, signed by its author. If the agreement itself is false,
        there is no table yet that a file could show."""
        self._send_proof(FrameKind.ENTRY, signed.raw)
        if signed.entry.seq:
            self._persist(evidence_file.of_false_entry(self._replica.chain, signed.raw))
        self._stop(refused, signed.entry.seq)

    def on_false_claim(self, receipt: Receipt, refused: Refused) -> None:
        """Stop the table on a receipt with a claim that is not open."""
        self._send_proof(FrameKind.RECEIPT, receipt.encode())
        self._persist(evidence_file.of_false_claim(self._replica.chain, receipt))
        self._stop(refused, receipt.seq)

    def prove(self, evidence: Evidence) -> None:
        """Judge evidence, own or from a peer, and stop the table; raises Refused (E01, W03) if it
        proves nothing."""
        finding = share_complaint.judge(evidence, self._replica.chain, self._replica.state)
        self._send_proof(FrameKind.EVIDENCE, evidence.encode())
        if self._replica.chain.settled_count:  # else there is no table yet that a file could show
            self._persist(evidence_file.of_contradiction(self._replica.chain, evidence))
        self._stop(Refused.of(finding), None)

    def refuse(self, refused: Refused, peer: bytes) -> None:
        """Drop a message that proves nothing against any player. Malformed bytes cut the link.

        A fault of this program (W12) does not cut the link, because the message may be honest. The
        same refusal of the same peer is reported once."""
        finding = refused.finding
        malformed = finding.check.startswith("W") and finding.check != "W12"
        counted = malformed or finding.check in NEVER_HONEST
        self._refused[peer] = self._refused.get(peer, 0) + counted
        self._report_once(finding, peer)
        if self._refused[peer] >= MAX_REFUSED:
            players = self._replica.terms.players
            nick = next((player.nick for player in players if player.key == peer), "somebody")
            self._report_once(repeated_refusals(nick), peer)
            self._out.hang_up(peer, english("your messages were refused too often"), SHUT_OUT)
            return
        if malformed:
            self._out.hang_up(peer, finding.sentence)

    def _report_once(self, finding: Finding, peer: bytes) -> None:
        if (peer, finding.check) not in self._reported:
            self._reported.add((peer, finding.check))
            self._out.emit(events.Fault(finding, None, None))

    def send_proof_to(self, peer: bytes) -> None:
        """Send what proves the fault to a peer that is linked only now."""
        if self._proof is not None:
            self._out.send_to(peer, *self._proof)

    def _send_proof(self, kind: FrameKind, payload: bytes) -> None:
        self._proof = kind, payload
        self._out.send(kind, payload)

    def _persist(self, proven: EvidenceFile) -> None:
        """Persist the evidence file, which convinces anybody by itself, for `p2p304 audit
        --evidence`."""
        self._out.persist(evidence_file.NAME, proven.encode())

    def _stop(self, refused: Refused, seq: int | None) -> None:
        self.stopped = refused
        player, nick, state = refused.finding.player, None, self._replica.settled_state
        if player is not None:
            nick = self._replica.terms.players[player].nick
            self._draw.note(self._replica.terms.keys[player], LeaverCause.FAULT)
            # The settlement of `cheat.pays`. Every reader of the evidence file finds the same.
            settled = None if state is None else settle_conviction(state, player)
            if settled is not None:
                self._out.emit(settled[1])
        self._out.emit(events.Fault(refused.finding, nick, seq))
