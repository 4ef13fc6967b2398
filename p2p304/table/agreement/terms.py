"""The table agreement: what all players sign before anything else.

Responsible for the agreement's bytes, the table's identifier, the draw for seats and deal, and the
spoken code (SPEC.md, "The agreement"). How the players met is table/gathering/meeting.py's.

``terms`` is the canonical map ``{hands, name, players: [{key, nick, pledge}], rules, v}`` (and
``watch`` where spectators are let in, ``after`` where it continues another table). The table's
identifier is SHA-512/256 of the label ``p2p304 table`` and the terms. Each player's assent is an
Ed25519 signature over the label ``p2p304 assent`` and that identifier. A pledge is SHA-512/256 of
the label ``p2p304 pledge``, the player's key and a fresh nonce; the player's ``draw`` entry reveals
the nonce.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey, verify
from p2p304.log.faults import Refused
from p2p304.rules.core.cards import Card, Pack
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import options_from_data
from p2p304.table.agreement.bot_mark import BOT_MARK_FORM, BotMark
from p2p304.table.agreement.continuation import CONTINUATION_FORM, Continuation
from p2p304.table.agreement.limits import MAX_HANDS, WATCH
from p2p304.wire.bodies import Agreement
from p2p304.wire.canonical import Value, encode
from p2p304.wire.forms import (
    Form,
    Malformed,
    anything,
    checked,
    exactly,
    many,
    mapping,
    number,
    octets,
    one_of,
)
from p2p304.wire.names import NAME_VALUE

VERSION = 1
NONCE = 32
_CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_CODE_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Player:
    """A player as agreed: identity key (32 bytes), nickname, and pledge (32 bytes)."""

    key: bytes
    nick: str
    pledge: bytes
    bot: BotMark | None = None
    """The mark of a bot; None for a person."""

    def to_value(self) -> dict[str, Value]:
        bot = {} if self.bot is None else {"bot": BOT_MARK_FORM.write(self.bot)}
        return {"key": self.key, "nick": self.nick, "pledge": self.pledge, **bot}


def _read_player(value: Value) -> Player:
    fields = _PLAYER_FIELDS.read(value)
    player = Player(**fields)
    if player.bot is not None and not player.bot.is_signed_for(player.key):
        raise Refused("A08", "a bot's mark in the agreement is not signed by its owner")
    return replace(player, nick=NAME_VALUE.read(fields["nick"]))


_PLAYER_FIELDS = exactly(
    {"key": octets(32, 32), "nick": anything(), "pledge": octets(32, 32), "bot": BOT_MARK_FORM},
    ("bot",),
)
_PLAYER = Form(_read_player, _PLAYER_FIELDS.schema)


@dataclass(frozen=True)
class Terms:
    """What is played, and by whom. The table ends after ``hands`` hands; 0 means one match."""

    name: str
    rules: Options
    hands: int
    players: tuple[Player, ...]
    watch: str = ""
    """When spectators see what is settled (limits.py, `WATCH`); empty: they are not let in."""
    after: Continuation | None = None
    """The table that this one continues, or None."""

    @cached_property
    def keys(self) -> tuple[bytes, ...]:
        """The players' identity keys (32 bytes each), in the agreement's order."""
        return tuple(player.key for player in self.players)

    @cached_property
    def responsible(self) -> dict[bytes, Player]:
        """The player behind each key: for a bot its owner, if the owner is at the table."""
        players = {player.key: player for player in self.players}
        return {
            key: player if player.bot is None else players.get(player.bot.owner, player)
            for key, player in players.items()
        }

    @cached_property
    def table(self) -> bytes:
        """The table's identifier, 32 bytes."""
        return digest(b"p2p304 table", encode(self.to_value()))

    def to_value(self) -> dict[str, Value]:
        return {
            "hands": self.hands,
            "name": self.name,
            "players": [player.to_value() for player in self.players],
            "rules": self.rules.to_data(),
            "v": VERSION,
            **({"watch": self.watch} if self.watch else {}),
            **({"after": CONTINUATION_FORM.write(self.after)} if self.after else {}),
        }


_TERMS = exactly(
    {
        "v": one_of(VERSION),
        "hands": number(0, MAX_HANDS),
        "players": many(anything()),
        "rules": mapping(),
        "name": anything(),
        "watch": anything(),
        "after": anything(),
    },
    ("watch", "after"),
)


def digest(label: bytes, *parts: bytes) -> bytes:
    """Return SHA-512/256 (32 bytes) over a label and parts, each part preceded by its length in 4
    bytes."""
    state = hashlib.new("sha512_256", label + b"\x00")
    for part in parts:
        state.update(len(part).to_bytes(4, "big") + part)
    return state.digest()


def pledge_of(key: bytes, nonce: bytes) -> bytes:
    """Return the pledge (32 bytes) of the player with this key to this nonce (32 bytes each)."""
    return digest(b"p2p304 pledge", key, nonce)


def assent(key: SigningKey, table: bytes) -> bytes:
    """Return the player's signature (64 bytes) under the agreement of the table with this
    identifier."""
    return key.sign(b"p2p304 assent\x00" + table)


def is_assent(key: bytes, table: bytes, sig: bytes) -> bool:
    """Return whether this is the `assent` of the player with this key."""
    return verify(key, b"p2p304 assent\x00" + table, sig)


