"""Who is at a table that gathers, whose bots, and whom it waits for.

Responsible for these sentences and for their part of the model. When they are shown is the table's
to decide (SPEC.md, "Gathering").
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import Phrase, Place, say
from p2p304.table.state.events import Gathering, WaitReason
from p2p304.ui.common.seat_names import EXPLAINED
from p2p304.ui.narration.model import Line, Model, Tone

_REASONS = {
    WaitReason.NO_ANSWER: say(
        "The player who opened this table has not answered for {n} s. Please wait."
    ),
    WaitReason.NOT_LINKED: say("Waiting for {nick} ({n} s): no connection between you."),
    WaitReason.LACKS: say("Waiting for {nick} ({n} s): they have no connection with {nicks}."),
    WaitReason.NOT_PLEDGED: say(
        "Waiting for {nick} ({n} s): their program is not ready for the draw."
    ),
    WaitReason.NOT_SIGNED: say(
        "Waiting for {nick} ({n} s): their program has not agreed to the rules and players yet."
    ),
    WaitReason.FALSE: say("Waiting for {nick} ({n} s): their program sent an invalid message."),
    WaitReason.TWO_PLEDGES: say(
        "Waiting for {nick} ({n} s): their identity seems to run on two computers."
    ),
    WaitReason.OWN_PLEDGES: say("Your identity is in use on another computer. Stop p2p304 there."),
    WaitReason.OTHER_LIST: say(
        "Waiting for {nick} ({n} s): their list of players differs from yours."
    ),
}


def gathering(model: Model, event: Gathering) -> tuple[Model, tuple[Line, ...]]:
    """Return the model after the event, and its lines in the log."""
    waits = event.waits if event.is_mine else ()
    own = WaitReason.OWN_PLEDGES
    without = tuple((wait.key, wait.nick) for wait in waits if wait.reason is not own)
    told = (
        _REASONS[wait.reason].filled(nick=wait.nick, n=event.seconds, nicks=", ".join(wait.whom))
        for wait in event.waits
    )
    lines = tuple(Line(phrase, Tone.WARN) for phrase in told)
    if without and model.me is not None:
        way = model.way(say("press {key}"), say("type 'without' and a name"))
        hint = say("To continue without a player who is late, {way}.", way=way)
        lines = (*lines, Line(hint, Tone.MINOR))
    return replace(model, can_do_without=without), lines


def came_and_went(before: Model, after: Model) -> tuple[Line, ...]:
    """Describe who has joined a table that gathers, and who has left it."""
    if not before.nicks:
        return ()
    came = [nick for nick in after.nicks if nick not in before.nicks]
    gone = [nick for nick in before.nicks if nick not in after.nicks]
    return (
        *(Line(say("{nick} has joined.", nick=nick), Tone.GOOD, gathers=True) for nick in came),
        *(Line(say("{nick} has left.", nick=nick), Tone.WARN, gathers=True) for nick in gone),
    )


def gathered(model: Model) -> tuple[Line, ...]:
    """Describe who is here, with the seats where these are chosen."""
    people: tuple[Phrase, ...] = tuple(say("{nick}", nick=nick) for nick in model.nicks)
    if model.at:
        people = tuple(
            say("{nick} ({seat})", nick=nick, seat=Place(seat))
            for nick, seat in zip(model.nicks, model.at, strict=True)
        )
    count, seats = len(people), model.places
    told = say("At the table ({n} of {seats}): {nicks}.", n=count, seats=seats, nicks=people)
    lines = [told]
    if model.typed and model.dealer is not None:
        lines.append(say("{seat} deals first.", seat=Place(model.dealer)))
    if model.typed and model.me is not None and model.at and count < seats:
        lines.append(say("Type 'seat' and {what} to sit elsewhere.", what=EXPLAINED))
    return tuple(Line(phrase, gathers=True) for phrase in lines)


def brought(owner: str, nicks: list[str]) -> Phrase:
    names = ", ".join(nicks)
    if owner:
        return say("{owner} invited these bots: {nicks}.", owner=owner, nicks=names)
    return say("Bots: {nicks}.", nicks=names)
