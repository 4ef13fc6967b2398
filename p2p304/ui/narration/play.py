"""Actions, and what followed from them, as a spectator may see them, and for the own cards.

Responsible for these sentences and for their part of the model. A card that lies face down has no
name in them, because the events carry none. An unknown kind of action is shown by its name.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.notation import bid_phrase, points_text
from p2p304.rules.core.phrases import Phrase, Who, say
from p2p304.rules.play.view import View
from p2p304.rules.state.auction import partner_of
from p2p304.rules.state.hand import Hand, Phase
from p2p304.table.state.events import Acted
from p2p304.ui.narration.model import Ended, Line, Model, Stage, Tone

_SIMPLE: dict[type[Action], Phrase] = {
    acts.Pass: say("{who} passes."),
    acts.LayTrump: say("{who} lays the indicator face down."),
    acts.Closed: say("{who} plays closed trump."),
    acts.Spoilt: say("{who} declares spoilt trumps."),
    acts.Exchange: say("{who} exchanges two cards."),
    acts.Keep: say("{who} exchanges no cards."),
    acts.Reveal: say("{who} asks for the trump."),
    acts.Double: say("{who} says double: that side must win every trick."),
}
"""Actions of which nothing is told but who acts."""


def tenths(hand: Hand) -> bool:
    """Whether amounts are written in tenths at this table."""
    return hand.options.tenths


def reduce_action(model: Model, event: Acted) -> tuple[Model, tuple[Line, ...]]:
    """Return the model after an action, with the own cards, and its lines in the log."""
    action, before, hand = event.action, event.before, event.hand
    view, options, chosen = model.view, model.options, model.chosen
    if view is not None:
        view = replace(view, hand=hand)
        if action.seat == view.seat:
            view, options, chosen = _after_own(view, chosen or action), (), None
        view = _indicator_up(view)
    own_down = model.own_down
    if isinstance(action, Play) and action.card is None and action.seat == model.seat:
        laid = _laid_down(model)
        own_down = (*own_down, (len(hand.tricks) - 1, laid)) if laid is not None else own_down
    after = replace(
        model,
        stage=Stage.PLAYING,
        own_down=own_down,
        hand=hand,
        view=view,
        options=options,
        chosen=chosen,
        caps_order=(),
        emptied=model.emptied and model.emptied.now(event.empty),
    )
    lines = acted(action, before, hand)
    if _by_the_clock(model, action):
        told = say("Your time is over. Your program plays for you.")
        lines = [Line(told, Tone.WARN, lines[0].trick if lines else None), *lines]
    return after, tuple(lines)


def _laid_down(model: Model) -> Card | None:
    """Return the own card that goes face down now: the choice on its way names it."""
    chosen, view = model.chosen, model.view
    if isinstance(chosen, Play) and chosen.indicator and view is not None:
        return view.indicator
    return chosen.card if isinstance(chosen, Play) else None


def _by_the_clock(model: Model, action: Action) -> bool:
    """Whether an own action was made by the clock: this player had chosen nothing."""
    return model.turn_ends is not None and action.seat == model.seat and model.is_my_turn


def _after_own(view: View, action: Action) -> View:
    """Return the own cards after an own action; the next view from the table replaces this one."""
    match action:
        case Play(card=card, indicator=True):
            return replace(view, indicator=None)
        case Play(card=card) if card is not None:
            return replace(view, cards=view.cards - {card})
        case acts.LayTrump(card=card) if card is not None:
            return replace(view, cards=view.cards - {card}, indicator=card)
    return view


def _indicator_up(view: View) -> View:
    """Return the indicator to the hand once it no longer lies face down and was not played."""
    card: Card | None = view.indicator
    mine = view.hand.maker == view.seat and view.hand.indicator_down
    if card is None or mine:
        return view
    played = any(p.indicator and p.seat == view.seat for _, p in view.hand.numbered_plays)
    return replace(view, indicator=None, cards=view.cards if played else view.cards | {card})


def acted(action: Action, before: Hand, hand: Hand) -> list[Line]:
    """Describe an action and what followed from it."""
    phrase = _did(action, before)
    minor = isinstance(action, Play)
    trick = len(hand.tricks) - 1 if minor or _turns_up(action, before) else None
    lines = [] if phrase is None else [Line(phrase, Tone.MINOR if minor else Tone.PLAIN, trick)]
    return lines + _follows(before, hand)


def _did(action: Action, before: Hand) -> Phrase | None:
    who = Who(action.seat)
    match action:
        case acts.Bid(amount=amount):
            return say("{who} bids {bid}.", who=who, bid=bid_phrase(amount, tenths(before)))
        case acts.Ask(seat=seat):
            partner = Who(partner_of(before.options, seat))
            return say("{who} asks {partner} to bid.", who=who, partner=partner)
        case acts.Redeal(cards=cards):
            return say(
                "{who} rejects {cards}: less than {points} points.",
                who=who,
                cards=cards or (),
                points=points_text(15, tenths(before)),
            )
        case acts.Open(card=card):
            return _opened(who, card)
        case Play():
            return _played(action, before)
        case acts.Announce():
            return _announced(action, before)
        case acts.Caps(order=order):
            return say("{who} calls Caps: {cards}.", who=who, cards=order)
        case acts.Call(card=card):
            return say("{who} calls the holder of {card} as partner.", who=who, card=card)
        case acts.Show(card=card):
            return _shown(who, card)
        case acts.Marriage(suit=suit):
            return say("{who} shows a marriage in {suit}.", who=who, suit=suit)
    told = _SIMPLE.get(type(action))
    return None if told is None else told.filled(who=who)


def _opened(who: Who, card: Card | None) -> Phrase:
    if card is None:
        return say("{who} plays open trump.", who=who)
    return say(
        "{who} plays open trump: the indicator is {card}, {suit} are trumps.",
        who=who,
        card=card,
        suit=card.suit,
    )


def _played(action: Play, before: Hand) -> Phrase:
    who = Who(action.seat)
    if action.down or action.card is None:
        if action.indicator:
            return say("{who} cuts with the indicator, face down.", who=who)
        return say("{who} plays a card face down.", who=who)
    if action.indicator:
        return say("{who} plays the indicator, {card}.", who=who, card=action.card)
    if before.trick is None:
        return say("{who} leads {card}.", who=who, card=action.card)
    return say("{who} plays {card}.", who=who, card=action.card)


def _announced(action: acts.Announce, before: Hand) -> Phrase:
    who, card = Who(action.seat), action.indicator
    cutting = before.tricks[-1].has_indicator
    if card is None:
        return say("{who} looks at the face-down cards: no trumps.", who=who)
    if not action.revealed and not cutting:
        return _shown(who, card)
    shown = tuple(say("{who} {card}", who=Who(seat), card=shown) for seat, shown in action.revealed)
    if not shown:
        return say(
            "{who} announces a cut with {card}: {suit} are trumps.",
            who=who,
            card=card,
            suit=card.suit,
        )
    return say(
        "{who} announces a cut: the indicator is {card}, {suit} are trumps. Turned up: {shown}.",
        who=who,
        card=card,
        suit=card.suit,
        shown=shown,
    )


def _turns_up(action: Action, before: Hand) -> bool:
    """Whether an announcement names cards that were played to the trick."""
    if not isinstance(action, acts.Announce):
        return False
    return bool(action.revealed) or before.tricks[-1].has_indicator


def _shown(who: Who, card: Card) -> Phrase:
    return say(
        "{who} shows the indicator {card}: {suit} are trumps.", who=who, card=card, suit=card.suit
    )


def offences(ended: Ended) -> list[Phrase]:
    """Describe the hidden plays that broke a rule, found at the count."""
    return [
        say(
            "Found at the final review: {who} broke a rule. {what}.",
            who=Who(offence.seat),
            what=offence.phrase,
        )
        for offence in ended.offences
    ]


def _follows(before: Hand, hand: Hand) -> list[Line]:
    """Describe what follows from an action: the bid won, the partner out, a trick won."""
    lines = []
    bidding = before.phase.value.startswith("bid")
    if bidding and hand.phase is not before.phase:
        lines += _bidding_over(hand)
    done = [t for t in hand.tricks if t.winner is not None]
    was = [t for t in before.tricks if t.winner is not None]
    if len(done) > len(was) and (winner := done[-1].winner) is not None:
        phrase = say("{who} wins trick {n}.", who=Who(winner), n=len(done))
        lines.append(Line(phrase, Tone.PLAIN))
    return lines


def _bidding_over(hand: Hand) -> list[Line]:
    if hand.result is not None or hand.maker is None:
        return []
    who, bid = Who(hand.maker), bid_phrase(hand.bid, tenths(hand))
    if hand.phase is Phase.DECLARE:
        return [Line(say("No bid in the second round: {who} plays {bid}.", who=who, bid=bid))]
    lines = [Line(say("{who} is the trump maker with {bid}.", who=who, bid=bid), Tone.HEAD)]
    out = [Who(seat) for seat in range(hand.options.seats) if seat not in hand.playing]
    told = say("{who} lays their cards aside and sits out.")
    return [*lines, *(Line(told.filled(who=partner)) for partner in out)]
