"""The messages by which players gather, before there is a table.

Responsible for their bytes (SPEC.md, "Gathering"): canonical maps with a word ``t``; when each is
sent is meeting.py's. No message here is trusted: only what all players sign counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from p2p304.crypto.signing import SigningKey, may_be_public_key, verify
from p2p304.log.faults import Refused
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import options_from_data
from p2p304.table.agreement.bot_mark import BotMark, parse_bot_mark
from p2p304.table.agreement.continuation import Continuation, parse_after
from p2p304.table.agreement.limits import MAX_HANDS, WATCH
from p2p304.table.agreement.terms import digest, plain_name
from p2p304.table.gathering.passphrase import EXCHANGE, PROOF
from p2p304.wire.canonical import NotCanonical, Value, decode, encode
from p2p304.wire.names import shown

OPENING = 16
SIGNATURE = 64
_LIST, _PLEDGE = b"p2p304 list\x00", b"p2p304 pledged\x00"
MOST_SEATS = 8
"""At any table (`rules.options`)."""
MOST_LISTS = 2**32 - 1
"""The largest number of a list."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A player at the gathering: identity key, nickname, the address of its node, and its seat
    where seats are chosen. The founder's address is empty, because every guest came to it."""

    key: bytes
    nick: str
    host: str
    port: int
    seat: int | None = None
    bot: BotMark | None = None
    """The mark of a bot, with its owner, where a program plays."""

    def to_value(self) -> dict[str, Value]:
        whole: dict[str, Value] = {"host": self.host, "port": self.port, **self.signed_fields}
        return whole

    @property
    def signed_fields(self) -> dict[str, Value]:
        """The fields that the list's digest covers: all but the address."""
        seat: dict[str, Value] = {} if self.seat is None else {"seat": self.seat}
        return {"key": self.key, "nick": self.nick, **seat, **_bot_field(self.bot)}


@dataclass(frozen=True, slots=True)
class Join:
    """A visitor asks the founder for a seat: any seat, or this one."""

    nick: str
    seat: int | None = None
    bot: BotMark | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """The founder's list: the table that is opened and its guests, in order of arrival. ``number``
    grows with every change; ``sig`` is the founder's signature (64 bytes) over the digest."""

    opening: bytes
    name: str
    rules: Options
    hands: int
    guests: tuple[Guest, ...]
    watch: str = ""
    after: Continuation | None = None
    number: int = 0
    sig: bytes = bytes(SIGNATURE)

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
        people: list[Value] = [g.signed_fields for g in self.guests]
        return digest(
            b"p2p304 list",
            encode(
                {
                    "hands": self.hands,
                    "name": self.name,
                    "number": self.number,
                    "opening": self.opening,
                    "people": people,
                    "rules": self.rules.to_data(),
                    **self.optional_fields,
                }
            ),
        )

    def signed(self, founder: SigningKey) -> Seated:
        """Return the same list with its founder's signature."""
        return replace(self, sig=founder.sign(_LIST + self.digest))

    def is_signed_by(self, founder: bytes) -> bool:
        return verify(founder, _LIST + self.digest, self.sig)

    @property
    def optional_fields(self) -> dict[str, Value]:
        """The fields that are present only if spectators are admitted or the table continues
        another one."""
        watch: dict[str, Value] = {"watch": self.watch} if self.watch else {}
        return {**watch, **({"after": self.after.to_value()} if self.after else {})}


@dataclass(frozen=True, slots=True)
class Full:
    """The founder turns a visitor away."""

    why: str


@dataclass(frozen=True, slots=True)
class Pledge:
    """A member's commitment to its nonce (32 bytes) for one list, with the member's signature."""

    pledge: bytes
    sig: bytes

    @classmethod
    def make(cls, key: SigningKey, list_digest: bytes, pledge: bytes) -> Pledge:
        return cls(pledge, key.sign(_PLEDGE + list_digest + pledge))

    @classmethod
    def parse(cls, raw: Value) -> Pledge:
        """Parse 32 + 64 bytes; raises TypeError for anything else."""
        whole = _parse_octets(raw, 32 + SIGNATURE)
        return cls(whole[:32], whole[32:])

    def is_signed_by(self, key: bytes, list_digest: bytes) -> bool:
        return verify(key, _PLEDGE + list_digest + self.pledge, self.sig)


