"""Message bodies: the fields of every kind of entry, and their forms.

Responsible for the schema of SPEC.md, "Entries", as dataclasses whose fields carry their form;
`protocol/messages.schema.json` is generated from them. Forms themselves are forms.py's. Whether an
element is canonical, a card legal or a proof valid is table/transition/step.py's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from p2p304.wire.canonical import Value
from p2p304.wire.forms import Malformed, many, mapping, maybe, number, octets, of, record, text

MAX_PACK = 40
MAX_SEATS = 8
MAX_PROOF = 16 * 1024

ELEMENT = octets(32, 32)
DIGEST = octets(32, 32)
SIGNATURE = octets(64, 64)
DLEQ = octets(64, 64)
MAX_OWED = 4
OWED = many(octets(1, MAX_PROOF), 0, MAX_OWED)
"""The proofs about hidden cards that the entry must carry (SPEC.md, "What is proved when")."""
KNOWS = octets(64, 64)
"""A proof of knowing one secret."""
SHARES = many(octets(64, 64), 0, MAX_SEATS - 1)
"""The shares of a published key, where hands are played out without an absent player (SPEC.md,
"Playing out"). There is a point and a sealed box for every other seat, in turn from the author's
right. ``ephemeral`` is the key under which they are sealed, ``ephemeral_knows`` the proof of
knowing its secret."""
CARD = text(2, 2)
SLOT = number(-1, MAX_PACK)
INDICATOR = -1
"""The slot number of the indicator, which lies apart from the hand."""
BY_KIND: dict[str, type[Body]] = {}


@dataclass(frozen=True, slots=True)
class Body:
    """What an entry of one kind says. The classes below are all kinds that there are."""

    KIND: ClassVar[str]

    def __init_subclass__(cls, kind: str = "") -> None:
        """Enter a kind. A dataclass with slots is made twice: the second time without ``kind``."""
        cls.KIND = kind or cls.KIND
        BY_KIND[cls.KIND] = cls


@dataclass(frozen=True, slots=True)
class Agreement(Body, kind="agreement"):
    """Entry 0: what everybody agreed to, signed by all (SPEC.md, "The agreement")."""

    terms: dict[str, Value] = of(mapping())
    assents: tuple[bytes, ...] = of(many(SIGNATURE, 2, MAX_SEATS))


@dataclass(frozen=True, slots=True)
class Draw(Body, kind="draw"):
    """Opens the pledge of the agreement: a player's part of the draw for seats and deal; where
    hands are played out, with the key to which shares are sealed for this player (``box``) and a
    proof of knowing its secret."""

    nonce: bytes = of(DIGEST)
    box: bytes | None = of(maybe(ELEMENT))
    box_knows: bytes | None = of(maybe(KNOWS))


@dataclass(frozen=True, slots=True)
class Shuffle(Body, kind="shuffle"):
    """A seat's unlock key, proof that it knows it, the locked deck and its argument."""

    key: bytes = of(ELEMENT)
    knows: bytes = of(octets(1, MAX_PROOF))
    deck: tuple[bytes, ...] = of(many(ELEMENT, 1, MAX_PACK))
    proof: bytes = of(octets(1, MAX_PROOF))
    shares: tuple[bytes, ...] = of(SHARES)
    ephemeral: bytes | None = of(maybe(ELEMENT))
    ephemeral_knows: bytes | None = of(maybe(KNOWS))


@dataclass(frozen=True, slots=True)
class Cut(Body, kind="cut"):
    """The locked deck is rotated so that position ``at`` comes to the top; 0 leaves it."""

    at: int = of(number(0, MAX_PACK - 1))


@dataclass(frozen=True, slots=True)
class Unlock(Body, kind="unlock"):
    """One seat's unlocking of every card of the batch that is not its own."""

    cards: tuple[bytes, ...] = of(many(ELEMENT, 1, MAX_PACK))
    proof: bytes = of(DLEQ)


