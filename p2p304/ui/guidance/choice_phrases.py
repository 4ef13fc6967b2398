"""The player's possible choices in words: an open action, a free seat, a cut, a refusal, and in
one sentence what can be done in the own turn.

Responsible for these phrases. They are made of the open actions and the table's options, so that
none names what this game or this moment does not have. Which actions are open is
rules/play/view.py's; what every choice means is help.py's.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import PCC, Action, Play
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import bid_phrase
from p2p304.rules.core.phrases import Phrase, Place, Who, say
from p2p304.rules.core.seats import FOUR, Seat
from p2p304.rules.legality.bids import amounts, check_bid
from p2p304.rules.play.default_choice import timeout_choice
from p2p304.rules.play.view import View
from p2p304.rules.state.auction import partner_of
from p2p304.rules.state.hand import Phase
from p2p304.ui.common.text_width import clipped
from p2p304.ui.common.wording import partners
from p2p304.ui.narration.intents import ANYWHERE, UNCUT, CutPack, Sit
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.play import tenths

_MATES = 33
"""Columns for the partners' names beside a seat that can be chosen."""


def describe(action: Action | Sit | CutPack, model: Model) -> Phrase:
    """Describe an open action as a choice, a cut, or a free seat with the player who would be the
    partner."""
    match action:
        case CutPack():
            return say("do not cut") if action.at == 0 else say("cut the pack")
        case Sit(seat=seat):
            return _seat(seat, model)
        case acts.Bid(amount=amount):
            return say(
                "{bid}", bid=bid_phrase(amount, model.hand is not None and tenths(model.hand))
            )
        case acts.Pass():
            return say("pass")
        case acts.Ask(seat=seat):
            return _ask(seat, model)
        case acts.Redeal():
            return say("redeal (reject these cards)")
        case acts.Open():
            return say("open trump")
        case acts.Closed():
            return say("closed trump")
        case acts.LayTrump(card=card) if card is not None:
            return say("{card} as indicator", card=card)
        case acts.Play(card=card, down=down, indicator=indicator) if card is not None:
            if indicator and down:
                return say("cut with {card}", card=card)
            return say("{card} face down", card=card) if down else say("{card}", card=card)
    return _further(action)


def cut_meant(word: str) -> CutPack | None:
    """Return the cut that a typed line means, or None: ``no``, ``cut``, ``cut 12``."""
    first, _, number = word.strip().lower().partition(" ")
    if not number and first in ("no", "pass", "p", "1"):
        return UNCUT
    if not number and first in ("cut", "2"):
        return ANYWHERE
    is_place = number.isascii() and number.isdigit() and len(number) <= 2
    return CutPack(int(number)) if first == "cut" and is_place else None


def _ask(seat: Seat, model: Model) -> Phrase:
    """Describe the question to the partner; a player with several is told which one it is."""
    if model.hand is None or model.hand.options.seats == len(FOUR):
        return say("ask partner")
    return say("ask {partner}", partner=Who(partner_of(model.hand.options, seat)))


def broken_rule(broken: RuleBroken) -> Phrase:
    """Describe a refusal of the rules in one sentence."""
    return say("{why}.", why=broken.phrase)


def _seat(seat: int, model: Model) -> Phrase:
    mates = partners(seat, model.places)
    nicks = [nick for at, nick in zip(model.at, model.nicks, strict=True) if at in mates]
    if not nicks or nicks == [model.me]:
        return say("seat {seat}", seat=Place(seat))
    most = _MATES // len(nicks)
    others = ", ".join(clipped(nick, most) for nick in nicks if nick != model.me)
    return say("seat {seat}, with {nicks}", seat=Place(seat), nicks=others)


def _further(action: Action) -> Phrase:
    """Describe actions that only some tables play."""
    match action:
        case acts.Caps():
            return say("call Caps")
        case acts.Spoilt():
            return say("spoilt trumps")
        case acts.Call(card=card):
            return say("partner: holder of {card}", card=card)
        case acts.Exchange(cards=cards) if cards:
            return say("exchange {cards}", cards=cards)
        case acts.Keep():
            return say("keep (no exchange)")
        case acts.Reveal():
            return say("ask for the trump")
        case acts.Double():
            return say("double")
        case acts.Marriage(suit=suit):
            return say("marriage in {suit}", suit=suit)
    return say("{word}", word=notation.word(action))


Actions = tuple[Action, ...]
_DUE = {
    Phase.TRUMP4: say("Your turn: choose your indicator. Its suit becomes trumps."),
    Phase.TRUMP8: say("Your turn: choose your indicator. Its suit becomes trumps."),
    Phase.PARTNER: say("Your turn: call a card. The player who holds it is your partner."),
    Phase.EXCHANGE: say("Your turn: exchange two cards, or keep your hand."),
}


