"""House options as one frozen value.

Owns which options there are, how they are written and which of their values the engine plays by
now (SPEC.md, "Options"). The presets themselves stand in presets.py. A value that cannot be
played yet is refused (``options.unsupported``), never ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from p2p304.rules.cards import PACKS, Pack


class OptionsError(ValueError):
    """Options that do not exist or cannot be played, as one sentence."""


@dataclass(frozen=True, slots=True)
class Options:
    """One game's rules; defaults are the preset ``pagat``. Amounts are card points, tokens
    are tokens. Names follow DECISIONS, section 1; `WRITTEN` has those written with a dot."""

    preset: str = "pagat"
    seats: int = 4
    pack_size: int = 32
    deal: str = "4+4"
    direction: str = "ccw"
    seating: str = "random"
    redeal15: str = "on"
    bid_min: int = 160
    rebid: str | int = 200
    over_partner: str | int = 200
    ask_partner: str = "on"
    step_over_200: int = 10
    all_pass: str = "next_dealer"
    bid8: str = "on"
    bid8_start: str = "winner"
    bid8_min: str | int = 250
    pcc: str = "on"
    bid304: str = "off"
    open_trump: str = "on"
    hidden: str = "face_down"
    reveal: str = "others"
    open_after_250: str = "on"
    exhausted: str = "on"
    spoilt: str = "off"
    caps: str = "off"
    match: str = "across"
    tokens: int = 11

    @property
    def pack(self) -> Pack:
        return PACKS[self.pack_size]

    @property
    def batches(self) -> tuple[int, ...]:
        """Cards for each seat, batch by batch: a batch is dealt before each round of bidding."""
        if self.deal == "all_first":
            return (self.tricks,)
        return tuple(int(size) for size in self.deal.split("+"))

    @property
    def tricks(self) -> int:
        """Tricks in a whole hand."""
        return self.pack_size // self.seats

    @property
    def seats_are_drawn(self) -> bool:
        return self.seating == "random"

    def to_data(self) -> dict[str, Any]:
        """A plain map of every option, for the table agreement; see `from_data`."""
        return {written(f.name): getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], base: Options) -> Options:
        """Read what `to_data` wrote, strictly, over the preset ``base``; raises OptionsError."""
        if set(data) != {written(f.name) for f in fields(cls)}:
            raise OptionsError("the rules' options are not those of this version")
        return base.override({k: v for k, v in data.items() if k != "preset"})

    def override(self, data: Mapping[str, Any]) -> Options:
        """These options with some replaced, by their written names; raises OptionsError."""
        given = {_field(name): _checked(name, value) for name, value in data.items()}
        return replace(self, **given)


WRITTEN: Mapping[str, str] = {
    "bid_min": "bid.min",
    "bid8_start": "bid8.start",
    "bid8_min": "bid8.min",
    "pack_size": "pack",
}
"""Fields whose written name is another than the field's."""


def written(field: str) -> str:
    return WRITTEN.get(field, field)


PLAYABLE: Mapping[str, tuple[Any, ...]] = {
    "seats": (4,),
    "pack": (32,),
    "deal": ("4+4", "all_first"),
    "direction": ("ccw", "cw"),
    "seating": ("random", "chosen"),
    "redeal15": ("on", "off"),
    "bid.min": (160, 150),
    "rebid": (200, "once", "first200"),
    "over_partner": (200, "never", "first200"),
    "ask_partner": ("on", "off"),
    "step_over_200": (10, 5),
    "all_pass": ("next_dealer", "dealer_forced"),
    "bid8": ("on", "off"),
    "bid8.start": ("winner", "dealer_right"),
    "bid8.min": (250, "equal_ok", "over250"),
    "pcc": ("on", "off"),
    "bid304": ("off", "on"),
    "open_trump": ("on", "off"),
    "hidden": ("face_down",),
    "reveal": ("others", "all"),
    "open_after_250": ("on", "off"),
    "exhausted": ("on", "off"),
    "spoilt": ("off",),
    "caps": ("off",),
    "match": ("across", "bank"),
    "tokens": tuple(range(1, 101)),
}
"""For every option the values that this engine plays. Caps and spoilt trumps cannot be called
yet, so that for now every preset has them off."""


def _field(name: str) -> str:
    if name not in PLAYABLE:
        raise OptionsError(f"There is no option {name[:24]!r}.")
    return next((field for field, known in WRITTEN.items() if known == name), name)


def _checked(name: str, value: Any) -> Any:
    allowed = PLAYABLE.get(name, ())
    if not any(value == choice and type(value) is type(choice) for choice in allowed):
        known = ", ".join(str(v) for v in allowed[:6])
        raise OptionsError(f"options.unsupported: {name} = {value!r} is not played yet ({known})")
    return value
