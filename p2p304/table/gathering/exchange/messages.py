"""The messages by which players gather, before there is a table.

Responsible for their bytes (SPEC.md, "Gathering"): canonical maps with a word ``t``; when each is
sent is table/gathering/meeting.py's. No message here is trusted: only what all players sign counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, get_args

from p2p304.crypto.signing import SigningKey, may_be_public_key, verify
from p2p304.log.faults import Refused
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import options_from_data
from p2p304.table.agreement.bot_mark import BOT_MARK_FORM, BotMark
from p2p304.table.agreement.continuation import CONTINUATION_FORM, Continuation
from p2p304.table.agreement.limits import MAX_HANDS, WATCH
from p2p304.table.agreement.terms import digest
from p2p304.table.gathering.exchange.passphrase import EXCHANGE, PROOF
from p2p304.wire.bodies import MAX_SEATS
from p2p304.wire.canonical import Value, encode
from p2p304.wire.forms import (
    Form,
    Malformed,
    checked,
    many,
    mapping,
    maybe,
    number,
    octets,
    of,
    one_of,
    optional,
    record,
    string,
    text,
)
from p2p304.wire.names import NAME_VALUE, shown

OPENING = 16
SIGNATURE = 64
MOST_LISTS = 2**32 - 1
"""The largest number of a list."""
_LIST, _PLEDGE = b"p2p304 list\x00", b"p2p304 pledged\x00"
_HANDS, _LIST_NUMBER = number(0, MAX_HANDS), number(0, MOST_LISTS)
_SEAT = number(0, MAX_SEATS - 1)
_DIGEST, _SIGNATURE = octets(32, 32), octets(SIGNATURE, SIGNATURE)
_EXCHANGE, _PROOF = octets(EXCHANGE, EXCHANGE), octets(PROOF, PROOF)
_SENTENCE = checked(
    string(),
    lambda said: 1 <= len(said) <= 200 and " ".join(shown(said).split()) == said,
    "no sentence that can be shown",
)
# The handshake with a guest proves that its key is one. The full check here would let one message
# cost eight scalar multiplications in plain Python.
_KEY = checked(_DIGEST, may_be_public_key, "no key")


def _read_rules(value: Value) -> Options:
    try:
        return options_from_data(mapping().read(value))
    except OptionsError as error:
        raise Malformed(str(error)) from error


_RULES = Form(_read_rules, {"type": "object"}, Options.to_data)


@dataclass(frozen=True, slots=True)
class Guest:
    """A player at the gathering: identity key, nickname, the address of its node, and its seat
    where seats are chosen. The founder's address is empty, because every guest came to it."""

    key: bytes = of(_KEY)
    nick: str = of(NAME_VALUE)
    host: str = of(text(0, 255))
    port: int = of(number(0, 65535))
    seat: int | None = optional(_SEAT)
    bot: BotMark | None = optional(BOT_MARK_FORM)
    """The mark of a bot, with its owner, where a program plays."""

    @property
    def signed_fields(self) -> dict[str, Value]:
        """The fields that the list's digest covers: all but the address."""
        fields = _GUEST.write(self)
        return {name: fields[name] for name in fields if name not in ("host", "port")}


_GUEST = record(Guest)


@dataclass(frozen=True, slots=True)
class Join:
    """A visitor asks the founder for a seat: any seat, or this one."""

    WORD: ClassVar[str] = "join"
    nick: str = of(NAME_VALUE)
    seat: int | None = optional(_SEAT)
    bot: BotMark | None = optional(BOT_MARK_FORM)


@dataclass(frozen=True, slots=True)
class Seated:
    """The founder's list: the table that is opened and its guests, in order of arrival. ``number``
    grows with every change; ``sig`` is the founder's signature (64 bytes) over the digest."""

    WORD: ClassVar[str] = "seated"
    opening: bytes = of(octets(OPENING, OPENING))
    name: str = of(NAME_VALUE)
    rules: Options = of(_RULES)
    hands: int = of(_HANDS)
    guests: tuple[Guest, ...] = of(many(_GUEST, 1, MAX_SEATS))
    watch: str = optional(one_of(*WATCH), "")
    after: Continuation | None = optional(CONTINUATION_FORM)
    number: int = of(_LIST_NUMBER, default=0)
    sig: bytes = of(_SIGNATURE, default=bytes(SIGNATURE))

    @property
    def is_complete(self) -> bool:
        return len(self.guests) == self.rules.seats

    @property
    def has_chosen_seats(self) -> bool:
        """Whether guests choose their seats, so that each has one from the beginning."""
        return not self.rules.has_drawn_seats

    @property
    def dealer(self) -> int | None:
        """The seat that deals first, where no draw decides it (``deal.first``)."""
        if not self.has_chosen_seats:
            return None
        return 0 if self.after is None else self.after.dealer

    @property
    def in_seats(self) -> tuple[Guest, ...]:
        """The guests in the order of the terms: by seat, or in order of arrival."""
        return tuple(sorted(self.guests, key=lambda g: g.seat or 0))

    @property
    def digest(self) -> bytes:
        """SHA-512/256 of the whole list except the addresses."""
        return _list_digest(self)

    def signed(self, founder: SigningKey) -> Seated:
        """Return the same list with its founder's signature."""
        return replace(self, sig=founder.sign(_LIST + self.digest))

    def is_signed_by(self, founder: bytes) -> bool:
        return verify(founder, _LIST + self.digest, self.sig)

    def is_same_game(self, other: Seated) -> bool:
        """Whether both lists have the same rules, number of hands and rule about spectators, and
        go on from the same table."""
        here = (self.rules, self.hands, self.watch, self.after)
        return here == (other.rules, other.hands, other.watch, other.after)

    @property
    def is_consistent(self) -> bool:
        """Whether no guest is named twice, there are not more guests than seats, each has its own
        seat just where seats are chosen, the table has an end, and the rules fit the table that
        this one continues."""
        seats = [guest.seat for guest in self.guests]
        at = {seat for seat in seats if seat is not None}
        is_seated = set(seats) == {None} if self.rules.has_drawn_seats else len(at) == len(seats)
        return (
            is_seated
            and (self.hands > 0 or self.rules.match != "session")
            and max(at, default=0) < self.rules.seats
            and len({guest.key for guest in self.guests}) == len(seats) <= self.rules.seats
            and (self.after is None or self.after.fits(self.rules))
        )


