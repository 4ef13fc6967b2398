"""House options as one frozen value.

Responsible for which options there are, how they are written, which values they have (SPEC.md,
"Options") and which go together. A value that does not exist is refused, never ignored. The presets
are left to presets.py; what an option does, to the modules of play/.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from p2p304.rules.core.cards import PACKS, Pack
from p2p304.rules.core.phrases import Phrase, Quoted, Seats, say, verbatim
from p2p304.rules.core.seats import Seat, Side, names, side_names
from p2p304.rules.variants.absence import PLAY_OUT, WAIT, WAYS

BANDS: Mapping[int, tuple[int, int]] = {304: (200, 250), 504: (330, 410), 904: (590, 740)}
"""By the pack's points: from where a bid is special, and from where a second round bids."""
MOST_DEALT = 10


def quoted(word: object) -> Quoted:
    """Return what was typed for an option, between quotation marks and not too long."""
    return Quoted(repr(str(word)[:24]))


class OptionsError(ValueError):
    """Options that do not exist or do not go together, as one sentence. The ``phrase`` is the same
    for a screen, which tells it in the player's language."""

    def __init__(self, sentence: Phrase | str) -> None:
        self.phrase = sentence if isinstance(sentence, Phrase) else verbatim(sentence)
        super().__init__(str(sentence))


@dataclass(frozen=True)
class Options:
    """One game's rules; defaults are the preset ``pagat``. Amounts are card points, tokens
    are tokens. Names follow SPEC.md, "Options"; `WRITTEN` has those written with a dot. What
    follows from them is worked out once, as every action asks for it."""

    preset: str = "pagat"
    seats: int = 4
    partner: str = "across"
    pack_name: int | str = 32
    deal: str = "4+4"
    stock: str = "none"
    direction: str = "ccw"
    seating: str = "random"
    shuffle: str = "thorough"
    redeal15: bool = True
    bid_min: int = 160
    bid_first: str = "free"
    rebid: str | int = 200
    over_partner: str | int = 200
    ask_partner: bool = True
    step_over_200: int = 10
    all_pass: str = "next_dealer"
    half_court: bool = False
    bid4: str = "numbers"
    bid8: bool = True
    bid8_start: str = "winner"
    bid8_min: str | int = 250
    pcc: bool = True
    full_court: bool = False
    bid304: bool = False
    tenths: bool = False
    open_trump: bool = True
    hidden: str = "face_down"
    reveal: str = "others"
    open_after_250: bool = True
    exhausted: bool = True
    marriages: bool = False
    last_trick: int = 0
    double: bool = False
    spoilt: str = "anyone"
    spoilt_until: str = "last_card"
    caps: str = "grace"
    wrong_caps: str = "instead"
    external_caps: str | int = "plus_one"
    score: str = "tokens"
    match: str = "across"
    tokens: int = 11
    violation: str = "pay"
    chat: str = "between"
    timer: str | int = "off"
    timeout: str = "hint"
    memory: bool = False
    hints: bool = False
    away: str = WAIT

    @cached_property
    def pack(self) -> Pack:
        return PACKS[self.pack_name]

    @cached_property
    def tricks(self) -> int:
        """Tricks in a whole hand: as many as every seat gets cards to play."""
        return len(self.pack.cards) // self.seats

    @cached_property
    def hand_size(self) -> int:
        """Cards dealt to every seat before play."""
        return min(MOST_DEALT, self.tricks)

    @cached_property
    def stock_size(self) -> int:
        """Cards left over from the deal."""
        return len(self.pack.cards) - self.seats * self.hand_size

    @cached_property
    def batches(self) -> tuple[int, ...]:
        """Cards for each seat, batch by batch: a batch is dealt before each round of bidding."""
        sizes = self.deal.split("+")
        return tuple(map(int, sizes)) if len(sizes) > 1 else (self.hand_size,)

    @cached_property
    def special(self) -> int:
        """From here on bids pay more, and rebids and bids over a partner are free."""
        return BANDS.get(self.pack.total, BANDS[304])[0]

    @cached_property
    def second(self) -> int:
        """The least bid of a second round, and the third band of payment."""
        return BANDS.get(self.pack.total, BANDS[304])[1]

    @cached_property
    def highest(self) -> int:
        """``bid.max``: the largest multiple of ten below the pack's points."""
        return self.pack.total // 10 * 10

    @cached_property
    def accounts(self) -> int:
        """How many win and lose on their own: two sides, or every seat."""
        return 2 if self.partner == "across" else self.seats

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """By seat: the side, or where there are none the seat, that wins and loses for it."""
        return tuple(seat % 2 if self.partner == "across" else seat for seat in range(self.seats))

    def account(self, seat: Seat) -> Side:
        """The side, or where there are none the seat, that wins and loses what ``seat`` does."""
        return self.sides[seat]

    @cached_property
    def account_names(self) -> tuple[str, ...]:
        return side_names(self.seats) if self.partner == "across" else names(self.seats)

    def together(self, accounts: Iterable[Side]) -> Seats:
        """The seats behind these accounts, as they are named in a sentence."""
        known = tuple(accounts)
        seats = tuple(seat for seat, account in enumerate(self.sides) if account in known)
        name = "+".join(self.account_names[account] for account in known)
        return Seats(seats, name, self.partner == "across")

    @property
    def has_drawn_seats(self) -> bool:
        """Whether a draw decides who sits where and who deals first (``deal.first``)."""
        return self.seating != "chosen"

    def to_data(self) -> dict[str, Any]:
        """A plain map of every option, for the table agreement; see `from_data`."""
        return dict(self._data)

    @cached_property
    def _data(self) -> Mapping[str, Any]:
        values = {written(f.name): getattr(self, f.name) for f in fields(self)}
        return {k: _SWITCH[v] if isinstance(v, bool) else v for k, v in values.items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], base: Options) -> Options:
        """Read what `to_data` wrote, strictly, over the preset ``base``; raises OptionsError."""
        if set(data) != _NAMES:
            raise OptionsError("the rules' options are not those of this version")
        return base.override({k: v for k, v in data.items() if k != "preset"})

    def override(self, data: Mapping[str, Any]) -> Options:
        """These options with some replaced, by their written names; raises OptionsError."""
        return consistent(self.replaced(data))

    def replaced(self, data: Mapping[str, Any]) -> Options:
        """The same, where the options need not go together."""
        given: dict[str, Any] = {}
        for name, value in data.items():
            if name not in PLAYABLE:
                raise OptionsError(say("There is no option {word}.", word=quoted(name)))
            allowed = PLAYABLE[name]
            if not any(value == choice and type(value) is type(choice) for choice in allowed):
                known = RANGES.get(name) or ", ".join(map(str, allowed))
                told = say("{name} cannot be {word}; it is one of {words}.", name=Quoted(name))
                raise OptionsError(told.filled(word=quoted(value), words=Quoted(known)))
            given[_FIELDS.get(name, name)] = value == "on" if allowed is _SWITCH else value
        return replace(self, **given)


