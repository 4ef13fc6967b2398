"""The presets: every named game as one value of options.

Owns their names and values (DECISIONS, sections 1 and 3). What an option means is not its
business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from p2p304.rules.options import Options, OptionsError

PRESETS: Mapping[str, Options] = {
    "pagat": Options(),
    "bank": Options(preset="bank", match="bank"),
    "fives": Options(preset="fives", step_over_200=5),
    "wikipedia": Options(
        preset="wikipedia", rebid="once", over_partner="never", bid8_min="equal_ok"
    ),
    "catsatcards": Options(
        preset="catsatcards", bid8_start="dealer_right", bid8_min="over250", reveal="all"
    ),
}


def preset(name: object) -> Options:
    """A preset by name; raises OptionsError."""
    if not isinstance(name, str) or name not in PRESETS:
        raise OptionsError(f"There is no preset {str(name)[:24]!r}; known: {', '.join(PRESETS)}.")
    return PRESETS[name]


def options_from_data(data: Mapping[str, Any]) -> Options:
    """Read a whole map of options strictly (`Options.to_data`); raises OptionsError."""
    return Options.from_data(data, preset(data.get("preset")))
