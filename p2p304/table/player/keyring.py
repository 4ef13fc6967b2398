"""A seat's secrets at a table.

Responsible for every secret of a player. All are derived from one seed by labels, so that a
restarted node writes exactly the same entries again. Also responsible for the step from one hand's
seed to the next, which cannot be undone, and for the record that keeps the seed (SPEC.md, "Secrets
of a table"). The cards that they open are own_cards.py's, writing entries is entry_writer.py's,
writing files is storage/data_folder.py's. No secret appears in a repr or an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from p2p304.crypto.group import Element, base, mul
from p2p304.crypto.rng import SEED_BYTES, Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused, Unexplained
from p2p304.rules.core.cards import Card
from p2p304.table.agreement.terms import digest
from p2p304.table.player.overhand import overhand
from p2p304.table.proofs.statements import Binding
from p2p304.table.state.deal import Deal, SeatSlots, Slot
from p2p304.wire.canonical import Value, encode
from p2p304.wire.forms import Malformed, anything, exactly, maybe, number, octets

SECRETS: Final = "secrets"
"""The name under which the record of these secrets is persisted. A new record replaces the old one;
an empty record erases it."""
VERSION: Final = 1
_SECRETS = exactly(
    {
        "box": maybe(octets()),
        "hand": number(),
        "seed": octets(SEED_BYTES, SEED_BYTES),
        "sum": octets(),
        "t": anything(),
        "table": anything(),
        "v": anything(),
    }
)


class NotSecrets(ValueError):
    """A record of secrets is damaged, or belongs to another table. The message contains no
    secret."""


class ErasedSecrets(LookupError):
    """These secrets have been erased, because their hand is settled or the table is over."""


@dataclass(slots=True)
class Secrets:
    """One player's secrets at one table, for hand ``number`` alone.

    ``seed`` is 32 bytes, empty once erased. Number 0 is the time before the first hand, when the
    table need not be known yet. ``table_id`` is the table's identifier and part of every
    derivation, except that of `nonce`, on which the identifier itself depends.
    """

    seed: bytes = field(repr=False)
    table_id: bytes = b""
    number: int = 0
    box: bytes = field(default=b"", repr=False)
    """The seed of the box key, kept as long as the table lasts. While ``number`` is 0 it is
    derived."""
    _read: dict[Element, Card] = field(default_factory=dict, repr=False)

    @classmethod
    def erased(cls, table_id: bytes) -> Secrets:
        """Return the secrets of a table that is over, or whose record is lost."""
        return cls(b"", table_id)

    @property
    def is_erased(self) -> bool:
        return not self.seed

    @property
    def nonce(self) -> bytes:
        """The nonce (32 bytes) of the player's pledge; ErasedSecrets from the first hand on."""
        if self.number:
            raise ErasedSecrets("the nonce of the draw has been erased")
        return self._stream(self.seed).child(b"draw").bytes(32)

    @property
    def box_key(self) -> int:
        """The scalar that opens the shares of others' keys that are sealed to this player."""
        return self._stream(self._box_seed()).scalar()

    def hand(self, number: int) -> Rng:
        """Return the stream from which all secrets of hand ``number`` derive; ErasedSecrets for any
        hand but the present one."""
        if number != self.number:
            raise ErasedSecrets(f"these are not the secrets of hand {number}")
        return self._stream(self.seed).child(b"hand", self._table, number.to_bytes(4, "big"))

    def renew(self, number: int) -> None:
        """Replace the seed by that of a later hand.

        The new seed is a child of the old one, so that the old one cannot be computed from it.
        Fresh bytes go into it, so that it cannot be computed from the old one either.
        """
        if self.is_erased or number <= self.number:
            return
        labels = (b"next hand", self._table, number.to_bytes(4, "big"), self.fresh_bytes())
        self.seed, self.box, self.number = (
            self._stream(self.seed).child(*labels).bytes(SEED_BYTES),
            self._box_seed(),
            number,
        )
        self._read.clear()

    def fresh_bytes(self) -> bytes:
        """Return the bytes that are mixed into the next hand's seed. Tests that repeat a game
        replace this."""
        return Rng.system().bytes(SEED_BYTES)

    def erase(self) -> None:
        """Forget all secrets."""
        self.seed = self.box = b""
        self._read.clear()

    def record(self) -> bytes:
        """Return the canonical record ``{box, hand, seed, sum, t: "secrets", table, v}``.

        ``box`` is nil before the first hand. ``sum`` detects damage: it is SHA-512/256 (label
        ``p2p304 secrets``) of the canonical encoding of the other fields.
        """
        fields: dict[str, Value] = {
            "box": self.box or None,
            "hand": self.number,
            "seed": self.seed,
            "t": SECRETS,
            "table": self._table,
            "v": VERSION,
        }
        return encode({**fields, "sum": digest(b"p2p304 secrets", encode(fields))})

    @classmethod
    def parse(cls, record: bytes, table_id: bytes) -> Secrets:
        """Read a record of this table; raises NotSecrets."""
        try:
            fields = _SECRETS.decode(record)
        except Malformed as error:
            raise NotSecrets("the record of its secrets has another form") from error
        signed = {name: value for name, value in fields.items() if name != "sum"}
        if fields["sum"] != digest(b"p2p304 secrets", encode(signed)):
            raise NotSecrets("the record of its secrets is damaged")
        if (fields["t"], fields["table"], fields["v"]) != (SECRETS, table_id, VERSION):
            raise NotSecrets("the record of its secrets is another table's, or another version's")
        return cls(fields["seed"], table_id, fields["hand"], fields["box"] or b"")

    def _box_seed(self) -> bytes:
        if self.box or self.number:
            return self.box
        return self._stream(self.seed).child(b"box key", self._table).bytes(SEED_BYTES)

    @property
    def _table(self) -> bytes:
        if not self.table_id:
            raise LookupError("these secret keys do not belong to a table yet")
        return self.table_id

    @staticmethod
    def _stream(seed: bytes) -> Rng:
        if not seed:
            raise ErasedSecrets("the secrets of this table have been erased")
        return Rng.from_seed(seed)

    def shares_of(self, number: int, key: Element) -> Rng:
        """Return the randomness for the shares of an own key."""
        return self.hand(number).child(b"shares", key)

    def deck_key(self, number: int) -> int:
        """Return the scalar with which this seat locks the deck of hand ``number``."""
        return self.hand(number).child(b"deck key").scalar()

    def first_lock(self, number: int) -> int:
        """Return the key that locks a gathered pack before any seat shuffles it, in place of the
        deck key."""
        return self.hand(number).child(b"first lock").scalar()

    def hand_key(self, number: int, relocks: int) -> int:
        """Return the hand's key after so many re-orderings; after none it is the deck key."""
        if relocks == 0:
            return self.deck_key(number)
        return self.hand(number).child(b"hand key", relocks.to_bytes(2, "big")).scalar()

    def inspection_key(self, number: int) -> int:
        """Return the scalar with which this seat, as trump maker, reads the cards shown to it."""
        return self.hand(number).child(b"inspection key").scalar()

    def order(self, number: int, relocks: int, count: int) -> tuple[int, ...]:
        """Return the secret order of ``count`` cards for the shuffle (0) or a re-ordering of the
        hand."""
        labels = (b"order", relocks.to_bytes(2, "big"))
        return self.hand(number).child(*labels).permutation(count)

    def overhand(self, number: int, count: int) -> tuple[int, ...]:
        """Return the new place of every card after a short overhand shuffle of the gathered
        pack."""
        return overhand(self.hand(number).child(b"packets"), count)

    def fresh(self, at: Binding, what: bytes) -> Rng:
        """Return randomness for the proofs of one entry, bound to its place."""
        return self.hand(at.number).child(b"proof", at.context(what))

    def key_of(self, slot: Slot, number: int, relocks: int) -> int:
        """Return the secret of a slot's lock, which is one of this hand's keys; else raise Refused
        D16."""
        for generation in range(relocks, -1, -1):
            secret = self.hand_key(number, generation)
            if base(secret) == slot.key:
                return secret
        raise unreadable("a card of this seat is locked with a key that this program never made")

    def by_key(self, number: int, relocks: int) -> dict[Element, int]:
        """Return this hand's secrets by their public keys."""
        keys = [self.hand_key(number, generation) for generation in range(relocks + 1)]
        return {base(secret): secret for secret in (*keys, self.inspection_key(number))}

    def read(self, deal: Deal, held: SeatSlots, slot: Slot) -> Card:
        """Return the card of an own slot, unlocked with this hand's key; Refused D16 if it is no
        card."""
        if slot.card is not None:
            return slot.card
        card = self._read.get(slot.locked)
        if card is None:
            secret = self.key_of(slot, deal.number, held.relocks)
            # Not read again: while one thread prepares, another may renew these secrets.
            card = self._read[slot.locked] = named_card(deal, mul(secret, slot.locked))
        return card


@dataclass(frozen=True, slots=True)
class Member:
    """A player's identity at a table: its key, its number among the players, and its secrets."""

    key: SigningKey
    player: int
    secrets: Secrets


def unreadable(sentence: str) -> Refused:
    """D16: a card that this seat alone can read is a card of the pack. Signed bytes alone do not
    show who is guilty if it is not."""
    return Unexplained("D16", sentence)


def named_card(deal: Deal, opened: Element) -> Card:
    card = deal.cards_by_element.get(opened)
    if card is None:
        raise unreadable("a card dealt or shown to this player alone is no card of the pack")
    return card
