"""Shares of keys, for a table that plays out the hand of a player who is gone.

Responsible for what a share is: a point S, and its scalar sealed to one other seat. The points of
all shares add up to the key (SPEC.md, "Playing out"; additive secret sharing, Ito, Saito and
Nishizeki 1987). Everybody verifies the sum. Only the receiver sees whether a box holds the scalar
of its point, and can show it to everybody if not. When shares are used is absent_seat.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.crypto.group import IDENTITY, Element, Q, add, base
from p2p304.crypto.rng import Rng
from p2p304.crypto.sealing import seal, unseal


@dataclass(frozen=True, slots=True)
class Share:
    """One other seat's share of a key: its point, and the scalar sealed to that seat."""

    point: Element
    box: bytes

    def encode(self) -> bytes:
        return self.point + self.box


@dataclass(frozen=True, slots=True)
class Shared:
    """A key of ``seat`` with its shares, one for every other seat in turn from its right, sealed
    under the ephemeral key R."""

    key: Element
    seat: int
    ephemeral: Element
    shares: tuple[Share, ...]

    def of(self, seat: int) -> Share:
        """Return another seat's share; LookupError for the seat whose key it is."""
        number = (seat - self.seat) % (len(self.shares) + 1)
        if not number:
            raise LookupError("nobody has a share of an own key")
        return self.shares[number - 1]


def others(seat: int, seats: int) -> tuple[int, ...]:
    """Return all other seats, in turn from the right of ``seat``."""
    return tuple((seat + step) % seats for step in range(1, seats))


def share(
    key: Element, x: int, r: int, receivers: Sequence[Element], rng: Rng
) -> tuple[bytes, ...]:
    """Split ``key`` = x*G among the receivers, sealed under the ephemeral secret r. Each share is
    the point S (32 bytes), then the box (32)."""
    scalars = [rng.scalar() for _ in receivers[1:]]
    scalars.append((x - sum(scalars)) % Q)
    points = [base(s) for s in scalars]
    return tuple(
        Share(S, seal(s, r, to, key + S)).encode()
        for S, s, to in zip(points, scalars, receivers, strict=True)
    )


def own_share(shared: Shared, seat: int, e: int) -> int | None:
    """Open this seat's box with its secret e and return the scalar, or None if the box is false."""
    mine = shared.of(seat)
    s = unseal(e, shared.ephemeral, mine.box, shared.key + mine.point)
    return s if s and base(s) == mine.point else None


def total(points: Sequence[Element]) -> Element:
    """Return the sum of these points. Partial sums, and the result, may be the identity."""
    whole = IDENTITY
    for point in points:
        whole = add(Element(whole), point)
    return Element(whole)
