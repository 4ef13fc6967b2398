"""A puzzle as the table's model: the picture, and the words beside it.

Responsible for what a solver is shown, on the full screen and in text mode. A puzzle about Caps
shows no card of another player.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.puzzles.puzzle import ASK_CAPS, NO, QUESTIONS, Kind, Puzzle, is_defence
from p2p304.rules.core.cards import Card, Suit, by_suit, card
from p2p304.rules.core.notation import amount_text
from p2p304.rules.core.phrases import Phrase, Place, Who, say
from p2p304.rules.core.seats import Seat
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.auction import partner_of
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.presets import GAMES
from p2p304.ui.common.key_map import KEYS, Keys
from p2p304.ui.narration.choices import in_order
from p2p304.ui.narration.model import Line, Model, Stage, Tone

USUAL = "pagat"
"""The game of a puzzle that names none."""
NICKS = ("Asha", "Bandu", "Chitra", "Dilan")
_GOALS = {
    (Kind.CUT, False): say("Cut, or throw a card away? One card alone makes the bid of {bid}."),
    (Kind.CUT, True): say("Cut, or throw a card away? One card alone defeats the bid of {bid}."),
    (Kind.CARD, False): say("Which card? One alone makes the bid of {bid}."),
    (Kind.CARD, True): say("Which card? One alone defeats the bid of {bid}."),
}
_OPEN = say("All four hands are open, and everybody plays as well as possible.")


def lines(puzzle: Puzzle, referee: Referee, number: int, count: int) -> list[Line]:
    """Return the question, and what the solver needs to know."""
    title = say("Puzzle {n} of {count}", n=number, count=count)
    hand, seat = referee.hand, _asked(referee)
    partner = Who(partner_of(hand.options, seat))
    you = say(
        "You are {who} ({place}). Your partner is {partner}.",
        who=Who(seat),
        place=Place(seat),
        partner=partner,
    )
    told = [Line(title, Tone.HEAD)]
    preset = hand.options.preset
    if preset != USUAL:
        told.append(Line(say("The game: {name}. {about}", name=preset, about=GAMES[preset])))
    told.append(Line(you))
    if puzzle.kind is not Kind.CAPS:
        goal = _GOALS[puzzle.kind, is_defence(referee)]
        bid = amount_text(hand.bid, hand.options.tenths)
        return [*told, Line(goal.filled(bid=bid)), Line(_OPEN, Tone.MINOR)]
    told += [Line(QUESTIONS[puzzle.kind], Tone.HEAD), Line(ASK_CAPS)]
    unseen = tuple(unseen_cards(referee))
    told.append(Line(say("Not seen: {cards}", cards=unseen), Tone.MINOR))
    out = [
        say("{who} is out of {suits}.", who=Who(other), suits=shown)
        for other in range(hand.options.seats)
        if other != seat and (shown := _out_of(hand, other, unseen))
    ]
    return told + [Line(phrase, Tone.MINOR) for phrase in out]


def model_of(puzzle: Puzzle, referee: Referee, number: int, count: int, keys: Keys = KEYS) -> Model:
    """Return the table at the moment of the question, as the solver sees it."""
    hand, seat = referee.hand, _asked(referee)
    view = referee.view(seat)
    shown = puzzle.kind is not Kind.CAPS
    model = Model(
        keys=keys,
        stage=Stage.PLAYING,
        nicks=NICKS,
        places=len(NICKS),
        seat=seat,
        dealer=hand.dealer,
        match=Match.start(hand.options),
        hand=hand,
        view=view,
        options=in_order(view),
        claims=not shown,
        has_people=False,
        log=tuple(lines(puzzle, referee, number, count)),
    )
    return replace(model, open_hands=hands_of(referee)) if shown else model


def hands_of(referee: Referee) -> tuple[tuple[Card, ...], ...]:
    """Return every hand, each as it is held."""
    pack = referee.hand.options.pack
    return tuple(tuple(by_suit(cards, pack)) for cards in referee.held)


def unseen_cards(referee: Referee) -> list[Card]:
    """Return the cards that the player who is asked has not seen."""
    hand, view = referee.hand, referee.view(_asked(referee))
    seen = {*hand.seen, *view.cards, *(one for _, _, one in view.known)}
    return by_suit({*hand.options.pack.cards} - seen, hand.options.pack)


def solution(puzzle: Puzzle) -> Phrase:
    """Return the answer with its reason."""
    why = puzzle.reason()
    if puzzle.answer == NO:
        return say("The answer: no. {why}", why=why)
    cards = tuple(card(name) for name in puzzle.answer.removeprefix("caps ").split())
    return say("The answer: {cards}. {why}", cards=cards, why=why)


def _asked(referee: Referee) -> Seat:
    seat = referee.hand.turn
    if seat is None:
        raise LookupError("a puzzle has a player on turn")
    return seat


def _out_of(hand: Hand, seat: Seat, unseen: tuple[Card, ...]) -> tuple[Phrase, ...]:
    """Return the suits that a player did not follow, of those of which a card is unseen."""
    missed: set[Suit] = set()
    for trick in hand.completed_tricks:
        play = trick.by(seat)
        if trick.led is not None and play is not None and not trick.has_followed(seat):
            missed.add(trick.led)
    left = {one.suit for one in unseen}
    return tuple(say("{suit}", suit=suit) for suit in Suit if suit in missed & left)
