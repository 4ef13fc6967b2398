"""Games for protocol/transcripts at moments on which programs could disagree: who pays what, which
card an absent seat takes of equals, and what a bid for every trick leaves out.

Responsible for these games, cut off where the moment is over; protocol/derived.json goes on from
some of them. The others are sound_games.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from p2p304.log.transcript import MAGIC, RawBlock, read_blocks
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import FULL_COURT, Action
from p2p304.rules.core.cards import Card, Suit, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.variants.presets import preset
from p2p304.table.state.table import TableState
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.games.game_builders import LED, Game, called_last, of_last_to_speak
from scripts.vectors.transcripts.games.spoilt_games import exchange
from tests.support.cheats.games import (
    SIX_TRUMPS,
    Wish,
    calling,
    dealt,
    declaring,
    leading,
    passive,
    wishing,
)
from tests.support.table import simnet, stacked
from tests.support.table.leaving_games import left_then

Until = Callable[[list[RawBlock]], int]
"""How many blocks of a game are kept."""


def trick_that_waits() -> simnet.Net:
    """An opponent lays a card face down in the first trick, in which the trump maker's card is the
    highest that all see."""
    whole, first = dealt(SIX_TRUMPS)
    hands = [list(each) for each in whole]
    exchange(hands, (first + 1) % 4, (first + 3) % 4, Suit.HEARTS, Suit.DIAMONDS)
    rules = stacked.rules(away="replace").override({"external_caps": 8})
    net = stacked.make(hands, options=rules)
    net.choosers = [wishing(passive)] * 4
    net.choosers[first] = wishing(leading(cards(LED), acts.Closed, card("8S")))
    return net


def doubled_by_opponents() -> simnet.Net:
    """An opponent of the trump maker leads all tricks, and says double."""
    rules = stacked.rules(double="on", away="replace", redeal15="off", caps="off")
    own = "JH 9H AH TH KH QH 8H JS"
    whole, first = dealt(own)
    hands = [list(each) for each in whole]
    maker = (first + 1) % 4
    other = next(seat for seat in range(4) if card("7H") in hands[seat])
    hands[other], hands[maker] = hands[maker], hands[other]
    net = stacked.make(hands, options=rules)
    net.choosers = [wishing(passive)] * 4
    leads = preferring(*cards(own))

    def doubling(action: Action) -> float:
        return 9.0 if isinstance(action, acts.Double) else leads(action)

    net.choosers[first] = wishing(doubling)
    net.choosers[maker] = wishing(leading([], acts.Open, card("7H")))
    return net


def court_with_trumps_kept() -> simnet.Net:
    """A trump maker that must win every trick leads another suit, although nobody followed its last
    trump and it holds more of them."""
    options = {"full_court": "on", "deal": "all_first"}
    hands, first = dealt("JS 9S AS TS KS QS 8S JH", options)
    net = stacked.make(hands, options=stacked.rules(**options))
    net.choosers = [wishing(passive)] * 4
    led = leading(cards("JS 9S JH AS TS KS QS 8S"), acts.Open, card("8S"))

    def wish(action: Action) -> float:
        court = isinstance(action, acts.Bid) and action.amount == FULL_COURT
        return 9.0 if court else led(action)

    net.choosers[first] = wishing(wish)
    return net


def of_equal_suits() -> simnet.Net:
    """The dealer leaves when it must bid: its first cards are two of each of two suits, the second
    of which has the card worth less. A player cuts with a card of that suit."""
    rules = stacked.rules(away="playout", all_pass="dealer_forced", redeal15="off")
    dealer = stacked.dealer_of(1, rules)
    hands = dealt_to(dealer, "KS QS 8D 7D 8H 7H 8C 7C")
    first, cuts = (dealer + 1) % 4, (dealer + 2) % 4
    exchange(hands, cuts, (dealer + 3) % 4, Suit.CLUBS, Suit.HEARTS)

    def game() -> simnet.Net:
        net = stacked.make(hands, options=rules)
        net.choosers = [wishing(passive)] * 4
        net.choosers[first] = wishing(preferring(*cards("JC")))
        net.choosers[cuts] = wishing(preferring(*cards("9D")))
        return net

    return left_then(game, of_last_to_speak)


def of_equal_cards() -> simnet.Net:
    """The player who leads first leaves before it: of an 8 and a 7, which are worth nothing, the 8
    stands first in the pack."""
    rules = stacked.rules(away="playout", redeal15="off")
    first = (stacked.dealer_of(1, rules) + 1) % 4
    hands = dealt_to(first, "KS 8S QC 7C AH 9H TD JD")

    def game() -> simnet.Net:
        net = stacked.make(hands, options=rules)
        net.choosers = [wishing(passive)] * 4
        maker = (first + 1) % 4
        net.choosers[maker] = wishing(leading([], acts.Closed, hands[maker][0]))
        return net

    def before_its_lead(state: TableState) -> int | None:
        hand = state.hand
        is_due = hand is not None and hand.phase is Phase.DECLARE
        return state.player_on(first) if is_due else None

    return left_then(game, before_its_lead)


def dealt_to(seat: int, names: str) -> list[list[Card]]:
    """Hands in which this seat has these cards, and the others the rest in turn."""
    own = cards(names)
    hands = [own if each == seat else [] for each in range(4)]
    rest = [each for each in stacked.rules().pack.cards if each not in own]
    for number, each in enumerate(rest):
        hands[(seat + 1 + number % 3) % 4].append(each)
    return hands


def preferring(*order: Card) -> Wish:
    """Passes, and plays the first of these cards that it may."""

    def wish(action: Action) -> float:
        match action:
            case acts.Play(card=Card() as own) if own in order:
                return float(len(order) - order.index(own))
        return passive(action)

    return wish


def cards(names: str) -> list[Card]:
    return [card(name) for name in names.split()]


def caps_of_opponent() -> simnet.Net:
    """An opponent leads six tricks of three suits, to which all follow. The cards that are left are
    of one suit, so trumps, and it holds the two highest: it calls Caps and ends the hand."""
    rules = stacked.rules(redeal15="off", pcc="off")
    first = (stacked.dealer_of(1, rules) + 1) % 4
    maker = (first + 1) % 4
    ranks = {first: "J9", maker: "87", (first + 2) % 4: "AT", (first + 3) % 4: "KQ"}
    hands = [[card(r + suit) for suit in "CDSH" for r in ranks[seat]] for seat in range(4)]
    net = stacked.make(hands, options=rules)
    net.choosers = [wishing(passive)] * 4
    order = [card(rank + suit) for suit in "DSHC" for rank in "J9"]
    net.choosers[first] = wishing(preferring(*order))
    net.choosers[maker] = wishing(leading([], acts.Closed, card("7C")))
    return calling(lambda: net, 5)


def gathered_with_a_card_down() -> simnet.Net:
    """A call of Caps ends the first hand, and opens a card that the caller had laid face down."""
    rules = preset("six-24").override({"shuffle": "minimal"})
    return called_last(partial(simnet.make_closed, 12, hands=2, rules=rules))


def void_after_a_false_call() -> simnet.Net:
    """Spoilt trumps are called wrongly, and a violation makes the hand void; a second hand
    follows."""
    hands, first = dealt(SIX_TRUMPS)
    net = stacked.make(hands, options=stacked.rules(violation="void"), played=2)
    net.choosers = [wishing(passive)] * 4
    net.choosers[first] = wishing(leading(cards(LED), acts.Closed, card("8S")))
    return declaring(lambda: net, 2)


def after(kind: str, more: int = 0, number: int = 1) -> Until:
    """Up to the entry of this kind that is the ``number``th, and so many more places."""

    def until(blocks: list[RawBlock]) -> int:
        places = [n for n, block in enumerate(blocks) if block.entry.entry.kind == kind]
        return places[number - 1] + 1 + more

    return until


def after_double(blocks: list[RawBlock]) -> int:
    said = (block.entry.entry.body.get("word") == "double" for block in blocks)
    return list(said).index(True) + 1


HARD_GAMES: dict[str, tuple[Game, Until, str]] = {
    "trick-waits": (
        trick_that_waits,
        after("announce"),
        "external_caps=8, away=replace: a card lies face down in the first trick, which has a "
        "winner after the announcement",
    ),
    "doubled-by-opponents": (
        doubled_by_opponents,
        after_double,
        "away=replace: an opponent of the trump maker has won every trick, and says double",
    ),
    "court-trumps-kept": (
        court_with_trumps_kept,
        after("play", number=9),
        "a full court: no row *exhausted* is due at a lead of another suit",
    ),
    "absent-equal-suits": (
        of_equal_suits,
        len,
        "played out: two suits of the absent player are longest, and it lays the 7 of the second "
        "as indicator; a player cuts with that suit",
    ),
    "absent-equal-cards": (
        of_equal_cards,
        after("play"),
        "played out: of an 8 and a 7, which are worth nothing, the absent player leads the 7",
    ),
    "void-violation": (
        void_after_a_false_call,
        after("shuffle", number=5),
        "violation=void: spoilt trumps, called wrongly; the same dealer shuffles again",
    ),
    "gathered-card-down": (
        gathered_with_a_card_down,
        after("shuffle", number=7),
        "shuffle=minimal: the caller's card lay face down in its trick, and is gathered there; the "
        "first shuffle after it",
    ),
    "caps-of-opponent": (
        caps_of_opponent,
        len,
        "a call of Caps by an opponent ends the hand: the trump maker counts its hand and then the "
        "indicator",
    ),
}


def hard_transcripts() -> dict[str, Vector]:
    """File name to bytes, verdict, check and comment."""
    made: dict[str, Vector] = {}
    for name, (game, until, comment) in HARD_GAMES.items():
        net = game()
        net.run()
        whole = next(filter(None, net.transcripts))
        data = cut_off(whole, until(list(read_blocks(whole))))
        made[f"{name}.304"] = (data, "sound", None, comment)
    return made


def cut_off(transcript: bytes, places: int) -> bytes:
    """The first blocks of a transcript."""
    end = len(MAGIC)
    for _ in range(places):
        end += 4 + int.from_bytes(transcript[end : end + 4], "big")
    return transcript[:end]