def my_due(view: View, options: Actions) -> Phrase:
    """Describe in one sentence what this player can do."""
    match view.hand.phase:
        case Phase.BID4 | Phase.BID8:
            return _bid(view, options)
        case Phase.DECLARE:
            return _declare(options)
        case Phase.PLAY:
            return _play(view, options)
    return _DUE.get(view.hand.phase, say("Your turn."))


def dealt(view: View) -> int:
    """Return how many cards this player has been dealt so far."""
    return sum(view.hand.options.batches[: view.hand.batches])


def _bid(view: View, options: Actions) -> Phrase:
    bids = [action.amount for action in options if isinstance(action, acts.Bid)]
    numbers = [amount for amount in bids if amount < PCC]
    named = tuple(say("{bid}", bid=bid_phrase(each)) for each in bids if each >= PCC)
    asker = view.hand.auction.asked_by
    if not bids:
        return say("Your turn: you can only pass.")
    if not numbers:
        return say("Your turn: bid {bids} on {n} cards, or pass.", bids=named, n=dealt(view))
    if not any(isinstance(action, acts.Pass) for action in options):
        told = say("Your turn: you must bid {bid} or more, on {n} cards.")
    elif asker is None:
        told = say("Your turn: bid {bid} or more on {n} cards, or pass.")
    else:
        told = say(
            "Your turn, asked by {who}: bid {bid} or more on {n} cards, or pass.", who=Who(asker)
        )
    told = told.filled(bid=bid_phrase(min(numbers), tenths(view.hand)), n=dealt(view))
    why = _why_not_less(view, min(numbers))
    return told if why is None else say("{due} {why}", due=told, why=why)


def _why_not_less(view: View, least: int) -> Phrase | None:
    """Return the rule by which the least bid is more than the next number; None in the second
    round, where it always is."""
    hand = view.hand
    lower = [n for n in amounts(hand.options) if hand.auction.high < n < least]
    if not lower or hand.auction.second:
        return None
    try:
        check_bid(hand.options, hand.auction, acts.Bid(view.seat, lower[-1]))
    except RuleBroken as broken:
        return broken_rule(broken)
    return None


def timeout_phrase(view: View) -> Phrase:
    """Describe what this player's program does when the time of the turn is up (``timeout``)."""
    certain = timeout_choice(view)
    if isinstance(certain, acts.Pass):
        return say("When the time is up, you pass.")
    if view.hand.options.timeout == "hint":
        return say("When the time is up, your program plays what its hint says.")
    match certain:
        case acts.Bid(amount=amount):
            bid = bid_phrase(amount, tenths(view.hand))
            return say("When the time is up, your program bids {bid}.", bid=bid)
        case acts.Exchange(cards=cards) if cards:
            return say("When the time is up, your program exchanges {cards}.", cards=cards)
    return say("When the time is up, your program chooses by chance.")


def _declare(options: Actions) -> Phrase:
    kinds = {type(action) for action in options}
    if kinds == {acts.Closed}:
        return say("Your turn: say that you play closed trump.")
    if kinds == {acts.Open}:
        return say("Your turn: you lead and hold only trumps, so play open trump.")
    return say("Your turn: play open or closed trump?")


def _play(view: View, options: Actions) -> Phrase:
    led, plays = view.led, [action for action in options if isinstance(action, Play)]
    caps = view.hand.caps
    if caps is not None and caps.seat == view.seat and plays and plays[0].card is not None:
        return say("Your turn: you called Caps. Your next card is {card}.", card=plays[0].card)
    if led is None:
        if any(isinstance(action, acts.Double) for action in options):
            return say("Your turn: lead a card, or say double first.")
        if any(isinstance(action, acts.Marriage) for action in options):
            return say("Your turn: lead a card. You can show a marriage first.")
        return say("Your turn: lead a card.")
    if any(play.card is not None and play.card.suit is led and not play.down for play in plays):
        return say("Your turn: follow {suit}.", suit=led)
    return _off_suit(view, options, plays).filled(suit=led)


def _off_suit(view: View, options: Actions, plays: list[Play]) -> Phrase:
    """Describe what can be done without a card of the suit led."""
    cuts = any(play.indicator and play.down for play in plays)
    discards = any(play.down and not play.indicator for play in plays)
    if cuts and discards:
        return say("Your turn: you have no {suit}. Cut, or play a card face down.")
    if cuts:
        return say("Your turn: you have no {suit}. You must cut with the indicator.")
    if discards:
        return say("Your turn: you have no {suit}. Play a card face down.")
    if any(isinstance(action, acts.Reveal) for action in options):
        return say("Your turn: you have no {suit}. Ask for the trump, or play any card.")
    trump = view.hand.trump
    if trump is not None and view.hand.asker == view.seat and _only(trump, plays):
        return say("Your turn: you asked for the trump. Play {trump}.", trump=trump)
    return say("Your turn: you have no {suit}. Play any card.")


def _only(suit: Suit, plays: list[Play]) -> bool:
    return all(play.card is not None and play.card.suit is suit for play in plays)
