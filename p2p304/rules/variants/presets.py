"""The presets: every named game as one value of options.

Responsible for their names and values (SPEC.md, "Presets"). What an option means is left to
options.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from p2p304.rules.variants.options import Options, OptionsError, consistent

_PAGAT = Options()
_CATS = replace(
    _PAGAT,
    bid8_start="dealer_right",
    bid8_min="over250",
    reveal="all",
    wrong_caps="additive",
    external_caps="none",
    spoilt="opponents",
    spoilt_until="trick8",
)
_SIX_24 = replace(
    _PAGAT, seats=6, pack_name=24, deal="3+1", redeal15=False, bid_min=200, bid_first="must"
)
_MAHARASHTRA = replace(
    _PAGAT,
    partner="called",
    ask_partner=False,
    half_court=True,
    bid4="courts",
    full_court=True,
    pcc=False,
    bid8=False,
    marriages=True,
    last_trick=10,
    spoilt="off",
    caps="off",
    redeal15=False,
)
_TAMIL = replace(
    _PAGAT,
    deal="all_first",
    redeal15=False,
    rebid="once",
    over_partner="never",
    ask_partner=False,
    bid8=False,
    double=True,
    spoilt="off",
    caps="off",
)
_ONLINE = replace(
    _PAGAT,
    direction="cw",
    deal="all_first",
    redeal15=False,
    bid_min=150,
    rebid="first200",
    over_partner="first200",
    ask_partner=False,
    all_pass="dealer_forced",
    bid8=False,
    pcc=False,
    bid304=True,
    open_trump=False,
    hidden="ask_reveal",
    open_after_250=False,
    exhausted=False,
    spoilt="auto",
    caps="off",
    score="online",
    match="points",
    tokens=25,
    timer=30,
    timeout="random",
)
_ALONE = replace(_ONLINE, partner="none", over_partner=200)

PRESETS: Mapping[str, Options] = {
    name: consistent(replace(options, preset=name))
    for name, options in {
        "pagat": _PAGAT,
        "bank": replace(_PAGAT, match="bank"),
        "fives": replace(_PAGAT, step_over_200=5),
        "wikipedia": replace(_PAGAT, rebid="once", over_partner="never", bid8_min="equal_ok"),
        "catsatcards": _CATS,
        "half-court": replace(_PAGAT, half_court=True),
        "six-24": _SIX_24,
        "eight-32": replace(_SIX_24, seats=8, pack_name=32),
        "six-36": replace(_PAGAT, seats=6, pack_name=36, deal="4+2"),
        "maharashtra": _MAHARASHTRA,
        "doso-viso": replace(_MAHARASHTRA, marriages=False, last_trick=0),
        "tamil-304": _TAMIL,
        "tamil-504": replace(_TAMIL, seats=6, pack_name="36-threes", bid_min=260),
        "tamil-904": replace(_TAMIL, seats=8, pack_name=40, bid_min=460),
        "tenths": replace(_PAGAT, tenths=True),
        "online-2": replace(_ALONE, seats=2, stock="draw"),
        "online-3": replace(_ALONE, seats=3, stock="exchange"),
        "online-4": _ONLINE,
    }.items()
}


def preset(name: object) -> Options:
    """A preset by name; raises OptionsError."""
    if not isinstance(name, str) or name not in PRESETS:
        raise OptionsError(
            f"There are no rules named {str(name)[:24]!r}. Choose one of: {', '.join(PRESETS)}."
        )
    return PRESETS[name]


def options_from_data(data: Mapping[str, Any]) -> Options:
    """Read a whole map of options strictly (`Options.to_data`); raises OptionsError."""
    return Options.from_data(data, preset(data.get("preset")))