WRITTEN: Mapping[str, str] = {
    "bid_min": "bid.min",
    "bid_first": "bid.first",
    "bid8_start": "bid8.start",
    "bid8_min": "bid8.min",
    "pack_name": "pack",
    "spoilt_until": "spoilt.until",
}
"""Fields whose written name is another than the field's."""
_FIELDS: Mapping[str, str] = {name: field for field, name in WRITTEN.items()}


def written(field: str) -> str:
    return WRITTEN.get(field, field)


_NAMES = frozenset(written(f.name) for f in fields(Options))
_SWITCH = ("off", "on")
PLAYABLE: Mapping[str, tuple[Any, ...]] = {
    "seats": (2, 3, 4, 6, 8),
    "partner": ("across", "none", "called"),
    "pack": tuple(PACKS),
    "deal": ("4+4", "3+1", "4+2", "all_first"),
    "stock": ("none", "draw", "exchange"),
    "direction": ("ccw", "cw"),
    "seating": ("random", "draw", "chosen"),
    "shuffle": ("thorough", "minimal"),
    "redeal15": _SWITCH,
    "bid.min": (160, 150, 200, 260, 460),
    "bid.first": ("free", "must"),
    "rebid": (200, "once", "first200"),
    "over_partner": (200, "never", "first200"),
    "ask_partner": _SWITCH,
    "step_over_200": (10, 5),
    "all_pass": ("next_dealer", "dealer_forced"),
    "half_court": _SWITCH,
    "bid4": ("numbers", "courts"),
    "bid8": _SWITCH,
    "bid8.start": ("winner", "dealer_right"),
    "bid8.min": (250, "equal_ok", "over250"),
    "pcc": _SWITCH,
    "full_court": _SWITCH,
    "bid304": _SWITCH,
    "tenths": _SWITCH,
    "open_trump": _SWITCH,
    "hidden": ("face_down", "ask_reveal"),
    "reveal": ("others", "all"),
    "open_after_250": _SWITCH,
    "exhausted": _SWITCH,
    "marriages": _SWITCH,
    "last_trick": (0, 10),
    "double": _SWITCH,
    "spoilt": ("anyone", "opponents", "auto", "off"),
    "spoilt.until": ("last_card", "trick8"),
    "caps": ("grace", "strict", "assist", "off"),
    "wrong_caps": ("instead", "additive"),
    "external_caps": ("plus_one", 8, "off", "none"),
    "score": ("tokens", "online"),
    "match": ("across", "bank", "session", "points"),
    "tokens": tuple(range(1, 101)),
    "violation": ("pay", "void"),
    "chat": ("between", "open"),
    "timer": ("off", *range(5, 601)),
    "timeout": ("hint", "random"),
    "memory": _SWITCH,
    "hints": _SWITCH,
    "away": WAYS,
}
"""For every option the values that there are, as they are written."""
RANGES: Mapping[str, str] = {"tokens": "1 to 100", "timer": "off, 5 to 600"}
"""The same in words, for options with too many values to list."""


