"""The limits and timeouts of the network are those that SPEC.md, "Limits", promises."""

from __future__ import annotations

import pytest

from p2p304.net.limits import BYTES_A_UNIT, COST, LIMITS, MANY_SIGNATURES
from p2p304.wire.framing import FrameKind
from p2p304.wire.rate_limit import Allowance
from tests.support.paths import ROOT

SPEC = (ROOT / "SPEC.md").read_text(encoding="utf-8")


def size(count: float) -> str:
    return f"{count / 2**20:g} MiB" if count >= 2**20 else f"{count / 2**10:g} KiB"


def share(frames: Allowance, many: Allowance) -> str:
    at_once = f"{frames.most:,g} messages and {size(many.most)} at once"
    return f"{at_once}, then {frames.rate:,g} and {size(many.rate)} a second"


NEW, ONE = LIMITS.greetings, LIMITS
ROWS = {
    "handshake, from the accepted connection on, TLS included": f"{ONE.handshake:g} s",
    "connections not proven yet, from one address / in all": (
        f"{ONE.strangers_per_address} / {ONE.strangers}"
    ),
    "new connections from one address (IPv6: one /64), before TLS": (
        f"{NEW.most:g} at once, then {NEW.rate:g} a second"
    ),
    "addresses counted for that": f"{ONE.addresses_known:,}",
    "dialling an address that a person typed / one of many attempts": (
        f"{ONE.dial:g} s / {ONE.redial:g} s"
    ),
    "pauses between attempts": (
        f"{ONE.redial_first:g} s doubling to {ONE.redial_most:g} s; "
        f"from {ONE.redial_first:g} s again after a link of {ONE.settled:g} s"
    ),
    "addresses kept for one peer; the next is tried after": (
        f"{ONE.addresses}, of them {ONE.addresses // 2} where it was; {ONE.stagger:g} s"
    ),
    "heartbeat: from a PONG to the next PING": f"{ONE.heartbeat:g} s",
    "a PING unanswered; where the link is in doubt": f"{ONE.silence:g} s; {ONE.doubt:g} s",
    "a frame that has begun": f"{ONE.half_frame:g} s",
    "bytes queued for one peer": size(ONE.send_buffer),
    "proven links of strangers; of one address (IPv6: one /64)": (
        f"{ONE.links}; {ONE.links_per_address}"
    ),
    "more links, for players whom this node's player has met": str(ONE.links_kept),
    f"links of one peer in a row, each in the place of one younger than {ONE.elder:g} s": str(
        ONE.flapping
    ),
    "polite closing": f"{ONE.close:g} s",
    "what a proven stranger sends": share(ONE.stranger_frames, ONE.stranger_bytes),
    "what a member sends": share(ONE.member_frames, ONE.member_bytes),
    "discovery records": str(ONE.tables),
    "names in the mDNS cache": f"{ONE.names:,}",
    "the question asked again; interfaces looked at": (
        f"{ONE.ask_soon:g} s, then every {ONE.ask_again:g} s; {ONE.look_around:g} s"
    ),
}


@pytest.mark.parametrize("what", ROWS)
def test_a_limit_is_as_promised(what: str) -> None:
    assert f"| {what} | {ROWS[what]} |" in SPEC


def test_a_message_is_charged_as_promised() -> None:
    dear = {FrameKind.EVIDENCE: 16, FrameKind.ENTRY: 4, FrameKind.RECEIPT: 2, FrameKind.SYNC: 2}
    assert dear | {FrameKind.NOTE: 5, FrameKind.LOBBY: 2, FrameKind.PART: 2} == COST
    assert {FrameKind.LOBBY, FrameKind.PART} == MANY_SIGNATURES
    row = "EVIDENCE 16; NOTE 5; ENTRY 4; RECEIPT, SYNC 2; LOBBY, PART 2, and 1 more for 512 bytes"
    assert f"{row}; all others 1" in SPEC and BYTES_A_UNIT == 512
