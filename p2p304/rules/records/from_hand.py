"""A hand that was played, as a hand record (SPEC.md, "Records of a transcript").

Responsible for what public facts tell of the cards: a card that nobody has shown is left open. In
which order a seat's cards were dealt is not public; the record has an order in which every action
was allowed. The form of a record is record.py's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import Card, by_suit
from p2p304.rules.core.notation import word
from p2p304.rules.core.seats import Seat, names
from p2p304.rules.play.counting import hands_as_dealt, indicator_of
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset

CONSEQUENCES = (acts.Announce, acts.Show, acts.Count)
"""What follows of itself, and is no action of a record."""


def record_of(hand: Hand) -> dict[str, Any]:
    """The record as a JSON object: cards that are not known are None, and ``?`` in actions."""
    known, options = names(hand.options.seats), hand.options
    hands, pile = _dealt(hand)
    return {
        "rules": written_rules(options),
        "dealer": known[hand.dealer],
        "hands": {name: [c and c.name for c in hands[seat]] for seat, name in enumerate(known)},
        **({"pile": [c and c.name for c in pile]} if pile else {}),
        "actions": action_lines(hand),
    }


def written_rules(options: Options) -> str | dict[str, Any]:
    """A preset's name, or the preset and the options that differ from it."""
    usual, given = preset(options.preset).to_data(), options.to_data()
    changed = {name: value for name, value in given.items() if value != usual[name]}
    return {"preset": options.preset, **changed} if changed else options.preset


def action_lines(hand: Hand) -> list[str]:
    """The actions in the words of a record, with ``?`` for a card that the table does not know."""
    known = names(hand.options.seats)
    return [f"{known[seat]} {said}" for seat, said in _said(hand)]


def _said(hand: Hand) -> Iterator[tuple[Seat, str]]:
    """Every action with the cards that came to light later."""
    played = [0] * hand.options.seats
    laid = [action for action in hand.history if isinstance(action, acts.LayTrump)]
    for action in hand.history:
        seat, shown = action.seat, action
        if isinstance(action, CONSEQUENCES):
            continue
        if isinstance(action, Play):
            play = hand.tricks[played[seat]].by(seat)
            played[seat] += 1
            shown = Play(seat, play.card if play else None, action.down)
        elif isinstance(action, acts.LayTrump) and action is laid[-1]:
            shown = acts.LayTrump(seat, indicator_of(hand))
        yield (
            seat,
            "exchange ? ?"
            if isinstance(action, acts.Exchange)
            else word(shown, hand.options.tenths),
        )


def _dealt(hand: Hand) -> tuple[list[list[Card | None]], list[Card | None]]:
    """Each seat's cards in the order dealt, and the pile, as far as they are known."""
    options, indicator = hand.options, indicator_of(hand)
    held = [set(cards) for cards in hands_as_dealt(hand)]
    if indicator is not None and hand.maker is not None:
        held[hand.maker].add(indicator)
    early: list[tuple[Card, ...]] = [()] * options.seats
    for action in hand.history:
        if isinstance(action, acts.Redeal) and action.cards is not None:
            early[action.seat] = action.cards
            held[action.seat].update(action.cards)
        if isinstance(action, acts.Exchange):
            # What was taken up looks like what was dealt; only the indicator was laid before.
            held[action.seat] = set() if indicator is None else {indicator}
    drawn = {seat: _drawn(hand, seat, held[seat] - {indicator}) for seat in range(options.seats)}
    hands = []
    for seat in range(options.seats):
        first = early[seat] or ((indicator,) if seat == hand.maker and indicator else ())
        later = by_suit(held[seat] - set(drawn[seat]) - set(first), options.pack)
        cards: list[Card | None] = [*first, *later]
        hands.append(cards + [None] * (options.hand_size - len(cards)))
    return hands, _pile(hand, drawn)


def _drawn(hand: Hand, seat: Seat, held: set[Card]) -> list[Card | None]:
    """The cards that a seat drew, in order. Each was drawn before it was played, and after every
    trick that shows the seat to have had none of its suit."""
    played = {p.card: n for n, p in hand.numbered_plays if p.seat == seat}
    earliest = dict.fromkeys(held, 0)
    for number, trick in enumerate(hand.tricks):
        play = trick.by(seat)
        if play is None or play.card is None or play.card.suit is trick.led:
            continue
        lacks = {trick.led}
        if _has_asked(hand, seat, number) and play.card.suit is not hand.trump:
            lacks.add(hand.trump)
        for card in held:
            if card.suit in lacks and played.get(card, hand.options.tricks) > number:
                earliest[card] = number + 1
    found: list[Card | None] = []
    for draw in range(hand.drawn(), 0, -1):
        able = [
            card
            for card in by_suit(held, hand.options.pack)
            if card not in found and earliest[card] <= draw <= played.get(card, hand.options.tricks)
        ]
        found.insert(0, max(able, key=earliest.__getitem__, default=None))
    return found


def _has_asked(hand: Hand, seat: Seat, number: int) -> bool:
    """Whether the seat asked for trumps in trick ``number`` (from 0)."""
    plays = 0
    for action in hand.history:
        plays += isinstance(action, Play)
        if isinstance(action, acts.Reveal) and action.seat == seat:
            return plays // len(hand.playing) == number
    return False


def _pile(hand: Hand, drawn: Mapping[Seat, Sequence[Card | None]]) -> list[Card | None]:
    """The cards left over from the deal, in the order in which they were drawn."""
    pile: list[Card | None] = []
    seats = hand.options.seats
    for number in range(hand.drawn()):
        winner = hand.completed_tricks[number].winner or 0
        pile += [drawn[(winner + step) % seats][number] for step in range(seats)]
    return pile + [None] * (hand.options.stock_size - len(pile))
