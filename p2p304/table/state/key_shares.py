"""Keys shared among the others, for a table that plays out the hand of a player who is gone.

Owns what a share is: a published point S with the scalar behind it sealed to one other seat, all
points together the key (SPEC.md, "Playing out"; additive sharing, Ito, Saito and Nishizeki 1987).
That the points sum to the key everybody verifies; that a box holds what its point says only its
receiver can see, and shows to all if it does not. When shares are used is absent_seat.py's
business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.crypto.group import IDENTITY, Element, Q, add, base
from p2p304.crypto.rng import Rng
from p2p304.crypto.sealing import BOX, seal, unseal

SHARE = 32 + BOX
"""Bytes of one share: the point S, then the box."""


@dataclass(frozen=True, slots=True)
class Share:
    """One other seat's part of a key: its point, and the scalar sealed to that seat."""

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
        """The share of another seat; LookupError for the key's own."""
        number = (seat - self.seat) % (len(self.shares) + 1)
        if not number:
            raise LookupError("nobody has a share of an own key")
        return self.shares[number - 1]


def others(seat: int, seats: int) -> tuple[int, ...]:
    """Everybody else, in turn from the right of ``seat``."""
    return tuple((seat + step) % seats for step in range(1, seats))


def share(
    key: Element, x: int, r: int, receivers: Sequence[Element], rng: Rng
) -> tuple[bytes, ...]:
    """``key`` = x*G divided among the receivers under the ephemeral secret r, each share SHARE
    bytes."""
    scalars = [rng.scalar() for _ in receivers[1:]]
    scalars.append((x - sum(scalars)) % Q)
    points = [base(s) for s in scalars]
    return tuple(
        Share(S, seal(s, r, to, key + S)).encode()
        for S, s, to in zip(points, scalars, receivers, strict=True)
    )


def own_share(shared: Shared, seat: int, e: int) -> int | None:
    """The scalar of this seat's share, read with its box key, or None if the box is false."""
    mine = shared.of(seat)
    s = unseal(e, shared.ephemeral, mine.box, shared.key + mine.point)
    return s if s and base(s) == mine.point else None


def total(points: Sequence[Element]) -> Element:
    """Their sum; sums on the way, and the result, may be the identity."""
    whole = IDENTITY
    for point in points:
        whole = add(Element(whole), point)
    return Element(whole)
