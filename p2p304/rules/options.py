"""Presets and house options as one frozen value.

Owns which options there are, what they may be and which of them the engine plays by now
(SPEC.md, "Options"). The option's written name (``bid.min``) is its field's name with dots.
An option's value that cannot be played yet is refused (``options.unsupported``), never ignored.
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
    are tokens, ``deal`` is the batch sizes for each seat."""

    preset: str = "pagat"
    seats: int = 4
    cards: int = 32
    deal: tuple[int, ...] = (4, 4)
    direction: str = "ccw"
    seating: str = "random"
    redeal15: str = "on"
    bid_min: int = 160
    bid_step: int = 10
    rebid: str = "200"
    over_partner: str = "200"
    ask_partner: str = "on"
    step_over_200: int = 10
    all_pass: str = "next_dealer"
    bid8: str = "on"
    bid8_start: str = "winner"
    bid8_min: str = "equal_ok"
    pcc: str = "on"
    open_trump: str = "on"
    hidden: str = "face_down"
    reveal: str = "others"
    open_after_250: str = "on"
    exhausted: str = "on"
    spoilt: str = "off"
    caps: str = "off"
    score: str = "pagat"
    match: str = "across"
    tokens: int = 11

    @property
    def pack(self) -> Pack:
        return PACKS[self.cards]

    @property
    def batches(self) -> tuple[int, ...]:
        return self.deal

    @property
    def tricks(self) -> int:
        return sum(self.deal)

    @property
    def seats_are_drawn(self) -> bool:
        return self.seating == "random"

    def to_data(self) -> dict[str, Any]:
        """A plain map of every option, for the table agreement; see `from_data`."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {_written(k): list(v) if isinstance(v, tuple) else v for k, v in values.items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Options:
        """Read what `to_data` wrote, strictly; raises OptionsError."""
        if set(data) != {_written(f.name) for f in fields(cls)}:
            raise OptionsError("the rules' options are not those of this version")
        base = preset(data["preset"])
        return base.override({k: v for k, v in data.items() if k != "preset"})

    def override(self, data: Mapping[str, Any]) -> Options:
        """These options with some replaced, by their written names; raises OptionsError."""
        given = {}
        for name, value in data.items():
            given[_field(name)] = _checked(name, value)
        return replace(self, **given)


PLAYABLE: Mapping[str, tuple[Any, ...]] = {
    "seats": (4,),
    "cards": (32,),
    "deal": ((4, 4),),
    "direction": ("ccw",),
    "seating": ("random", "chosen"),
    "redeal15": ("on", "off"),
    "bid.min": (160, 150),
    "bid.step": (10,),
    "rebid": ("200",),
    "over.partner": ("200",),
    "ask.partner": ("on", "off"),
    "step.over.200": (10, 5),
    "all.pass": ("next_dealer",),
    "bid8": ("on",),
    "bid8.start": ("winner", "dealer_right"),
    "bid8.min": ("equal_ok",),
    "pcc": ("on", "off"),
    "open.trump": ("on", "off"),
    "hidden": ("face_down",),
    "reveal": ("others", "all"),
    "open.after.250": ("on", "off"),
    "exhausted": ("on", "off"),
    "spoilt": ("off",),
    "caps": ("off",),
    "score": ("pagat",),
    "match": ("across", "bank"),
    "tokens": tuple(range(1, 101)),
}
"""For every option the values that this engine plays. Caps and spoilt trumps cannot be called
yet, so that for now every preset has them off."""

PRESETS: Mapping[str, Options] = {
    "pagat": Options(),
    "bank": Options(preset="bank", match="bank"),
    "fives": Options(preset="fives", step_over_200=5),
}


def preset(name: object) -> Options:
    """A preset by name; raises OptionsError."""
    if not isinstance(name, str) or name not in PRESETS:
        raise OptionsError(f"There is no preset {str(name)[:24]!r}; known: {', '.join(PRESETS)}.")
    return PRESETS[name]


def _written(field: str) -> str:
    return field.replace("_", ".")


def _field(name: str) -> str:
    if name not in PLAYABLE:
        raise OptionsError(f"There is no option {name[:24]!r}.")
    return name.replace(".", "_")


def _checked(name: str, value: Any) -> Any:
    plain = tuple(value) if isinstance(value, list) else value
    allowed = PLAYABLE.get(name, ())
    if not any(plain == choice and type(plain) is type(choice) for choice in allowed):
        known = ", ".join(str(v) for v in allowed[:6])
        raise OptionsError(f"options.unsupported: {name} = {value!r} is not played yet ({known})")
    return plain
