"""What happens when a player has left for good, as a question: its answers in words.

Responsible for these words and for which answers fit the rules. What the answers do, SPEC.md says
("Leaving for good"), and rules/variants/absence.py names them.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants.absence import PLAY_OUT, REPLACE, WAIT
from p2p304.rules.variants.options import Options, OptionsError

QUESTION = say("If somebody leaves for good")
ANSWERS: dict[str, tuple[Phrase, Phrase]] = {
    REPLACE: (
        say("play on with a bot"),
        say("That side loses the hand. Then a bot or another person takes the seat."),
    ),
    PLAY_OUT: (
        say("play the hand out"),
        say("The others play the hand to its end with those cards face up. Then the table ends."),
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
