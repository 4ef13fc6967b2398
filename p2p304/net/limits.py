"""Limits and timeouts of the network (SPEC.md, "Limits"). Seconds, bytes, counts.

Responsible for these values; the arithmetic of allowances is wire/rate_limit.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from p2p304.wire.framing import Frame, FrameKind
from p2p304.wire.rate_limit import Allowance

COST: Final[Mapping[FrameKind, float]] = MappingProxyType(
    {
        FrameKind.ENTRY: 4.0,
        FrameKind.EVIDENCE: 16.0,
        FrameKind.NOTE: 5.0,
        FrameKind.LOBBY: 2.0,
        FrameKind.RECEIPT: 2.0,
        FrameKind.SYNC: 2.0,
        FrameKind.PART: 2.0,
    }
)
"""The cost of a message to its sender: what decoding it and verifying its signatures costs, in
units of about 0.2 ms. All other kinds cost 1."""
MANY_SIGNATURES: Final = frozenset({FrameKind.LOBBY, FrameKind.PART})
"""Kinds that hold up to 16 signatures; every BYTES_A_UNIT bytes of one cost another unit."""
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
    """Time for an address that a person typed."""
    redial: float = 2.0
    """Time for one attempt among many. It is shorter, because a first packet that is lost is sent
    again only after 1, 3 and 7 s, and a new attempt sends it at once."""
    redial_first: float = 0.1
    redial_most: float = 1.0
    """Pauses between attempts double from the first to the longest: with ``redial``, a peer that is
    back is found within 3 s."""
    stagger: float = 0.25
    """Time after which the next of several addresses is tried too."""
    addresses: int = 6
    """Addresses kept for one peer; the newest stay."""
    settled: float = 3.0
    """Age of a good link: after it, pauses begin with the first again."""
    heartbeat: float = 2.0
    """Time from a PONG to the next PING."""
    silence: float = 4.0
    """Time after which a PING is unanswered: the peer is dead, or does not read."""
    doubt: float = 1.5
    """The same if there is reason for doubt: another link by the same peer, or changed addresses of
    this machine."""
    elder: float = 10.0
    """Age from which a link gives way to any new one. A peer with a link does not dial, and no
    attempt takes so long, so the peer has lost the link."""
    half_frame: float = 8.0
    """Time within which a frame that has begun must be complete."""
    close: float = 1.0
    """Time to send the queue when a link is closed politely."""
    watch: float = 0.25
    """Time between two checks of each link's timeouts."""
    send_buffer: int = 6 * 1024 * 1024
    """Bytes queued for one peer; a peer with more is cut off. One answer to SYNC may be 64 entries
    of 64 KiB, and must fit."""
    strangers: int = 32
    """Connections whose identity is not proven yet; one more, and the oldest is dropped. An honest
    handshake takes milliseconds, so a connection that waits long can be dropped."""
    strangers_per_address: int = 8
    links: int = 64
    """Proven peers in all; members, and peers that this node dials, are let in beyond it."""
    links_kept: int = 16
    """Additional places for players whom this node's player has met."""
    links_per_address: int = 16
    """Proven peers at one address (of IPv6: in one /64), not counting members and players met."""
    flapping: int = 4
    """Number of links of one peer, each replacing a young one, after which this is reported."""
    greetings: Allowance = _GREETINGS
    """New connections from one address (of IPv6: from one /64), before TLS; one over it is closed
    at once. A TLS handshake costs this node some milliseconds and the attacker nothing."""
    addresses_known: int = 1024
    """Addresses whose connections are counted; the newest stay."""
    stranger_frames: Allowance = _STRANGER_FRAMES
    stranger_bytes: Allowance = _STRANGER_BYTES
    """Allowance of a proven peer that is no member of the table; over it, the peer is cut off."""
    member_frames: Allowance = _MEMBER_FRAMES
    member_bytes: Allowance = _MEMBER_BYTES
    """Allowance of a member: enough to catch up with a whole match, and far more than play
    needs."""
    names: int = 4096
    """Names in the mDNS cache; if a flood brings more, the cache is replaced."""
    ask_soon: float = 2.0
    """Time after which the question is asked a second time: in a full room answers get lost."""
    ask_again: float = 5.0
    """Time after which the question is asked again while looking for tables."""
    look_around: float = 1.0
    """Time between two checks of the interfaces; after a change, the question is asked again."""
    tables: int = 256
    """Discovery records kept; the rest of a flood is dropped."""


LIMITS = Limits()
