"""What the group refuses, in one place so that both engines can say it.

Owns these exceptions and knows nothing about why somebody wanted the value.
"""

from __future__ import annotations


class GroupError(ValueError):
    """Some bytes or numbers do not belong to ristretto255 or its field of scalars."""


class NotAnElement(GroupError):
    """These bytes are not the canonical encoding of a group element (RFC 9496, section 4.3.1),
    or they encode the identity where a key, a card or a commitment is meant."""


class NotAScalar(GroupError):
    """These bytes are not 32 bytes little-endian of a number below the group's order."""


class IdentityResult(GroupError):
    """A multiplication came out as the identity: the scalar was 0 or the element the identity."""


class NoEngine(ImportError):
    """The engine that P2P304_ENGINE asks for is not there; the message is for a person."""
