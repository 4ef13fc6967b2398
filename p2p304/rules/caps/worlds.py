"""Whether the unseen cards can be placed at all.

Responsible for counting places against cards: each place takes cards of certain suits only, so that
Hall's condition over sets of suits decides. It knows nothing of play.
"""

from __future__ import annotations

from p2p304.rules.caps.bitboard import ALL_SUITS, SUIT_CARDS

_S, _H, _D, _C = SUIT_CARDS


def is_placeable(counts: tuple[int, int, int, int], places: dict[int, int]) -> bool:
    """Whether cards, so many of each suit, fill ``places`` (set of suits to number of cards, in
    all as many as there are cards): no set of suits has more places confined to it than cards."""
    confined = [(suits, n) for suits, n in places.items() if suits != ALL_SUITS]
    if not confined:
        return True
    unions = {0}
    for suits, _ in confined:
        unions |= {suits | union for union in unions}
    spades, hearts, diamonds, clubs = counts
    for union in unions:
        left = (spades if union & 1 else 0) + (hearts if union & 2 else 0)
        left += (diamonds if union & 4 else 0) + (clubs if union & 8 else 0)
        for suits, n in confined:
            if not suits & ~union:
                left -= n
        if left < 0:
            return False
    return True


def suit_counts(pool: int) -> tuple[int, int, int, int]:
    """How many cards of each suit."""
    return (
        (pool & _S).bit_count(),
        (pool & _H).bit_count(),
        (pool & _D).bit_count(),
        (pool & _C).bit_count(),
    )
