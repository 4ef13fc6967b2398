"""The puzzles. usage: scripts/dev puzzles [--check] [find KIND FIRST_SEED HANDS [RULES]]

Solves every puzzle of ``p2p304/puzzles/collection.json`` exactly, writes the points that each card
reaches, and fails where not one answer alone is right. ``--check`` changes nothing. ``find``
simulates hands of club players and prints positions with one best play that these players miss
(``cut``, ``card``), or with a clear answer about Caps (``caps``), as entries without their ``why``.
RULES is the name of a game; without it pagat is played.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from p2p304.bots.club import ClubBot
from p2p304.bots.search import endgame
from p2p304.bots.search.endgame import Solver, TooLong
from p2p304.puzzles.puzzle import COLLECTION, NO, Kind, collection, is_defence
from p2p304.rules.caps import could_call, find_order
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import card
from p2p304.rules.core.seats import names, side
from p2p304.rules.play.view import known_to
from p2p304.rules.records.referee import Referee
from p2p304.rules.records.short_notation import notation as one_line
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.presets import preset
from p2p304.rules.worlds.world_play import WorldPlay, WorldRules
from tests.support.reference.caps_hands import strong_deal
from tests.support.reference.random_hands import dealt

endgame.MOST_NODES = 400_000


def reaches(referee: Referee) -> dict[str, int]:
    """The card points of the trump maker's side with each card that may be played, all hands being
    open and trumps too; raises TooLong."""
    plays = [action for action in referee.legal() if isinstance(action, Play)]
    solver = Solver(table_of(referee).points)
    return {notation.word(play): _reached(referee, play, solver) for play in plays}


def _reached(referee: Referee, play: Play, solver: Solver) -> int:
    if play.card is None:
        raise LookupError("a card to be played has a name")
    table = table_of(referee)
    table.play(play.seat, play.card.bit)
    least, most = 0, referee.hand.options.pack.total
    while least < most:
        middle = (least + most + 1) // 2
        if solver.reaches(table.copied(), middle):
            least = middle
        else:
            most = middle - 1
    return least


def table_of(referee: Referee) -> WorldPlay:
    """The moment as the solver needs it; trumps must be open."""
    hand, points = referee.hand, referee.hand.options.pack.points
    if hand.trump is None or hand.maker is None:
        raise LookupError("trumps are open")
    won, true, is_spent = [0, 0], referee.true_cards, False
    for number, trick in enumerate(hand.completed_tricks):
        if trick.winner is None:
            raise LookupError("a completed trick has a winner")
        won[(trick.winner - hand.maker) % 2] += sum(
            points[true[number, play.seat]] for play in trick.plays
        )
        leads = trick.leader == hand.maker and trick.led is hand.trump
        is_spent |= leads and not any(trick.has_followed(p.seat) for p in trick.plays[1:])
    rules = WorldRules(
        points={one.bit: n for one, n in points.items()},
        side=tuple((seat - hand.maker) % 2 for seat in range(hand.options.seats)),
        exhausts=hand.options.exhausted,
    )
    return WorldPlay(
        rules,
        hands=[bits(cards) for cards in referee.held],
        indicator=0,
        trump=SUIT_CARDS[SUIT_NUMBER[hand.trump]],
        maker=hand.maker,
        leader=hand.leader,
        plays=[(play.seat, true[hand.completed_count, play.seat].bit) for play in hand.plays],
        won=(won[0], won[1]),
        stuck=is_spent and hand.options.exhausted,
    )


def right_cards(referee: Referee, found: dict[str, int]) -> list[str]:
    """The cards that make the bid, or defeat it."""
    wanted = not is_defence(referee)
    return [word for word, reached in found.items() if (reached >= referee.hand.bid) is wanted]


def solved(one: dict[str, Any], referee: Referee) -> dict[str, Any]:
    """An entry with what its cards reach; raises ValueError if another answer is right, too."""
    if one["kind"] == Kind.CAPS.value:
        known = known_to(referee.view(referee.hand.turn or 0))
        order = [card(name) for name in one["answer"].split()[1:]]
        right = could_call(known, order) if one["answer"] != NO else find_order(known) is None
        if not right:
            raise ValueError(one["hand"])
        return one
    found = reaches(referee)
    if right_cards(referee, found) != [one["answer"]]:
        raise ValueError(one["hand"])
    return {**one, "reaches": found}


def simulated(kind: str, first: int, hands: int, rules: str = "pagat") -> Iterator[dict[str, Any]]:
    """Positions of simulated hands that may become puzzles."""
    bot, options = ClubBot(), preset(rules)
    for seed in range(first, first + hands):
        rng = random.Random(seed)
        if kind == Kind.CAPS.value:
            noise = rng.choice([1.5, 2.0, 3.0, 4.0])
            referee = Referee(options, seed % 4, strong_deal(rng, options, noise))
        else:
            referee = dealt(options, rng, seed % options.seats)
        said: list[str] = []
        while (seat := referee.hand.turn) is not None:
            choice = bot.choose(referee.view(seat))
            if _is_ending(referee.hand, len(referee.held[seat])):
                found = _caps(referee) if kind == Kind.CAPS.value else _play(referee, kind)
                if found is not None and found[0] != notation.word(choice):
                    line = _line(referee, said, rules)
                    yield {
                        "kind": kind,
                        "hand": line,
                        "answer": found[0],
                        "reaches": found[1],
                        "why": "",
                    }
            said.append(notation.text(choice))
            referee.act(choice)


def _is_ending(hand: Hand, held: int) -> bool:
    """Whether few cards are left, trumps are open, and a bid of points can be made or fail."""
    is_open = hand.phase is Phase.PLAY and hand.trump is not None
    return is_open and not hand.bids_all_tricks and held in (3, 4)


def _play(referee: Referee, kind: str) -> tuple[str, dict[str, int]] | None:
    """The one right card; both sides have won a trick, so that nobody could call Caps."""
    hand, held = referee.hand, referee.held[referee.hand.turn or 0]
    winners = {side(trick.winner or 0) for trick in hand.completed_tricks}
    is_all_up = all(play.card for trick in hand.completed_tricks for play in trick.plays)
    is_void = bool(hand.plays) and not any(one.suit is hand.led for one in held)
    can_cut = is_void and len({one.suit is hand.trump for one in held}) == 2
    fits = can_cut if kind == Kind.CUT.value else not is_void
    if len(winners) < 2 or not is_all_up or not fits or len(referee.legal()) < 3:
        return None
    try:
        found = reaches(referee)
    except TooLong:
        return None
    right = right_cards(referee, found)
    return (right[0], found) if len(right) == 1 else None


def _caps(referee: Referee) -> tuple[str, dict[str, int]] | None:
    """``no``, or the order, if no other one wins."""
    hand, seat = referee.hand, referee.hand.turn or 0
    ours = all(side(trick.winner or 0) == side(seat) for trick in hand.completed_tricks)
    tricks = hand.completed_tricks
    is_known = all(play.card or play.seat == seat for t in tricks for play in t.plays)
    if hand.plays or not ours or not is_known:
        return None
    known = known_to(referee.view(seat))
    orders = [order for order in permutations(referee.held[seat]) if could_call(known, order)]
    if len(orders) > 1:
        return None
    return (" ".join(["caps", *(one.name for one in orders[0])]) if orders else NO), {}


def _line(referee: Referee, said: list[str], rules: str) -> str:
    seats = names(referee.hand.options.seats)
    hands = {seats[n]: [one.name for one in cards] for n, cards in enumerate(referee.dealt)}
    dealer = seats[referee.hand.dealer]
    return one_line({"rules": rules, "dealer": dealer, "hands": hands, "actions": said})


def main() -> int:
    words = sys.argv[1:]
    if words[:1] == ["find"]:
        for found in simulated(words[1], int(words[2]), int(words[3]), *(words[4:5] or ["pagat"])):
            sys.stdout.write(json.dumps(found) + "\n")
        return 0
    entries = json.loads(COLLECTION.read_text(encoding="utf-8"))
    pairs = zip(entries, collection(), strict=True)
    anew = [solved(one, puzzle.position()) for one, puzzle in pairs]
    if anew == entries:
        return 0
    if "--check" in words:
        sys.exit(f"{COLLECTION.name} is out of date: run scripts/dev puzzles")
    COLLECTION.write_text(json.dumps(anew, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{COLLECTION.name} written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
