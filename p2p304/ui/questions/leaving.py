"""What happens when a player has left for good, as a question: its answers in words; and what a
player is told before leaving.

Responsible for these words and for which answers fit the rules. What the answers do, SPEC.md says
("Leaving for good"), and rules/variants/absence.py names them.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants.absence import PLAY_OUT, REPLACE, WAIT
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.ui.narration.model import Model

QUESTION = say("If somebody leaves for good")
ANSWERS: dict[str, tuple[Phrase, Phrase]] = {
    REPLACE: (
        say("play on with a bot"),
        say("That player's side loses the hand. Then a bot or another person takes the seat."),
    ),
    PLAY_OUT: (
        say("play the hand out"),
        say("The others play the hand out with that player's cards face up. Then the table ends."),
    ),
    WAIT: (
        say("wait"),
        say("The table waits as long as it takes. You can leave, and resume it later."),
    ),
}
"""By the value of the option ``away``: the answer in a word, and in a sentence."""


def possible(rules: Options) -> tuple[str, ...]:
    """Return the answers with which these rules can be played, the usual one first."""
    return tuple(value for value in ANSWERS if _fits(rules, value))


def _fits(rules: Options, value: str) -> bool:
    try:
        rules.override({"away": value})
    except OptionsError:
        return False
    return True


def own_bots(model: Model) -> int:
    """Return how many bots this player has at the table."""
    return sum(owner == model.me for owner in model.owner_of.values())


def may_leave_bots(model: Model) -> bool:
    """Whether the others can go on with this player's bots once the player has left."""
    if model.match is None or model.match.options.away == WAIT:
        return False
    return model.has_people and own_bots(model) > 0


def warning(model: Model) -> Phrase:
    """Say before the player leaves a running table what that means for the others."""
    bots = own_bots(model)
    if not model.has_people:
        return say("Leave the table? You can resume it from the lobby.")
    if not bots and model.away in (REPLACE, PLAY_OUT):
        return say(
            "Leave the table? The others wait for you; after a minute they can agree to go on "
            "without you."
        )
    if not bots:
        return say("Leave the table? The others must then wait for you.")
    if bots == 1:
        return say("Leave the table? Your bot leaves too, and the table waits until you resume it.")
    told = say("Leave the table? Your {n} bots leave too, and the table waits until you resume it.")
    return told.filled(n=bots)


BOTS_STAY = {
    True: say("Or {way}: you leave, and the others can go on with your bot."),
    False: say("Or {way}: you leave, and the others can go on with your bots."),
}
"""The other answer, by whether there is one bot."""


def other_answer(model: Model) -> Phrase:
    """Say how to leave without one's bots."""
    way = model.way(say("press b"), say("type 'quit bots'"))
    return BOTS_STAY[own_bots(model) == 1].filled(way=way)
