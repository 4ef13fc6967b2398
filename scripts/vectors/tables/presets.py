"""protocol/presets.json: every option's values, and the whole map of options of every preset."""

from __future__ import annotations

from typing import Any

from p2p304.rules.variants.options import PLAYABLE
from p2p304.rules.variants.presets import PRESETS


def presets() -> dict[str, Any]:
    values: dict[str, Any] = {name: list(allowed) for name, allowed in PLAYABLE.items()}
    values["tokens"] = {"from": PLAYABLE["tokens"][0], "to": PLAYABLE["tokens"][-1]}
    maps = {name: dict(sorted(options.to_data().items())) for name, options in PRESETS.items()}
    return {"values": values, "presets": maps}
