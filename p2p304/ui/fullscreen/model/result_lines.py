"""The result of a finished hand: result and reason, points, tokens, and the hands as far as seen.

Responsible for these lines. The rules decide the result. A card that was never turned up has no
name here, unless it is the player's own.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Card, by_suit
from p2p304.rules.core.notation import bid_phrase
from p2p304.rules.core.phrases import Who, say
from p2p304.rules.state.hand import Hand
from p2p304.ui.common.text_width import clipped, width_of
from p2p304.ui.narration.accounts import card_points, gained, games, my_account, standing
from p2p304.ui.narration.model import Ended, Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.play import offences, tenths
from p2p304.ui.terminal.canvas import Span, wrapped

Lines = list[list[Span]]


def result(model: Model, renderer: PhraseRenderer, width: int) -> Lines:
    """Describe the hand that has just ended, from the result to the cards."""
    if not model.ended:
        return [renderer.spans(say("No hand has ended yet."))]
    ended = model.ended[-1]
    mine, gains = my_account(ended.match, model.seat), ended.result.tokens
    style = "head"
    if mine is not None and any(gains):
        style = "good" if gains[mine] == max(gains) else "warn"
    lines = renderer.wrapped(width, ended.result.reason, style=style)
    lines += wrapped(contract_line(ended, renderer), width)
    told = [*gained(ended), *card_points(ended, model.seat)]
    told += [standing(ended.match, model.seat, ended.before), *games(ended.match, model.seat)]
    lines += renderer.wrapped(width, *told)
    lines += renderer.wrapped(width, *offences(ended), style="warn")
    if ended.taught:
        lines += [[], renderer.spans(say("What would have been better"), "head")]
    lines += renderer.wrapped(width, *ended.taught)
    return [*lines, [], *hands(model, renderer, width)]


def contract_line(ended: Ended, renderer: PhraseRenderer) -> list[Span]:
    """Describe the contract and its maker, with the trump suit if everybody has seen it."""
    hand = ended.hand
    last = hand.history[-1] if hand is not None and hand.history else None
    if isinstance(last, acts.Redeal):
        return renderer.spans(say("{who} rejected the first cards", who=Who(last.seat)), "minor")
    if hand is None or hand.maker is None:
        return renderer.spans(say("no contract"), "minor")
    bid = bid_phrase(hand.bid, tenths(hand))
    if hand.trump is None:
        return renderer.spans(say("{who} {bid}", who=Who(hand.maker), bid=bid))
    return renderer.spans(
        say("{who} {bid} in {suit}", who=Who(hand.maker), bid=bid, suit=hand.trump)
    )


def hands(model: Model, renderer: PhraseRenderer, width: int) -> Lines:
    """List every hand by suit after a hand, as far as its cards were seen."""
    ended = model.ended[-1] if model.ended else None
    hand = ended.hand if ended is not None else None
    if ended is None or hand is None:
        return [renderer.spans(say("No hand has ended yet."))]
    dots = renderer.look.frame.dots
    names = [clipped(renderer.name(seat), width // 2, dots) for seat in range(hand.options.seats)]
    widest = max(map(width_of, names)) + 2
    lines: Lines = []
    for seat, name in enumerate(names):
        own = ended.own if seat == model.seat else frozenset()
        cards = wrapped(_seen(ended, hand, seat, own, renderer), max(1, width - widest))
        for number, line in enumerate(cards):
            lead = name + " " * (widest - width_of(name)) if number == 0 else " " * widest
            lines.append([("head", lead), *line])
    return lines


def _seen(
    ended: Ended, hand: Hand, seat: int, own: frozenset[Card], renderer: PhraseRenderer
) -> list[Span]:
    """Return the cards of a seat as far as they were seen; ``own`` are those that the player at
    this screen has held there."""
    known = seen_cards(hand, seat) | own
    if ended.emptied is not None and ended.emptied.seat == seat:
        known |= ended.emptied.shown
    spans: list[Span] = []
    for card in by_suit(known, hand.options.pack):
        spans += [renderer.card(card), ("", " ")]
    options = hand.options
    early = hand.batches < len(options.batches)
    unknown = (options.batches[0] if early else options.tricks) - len(known)
    if unknown > 0:
        spans.append(("back", renderer.look.frame.back * unknown))
    return spans


def seen_cards(hand: Hand, seat: int) -> set[Card]:
    """Return the cards of a seat that everybody has seen: played face up, turned up, or shown."""
    plays = [play for trick in hand.tricks if (play := trick.by(seat)) is not None]
    known: set[Card] = {play.card for play in plays if play.card is not None}
    for action in hand.history:
        match action:
            case acts.Redeal(seat=shown_by, cards=cards) if shown_by == seat and cards:
                known.update(cards)
            case acts.Caps(seat=shown_by, order=order) if shown_by == seat:
                known.update(order)
    if seat == hand.maker and hand.indicator is not None:
        known.add(hand.indicator)
    return known
