"""The presets: every named game as one value of options.

Responsible for their names and values (SPEC.md, "Presets"), and for a sentence on each. What an
option means is left to options.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.rules.variants.options import Options, OptionsError, consistent, quoted

GAMES: Mapping[str, Phrase] = {
    "pagat": say("The usual game of Sri Lanka, as pagat.com tells it."),
    "bank": say("The usual game, but the loser pays a bank, so a match is shorter."),
    "fives": say("The usual game, but bids from 200 on go up in fives."),
    "wikipedia": say("The usual game, but each player bids or passes only once."),
    "catsatcards": say("The usual game as CatsAtCards tells it, with other penalties for Caps."),
    "half-court": say("The usual game, with the bid to win all tricks alone on four cards."),
    "six-24": say("Two sides of three, 24 cards, four tricks; the first player must bid."),
    "eight-32": say("Two sides of four, 32 cards, four tricks; the first player must bid."),
    "six-36": say("Two sides of three, 36 cards with sixes, six tricks."),
    "maharashtra": say("From Maharashtra: the trump maker calls a partner; marriages count."),
    "doso-viso": say("From Mumbai: the trump maker calls a partner; marriages do not count."),
    "tamil-304": say("From Tamil Nadu: all cards are dealt first, and a side may say double."),
    "tamil-504": say("From Tamil Nadu, two sides of three: threes count 50, 504 points in all."),
    "tamil-904": say("From Tamil Nadu, two sides of four: twos count 100, 904 points in all."),
    "tenths": say("The usual game, told in tenths: 1.6 is 160, and 25.0 points win a game."),
    "online-2": say("Online rules, one against one: ten cards and a stock, clockwise."),
    "online-3": say("Online rules, one against two: the trump maker may exchange two cards."),
    "online-4": say("Online rules, two against two: ask for the trump instead of hiding cards."),
}


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
        told = say("There are no rules named {word}. Choose one of: {words}.", word=quoted(name))
        raise OptionsError(told.filled(words=Quoted(", ".join(PRESETS))))
    return PRESETS[name]


def options_from_data(data: Mapping[str, Any]) -> Options:
    """Read a whole map of options strictly (`Options.to_data`); raises OptionsError."""
    return Options.from_data(data, preset(data.get("preset")))