@dataclass(frozen=True, slots=True)
class ListHoldings:
    """What a member holds of the list with this digest, in the list's order of guests: each pledge,
    the table identifier (32 bytes, empty until all pledges are here), and each signature under it.
    ``lacks``: the numbers of the guests to which the member has no link."""

    list: bytes
    pledges: tuple[Pledge | None, ...]
    table: bytes
    assents: tuple[bytes | None, ...]
    lacks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Locked:
    """The founder's side of the passphrase exchange, sent to a visitor of a locked table."""

    exchange: bytes


@dataclass(frozen=True, slots=True)
class Key:
    """The visitor's side of the passphrase exchange, and its proof."""

    exchange: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Unlocked:
    """The founder's proof that it knows the passphrase too."""

    proof: bytes


LobbyMessage = Join | Seated | Full | ListHoldings | Locked | Key | Unlocked


def lobby_bytes(message: LobbyMessage) -> bytes:
    match message:
        case Join(nick=nick, seat=seat, bot=bot):
            wanted: dict[str, Value] = {} if seat is None else {"seat": seat}
            return encode({"nick": nick, "t": "join", **wanted, **_bot_field(bot)})
        case Full(why=why):
            return encode({"t": "full", "why": why})
        case ListHoldings():
            return encode(
                {
                    "assents": [sig or b"" for sig in message.assents],
                    "lacks": list(message.lacks),
                    "list": message.list,
                    "pledges": [
                        b"" if one is None else one.pledge + one.sig for one in message.pledges
                    ],
                    "t": "held",
                    "table": message.table,
                }
            )
        case Locked(exchange=exchange):
            return encode({"exchange": exchange, "t": "locked"})
        case Key(exchange=exchange, proof=proof):
            return encode({"exchange": exchange, "proof": proof, "t": "key"})
        case Unlocked(proof=proof):
            return encode({"proof": proof, "t": "unlocked"})
        case Seated():
            guests: list[Value] = [g.to_value() for g in message.guests]
            return encode(
                {
                    "guests": guests,
                    "hands": message.hands,
                    "name": message.name,
                    "number": message.number,
                    "opening": message.opening,
                    "rules": message.rules.to_data(),
                    "sig": message.sig,
                    "t": "seated",
                    **message.optional_fields,
                }
            )


def parse_lobby(raw: bytes) -> LobbyMessage:
    """Parse a message strictly; raises Refused W06."""
    try:
        value = decode(raw)
    except NotCanonical as error:
        raise Refused("W06", "this message of the gathering is not canonical") from error
    if not isinstance(value, dict):
        raise Refused("W06", "this message of the gathering is malformed")
    fields = dict(value)
    word = fields.pop("t", None)
    parser = _PARSERS.get(word) if isinstance(word, str) else None
    optional = _OPTIONAL.get(word, set()) if isinstance(word, str) else set()
    if parser is None or set(fields) - optional != set(parser[0]):
        raise Refused("W06", "this message of the gathering has other fields")
    try:
        message: LobbyMessage = parser[1](fields)
    except (TypeError, KeyError, OptionsError) as error:
        raise Refused("W06", f"this message of the gathering is malformed: {error}") from error
    return message


def _parse_list(fields: dict[str, Any]) -> Seated:
    hands, rules, guests = fields["hands"], fields["rules"], fields["guests"]
    _check_number(hands, MAX_HANDS)
    if not isinstance(rules, dict) or not isinstance(guests, list):
        raise TypeError("rules or guests")
    options = options_from_data(rules)
    people = tuple(_parse_guest(item) for item in guests)
    if not 1 <= len(people) <= options.seats or len({g.key for g in people}) != len(people):
        raise TypeError("guests")
    _check_seats(people, options)
    opening = _parse_octets(fields["opening"], OPENING)
    if "watch" in fields and fields["watch"] not in WATCH:
        raise TypeError("watch")
    name = plain_name(fields["name"])
    after = parse_after(fields["after"], options) if "after" in fields else None
    _check_number(fields["number"], MOST_LISTS)
    return Seated(
        opening,
        name,
        options,
        hands,
        people,
        fields.get("watch", ""),
        after,
        fields["number"],
        _parse_octets(fields["sig"], SIGNATURE),
    )