@dataclass(frozen=True, slots=True)
class Relock(Body, kind="relock"):
    """A hand re-ordered: fresh key, hidden cards in a secret order, the indicator in place;
    cards drawn since the last time are first brought under the hand's key (``joined``)."""

    joined: tuple[bytes, ...] = of(many(ELEMENT, 0, MAX_PACK))
    joined_proof: bytes | None = of(maybe(DLEQ))
    key: bytes = of(ELEMENT)
    cards: tuple[bytes, ...] = of(many(ELEMENT, 1, MAX_PACK))
    proof: bytes = of(octets(1, MAX_PROOF))
    indicator: bytes | None = of(maybe(ELEMENT))
    kept: bytes | None = of(maybe(DLEQ))
    shares: tuple[bytes, ...] = of(SHARES)
    ephemeral: bytes | None = of(maybe(ELEMENT))
    ephemeral_knows: bytes | None = of(maybe(KNOWS))


@dataclass(frozen=True, slots=True)
class Say(Body, kind="say"):
    """A spoken word: a bid in full (``160``, ``pcc``), ``pass`` or ``ask``."""

    word: str = of(text(1, 16))


@dataclass(frozen=True, slots=True)
class Redeal(Body, kind="redeal"):
    """The first batch turned up to reject it."""

    cards: tuple[str, ...] = of(many(CARD, 1, MAX_PACK))
    proof: bytes = of(DLEQ)


@dataclass(frozen=True, slots=True)
class Indicator(Body, kind="indicator"):
    """A card of the hand is put face down as the trump indicator."""

    slot: int = of(number(0, MAX_PACK))


@dataclass(frozen=True, slots=True)
class Open(Body, kind="open"):
    """Open trump: the indicator is turned up and taken into the hand."""

    card: str = of(CARD)
    proof: bytes = of(DLEQ)


@dataclass(frozen=True, slots=True)
class Closed(Body, kind="closed"):
    """Closed trump: with the key to which face-down cards will be shown."""

    key: bytes = of(ELEMENT)
    knows: bytes = of(octets(1, MAX_PROOF))
    owed: tuple[bytes, ...] = of(OWED)
    shares: tuple[bytes, ...] = of(SHARES)
    ephemeral: bytes | None = of(maybe(ELEMENT))
    ephemeral_knows: bytes | None = of(maybe(KNOWS))


@dataclass(frozen=True, slots=True)
class Play(Body, kind="play"):
    """A card face up, with proof that the slot holds it and that the rules allow it."""

    slot: int = of(SLOT)
    card: str = of(CARD)
    proof: bytes = of(DLEQ)
    owed: tuple[bytes, ...] = of(OWED)


@dataclass(frozen=True, slots=True)
class Down(Body, kind="down"):
    """A card face down, with proof that the rules allow it; ``slot`` -1 is the indicator."""

    slot: int = of(SLOT)
    owed: tuple[bytes, ...] = of(OWED)


@dataclass(frozen=True, slots=True)
class Ask(Body, kind="ask"):
    """Asks for trumps to be shown, with proof that the suit led cannot be followed."""

    owed: tuple[bytes, ...] = of(OWED)


@dataclass(frozen=True, slots=True)
class Marriage(Body, kind="marriage"):
    """King and queen of a suit are shown: their places, and proof that they lie there."""

    suit: str = of(text(1, 1))
    slots: tuple[int, ...] = of(many(SLOT, 2, 2))
    proofs: tuple[bytes, ...] = of(many(DLEQ, 0, 2))


@dataclass(frozen=True, slots=True)
class Exchange(Body, kind="exchange"):
    """Two cards are laid away, face down, for those left over from the deal."""

    slots: tuple[int, ...] = of(many(SLOT, 2, 2))


