"""Who is at a table that gathers, whose bots, whom it waits for, and how all are seated.

Responsible for these sentences and for their part of the model. When they are shown is the table's
to decide (SPEC.md, "Gathering").
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import Phrase, Place, Quoted, Who, say
from p2p304.table.agreement.bot_labels import bots_of, labelled
from p2p304.table.state.events import Seated
from p2p304.table.state.gathering_events import Gathering, Members, NoSeat, WaitReason
from p2p304.ui.common.wording import EXPLAINED
from p2p304.ui.narration.model import Line, Model, Stage, Tone

DRAWN = say("You can't choose a seat: this table draws the seats.")

_REASONS = {
    WaitReason.NO_ANSWER: say("The player who opened this table has not let you in yet ({n} s)."),
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
    WaitReason.OWN_PLEDGES: say(
        "Your identity has joined this table before. Stop p2p304 there, or leave and resume: "
        "p2p304 resume."
    ),
    WaitReason.OTHER_LIST: say(
        "Waiting for {nick} ({n} s): their list of players differs from yours."
    ),
}


def reduce_gathering(
    model: Model, event: Members | Gathering | NoSeat | Seated
) -> tuple[Model, tuple[Line, ...]]:
    """Return the model after an event on the way to the first hand, and its lines in the log."""
    match event:
        case Members(seats=seats, at=at):
            nicks = labelled(event.nicks, event.owners)
            here = replace(
                model, nicks=nicks, places=seats, at=at, dealer=event.dealer, can_do_without=()
            )
            if (sorted(nicks), sorted(at)) == (sorted(model.nicks), sorted(model.at)):
                return here, ()
            return here, (*_came_and_went(model, here), *_gathered(here))
        case Gathering():
            return _gathering(model, event)
        case NoSeat(seat=seat, chosen=chosen):
            told = say("Seat {seat} is taken. You have another seat.", seat=Place(seat))
            return model, (Line(told if chosen else DRAWN, Tone.WARN),)
        case Seated():
            return _seated(model, event)


def _gathering(model: Model, event: Gathering) -> tuple[Model, tuple[Line, ...]]:
    """Return the model after the event, and its lines in the log."""
    waits = event.waits if event.is_mine else ()
    own = WaitReason.OWN_PLEDGES
    without = tuple((wait.key, wait.nick) for wait in waits if wait.reason is not own)
    told = (
        _REASONS[wait.reason].filled(
            nick=Quoted(wait.nick), n=event.seconds, nicks=", ".join(wait.whom)
        )
        for wait in event.waits
    )
    lines = tuple(Line(phrase, Tone.WARN) for phrase in told)
    if without and model.me is not None:
        way = model.way(say("press {key}"), say("type 'without' and a name"))
        hint = say("To continue without a player who is late, {way}.", way=way)
        lines = (*lines, Line(hint, Tone.MINOR))
    return replace(model, can_do_without=without), lines


def _came_and_went(before: Model, after: Model) -> tuple[Line, ...]:
    """Describe who has joined a table that gathers, and who is no longer there."""
    if not before.nicks:
        return ()
    came = [nick for nick in after.nicks if nick not in before.nicks]
    gone = [nick for nick in before.nicks if nick not in after.nicks]
    missing = say("{nick} is no longer at the table.")
    return (
        *(
            Line(say("{nick} has joined.", nick=Quoted(nick)), Tone.GOOD, gathers=True)
            for nick in came
        ),
        *(Line(missing.filled(nick=Quoted(nick)), Tone.WARN, gathers=True) for nick in gone),
    )


def _gathered(model: Model) -> tuple[Line, ...]:
    """Describe who is here, with the seats where these are chosen."""
    people: tuple[Phrase, ...] = tuple(say("{nick}", nick=Quoted(nick)) for nick in model.nicks)
    if model.at:
        people = tuple(
            say("{nick} ({seat})", nick=Quoted(nick), seat=Place(seat))
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


def _brought(owner: str, nicks: list[str]) -> Phrase:
    names = ", ".join(nicks)
    if owner:
        return say("{owner} invited these bots: {nicks}.", owner=owner, nicks=names)
    return say("Bots: {nicks}.", nicks=names)


def _seated(model: Model, event: Seated) -> tuple[Model, tuple[Line, ...]]:
    seat = event.nicks.index(model.me) if model.me in event.nicks else None
    seats = tuple(Who(number) for number in range(len(event.nicks)))
    seated = replace(
        model,
        stage=Stage.DEALING,
        nicks=labelled(event.nicks, event.owners),
        places=len(event.nicks),
        seat=seat,
        code=event.code,
        dealer=event.dealer,
        match=event.match,
        people=_people(model, event),
        owners=tuple(
            (nick, owner)
            for owner, nicks in bots_of(event.nicks, event.owners)
            for nick in nicks
            if owner
        ),
        has_people=not event.owners
        or any(
            nick != model.me and owner != model.me
            for nick, owner in zip(event.nicks, event.owners, strict=True)
        ),
    )
    code = say("Spoken code {code}: say it aloud and compare.", code=event.code)
    return seated, (
        Line(
            say("The seats are drawn, in order of play: {nicks}.", nicks=seats)
            if event.drawn
            else say("All have chosen a seat; in order of play: {nicks}.", nicks=seats),
            Tone.HEAD,
        ),
        *_first_deal(event),
        *(Line(_brought(*bots)) for bots in bots_of(event.nicks, event.owners)),
        *((Line(code, Tone.GOOD),) if seated.has_people else ()),
    )


def _people(model: Model, event: Seated) -> tuple[str, ...]:
    """Return the other players who are no bots."""
    owners = event.owners or (None,) * len(event.nicks)
    others = (nick for nick, owner in zip(event.nicks, owners, strict=True) if owner is None)
    return tuple(nick for nick in others if nick != model.me)


def _first_deal(event: Seated) -> list[Line]:
    """Say who deals first, where cards that were drawn, or the chosen seats, decide it."""
    if not event.drawn:
        told = say("{who} sits on the first seat and deals first.")
        if event.dealer:  # the table goes on without a player who left, and so does the deal
            told = say("{who} deals first.")
        return [Line(told.filled(who=Who(event.dealer)))]
    if not event.cards:
        return []
    drawn = tuple(
        say("{who} {card}", who=Who(seat), card=card) for seat, card in enumerate(event.cards)
    )
    told = say("Cards drawn for the seats: {cards}. The highest card deals.", cards=drawn)
    return [Line(told)]