@lru_cache(maxsize=16)
def _list_digest(list_: Seated) -> bytes:
    """Every message of the gathering names its list, and the list rarely changes."""
    fields = _FORMS[list_.WORD].write(list_)
    for name in ("guests", "sig", "t"):
        del fields[name]
    people: list[Value] = [guest.signed_fields for guest in list_.guests]
    return digest(b"p2p304 list", encode({**fields, "people": people}))


@dataclass(frozen=True, slots=True)
class Full:
    """The founder turns a visitor away."""

    WORD: ClassVar[str] = "full"
    why: str = of(_SENTENCE)


@dataclass(frozen=True, slots=True)
class Pledge:
    """A member's commitment to its nonce (32 bytes) for one list, with the member's signature."""

    pledge: bytes
    sig: bytes

    @classmethod
    def make(cls, key: SigningKey, list_digest: bytes, pledge: bytes) -> Pledge:
        return cls(pledge, key.sign(_PLEDGE + list_digest + pledge))

    def is_signed_by(self, key: bytes, list_digest: bytes) -> bool:
        return verify(key, _PLEDGE + list_digest + self.pledge, self.sig)


def _read_pledge(value: Value) -> Pledge:
    whole = octets(32 + SIGNATURE, 32 + SIGNATURE).read(value)
    return Pledge(whole[:32], whole[32:])


PLEDGE_FORM = Form(_read_pledge, {"type": "bytes"}, lambda made: made.pledge + made.sig)


@dataclass(frozen=True, slots=True)
class ListHoldings:
    """What a member holds of the list with this digest, in the list's order of guests: each pledge,
    the table identifier (32 bytes, empty until all pledges are here), and each signature under it.
    ``lacks``: the numbers of the guests to which the member has no link."""

    WORD: ClassVar[str] = "held"
    list: bytes = of(_DIGEST)
    pledges: tuple[Pledge | None, ...] = of(many(maybe(PLEDGE_FORM, b""), 0, MAX_SEATS))
    table: bytes = of(checked(octets(0, 32), lambda table: len(table) in (0, 32), "not 32 bytes"))
    assents: tuple[bytes | None, ...] = of(many(maybe(_SIGNATURE, b""), 0, MAX_SEATS))
    lacks: tuple[int, ...] = of(many(_SEAT, 0, MAX_SEATS))

    @property
    def is_consistent(self) -> bool:
        """Whether there are as many pledges as signatures, one of each per guest. Signatures need a
        table identifier, and that needs all pledges."""
        return (
            len(self.pledges) == len(self.assents)
            and list(self.lacks) == sorted({*self.lacks} & {*range(len(self.pledges))})
            and (all(self.pledges) if self.table else not any(self.assents))
        )


@dataclass(frozen=True, slots=True)
class Locked:
    """The founder's side of the passphrase exchange, sent to a visitor of a locked table."""

    WORD: ClassVar[str] = "locked"
    exchange: bytes = of(_EXCHANGE)


@dataclass(frozen=True, slots=True)
class Key:
    """The visitor's side of the passphrase exchange, and its proof."""

    WORD: ClassVar[str] = "key"
    exchange: bytes = of(_EXCHANGE)
    proof: bytes = of(_PROOF)


@dataclass(frozen=True, slots=True)
class Unlocked:
    """The founder's proof that it knows the passphrase too."""

    WORD: ClassVar[str] = "unlocked"
    proof: bytes = of(_PROOF)


LobbyMessage = Join | Seated | Full | ListHoldings | Locked | Key | Unlocked
_FORMS: dict[str, Form[Any]] = {
    message.WORD: record(message, t=message.WORD) for message in get_args(LobbyMessage)
}


def lobby_bytes(message: LobbyMessage) -> bytes:
    return _FORMS[message.WORD].encode(message)


def parse_lobby(raw: bytes) -> LobbyMessage:
    """Parse a message strictly; raises Refused W06."""
    try:
        value = mapping().decode(raw)
        message: LobbyMessage = _FORMS[one_of(*_FORMS).read(value.get("t"))].read(value)
        if isinstance(message, Seated | ListHoldings) and not message.is_consistent:
            raise Malformed("its fields do not fit each other")
    except Malformed as error:
        raise Refused("W06", f"this message of the gathering is malformed: {error}") from error
    return message
