"""Entries and receipts as signed values, in three levels of trust.

Responsible for their bytes, hashes and signatures (SPEC.md, "The log"). What a body means is
table/transition/step.py's: here it is any canonical value, and its kind is any word.

    bytes --parse_entry--> Unverified --Chain.authenticate--> Signed --Chain.append--> accepted

An entry is the canonical encoding of ``{author, body, kind, prev, seq, sig, table, v}``. Its
signature covers the label ``p2p304 entry`` and the canonical encoding of the same map without
``sig``. Its link is the SHA-512/256 of all its bytes. A receipt is ``{author, claim, head, seq,
sig, table}``, signed in the same way under the label ``p2p304 receipt``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from p2p304.crypto.signing import SigningKey, verify
from p2p304.log.faults import Refused
from p2p304.wire.canonical import FEW_ITEMS, Value, encode
from p2p304.wire.forms import Malformed, mapping, maybe, number, octets, of, one_of, record, string

VERSION = 1
LINK = 32
NO_LINK = bytes(LINK)
SIGNATURE = 64
MAX_PLAYERS = 8
MAX_SEQ = 2**32
_ENTRY_LABEL = b"p2p304 entry\x00"
_RECEIPT_LABEL = b"p2p304 receipt\x00"
CLAIMS = ("caps", "spoilt")
DIGEST_FORM = octets(LINK, LINK)
"""A link, or a table's identifier."""
PLACE_FORM = number(0, MAX_SEQ - 1)
PLAYER_FORM = number(0, MAX_PLAYERS - 1)
SIGNATURE_FORM = octets(SIGNATURE, SIGNATURE)
CLAIM_FORM = maybe(one_of(*CLAIMS))


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry's fields; ``table`` and ``prev`` are 32 bytes, ``sig`` 64; ``author`` is an index of
    the agreement's players."""

    table: bytes = of(DIGEST_FORM)
    seq: int = of(PLACE_FORM)
    prev: bytes = of(DIGEST_FORM)
    author: int = of(PLAYER_FORM)
    kind: str = of(string())
    body: dict[str, Value] = of(mapping())
    sig: bytes = of(SIGNATURE_FORM)

    def unsigned(self) -> dict[str, Value]:
        """Return the fields that the signature covers."""
        fields: dict[str, Value] = _ENTRY.write(self)
        del fields["sig"]
        return fields


@dataclass(frozen=True, slots=True)
class Unverified:
    """An entry whose bytes are well formed. Its author is not verified yet."""

    entry: Entry
    raw: bytes


@dataclass(frozen=True, slots=True)
class Signed:
    """An entry whose place and signature are verified. Its content is not checked yet."""

    entry: Entry
    raw: bytes
    link: bytes


@dataclass(frozen=True, slots=True)
class Receipt:
    """A player's signed statement that it saw the entry with the link ``head`` at ``seq``, with a
    claim or None."""

    table: bytes = of(DIGEST_FORM)
    seq: int = of(PLACE_FORM)
    head: bytes = of(DIGEST_FORM)
    author: int = of(PLAYER_FORM)
    claim: str | None = of(CLAIM_FORM)
    sig: bytes = of(SIGNATURE_FORM)

    def unsigned(self) -> dict[str, Value]:
        """Return the fields that the signature covers."""
        fields: dict[str, Value] = _RECEIPT.write(self)
        del fields["sig"]
        return fields

    def encode(self) -> bytes:
        """Return the canonical bytes of the receipt."""
        return _RECEIPT.encode(self)


_ENTRY = record(Entry, v=VERSION)
_RECEIPT = record(Receipt)


def link_of(raw: bytes) -> bytes:
    """Return the SHA-512/256 of an entry's bytes (FIPS 180-4), which is the ``prev`` of the next
    entry."""
    return hashlib.new("sha512_256", raw).digest()


def sign_entry(
    key: SigningKey,
    table: bytes,
    seq: int,
    prev: bytes,
    author: int,
    kind: str,
    body: dict[str, Value],
) -> Unverified:
    """Make and sign an entry. It then passes the same checks as a peer's."""
    bare = Entry(table, seq, prev, author, kind, body, b"")
    sig = key.sign(_ENTRY_LABEL + encode(bare.unsigned()))
    entry = Entry(table, seq, prev, author, kind, body, sig)
    return Unverified(entry, _ENTRY.encode(entry))


def parse_entry(raw: bytes) -> Unverified:
    """Read an entry strictly; raises Refused W01 for anything but one canonical entry."""
    try:
        return Unverified(_ENTRY.decode(raw), raw)
    except Malformed as error:
        raise Refused("W01", f"these bytes are not an entry: {error}") from error


def entry_is_signed_by(entry: Entry, public: bytes) -> bool:
    """Return whether the entry is signed by the holder of this key (32 bytes)."""
    return verify(public, _ENTRY_LABEL + encode(entry.unsigned()), entry.sig)


def sign_receipt(
    key: SigningKey, table: bytes, seq: int, head: bytes, author: int, claim: str | None
) -> Receipt:
    """Sign a receipt for the entry with the link ``head`` at ``seq``."""
    bare = Receipt(table, seq, head, author, claim, b"")
    sig = key.sign(_RECEIPT_LABEL + encode(bare.unsigned()))
    return Receipt(table, seq, head, author, claim, sig)


def parse_receipt(raw: bytes) -> Receipt:
    """Read a receipt strictly; raises Refused W02 for anything but one canonical receipt."""
    try:
        return _RECEIPT.decode(raw, FEW_ITEMS)
    except Malformed as error:
        raise Refused("W02", f"these bytes are not a receipt: {error}") from error


def receipt_is_signed_by(receipt: Receipt, public: bytes) -> bool:
    """Return whether the receipt is signed by the holder of this key (32 bytes)."""
    return verify(public, _RECEIPT_LABEL + encode(receipt.unsigned()), receipt.sig)
