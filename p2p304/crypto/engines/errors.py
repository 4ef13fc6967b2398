"""The exceptions of the group, in one file so that both engines can raise them.

Responsible for these exceptions alone. When they are raised is crypto/group.py's, reference.py's
and sodium.py's.
"""

from __future__ import annotations


class GroupError(ValueError):
    """Bytes or numbers that do not belong to ristretto255 or its scalar field."""


class NotAnElement(GroupError):
    """Bytes that are not the canonical encoding of a group element (RFC 9496, section 4.3.1), or
    encode the identity in place of a key, card or commitment."""


class NotAScalar(GroupError):
    """Bytes that are not 32 bytes little-endian of a number below the group's order."""


class IdentityResult(GroupError):
    """A multiplication gave the identity, because the scalar was 0 or the element the identity."""


class NoEngine(ImportError):
    """The engine named by P2P304_ENGINE cannot be loaded; the message is for the user."""
