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
from p2p304.wire.canonical import FEW_ITEMS, MAX_ITEMS, NotCanonical, Value, decode, encode

VERSION = 1
LINK = 32
NO_LINK = bytes(LINK)
SIGNATURE = 64
MAX_PLAYERS = 8
MAX_SEQ = 2**32
_ENTRY_LABEL = b"p2p304 entry\x00"
_RECEIPT_LABEL = b"p2p304 receipt\x00"
_ENTRY_KEYS = {"author", "body", "kind", "prev", "seq", "sig", "table", "v"}
_RECEIPT_KEYS = {"author", "claim", "head", "seq", "sig", "table"}
CLAIMS = ("caps", "spoilt")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry's fields; ``table`` and ``prev`` are 32 bytes, ``sig`` 64; ``author`` is an index of
    the agreement's players."""

    table: bytes
    seq: int
    prev: bytes
    author: int
    kind: str
    body: dict[str, Value]
    sig: bytes

    def unsigned(self) -> dict[str, Value]:
        """Return the fields that the signature covers."""
        return {
            "author": self.author,
            "body": self.body,
            "kind": self.kind,
            "prev": self.prev,
            "seq": self.seq,
            "table": self.table,
            "v": VERSION,
        }


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

    table: bytes
    seq: int
    head: bytes
    author: int
    claim: str | None
    sig: bytes

    def unsigned(self) -> dict[str, Value]:
        """Return the fields that the signature covers."""
        return {
            "author": self.author,
            "claim": self.claim,
            "head": self.head,
            "seq": self.seq,
            "table": self.table,
        }

    def encode(self) -> bytes:
        """Return the canonical bytes of the receipt."""
        return encode({**self.unsigned(), "sig": self.sig})


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
    return Unverified(entry, encode({**entry.unsigned(), "sig": sig}))


def parse_entry(raw: bytes) -> Unverified:
    """Read an entry strictly; raises Refused W01 for anything but one canonical entry."""
    fields = _fields(raw, _ENTRY_KEYS, "W01", "an entry")
    kind, body, version = fields["kind"], fields["body"], fields["v"]
    if version != VERSION or isinstance(version, bool):
        raise Refused("W01", f"this entry is of version {version!r}, not {VERSION}")
    if not isinstance(kind, str) or not isinstance(body, dict):
        raise Refused("W01", "this entry's kind or body is malformed")
    entry = Entry(
        table=_exactly(fields["table"], LINK, "W01"),
        seq=_below(fields["seq"], MAX_SEQ, "W01"),
        prev=_exactly(fields["prev"], LINK, "W01"),
        author=_below(fields["author"], MAX_PLAYERS, "W01"),
        kind=kind,
        body=body,
        sig=_exactly(fields["sig"], SIGNATURE, "W01"),
    )
    return Unverified(entry, raw)


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
    fields = _fields(raw, _RECEIPT_KEYS, "W02", "a receipt")
    claim = fields["claim"]
    if claim is not None and (not isinstance(claim, str) or claim not in CLAIMS):
        raise Refused("W02", "this receipt carries an unknown claim")
    return Receipt(
        table=_exactly(fields["table"], LINK, "W02"),
        seq=_below(fields["seq"], MAX_SEQ, "W02"),
        head=_exactly(fields["head"], LINK, "W02"),
        author=_below(fields["author"], MAX_PLAYERS, "W02"),
        claim=claim,
        sig=_exactly(fields["sig"], SIGNATURE, "W02"),
    )


def receipt_is_signed_by(receipt: Receipt, public: bytes) -> bool:
    """Return whether the receipt is signed by the holder of this key (32 bytes)."""
    return verify(public, _RECEIPT_LABEL + encode(receipt.unsigned()), receipt.sig)


def _fields(raw: bytes, keys: set[str], check: str, what: str) -> dict[str, Value]:
    try:
        value = decode(raw, MAX_ITEMS if check == "W01" else FEW_ITEMS)
    except NotCanonical as error:
        raise Refused(check, f"these bytes are not {what} in canonical form") from error
    if not isinstance(value, dict) or set(value) != keys:
        raise Refused(check, f"these bytes are not {what}: its fields are others")
    return value


def _exactly(value: Value, size: int, check: str) -> bytes:
    if not isinstance(value, bytes) or len(value) != size:
        raise Refused(check, f"a field that must be {size} bytes is not")
    return value


def _below(value: Value, limit: int, check: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < limit:
        raise Refused(check, f"a number is not between 0 and {limit - 1}")
    return value
