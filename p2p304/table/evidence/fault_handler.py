"""What is refused: a proven fault stops the table, all else is dropped and told once.

Owns evidence at a running table: what is kept of it and passed on, whom it names. What a fault is
the checks say; whom evidence convicts, share_complaint.py.
"""

from __future__ import annotations

from p2p304.log.entry import Receipt, Signed
from p2p304.log.evidence import Evidence
from p2p304.log.faults import Finding, Refused
from p2p304.table.evidence import evidence_file, share_complaint
from p2p304.table.evidence.evidence_file import EvidenceFile
from p2p304.table.evidence.left_draws import DrawWatch
from p2p304.table.evidence.settlement import convicted
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.replica import Replica
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

MAX_REFUSED = 8
"""Messages refused of one member that no honest program sends; then it is named and shut out."""
SHUT_OUT = 60.0
"""Seconds."""
NEVER_HONEST = ("L02", "L03", "L07", "E01")
"""Beside malformed bytes: nobody passes on what is not signed by its author or proves nothing."""


def again_and_again(nick: str) -> Finding:
    """W14: fewer messages of a member were refused than make it a nuisance."""
    return Refused(
        "W14",
        f"{nick} sends messages that are refused again and again: the connection is cut, and not "
        f"taken again for {SHUT_OUT:.0f} seconds; the table waits for {nick} meanwhile",
    ).finding


class Blame:
    """``stopped`` is the proven fault; nobody plays on with a cheat."""

    def __init__(self, replica: Replica, draw: DrawWatch, out: Outbox[Event]) -> None:
        self.stopped: Refused | None = None
        self._replica, self._draw, self._out = replica, draw, out
        self._told: set[tuple[bytes, str]] = set()
        self._proof: tuple[FrameKind, bytes] | None = None
        self._count: dict[bytes, int] = {}

    def of_entry(self, signed: Signed, refused: Refused) -> None:
        """A false entry, signed by its author. Of a false agreement there is no table yet that
        could be shown."""
        self._show(FrameKind.ENTRY, signed.raw)
        if signed.entry.seq:
            self._keep(evidence_file.of_false_entry(self._replica.chain, signed.raw))
        self._stop(refused, signed.entry.seq)

    def of_claim(self, receipt: Receipt, refused: Refused) -> None:
        """A receipt with a claim that is not open."""
        self._show(FrameKind.RECEIPT, receipt.encode())
        self._keep(evidence_file.of_false_claim(self._replica.chain, receipt))
        self._stop(refused, receipt.seq)

    def prove(self, evidence: Evidence) -> None:
        """Judge evidence, own or a peer's; raises Refused (E01, W03) where it proves nothing."""
        finding = share_complaint.judge(evidence, self._replica.chain, self._replica.state)
        self._show(FrameKind.EVIDENCE, evidence.encode())
        self._keep(evidence_file.of_contradiction(self._replica.chain, evidence))
        self._stop(Refused(finding.check, finding.sentence, finding.player), None)

    def refuse(self, refused: Refused, peer: bytes) -> None:
        """Not proven against anybody: the bytes are dropped, malformed ones cut the link. A fault
        of this program (W12) does not cut it, because the message may be honest. The same refusal
        of the same peer is told once, however often it is earned."""
        finding = refused.finding
        malformed = finding.check.startswith("W") and finding.check != "W12"
        if malformed or finding.check in NEVER_HONEST:
            self._count[peer] = self._count.get(peer, 0) + 1
        self._tell_once(finding, peer)
        if self._count.get(peer, 0) >= MAX_REFUSED:
            self._tell_once(again_and_again(self._nick(peer)), peer)
            self._out.hang_up(peer, "your messages were refused again and again", SHUT_OUT)
            return
        if malformed:
            self._out.hang_up(peer, finding.sentence)

    def _tell_once(self, finding: Finding, peer: bytes) -> None:
        if (peer, finding.check) not in self._told:
            self._told.add((peer, finding.check))
            self._out.emit(events.Fault(finding, None, None))

    def _nick(self, peer: bytes) -> str:
        return next((p.nick for p in self._replica.terms.players if p.key == peer), "somebody")

    def show_to(self, peer: bytes) -> None:
        """What proves the fault, to a peer that is linked only now."""
        if self._proof is not None:
            self._out.send_to(peer, *self._proof)

    def _show(self, kind: FrameKind, payload: bytes) -> None:
        self._proof = kind, payload
        self._out.send(kind, payload)

    def _keep(self, proven: EvidenceFile) -> None:
        """Evidence that convinces anybody by itself, for `p2p304 audit --evidence`."""
        self._out.persist(evidence_file.NAME, proven.encode())

    def _pay(self, player: int | None) -> None:
        """``cheat.pays``: whoever reads the evidence file finds the same."""
        state = self._replica.settled_state
        settled = None if player is None or state is None else convicted(state, player)
        if settled is not None:
            self._out.emit(settled[1])

    def _stop(self, refused: Refused, seq: int | None) -> None:
        self.stopped = refused
        player = refused.finding.player
        nick = None if player is None else self._replica.terms.players[player].nick
        if player is not None:
            self._draw.note(self._replica.terms.keys[player])
        self._pay(player)
        self._out.emit(events.Fault(refused.finding, nick, seq))
