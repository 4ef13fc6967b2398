"""The lifetime of a seat's secrets at a table: when they are renewed and when they are erased.

Responsible for erasing the secrets of a hand that is settled, so that nobody can find later how it
was dealt, and for keeping their record on disk current. The secrets themselves and the bytes of the
record are keyring.py's.
"""

from __future__ import annotations

from typing import Any

from p2p304.table.player.keyring import SECRETS, Member, NotSecrets
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Outbox


class SecretsLifetime:
    """Call `update` whenever the table may have settled a hand."""

    def __init__(self, me: Member, replica: Replica, out: Outbox[Any]) -> None:
        self._me, self._replica, self._out = me, replica, out
        self._persisted = None if me.secrets.is_erased else me.secrets.number
        """The hand whose seed is on disk; None once it is erased."""

    def check(self, last_hand: int) -> None:
        """Raise NotSecrets if the secrets were erased too early, or if they belong neither to the
        hand of the last entry (``last_hand``) nor to the next one."""
        secrets, state = self._me.secrets, self._replica.state
        if secrets.is_erased and not self._replica.is_over:
            raise NotSecrets("the secret keys that it needs are deleted")
        following = 0 if state is None else state.number
        if not secrets.is_erased and not last_hand <= secrets.number <= following:
            raise NotSecrets("its secret keys belong to another hand")

    def update(self, is_stopped: bool) -> None:
        """Erase the secrets of a hand that is settled, and all secrets once the table is over. If a
        proven fault has stopped the table, erase their record on disk.

        What this seat said in the hand is in the journal already, and nothing of the next hand is
        written before. An absent player has no ending in its journal and continues without it after
        a restart, so its secrets stay."""
        secrets, replica = self._me.secrets, self._replica
        without = replica.chain.without
        parted = without is not None and without.absent != self._me.player
        if replica.is_finished or (replica.is_ended and parted):
            secrets.erase()
        elif replica.state is not None and replica.chain.is_settled:
            secrets.renew(replica.state.number)
        left = None if secrets.is_erased or is_stopped else secrets.number
        if left != self._persisted:
            self._persisted = left
            self._out.persist(SECRETS, b"" if left is None else secrets.record())