def not_agreed(why: str) -> Refused:
    """A01: the agreement is malformed."""
    return Refused("A01", why)


def unfit(why: str, player: int | None = None) -> Refused:
    """A02: the rules cannot be played, or not by these players, or they are not the agreed
    rules."""
    return Refused("A02", why, player)


def parse_terms(value: dict[str, Value]) -> Terms:
    """Read the terms strictly; raises Refused: A01 (form), A02 (rules, players), A08 (a bot's
    mark)."""
    try:
        hands: int = _TERMS.read(value)["hands"]
        rules = options_from_data(mapping().read(value["rules"]))
        parts: dict[str, Form[Any]] = {
            "watch": one_of(*WATCH),
            "after": checked(CONTINUATION_FORM, lambda after: after.fits(rules), "of other rules"),
            "players": many(_PLAYER),
            "name": NAME_VALUE,
        }
        given = {name: each for name, each in value.items() if name in parts}
        terms = Terms(rules=rules, hands=hands, **exactly(parts, ("watch", "after")).read(given))
    except OptionsError as error:
        raise unfit(f"the agreement's rules cannot be played: {error}") from error
    except Malformed as error:
        raise not_agreed(f"the agreement is malformed: {error}") from error
    check_length(rules, hands)
    if len(set(terms.keys)) != len(terms.keys) or len(terms.keys) != rules.seats:
        raise unfit("the agreement does not name as many players as its rules have seats")
    return terms


def check_length(rules: Options, hands: int) -> None:
    """A02: the number of hands fits the rules. 0 hands is one match, which ends when a side has no
    tokens; a session has no such end."""
    if rules.match == "session" and hands == 0:
        raise unfit("these rules need a fixed number of hands: choose one with --hands")
    if not 0 <= hands <= MAX_HANDS:
        raise unfit(f"a table plays at most {MAX_HANDS} hands")


def plain_name(value: object) -> str:
    """Return a nickname or table name that every screen can show (wire/names.py); else raise
    Refused A01."""
    try:
        return NAME_VALUE.read(value)
    except Malformed as error:
        raise not_agreed(f"this is {error}") from error


def check_agreement(body: Agreement) -> Terms:
    """Check entry 0 (A01 to A03, A08) and return the terms that all players signed."""
    terms = parse_terms(body.terms)
    if len(body.assents) != len(terms.players):
        raise Refused("A03", "the number of signatures on the agreement is wrong")
    table = terms.table
    for player, signature in zip(terms.players, body.assents, strict=True):
        if not is_assent(player.key, table, signature):
            raise Refused("A03", f"the agreement is not signed by {player.nick}")
    return terms


def seating_and_dealer(terms: Terms, nonces: tuple[bytes, ...]) -> tuple[tuple[int, ...], int]:
    """Return the player on each seat and the first dealer's seat, drawn from all nonces. Where
    seats are chosen nothing is drawn, and the first seat deals (``deal.first``)."""
    count = len(terms.players)
    if terms.after is not None:
        return tuple(range(count)), terms.after.dealer
    if not terms.rules.has_drawn_seats:
        return tuple(range(count)), 0
    rng = _draw_rng(terms, nonces)
    if terms.rules.seating == "draw":
        return _by_cards(rng, terms.rules.pack, count), 0
    return rng.child(b"seats").permutation(count), rng.child(b"dealer").below(count)


def drawn_cards(terms: Terms, nonces: tuple[bytes, ...]) -> tuple[Card, ...]:
    """Return the card that each player drew for a seat (``seating.draw``); empty where seats are
    found in another way."""
    if terms.after is not None or terms.rules.seating != "draw":
        return ()
    pack, count = terms.rules.pack, len(terms.players)
    return tuple(pack.cards[card] for card in _drawn(_draw_rng(terms, nonces), pack, count))


def _draw_rng(terms: Terms, nonces: tuple[bytes, ...]) -> Rng:
    return Rng.from_seed(digest(b"p2p304 draw", terms.table, *nonces))


def _drawn(rng: Rng, pack: Pack, count: int) -> tuple[int, ...]:
    return rng.child(b"cards").permutation(len(pack.cards))[:count]


def _by_cards(rng: Rng, pack: Pack, count: int) -> tuple[int, ...]:
    """Seat the players by cards that they draw (``seating.draw``). The highest card has seat 0 and
    deals; the higher half sits against the lower, in the order of their cards. The suit decides
    between equal ranks, spades first."""
    drawn = enumerate(_drawn(rng, pack, count))
    rank = {player: (-pack.strength[pack.cards[card]], card) for player, card in drawn}
    order = sorted(range(count), key=lambda player: rank[player])
    half = (count + 1) // 2
    return tuple(order[seat // 2 + seat % 2 * half] for seat in range(count))


def spoken_code(terms: Terms, nonces: tuple[bytes, ...]) -> str:
    """Return six characters (30 bits) that are the same on every player's screen
    (``code.draw``)."""
    bits = int.from_bytes(digest(b"p2p304 code", terms.table, *nonces), "big")
    letters = "".join(_CODE_ALPHABET[(bits >> 5 * i) & 31] for i in range(_CODE_LENGTH))
    return f"{letters[:3]}-{letters[3:]}"
