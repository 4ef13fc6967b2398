"""One member's steps from a complete list to the agreement: pledge, hold, pass on, sign.

Responsible for what is kept of each list and for how long (SPEC.md, "Gathering"). The list itself,
and the time before it is complete, is guest_list.py's; which pledge counts is pledges.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Finding, Refused
from p2p304.table.agreement.terms import Terms, pledge_of
from p2p304.table.gathering.begin_record import JOURNAL, BeginRecord
from p2p304.table.gathering.messages import ListHoldings, Seated
from p2p304.table.gathering.pledges import ListSignatures
from p2p304.table.player.keyring import SECRETS, Secrets
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.wire.bodies import Agreement
from p2p304.wire.outbox import Outbox

MOST_SIGNED = 8
"""Lists under which one node signs at one gathering. Only a founder that changes its list after
all have pledged makes a node sign again, so an honest gathering needs one or two."""
MOST_EARLY = 16
"""Messages kept about a list that has not arrived yet: one from each peer."""


class Consent:
    """A member's state on the way to the agreement. ``now`` is what it holds of the current list,
    ``agreed`` the list that all have signed."""

    def __init__(self, key: SigningKey, out: Outbox[Event]) -> None:
        self.key, self._out = key, out
        self.now: ListSignatures | None = None
        self.agreed: ListSignatures | None = None
        self.signed: Terms | None = None
        """The last terms that this node signed. Its journal begins with them."""
        self._signed: dict[bytes, ListSignatures] = {}
        self._early: dict[bytes, ListHoldings] = {}

    def resume(self, begin: BeginRecord) -> None:
        """Continue where a journal ends."""
        self.now = holding = ListSignatures(begin.list, self.key.public)
        holding.pledges = dict(zip(holding.keys, begin.pledges, strict=True))
        holding.sign(self.key)
        self._signed[begin.list.digest] = holding
        self.signed = begin.terms

    def set_list(self, here: Seated) -> None:
        """Make this the current list. What was held of another list is forgotten unless this node
        has signed that list."""
        if self.now is not None and self.now.list.digest == here.digest:
            self.now.list = here
            return
        self.now = self._signed.get(here.digest) or ListSignatures(here, self.key.public)
        early, self._early = self._early, {}
        for peer, held in early.items():
            self.take(peer, held)

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that handling a message changes."""
        here = () if self.now is None else (self.now,)
        return (self, *here, *self._signed.values())

    @property
    def guests(self) -> frozenset[bytes]:
        """The keys on the current list and on every list that this node has signed."""
        here = () if self.now is None else (self.now,)
        return frozenset(key for one in (*here, *self._signed.values()) for key in one.keys)

    @property
    def has_signed(self) -> bool:
        """Whether this node has signed the current list."""
        return self.now is not None and self.key.public in self.now.assents

    def take(self, peer: bytes, held: ListHoldings) -> bool:
        """Take what a peer holds. Return False if its list has not arrived here; the message is
        then kept until the list arrives."""
        holding = self._holdings_of(held.list)
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
            self._report_contradicted(holding, holding.contradicted - before)
        return True

    def _report_contradicted(self, holding: ListSignatures, authors: Collection[bytes]) -> None:
        """Report W22: one member has signed two different pledges for one list."""
        for guest in holding.list.guests:
            if guest.key in authors:
                why = (
                    f"{guest.nick} sent two different pledges: their program was restarted, runs "
                    "on two computers, or cheats"
                )
                self._out.emit(events.Fault(Finding("W22", why), None, None))

    def has_shown_unknown_list(self, peer: bytes) -> bool:
        """Whether the last message of this peer was about a list that has not arrived here."""
        return peer in self._early

    def pledge(self, nonce: Callable[[], bytes]) -> None:
        """Make this member's pledge for the current list, once."""
        if self.now is not None and self.key.public not in self.now.pledges:
            self.now.pledge(self.key, pledge_of(self.key.public, nonce()))

    def terms_to_sign(self) -> Terms | None:
        """Return the terms that this node must sign now, or None. All members must have pledged,
        and none of them twice."""
        here = self.now
        if here is None or here.is_contradicted or self.has_signed:
            return None
        return here.terms

    @property
    def has_signed_enough(self) -> bool:
        return len(self._signed) >= MOST_SIGNED

    def sign(self, seed: bytes) -> None:
        """Sign the terms. The signature is on disk before any other node sees it."""
        here = self.now
        if here is None or here.pledged is None or here.terms is None:
            return
        here.sign(self.key)
        self._signed[here.list.digest] = here
        self.signed = here.terms
        self._out.persist(SECRETS, Secrets(seed, here.terms.table).record())
        self._out.persist(JOURNAL, BeginRecord(here.list, here.pledged).encode())

    def agreement(self) -> Agreement | None:
        """Return the agreement once all have signed the current list, or an earlier list that this
        node signed too."""
        for holding in self._signed.values():
            signatures, terms = holding.signatures, holding.terms
            if signatures is not None and terms is not None:
                self.agreed, self.signed = holding, terms
                return Agreement(terms.to_value(), signatures)
        return None

    def message(self, linked: Collection[bytes]) -> ListHoldings | None:
        """Return what this node shows the others."""
        here = self.agreed or self.now
        return None if here is None else here.message({*linked, self.key.public})

    def _holdings_of(self, list_digest: bytes) -> ListSignatures | None:
        if self.now is not None and self.now.list.digest == list_digest:
            return self.now
        return self._signed.get(list_digest)