def consistent(options: Options) -> Options:
    """The same options, if they go together; else raises OptionsError."""
    for is_broken, why in conflicts(options):
        if is_broken:
            raise OptionsError(say("These options do not go together: {why}.", why=Quoted(why)))
    return options


def conflicts(o: Options) -> tuple[tuple[bool, str], ...]:
    """What does not go together: whether it is so here, and the sentence for it."""
    leftover = {"none": 0, "draw": o.seats * (o.tricks - o.hand_size), "exchange": 2}[o.stock]
    return (
        (o.partner == "across" and o.seats not in (4, 6, 8), "partners need 4, 6 or 8 seats"),
        (o.partner == "called" and o.seats != 4, "a called partner needs four seats"),
        (o.partner == "none" and o.seats > 3, "without partners two or three play"),
        (sum(o.batches) != o.hand_size, f"{o.hand_size} cards for each are not dealt {o.deal}"),
        (o.stock_size != leftover, f"{o.stock_size} cards are left over from the deal"),
        (o.stock == "draw" and not o.stock_size, "no cards are left over to draw"),
        (o.stock != "none" and o.hidden == "face_down", "a stock needs hidden=ask_reveal"),
        (o.bid_min * 2 > o.pack.total + 100 or o.bid_min > o.special, "bid.min is too high"),
        (o.partner != "across" and o.ask_partner, "ask_partner needs partners across"),
        (o.partner != "across" and o.pcc, "pcc needs partners across"),
        (o.partner != "across" and o.caps != "off", "Caps needs partners across"),
        (o.partner != "across" and o.spoilt not in ("off", "auto"), "spoilt needs partners across"),
        (o.partner != "across" and o.double, "double needs partners across"),
        (o.hidden != "face_down" and o.caps != "off", "Caps needs hidden=face_down"),
        (o.hidden != "face_down" and o.open_trump, "open_trump needs hidden=face_down"),
        (o.hidden != "face_down" and o.spoilt not in ("off", "auto"), "spoilt is automatic there"),
        (o.bid4 == "courts" and not o.half_court, "bid4=courts needs half_court=on"),
        (o.half_court and o.deal == "all_first", "half_court needs two batches"),
        (
            o.full_court and o.bid4 != "courts" and o.deal != "all_first",
            "full_court needs bid4=courts or deal=all_first",
        ),
        (o.bid304 and o.pack.total != 304, "bid304 needs a pack of 304 points"),
        (o.match == "points" and o.score != "online", "match=points needs score=online"),
        (
            o.score == "online" and o.match not in ("points", "session"),
            "score=online counts points",
        ),
        (
            o.shuffle == "minimal" and o.stock == "exchange",
            "shuffle=minimal needs a game in which every card is played",
        ),
        (o.away != WAIT and o.seats == 2, "of two players neither can end the table alone"),
        (o.away == PLAY_OUT and o.hidden != "face_down", "away=playout needs hidden=face_down"),
        (o.away == PLAY_OUT and not o.open_trump, "away=playout needs open_trump=on"),
    )
