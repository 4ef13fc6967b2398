"""Limits and times of the network, in one place (SPEC.md, "Limits"). Seconds, bytes, counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from p2p304.net.rate_limit import Allowance
from p2p304.wire.framing import Frame, FrameKind

COST: Final[Mapping[FrameKind, float]] = MappingProxyType(
    {
        FrameKind.ENTRY: 4.0,
        FrameKind.EVIDENCE: 16.0,
        FrameKind.LOBBY: 2.0,
        FrameKind.RECEIPT: 2.0,
        FrameKind.SYNC: 2.0,
        FrameKind.PART: 2.0,
    }
)
"""What a message costs its sender in messages: what it costs to decode it and to verify its
signatures, in units of about 0.2 ms. All other kinds cost 1."""
MANY_SIGNATURES: Final = frozenset({FrameKind.LOBBY, FrameKind.PART})
"""Kinds that hold up to 16 signatures: so many bytes of one cost another unit."""
BYTES_A_UNIT: Final = 512
_GREETINGS = Allowance(24, 4)
_STRANGER_FRAMES = Allowance(512, 64)
_STRANGER_BYTES = Allowance(1024 * 1024, 64 * 1024)
_MEMBER_FRAMES = Allowance(8192, 1024)
_MEMBER_BYTES = Allowance(32 * 1024 * 1024, 4 * 1024 * 1024)


def charge(whole: Frame) -> float:
    """Return what a message takes from its sender's budget."""
    more = len(whole.payload) / BYTES_A_UNIT if whole.kind in MANY_SIGNATURES else 0.0
    return COST.get(whole.kind, 1.0) + more


@dataclass(frozen=True, slots=True)
class Limits:
    """All timeouts and sizes that net/ uses; tests shorten them by ``replace``."""

    handshake: float = 5.0
    """From the accepted connection to the proven identity, TLS included."""
    dial: float = 5.0
    """For an address that a person typed."""
    redial: float = 2.0
    """For one attempt among many: shorter, because a first packet lost in a cut is sent again
    only after 1, 3 and 7 s, and a fresh attempt sends it at once."""
    redial_first: float = 0.1
    redial_most: float = 1.0
    """Pauses between attempts double from the first to the most: with ``redial``, a peer that
    is back is found within 3 s."""
    stagger: float = 0.25
    """Of several addresses the next is tried when the one before has not answered so long."""
    addresses: int = 6
    """Addresses kept for one peer; the last that were told."""
    settled: float = 3.0
    """A link that lived so long was a good one: after it, pauses begin with the first again."""
    heartbeat: float = 2.0
    """From a PONG to the next PING."""
    silence: float = 4.0
    """A PING unanswered for so long: the peer is dead, or does not read."""
    doubt: float = 1.5
    """The same where there is reason to think so: another link by the same peer, or addresses of
    this machine that have changed."""
    elder: float = 10.0
    """A link that old gives way to any new one: who has a link does not dial, and no attempt
    takes so long, so the peer has lost it."""
    half_frame: float = 8.0
    """A frame that has begun must be whole within so long."""
    close: float = 1.0
    """For what is queued to leave when a link is closed politely."""
    watch: float = 0.25
    """How often each link looks at its clock."""
    send_buffer: int = 6 * 1024 * 1024
    """Queued for one peer; more, and it is cut off. One answer to SYNC may be 64 entries of
    64 KiB, and must fit."""
    strangers: int = 32
    """Connections whose identity is not proven yet; one more, and the oldest is dropped. An
    honest handshake takes milliseconds, so whoever stays there long makes room."""
    strangers_per_address: int = 8
    links: int = 64
    """Proven peers in all; members and peers whom this node dials are let in beyond it."""
    links_kept: int = 16
    """So many more for players whom this node's player has met."""
    links_per_address: int = 16
    """Proven peers at one address (of IPv6: in one /64), but for members and players met."""
    flapping: int = 4
    """So many links of one peer, each in the place of a young one: that is told."""
    greetings: Allowance = _GREETINGS
    """New connections from one address (of IPv6: from one /64), before TLS; one over it is
    closed at once. A TLS handshake costs some milliseconds, and they are to be had for nothing."""
    addresses_known: int = 1024
    """Addresses whose connections are counted; the last that came."""
    stranger_frames: Allowance = _STRANGER_FRAMES
    stranger_bytes: Allowance = _STRANGER_BYTES
    """What a proven peer may send that is no member of the table; over it, it is cut off."""
    member_frames: Allowance = _MEMBER_FRAMES
    member_bytes: Allowance = _MEMBER_BYTES
    """What a member may send: a whole match to catch up with, and far more than play needs."""
    names: int = 4096
    """Names in the mDNS cache; a flood of more, and it is begun anew."""
    ask_soon: float = 2.0
    """The question is asked a second time after so long: in a full room answers get lost."""
    ask_again: float = 5.0
    """While looking for tables the question is asked again after so long."""
    look_around: float = 1.0
    """How often the interfaces are looked at; where they changed, everything is asked again."""
    tables: int = 256
    """Discovery records kept; the rest of a flood is dropped."""


LIMITS = Limits()