def _parse_holdings(fields: dict[str, Any]) -> ListHoldings:
    """Parse what a member holds. There are as many pledges as signatures, one of each per guest;
    signatures need a table identifier, and that needs all pledges."""
    pledges, assents, lacks = fields["pledges"], fields["assents"], fields["lacks"]
    for items in (pledges, assents, lacks):
        if not isinstance(items, list) or len(items) > MOST_SEATS:
            raise TypeError("what is held")
    if len(pledges) != len(assents):
        raise TypeError("as many signatures as pledges")
    for number in lacks:
        _check_number(number, len(pledges) - 1)
    if lacks != sorted(set(lacks)):
        raise TypeError("an order")
    pledged = tuple(_parse_optional_octets(item, 32 + SIGNATURE) for item in pledges)
    signed = tuple(_parse_optional_octets(item, SIGNATURE) for item in assents)
    table = _parse_optional_octets(fields["table"], 32) or b""
    if (any(signed) and not table) or (table and not all(pledged)):
        raise TypeError("a table without its pledges")
    return ListHoldings(
        _parse_octets(fields["list"], 32),
        tuple(None if raw is None else Pledge.parse(raw) for raw in pledged),
        table,
        signed,
        tuple(lacks),
    )


def _parse_optional_octets(value: Any, size: int) -> bytes | None:
    """Parse so many bytes. Empty bytes mean that the value is not here yet."""
    return None if value == b"" and isinstance(value, bytes) else _parse_octets(value, size)


def _check_seats(people: tuple[Guest, ...], options: Options) -> None:
    """Check that each guest has its own seat where seats are chosen, and that no guest has one
    elsewhere."""
    taken = [guest.seat for guest in people]
    if options.has_drawn_seats:
        if any(seat is not None for seat in taken):
            raise TypeError("seats that are drawn")
    elif None in taken or len(set(taken)) != len(taken):
        raise TypeError("seats that are chosen")
    elif any(seat is not None and seat >= options.seats for seat in taken):
        raise TypeError("a seat that is not there")


def _parse_guest(item: Any) -> Guest:
    needed = {"host", "key", "nick", "port"}
    if not isinstance(item, dict) or set(item) - {"seat", "bot"} != needed:
        raise TypeError("guest")
    host = item["host"]
    if not isinstance(host, str) or len(host) > 255 or not (host == "" or host.isprintable()):
        raise TypeError("host")
    _check_number(item["port"], 65536)
    name, seat = plain_name(item["nick"]), _parse_seat(item)
    key = _parse_octets(item["key"], 32)
    # The handshake with that guest proves that this is a key. The full check here would let one
    # message cost eight scalar multiplications in plain Python.
    if not may_be_public_key(key):
        raise TypeError("a key")
    return Guest(key, name, host, item["port"], seat, _parse_bot(item))


def _parse_bot(fields: dict[str, Any]) -> BotMark | None:
    return parse_bot_mark(fields["bot"]) if "bot" in fields else None


def _bot_field(bot: BotMark | None) -> dict[str, Value]:
    return {} if bot is None else {"bot": bot.to_value()}


def _parse_seat(fields: dict[str, Any]) -> int | None:
    """Return the seat, if one is named."""
    if "seat" not in fields:
        return None
    _check_number(fields["seat"], MOST_SEATS - 1)
    seat: int = fields["seat"]
    return seat


def _parse_octets(value: Any, size: int) -> bytes:
    if not isinstance(value, bytes) or len(value) != size:
        raise TypeError(f"{size} bytes")
    return value


def _check_number(value: Any, limit: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= limit:
        raise TypeError("a number")


_OPTIONAL: dict[str, set[str]] = {"seated": {"watch", "after"}, "join": {"seat", "bot"}}
"""The optional fields of a message."""
_PARSERS: dict[str, tuple[tuple[str, ...], Any]] = {
    "join": (("nick",), lambda f: Join(plain_name(f["nick"]), _parse_seat(f), _parse_bot(f))),
    "full": (("why",), lambda f: Full(plain_sentence(f["why"]))),
    "held": (("assents", "lacks", "list", "pledges", "table"), _parse_holdings),
    "locked": (("exchange",), lambda f: Locked(_parse_octets(f["exchange"], EXCHANGE))),
    "key": (
        ("exchange", "proof"),
        lambda f: Key(_parse_octets(f["exchange"], EXCHANGE), _parse_octets(f["proof"], PROOF)),
    ),
    "unlocked": (("proof",), lambda f: Unlocked(_parse_octets(f["proof"], PROOF))),
    "seated": (("guests", "hands", "name", "number", "opening", "rules", "sig"), _parse_list),
}


def plain_sentence(value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= 200:
        raise TypeError("a sentence")
    if " ".join(shown(value).split()) != value:
        raise TypeError("a sentence")
    return value
