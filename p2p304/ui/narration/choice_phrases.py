"""The player's possible choices in words: an open action, a free seat, a refusal.

Responsible for these phrases, and the words of a cut. Which actions are open is
rules/play/view.py's.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase, Place, say
from p2p304.ui.common.seat_names import partners
from p2p304.ui.common.text_width import clipped
from p2p304.ui.narration.intents import ANYWHERE, UNCUT, CutPack, Sit
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.play import bid_phrase, tenths

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
        case acts.Ask():
            return say("ask partner")
        case acts.Redeal():
            return say("redeal (reject these cards)")
        case acts.Open():
            return say("open trump")
        case acts.Closed():
            return say("closed trump")
        case acts.LayTrump(card=card) if card is not None:
            return say("{card} as trump indicator", card=card)
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
