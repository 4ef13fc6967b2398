"""One member's steps from a complete list to the agreement: pledge, hold, pass on, sign.

Responsible for what is kept of each list and for how long (SPEC.md, "Gathering"). The list itself,
and the time before it is complete, is guest_list.py's; which pledge counts is pledges.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Finding, Refused
from p2p304.table.agreement.terms import Terms, pledge_of
from p2p304.table.gathering.exchange.begin_record import JOURNAL, BeginRecord
from p2p304.table.gathering.exchange.messages import ListHoldings, Seated
from p2p304.table.gathering.pledges import ListSignatures
from p2p304.table.player.keyring import SECRETS, Secrets
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Outbox

MOST_SIGNED = 8
"""Lists under which one node signs at one gathering. Only a founder that changes its list after
all have pledged makes a node sign again, so an honest gathering needs one or two."""
MOST_EARLY = 16
"""Messages kept about a list that has not arrived yet: one from each peer."""


class Consent:
    """A member's state on the way to the agreement. ``current`` holds what belongs to the current
    list, ``agreed`` what belongs to the list that all have signed."""

    def __init__(self, key: SigningKey, out: Outbox[Event]) -> None:
        self.key, self._out = key, out
        self.current: ListSignatures | None = None
        self.agreed: ListSignatures | None = None
        self.signed: Terms | None = None
        """The last terms that this node signed. Its journal begins with them."""
        self._signed: dict[bytes, ListSignatures] = {}
        self._early: dict[bytes, ListHoldings] = {}

    def resume(self, begin: BeginRecord, agreement: Agreement | None) -> None:
        """Continue where a journal ends: this node has signed, and perhaps all have."""
        self.current = holding = ListSignatures(begin.list, self.key.public)
        holding.pledges = dict(zip(holding.keys, begin.pledges, strict=True))
        holding.sign(self.key)
        self._signed[begin.list.digest] = holding
        self.signed = begin.terms
        if agreement is not None:
            holding.assents = dict(zip(begin.terms.keys, agreement.assents, strict=True))
            self.agreed = holding

    def set_list(self, table_list: Seated) -> None:
        """Make this the current list. What was held of another list is forgotten unless this node
        has signed that list."""
        if self.current is not None and self.current.list.digest == table_list.digest:
            self.current.list = table_list
            return
        signed = self._signed.get(table_list.digest)
        self.current = signed or ListSignatures(table_list, self.key.public)
        early, self._early = self._early, {}
        for peer, held in early.items():
            self.take(peer, held)

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that handling a message changes."""
        return (self, *self._held)

    @property
    def _held(self) -> tuple[ListSignatures, ...]:
        """What belongs to the current list, and to every list that this node has signed."""
        current = () if self.current is None else (self.current,)
        return (*current, *self._signed.values())

    @property
    def guests(self) -> frozenset[bytes]:
        """The keys on the current list and on every list that this node has signed."""
        return frozenset(key for holding in self._held for key in holding.keys)

    @property
    def has_signed(self) -> bool:
        """Whether this node has signed the current list."""
        return self.current is not None and self.key.public in self.current.assents

    def take(self, peer: bytes, held: ListHoldings) -> bool:
        """Take what a peer holds. Return False if its list has not arrived here; the message is
        then kept until the list arrives."""
        holding = self._signed.get(held.list)
        if self.current is not None and self.current.list.digest == held.list:
            holding = self.current
        if holding is None:
            if peer in self._early or len(self._early) < MOST_EARLY:
                self._early[peer] = held
            return False
        if peer in holding.keys and self.agreed is None:
            before = set(holding.contradicted)
            try:
                holding.take(peer, held)
            except Refused as refused:
                self._out.emit(events.Fault(refused.finding, None, None, peer))
            for guest in holding.list.guests:
                if guest.key in holding.contradicted.keys() - before:
                    sentence = (
                        f"{guest.nick} sent two different pledges: their program was restarted, "
                        "runs on two computers, or cheats"
                    )
                    self._out.emit(events.Fault(Finding("W22", sentence), None, None))
        return True

    def has_shown_unknown_list(self, peer: bytes) -> bool:
        """Whether the last message of this peer was about a list that has not arrived here."""
        return peer in self._early

    def pledge(self, nonce: Callable[[], bytes]) -> None:
        """Make this member's pledge for the current list, once."""
        if self.current is not None and self.key.public not in self.current.pledges:
            self.current.pledge(self.key, pledge_of(self.key.public, nonce()))

    def terms_to_sign(self) -> Terms | None:
        """Return the terms that this node must sign now, or None. All members must have pledged,
        and none of them twice."""
        current = self.current
        if current is None or current.is_contradicted or self.has_signed:
            return None
        return current.terms

    @property
    def has_signed_enough(self) -> bool:
        return len(self._signed) >= MOST_SIGNED

    def sign(self, seed: bytes) -> None:
        """Sign the terms. The signature is on disk before any other node sees it."""
        current = self.current
        if current is None or current.terms is None:
            return
        current.sign(self.key)
        self._signed[current.list.digest] = current
        self.signed = current.terms
        self._out.persist(SECRETS, Secrets(seed, current.terms.table).record())
        self._out.persist(JOURNAL, current.begin.encode())

    def agreement(self) -> Agreement | None:
        """Return the agreement once all have signed the current list, or an earlier list that this
        node signed too."""
        for holding in self._signed.values():
            signatures, terms = holding.signatures, holding.terms
            if signatures is not None and terms is not None:
                self.agreed, self.signed = holding, terms
                return Agreement(terms.to_value(), signatures)
        return None

    def message(
        self, linked: Collection[bytes], reader: bytes | None = None
    ) -> ListHoldings | None:
        """Return what this node shows the others, or one of them."""
        holding = self.agreed or self.current
        return None if holding is None else holding.message({*linked, self.key.public}, reader)
