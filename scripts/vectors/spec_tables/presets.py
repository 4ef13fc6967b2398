"""protocol/presets.json: every option's values, the whole map of options of every preset, and the
values that cannot stand in place of the preset's own."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from p2p304.rules.variants.options import PLAYABLE, Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, options_from_data


def presets() -> dict[str, Any]:
    values: dict[str, Any] = {name: list(allowed) for name, allowed in PLAYABLE.items()}
    values["tokens"] = {"from": PLAYABLE["tokens"][0], "to": PLAYABLE["tokens"][-1]}
    values["timer"] = {"or": "off", "from": PLAYABLE["timer"][1], "to": PLAYABLE["timer"][-1]}
    maps = {name: dict(sorted(options.to_data().items())) for name, options in PRESETS.items()}
    refused = {name: refused_changes(options) for name, options in PRESETS.items()}
    return {"values": values, "presets": maps, "refused": refused}


def refused_changes(options: Options) -> dict[str, list[Any]]:
    """Every value that does not go together with the other options of a preset, by option."""
    found: dict[str, list[Any]] = defaultdict(list)
    for name, allowed in sorted(PLAYABLE.items()):
        for value in allowed:
            try:
                options_from_data({**options.to_data(), name: value})
            except OptionsError:
                found[name].append(value)
    return found
