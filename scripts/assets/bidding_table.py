"""The table of bids, p2p304/bots/bidding_table.dat. usage: scripts/dev bidding-table [DEALS]

For each of the 2,262 kinds of four cards and each suit as trumps, deals are dealt at random and
played to the end by quick rules that see all cards. A few DEALS choose the suit, and eight times as
many (320) count how often each bid is reached. The seed is fixed: it writes the same table again.
Takes some minutes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from p2p304.bots.bidding_table import BIDS, FILE, Key
from p2p304.bots.search.playout import finish
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER
from p2p304.rules.core.cards import PACKS, Card, Suit
from p2p304.rules.worlds.world_play import WorldPlay, WorldRules
from scripts.usage import answer_help

PACK = PACKS[32]
POINTS = {card.bit: worth for card, worth in PACK.points.items()}
RULES = WorldRules(POINTS, (0, 1, 0, 1))


def kinds() -> Iterator[Key]:
    """Every kind of four cards: each suit's cards as bits, in falling order."""
    sets = sorted(range(256), key=lambda bits: -bits)

    def go(start: int, left: int, so_far: Key) -> Iterator[Key]:
        if len(so_far) == 4:
            if left == 0:
                yield so_far
            return
        for place in range(start, 256):
            if sets[place].bit_count() <= left:
                yield from go(place, left - sets[place].bit_count(), (*so_far, sets[place]))

    return go(0, 4, ())


def cards_of(kind: Key) -> list[Card]:
    ranks = "J9ATKQ87"
    return [
        PACK.named[ranks[place] + suit.value]
        for suit, bits in zip(Suit, kind, strict=True)
        for place in range(8)
        if bits >> 7 - place & 1
    ]


def reached(held: list[Card], trump: Suit, deals: int, chance: random.Random) -> list[int]:
    """The points of the trump maker's side in so many deals."""
    rest = [card.bit for card in PACK.cards if card not in held]
    lies = min(card.bit for card in held if card.suit is trump)
    mine = sum(card.bit for card in held) & ~lies
    found = []
    for number in range(deals):
        chance.shuffle(rest)
        hands = [mine | sum(rest[:4]), sum(rest[4:12]), sum(rest[12:20]), sum(rest[20:])]
        leader = number % 4
        table = WorldPlay(
            RULES, hands, lies, SUIT_CARDS[SUIT_NUMBER[trump]], 0, leader, [], (0, 0), first=True
        )
        found.append(finish(table))
    return found


def record(kind: Key, deals: int, chance: random.Random) -> bytes:
    held = cards_of(kind)
    tried = {
        suit: sum(min(points, 220) for points in reached(held, suit, deals, chance))
        for suit in {card.suit: None for card in held}
    }
    best = max(tried, key=lambda suit: tried[suit])
    points = reached(held, best, deals * 8, chance)
    chances = [round(100 * sum(p >= bid for p in points) / len(points)) for bid in BIDS]
    return bytes((*kind, list(Suit).index(best), *chances))


def main() -> None:
    answer_help(__doc__)
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    chance = random.Random(304)
    FILE.write_bytes(b"".join(record(kind, deals, chance) for kind in kinds()))


if __name__ == "__main__":
    main()
