"""The pledges and signatures that a member holds for one list while a table gathers.

Responsible for which of them count (SPEC.md, "Gathering"): the first one that its author signed. A
second pledge of one author contradicts the first, and is recorded as a contradiction. When messages
are sent is meeting.py's; the steps to the agreement are consent.py's.
"""

from __future__ import annotations

from collections.abc import Collection

from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.table.agreement.terms import Terms, assent, is_assent
from p2p304.table.gathering.exchange.begin_record import BeginRecord
from p2p304.table.gathering.exchange.messages import ListHoldings, Pledge, Seated


class ListSignatures:
    """Pledges and assents (signatures under the terms) by identity key, for ``list``."""

    def __init__(self, table_list: Seated, own: bytes) -> None:
        self.list, self._own = table_list, own
        self.keys = tuple(guest.key for guest in table_list.guests)
        self.pledges: dict[bytes, Pledge] = {}
        self.assents: dict[bytes, bytes] = {}
        self.contradicted: dict[bytes, Pledge] = {}
        """Authors of two different pledges, with the second of them."""
        self.false: set[bytes] = set()
        """Members that have sent something that cannot be true."""
        self.lacks: dict[bytes, frozenset[bytes]] = {}
        """By member: the guests to whom it says that it has no link."""
        self._shown_by: dict[bytes, dict[bytes, bytes]] = {}
        """By member: the pledges in its last message, by author."""
        self._terms: Terms | None = None

    @property
    def is_contradicted(self) -> bool:
        """Whether this list must not be signed: two members may hold different pledges forever."""
        return bool(self.contradicted)

    @property
    def begin(self) -> BeginRecord:
        """How the table begins, once all have pledged."""
        return BeginRecord(self.list, tuple(self.pledges[key] for key in self.keys))

    @property
    def terms(self) -> Terms | None:
        """The terms to sign; None until all have pledged."""
        if self._terms is None and len(self.pledges) == len(self.keys):
            self._terms = self.begin.terms
        return self._terms

    @property
    def signatures(self) -> tuple[bytes, ...] | None:
        """The signature of each player in the order of the terms; None while one is missing."""
        if self.terms is None or len(self.assents) < len(self.keys):
            return None
        return tuple(self.assents[key] for key in self.terms.keys)

    def pledge(self, key: SigningKey, pledge: bytes) -> None:
        """Make and sign this member's own pledge."""
        self.pledges[key.public] = Pledge.make(key, self.list.digest, pledge)

    def sign(self, key: SigningKey) -> None:
        """Sign the terms for this member, if all have pledged."""
        if self.terms is not None:
            self.assents[key.public] = assent(key, self.terms.table)

    def message(self, linked: Collection[bytes], reader: bytes | None = None) -> ListHoldings:
        """Return what this member holds, and the guests to whom it has no link.

        Of two pledges of another author it shows the second, unless it has signed; but the first to
        a ``reader`` that shows the second itself, so that each learns of both."""
        lacks = tuple(number for number, key in enumerate(self.keys) if key not in linked)
        shown, table, assents = self.pledges, b"", dict[bytes, bytes]()
        if self.is_contradicted and self._own not in self.assents:
            known = self._shown_by.get(reader or b"", {})
            others = {
                key: one
                for key, one in self.contradicted.items()
                if key != self._own and known.get(key) != one.pledge
            }
            shown = self.pledges | others
        elif self.terms is not None:
            table, assents = self.terms.table, self.assents
        return ListHoldings(
            self.list.digest,
            tuple(shown.get(key) for key in self.keys),
            table,
            tuple(assents.get(key) for key in self.keys),
            lacks,
        )

    def take(self, sender: bytes, held: ListHoldings) -> None:
        """Add what is new in a guest's message.

        Raises Refused W20 if the message does not fit the list, or if an author has not signed what
        ``sender`` passes on. An honest member verifies what it passes on, so the fault is the
        sender's."""
        if len(held.pledges) != len(self.keys):
            raise self._false(sender, "it does not match the list of players")
        authors = zip(self.keys, held.pledges, strict=True)
        self._shown_by[sender] = {key: one.pledge for key, one in authors if one is not None}
        self.lacks[sender] = frozenset(self.keys[number] for number in held.lacks) - {sender}
        for author, pledge in zip(self.keys, held.pledges, strict=True):
            if pledge is not None and author not in self.contradicted:
                self._take_pledge(sender, author, pledge)
        if not held.table or self.terms is None:
            return
        if self.is_contradicted and (
            self._own not in self.assents or held.table != self.terms.table
        ):  # a member that has signed still counts: others may begin with its signature
            return
        if held.table != self.terms.table:
            raise self._false(sender, "its table is not the one that its pledges define")
        for key, sig in zip(self.keys, held.assents, strict=True):
            if sig is not None and key not in self.assents:
                if not is_assent(key, held.table, sig):
                    raise self._false(sender, "it contains a wrong signature")
                self.assents[key] = sig

    def _take_pledge(self, sender: bytes, author: bytes, pledge: Pledge) -> None:
        kept = self.pledges.get(author)
        if kept is not None and kept.pledge == pledge.pledge:
            return
        if not pledge.is_signed_by(author, self.list.digest):
            raise self._false(sender, "it contains a pledge that its author has not signed")
        if kept is not None or author == self._own:
            # Only the pledge that this node made can be opened: it knows no other nonce.
            self.contradicted[author] = pledge
        else:
            self.pledges[author] = pledge

    def _false(self, sender: bytes, reason: str) -> Refused:
        self.false.add(sender)
        return Refused("W20", f"a message of the gathering cannot be true: {reason}")
