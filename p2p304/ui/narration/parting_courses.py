"""What a table's rules do without an absent player, in all sentences that speak of it.

Responsible for these sentences and for which of them are true now; when they are said is
absence_phrases.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants import absence
from p2p304.ui.narration.model import Model, Stage


@dataclass(frozen=True, slots=True)
class Course:
    """One way to go on without the absent player, in all sentences that speak of it."""

    wished: Phrase
    """Who agrees to it already."""
    offer: Phrase
    question: Phrase
    follows: Phrase | None
    """What happens if all others agree."""
    going_on: Phrase
    """How to propose it. It names the absent player: the sentence before may name another one, who
    is late."""


_PLAYED_OUT = Course(
    say("These players agree to play this hand out without {absent}: {nicks} ({n} of {needed})."),
    say("Play this hand out without {absent}"),
    say(
        "Propose to play this hand out without {absent}? The cards of {absent} are turned face "
        "up. All others must agree."
    ),
    say(
        "If all others agree, this hand is played to its end. The cards of {absent} "
        "are turned face up. The empty seat passes and plays its lowest legal card. Then "
        "the table ends."
    ),
    say("To play this hand out without {absent}, {way}."),
)
_BY_THE_RULES = Course(
    say(
        "These players agree to continue without {absent}, as this table's rules say: {nicks} "
        "({n} of {needed})."
    ),
    say("Continue without {absent}, as this table's rules say"),
    say("Propose to continue without {absent}, as this table's rules say? All others must agree."),
    None,
    say("To continue without {absent}, as this table's rules say, {way}."),
)
_SEAT_GIVEN = Course(
    say(
        "These players agree to give the seat of {absent} to a bot or another player: {nicks} "
        "({n} of {needed})."
    ),
    say("Give the seat of {absent} to a bot or another player"),
    say(
        "Propose to give away the seat of {absent}? The side of {absent} loses this hand. "
        "All others must agree."
    ),
    say(
        "If all others agree, the side of {absent} loses this hand, and another "
        "player can take the seat."
    ),
    say("To give the seat of {absent} to a bot or another player, {way}."),
)
_SEAT_GIVEN_FIRST = replace(
    _SEAT_GIVEN,
    question=say(
        "Propose to give away the seat of {absent}? No hand has begun, so nothing is paid. "
        "All others must agree."
    ),
    follows=say(
        "If all others agree, the table ends without {absent}. No hand has begun, so "
        "nothing is paid, and another player can take the seat."
    ),
)
_ENDED = Course(
    say("These players agree to end the table without {absent}: {nicks} ({n} of {needed})."),
    say("End the table without {absent}"),
    say(
        "Propose to end the table? No hand has begun, so nothing is paid, and nobody wins. All "
        "others must agree."
    ),
    say(
        "If all others agree, the table ends without {absent}. No hand has begun, so nothing is "
        "paid, and nobody wins."
    ),
    say("To end the table without {absent}, {way}."),
)
_ENDED_AFTERWARDS = replace(
    _ENDED,
    question=say(
        "Propose to end the table without {absent}? The last hand counts as it was played. All "
        "others must agree."
    ),
    follows=say(
        "If all others agree, the table ends without {absent}. The last hand counts as it was "
        "played."
    ),
)


def course(model: Model) -> Course:
    """Return what this table's rules do now without an absent player."""
    if model.stage is Stage.OVER:
        return _ENDED_AFTERWARDS
    if model.can_play_out:
        return _PLAYED_OUT
    if not model.away:
        return _BY_THE_RULES
    if model.away != absence.REPLACE:
        return _ENDED
    return _SEAT_GIVEN if model.has_begun else _SEAT_GIVEN_FIRST
