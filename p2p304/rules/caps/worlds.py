"""Can the unseen cards be placed at all?

Owns the count of places against cards: each place takes cards of certain suits only, so that
Hall's condition over sets of suits decides. Knows no play.
"""

from __future__ import annotations

from p2p304.rules.caps.bits import ALL_SUITS, SUIT_CARDS

_S, _H, _D, _C = SUIT_CARDS


def placeable(pool: int, places: dict[int, int]) -> bool:
    """Whether the cards ``pool`` fill ``places`` (set of suits to number of cards, in all as many
    as there are cards): no set of suits has more places confined to it than cards."""
    if places.get(0):
        return False
    confined = [(suits, n) for suits, n in places.items() if n and suits != ALL_SUITS]
    if not confined:
        return True
    counts = [(pool & cards).bit_count() for cards in (_S, _H, _D, _C)]
    unions = {0}
    for suits, _ in confined:
        unions |= {suits | union for union in unions}
    for union in unions:
        if union == 0 or union == ALL_SUITS:
            continue
        need = sum(n for suits, n in confined if suits & ~union == 0)
        have = sum(counts[i] for i in range(4) if union >> i & 1)
        if need > have:
            return False
    return True
