"""The rules' own sentences, refusals and results, as phrases that can be translated.

Owns the match between an English sentence of the rules and a template with gaps (a test holds
that no refusal of the rules is missing here). It decides nothing: what does not match is told as
it came.
"""

from __future__ import annotations

import re
from functools import cache

from p2p304.ui.common.phrases import Phrase, say

BIDDING = (
    say("A bid must be higher than {bid}"),
    say("A partner can be asked only in the first round"),
    say("A redeal is not played at this table"),
    say("All others have passed: the dealer must bid at least {bid}"),
    say("In the second round the least bid is now {bid}"),
    say("Only cards worth less than 15 may be rejected"),
    say("Only the first to speak may reject the cards, before speaking"),
    say("Over your partner's bid you need {bid} or more"),
    say("Partner Close Caps is bid with all cards in hand only"),
    say("Partner Close Caps is not played at this table"),
    say("The first to speak must bid: {bid} or more"),
    say("The highest number one may bid is {bid}"),
    say("The least bid is {bid}"),
    say("There is no bid of {bid}"),
    say("With the first cards only half court may be bid"),
    say("You have spoken, and {bid} has been bid: you may only pass"),
    say("You have spoken: a further bid must be {bid} or more"),
    say("Your cards are worth {points}: only less than 15 may be rejected"),
    say("Your partner cannot be asked now"),
    say("Your partner has bid: you must pass"),
    say("Your partner's bid is the highest: pass"),
    say("{bid} is bid with {when} only"),
    say("{bid} is not a bid: bids go up by ten"),
)
PLAYING = (
    say("A card face up must be named"),
    say("A card must be named"),
    say("A card that follows suit is played face up"),
    say("A cut is played face down"),
    say("A cut turns up the face-down cards"),
    say("A lead is played face up"),
    say("A trump from hand is never played face down: cut with the indicator"),
    say("After Caps the stated order is played: {card} is next"),
    say("Announced no trumps, but a trump lay among the face-down cards"),
    say("Another suit than the one led is played face down while trumps are closed"),
    say("Every card is played face up at this table"),
    say("It is another player's turn"),
    say("No indicator of yours lies on the table"),
    say("Only the indicator is left to play"),
    say("Open trump is not played at this table"),
    say("Open trump shows the indicator"),
    say("Playing closed, you may not lead a trump to the first trick"),
    say("The hand is over"),
    say("The indicator is only led or followed with in the last trick"),
    say("The indicator is played only as your last card, or once it has been shown"),
    say("The indicator is played only to cut another suit, or as your last card"),
    say("The indicator is the card to show"),
    say("The indicator must be shown now"),
    say("The last card is played face up"),
    say("There is no cut to show"),
    say("There is no trump among the cards shown"),
    say("Trumps are exhausted: lead the trumps in your hand first"),
    say("Trumps are open: cards are played face up"),
    say("You lead first and hold only trumps: play open trump"),
    say("You must follow suit: {suit}"),
    say("{card} has been played already"),
    say("{card} is not in your hand"),
    say("{what} cannot be done now"),
)
CLAIMS = (
    say("Caps has been called already in this hand"),
    say("Caps is called with all face-down cards that the caller knows"),
    say("Caps is not called where every trick has to be won anyway"),
    say("Caps is not played at this table"),
    say("Nobody claims while a hand is played out"),
    say("Caps states the order of all the caller's remaining cards"),
    say("Caps states the order of all your remaining cards"),
    say("Claims are made from the choice of open or closed on, while cards are played"),
    say("Only the trump maker's opponents may call"),
    say("Spoilt trumps are not called at this table"),
    say("The caller's indicator, while it lies on the table, is one of the order"),
    say("The last trick has begun: it is too late"),
    say("Who has no card left cannot call Caps"),
    say("Your cards are laid aside: you make no claims"),
)
SOME_TABLES = (
    say("A marriage is shown on lead, by who has won a trick, while trumps are open"),
    say("Double is not played here"),
    say("Double is said once, before the lead to the third trick from the end"),
    say("King and queen of {suit} are not both in your hand"),
    say("Marriages are not played at this table"),
    say("Only who has won every trick with their partners may say double"),
    say("This marriage has been shown, or one of its cards has been played"),
    say("Trumps are not asked for at this table"),
    say("Trumps have been shown already"),
    say("Who leads cannot ask for trumps"),
    say("You asked for trumps and hold one: you must cut"),
    say("You can follow suit: trumps are asked for by who cannot"),
    say("Your last card is the indicator: play it"),
    say("{n} cards are exchanged, or none"),
    say("{card} is not in this game's pack"),
    say("{bid} is not played at this table"),
)
RESULTS = (
    say("All passed: no score, and the deal passes on."),
    say("The first cards were worth less than 15: dealt again by the same dealer."),
    say("Spoilt trumps: the opponents held none. The same dealer deals."),
    say("{side} called Caps correctly: every trick is theirs."),
    say("{side} called Caps too late: it had been due since {since}."),
    say("{side} called Caps too early, though no trick was lost."),
    say("{side} called Caps and lost a trick."),
    say("{side} did not call Caps: it had been due since {since}."),
    say("{side} called spoilt trumps wrongly: the hand is void, and {winners} are paid."),
    say("{side} called spoilt trumps wrongly: {winners} are paid."),
    say("{side} said double and won every trick."),
    say("{side} said double and did not win every trick."),
    say("{side} made {bid} with {points} points and {extra} for marriages and the last trick."),
    say("{side} failed {bid} with {points} points and {extra} for marriages and the last trick."),
    say("{side} made {bid} with {points} points."),
    say("{side} failed {bid} with {points} points."),
    say("{side} made {bid}."),
    say("{side} failed {bid}."),
    say("{nick} is proven at fault: {winners} are paid."),
    say("{nick} is proven at fault: the hand is void, and {winners} are paid."),
    say("{nick} has left for good: {winners} are paid."),
    say("{nick} has left for good: the hand is void, and {winners} are paid."),
    say("{nick} has left for good: the hand is void."),
    say("{side} broke a rule ({rule}): {winners} are paid."),
    say("{side} broke a rule ({rule}): the hand is void, and {winners} are paid."),
    say("{why}: the hand is void."),
    say("{why}: the hand is void, and {winners} are paid."),
    say("{why}: {winners} are paid."),
)


def ruled(sentence: str) -> Phrase:
    """A sentence of the rules as a phrase, with a capital letter."""
    text = sentence[:1].upper() + sentence[1:]
    for pattern, template in _patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            return Phrase(template, tuple(found.groupdict().items()))
    return say("{sentence}", sentence=text)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Templates as patterns; a gap takes as little as it can."""
    phrases = (*BIDDING, *PLAYING, *CLAIMS, *SOME_TABLES, *RESULTS)
    return tuple((re.compile(_pattern(phrase.text)), phrase.text) for phrase in phrases)


def _pattern(template: str) -> str:
    parts = re.split(r"\{(\w+)\}", template)
    return "".join(
        f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts)
    )