@dataclass(frozen=True, slots=True)
class Inspect(Body, kind="inspect"):
    """A face-down card encrypted to the trump maker, provably the same card."""

    e1: bytes = of(ELEMENT)
    e2: bytes = of(ELEMENT)
    proof: bytes = of(octets(1, MAX_PROOF))


@dataclass(frozen=True, slots=True)
class Announce(Body, kind="announce"):
    """The trump maker's word on the face-down cards of a trick, with what it turns up.

    ``cut`` tells whether a trump lay among them; ``shown`` are the cards of the inspected
    seats, in the order in which they were inspected; ``indicator`` the card turned up.
    """

    cut: int = of(number(0, 1))
    shown: tuple[str, ...] = of(many(CARD, 0, MAX_SEATS))
    shown_proof: bytes | None = of(maybe(DLEQ))
    own: str | None = of(maybe(CARD))
    own_proof: bytes | None = of(maybe(DLEQ))
    indicator: str | None = of(maybe(CARD))
    indicator_proof: bytes | None = of(maybe(DLEQ))
    owed: tuple[bytes, ...] = of(OWED)


@dataclass(frozen=True, slots=True)
class Count(Body, kind="count"):
    """A seat's cards that were never turned up, opened for counting: those played face down in
    order of play, then, where a claim has ended the play, those never played. None, with the row
    *spoilt*: no trump was dealt to it."""

    cards: tuple[str, ...] = of(many(CARD, 0, MAX_PACK))
    proofs: tuple[bytes, ...] = of(many(DLEQ, 0, MAX_PACK))
    owed: tuple[bytes, ...] = of(OWED)


@dataclass(frozen=True, slots=True)
class Caps(Body, kind="caps"):
    """A call of Caps: the order of all remaining cards with their places, the own cards that lie
    face down (``down``), those inspected as trump maker (``seen``), and proof of them all."""

    order: tuple[str, ...] = of(many(CARD, 1, MAX_PACK))
    slots: tuple[int, ...] = of(many(SLOT, 1, MAX_PACK))
    down: tuple[str, ...] = of(many(CARD, 0, MAX_PACK))
    seen: tuple[str, ...] = of(many(CARD, 0, MAX_PACK))
    proofs: tuple[bytes, ...] = of(many(DLEQ, 0, MAX_PACK))
    seen_proof: bytes | None = of(maybe(DLEQ))


@dataclass(frozen=True, slots=True)
class Spoilt(Body, kind="spoilt"):
    """Spoilt trumps are declared."""


@dataclass(frozen=True, slots=True)
class StandIn(Body, kind="stand_in"):
    """One present seat's part in the place of whoever is gone: the elements that are due, under
    its share of the absent one's key."""

    parts: tuple[bytes, ...] = of(many(ELEMENT, 1, MAX_PACK))
    proof: bytes = of(DLEQ)


Sharing = Shuffle | Relock | Closed
"""Bodies that publish a key, with its shares where hands are played out."""

_FORMS = {kind: record(body) for kind, body in BY_KIND.items()}


def parse_body(kind: str, value: dict[str, Value]) -> Body:
    """Read a body strictly; raises Malformed for an unknown kind, field or form."""
    if kind not in _FORMS:
        raise Malformed(f"there is no entry of kind {kind[:16]!r}")
    return _FORMS[kind].read(value)


def body_value(body: Body) -> dict[str, Value]:
    """Return the canonical value of a body, the inverse of `parse_body`."""
    value: dict[str, Value] = _FORMS[body.KIND].write(body)
    return value


def schema() -> dict[str, Any]:
    """Return the JSON Schema of every kind's body; ``bytes`` is MessagePack's binary type."""
    return {
        kind: {"description": _described(BY_KIND[kind]), **form.schema}
        for kind, form in _FORMS.items()
    }


def _described(body: type[object]) -> str:
    """Return the first paragraph of a body's docstring as one line."""
    return " ".join((body.__doc__ or "").split("\n\n")[0].split())
