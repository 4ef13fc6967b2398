"""The TXT record: what a table announces about itself by mDNS. Nothing in it is trusted.

Responsible for the TXT record (SPEC.md, "Discovery"), for cleaning text that comes from strangers,
and for which of a stranger's addresses to try first. The sockets are discovery.py's.
"""

from __future__ import annotations

import hashlib
import ipaddress
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from p2p304.wire.names import shown

if TYPE_CHECKING:
    from p2p304.net.interfaces import Network

VERSION: Final = "1"
LONGEST: Final = 64
"""Characters of one text; `LONGEST_BYTES` limits its bytes. DNS takes 255 with the key."""
LONGEST_BYTES: Final = 192
_MARK: Final = b"p2p304 announcement\x00"


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a table announces about itself; strangers can see all of it."""

    nick: str
    table: str
    rules: str
    free: int
    seats: int
    mark: str
    """The mark of the founder's key (`key_mark`); only a reader who knows the key can recognise
    it."""
    seeks: str = ""
    """The mark of a table whose member looks for other members; then there is no table to join."""
    locked: bool = False
    """Whether the table asks for a passphrase."""
    is_watched: bool = False
    """Whether the table is played, and admits spectators; then there is no seat to take."""


@dataclass(frozen=True, slots=True)
class Found:
    """A table that was found: the announcement as cleaned text, and an address to try."""

    name: str
    announcement: Announcement
    version: str
    host: str
    port: int
    addresses: tuple[str, ...] = ()
    """All addresses in the record, the most promising first; ``host`` is the first of them."""


def fingerprint(key: bytes) -> str:
    """Return an identity key's first 16 hex digits, in groups of four."""
    return " ".join(textwrap.wrap(key.hex()[:16], 4))


def key_mark(key: bytes, salt: bytes) -> str:
    """Return what an announcement reveals of its founder's key (32 bytes): the hex digits of
    ``salt`` (4 bytes, fresh for every announcement) and the first 16 of a hash of both (SPEC.md,
    "Discovery")."""
    return salt.hex() + hashlib.sha256(_MARK + salt + key).hexdigest()[:16]


def is_mark_of(mark: str, key: bytes) -> bool:
    """Whether an announcement claims to be by this key; only the handshake proves it."""
    try:
        salt = bytes.fromhex(mark[:8])
    except ValueError:
        return False
    return len(salt) == 4 and mark == key_mark(key, salt)


def clean(text: str) -> str:
    """Make text from a stranger fit to be shown: no hidden characters, no stacked combining marks,
    at most LONGEST characters and LONGEST_BYTES bytes."""
    whole = unicodedata.normalize("NFC", shown(text[: 4 * LONGEST]))
    short = " ".join(whole.split())[:LONGEST].encode()[:LONGEST_BYTES]
    return shown(short.decode("utf-8", "ignore")).strip()


def to_txt(what: Announcement) -> dict[str, str]:
    """Convert an announcement to TXT entries, with every text cleaned as a reader would."""
    return {
        "v": VERSION,
        "nick": clean(what.nick),
        "table": clean(what.table),
        "rules": clean(what.rules),
        "free": str(what.free),
        "seats": str(what.seats),
        "fp": clean(what.mark),
        **({"lock": "1"} if what.locked else {}),
        **({"watch": "1"} if what.is_watched else {}),
        **({"at": clean(what.seeks)} if what.seeks else {}),
    }


def read_record(
    name: str, properties: Mapping[bytes, bytes | None], addresses: Sequence[str], port: int | None
) -> Found | None:
    """Parse and clean a record from a stranger; None if it does not describe a table."""
    texts = {
        key: clean((properties.get(key.encode()) or b"").decode("utf-8", "replace"))
        for key in ("v", "nick", "table", "rules", "free", "seats", "fp", "at", "lock", "watch")
    }
    free, seats = _count(texts["free"]), _count(texts["seats"])
    if free is None or seats is None or free > seats:
        return None
    if not addresses or not port or not texts["v"] or not texts["nick"] or not texts["table"]:
        return None
    announcement = Announcement(
        texts["nick"],
        texts["table"],
        texts["rules"],
        free,
        seats,
        texts["fp"],
        texts["at"],
        texts["lock"] == "1",
        texts["watch"] == "1" and free == 0,
    )
    where = tuple(addresses[:8])
    return Found(clean(name), announcement, texts["v"], where[0], port, where)


def nearest_first(found: Found, own: Iterable[Network]) -> Found:
    """Return the same with its addresses in the order in which to try them: a shared network first,
    this machine's own addresses last (another host's Docker has the same ones)."""
    mine = list(own)
    at = {str(interface.ip) for interface in mine}

    def rank(address: str) -> int:
        parsed = ipaddress.ip_address(address)
        if address in at or parsed.is_loopback:
            return 3
        if parsed.is_link_local:
            return 1
        return 0 if any(parsed in interface.network for interface in mine) else 2

    order = tuple(sorted(found.addresses, key=rank))
    return replace(found, host=order[0], addresses=order)


def _count(text: str) -> int | None:
    return int(text) if len(text) == 1 and text in "0123456789" else None
