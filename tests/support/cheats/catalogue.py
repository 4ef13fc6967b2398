"""All cheats of the catalogue; importing this module makes every one of them known."""

from __future__ import annotations

from tests.support.cheats import (
    bidding,
    claims,
    deal,
    play,
    sealing,
    sharing,
    spoilt,
    trick,
    variants,
)
from tests.support.cheats.harness import all_cheats

CATALOGUE = (claims, deal, bidding, play, sealing, sharing, spoilt, trick, variants)


CHEATS = all_cheats()
