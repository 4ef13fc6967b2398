"""An absent player: what the others may propose, and what follows.

Responsible for these sentences and changes of the model. How long a player must have been absent,
and which players must agree, is the table's to decide (SPEC.md, "Leaving for good").
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import Phrase, Quoted, Who, say
from p2p304.rules.variants import absence
from p2p304.table.state import events
from p2p304.ui.common.open_seat import EmptySeat, held
from p2p304.ui.narration.model import Line, Model, Stage, Tone
from p2p304.ui.narration.parting_courses import course

AbsenceEvent = (
    events.PartingProposed
    | events.PartingRefused
    | events.Overdue
    | events.Parted
    | events.PlayingOut
    | events.LaidOpen
)


_LATE = {
    "entry": say("Everybody has waited {n} s for {nick}'s move."),
    "receipt": say("Everybody has waited {n} s for {nick}'s program to confirm the last move."),
    "deal": say("Everybody has waited {n} s for {nick} to ask for the deal."),
    "word": say(
        "Everybody has waited {n} s for {nick}'s answer to a proposal to continue without a player."
    ),
}
"""What to tell of a player who is late, by what is missing (`events.Overdue.what`)."""
_LATE_MYSELF = {
    "entry": say("Everybody has waited {n} s for your move."),
    "receipt": say(
        "Everybody has waited {n} s for your program to confirm the last move. If this continues, "
        "restart p2p304."
    ),
    "deal": say("Everybody has waited {n} s for you to ask for the deal: press Enter."),
    "word": say(
        "Everybody has waited {n} s for your answer to a proposal to continue without a player."
    ),
}
_LATE_MYSELF_ALONE = _LATE_MYSELF | {
    "entry": say(
        "Everybody has waited {n} s for your move. The others may now agree to continue without "
        "you."
    ),
    "deal": say(
        "Everybody has waited {n} s for you to ask for the deal: press Enter. The others may now "
        "agree to continue without you."
    ),
}


def reduce_absence(model: Model, event: AbsenceEvent, now: float) -> tuple[Model, tuple[Line, ...]]:
    """Return the model after the event, and its lines in the log."""
    match event:
        case events.PartingProposed(bots=bots):
            wait = (Line(_bots_wait(model, event), Tone.MINOR),) if bots else ()
            agree = say("To agree, {way}.", way=_way(model))
            may_agree = model.me not in (None, *event.ready) and (model.typed or may_part(model))
            asked = (Line(agree, Tone.MINOR),) if may_agree else ()
            told_of = replace(model, agreed=event.ready)
            return told_of, (Line(_wished(model, event), Tone.WARN), *wait, *asked)
        case events.PartingRefused(by=by, absent=absent):
            told = say(
                "{nick} is connected to {absent}: the game continues with {absent}.",
                nick=Quoted(model.named(by)),
                absent=model.named(absent),
            )
            return replace(model, agreed=()), (Line(told, Tone.WARN),)
        case events.Overdue():
            return _overdue(model, event, now)
        case events.PlayingOut(absent=absent):
            agreed = say(
                "All others have agreed: this hand is played out without {absent}.",
                absent=model.named(absent),
            )
            how = say("The empty seat passes and plays its lowest legal card automatically.")
            after = replace(model, emptied=EmptySeat.begin(event), claims=False, caps_order=())
            return after, (Line(agreed, Tone.WARN), Line(how, Tone.MINOR))
        case events.LaidOpen():
            return _laid_open(model, event)
        case events.Parted():
            return _parted(model, event)


def _parted(model: Model, event: events.Parted) -> tuple[Model, tuple[Line, ...]]:
    absent = model.named(event.absent)
    if event.goes_on:
        told = say("The next hand starts when somebody takes the seat of {absent}.", absent=absent)
    elif model.emptied is not None:
        told = say("The hand is finished: the table ends without {absent}.", absent=absent)
    elif event.match.is_over or model.stage is Stage.OVER:
        told = say("All others have agreed: the table ends without {absent}.", absent=absent)
    else:
        told = say(
            "All others have agreed: the table ends without {absent}. Nobody has won the match.",
            absent=absent,
        )
    if event.goes_on and model.me not in (None, event.absent):
        fresh = Model(
            me=model.me,
            typed=model.typed,
            keys=model.keys,
            claims=model.claims,
            log=model.log,
            is_replay=model.is_replay,
        )
        return fresh, (Line(told, Tone.WARN),)
    ended = replace(model, match=event.match, stopped=told, absentee=None, options=())
    ended = replace(ended, stage=Stage.OVER, deal_next=None, cut_until=None)
    return ended, (Line(told, Tone.WARN),)


_MORE_GONE = say(
    "More than one player is missing: this table can go on only when they are back. You can wait, "
    "or leave and resume it later."
)


_HOST_GONE = say(
    "{owner} and their bots are gone: this table can go on only when {owner} resumes it. You can "
    "wait, or leave and resume it later. The tokens stay as they are."
)


_OWN_BOTS_GONE = say(
    "The programs of your bots have stopped. Leave, and resume this table from the lobby: your "
    "bots come back with you."
)
_BOTS_GONE = say(
    "The bots of {owner} have stopped: this table can go on when {owner} has left and resumed it. "
    "You can wait, or leave and resume it later."
)


def more_gone(model: Model) -> Phrase:
    """Say why nobody can go on, and what can be done: several players are missing, who may be a
    player and that player's bots."""
    waited = model.waiting.gone if model.waiting is not None else ()
    gone = model.gone | {*waited, *model.late}
    owners = {model.owner_of.get(nick, nick) for nick in gone}
    if len(owners) != 1:
        return _MORE_GONE
    (owner,) = owners
    if owner == model.me:
        return _OWN_BOTS_GONE
    return (_HOST_GONE if owner in gone else _BOTS_GONE).filled(owner=model.named(owner))


def _overdue(model: Model, event: events.Overdue, now: float) -> tuple[Model, tuple[Line, ...]]:
    """Tell everybody which player is late with what; the others may propose to go on without that
    player. Nobody waits for a player among bots of its own."""
    if event.mine and not model.has_people:
        return model, ()
    alone = event.may and not model.gone  # else the others can go on without another one, or nobody
    late = _LATE if not event.mine else _LATE_MYSELF_ALONE if alone else _LATE_MYSELF
    told = late.get(event.what, late["entry"])
    told = told.filled(nick=Quoted(model.named(event.nick)), n=event.seconds)
    if event.mine or not event.may or model.me is None:
        return model, (Line(told, Tone.WARN),)
    since = now - event.seconds if model.absentee is None else model.absent_since
    waiting = model.waiting or events.Waiting((event.nick,), now - event.seconds)
    after = replace(model, waiting=waiting, late=(event.nick,), absent_since=since)
    way = _going_on(after) if may_part(after) else more_gone(after)
    return after, (Line(told, Tone.WARN), Line(way, Tone.MINOR))


def _wished(model: Model, event: events.PartingProposed) -> Phrase:
    return course(model).wished.filled(
        absent=model.named(event.absent),
        nicks=Quoted(model.named(*event.ready)),
        n=len(event.ready),
        needed=event.needed,
    )


def _bots_wait(model: Model, event: events.PartingProposed) -> Phrase:
    """Describe whom the table still waits for, how long at most, and why."""
    return say(
        "{nicks} will agree within {n} minutes: a bot on the side of {absent} gives "
        "{absent} time to return.",
        nicks=Quoted(model.named(*event.bots)),
        n=int(absence.BOT_PARTNER / 60),
        absent=model.named(event.absent),
    )


def _laid_open(model: Model, event: events.LaidOpen) -> tuple[Model, tuple[Line, ...]]:
    was = model.emptied or EmptySeat(model.nick(event.seat), event.seat)
    now = was.laid_open(event)
    lying = now.indicator if was.indicator is None else None
    others, who = set(event.cards) - {lying} - was.shown, Who(event.seat)
    shown = tuple(held(others))
    told = []
    if shown and others <= now.cards and was.shown:
        told.append(say("All can see more cards of {who}: {cards}.", who=who, cards=shown))
    elif shown and others <= now.cards:
        told.append(say("All can see the cards of {who}: {cards}.", who=who, cards=shown))
    elif shown:
        told.append(
            say("The face-down cards of {who} are turned up: {cards}.", who=who, cards=shown)
        )
    if lying is not None:
        told.append(say("The indicator of {who} is turned up: {card}.", who=who, card=lying))
    return replace(model, emptied=now), tuple(Line(phrase, Tone.HEAD) for phrase in told)


def without_absence(model: Model, nick: str) -> Model:
    """Return the model once this player is back: nothing is offered any more because of the
    absence. A player who is back and does nothing is reported anew (`events.Overdue`)."""
    waiting = model.waiting
    if waiting is not None and nick in waiting.gone:
        gone = tuple(other for other in waiting.gone if other != nick)
        waiting = replace(waiting, gone=gone, may_part=False)
    late = tuple(other for other in model.late if other != nick)
    is_gone = model.absentee not in (None, nick)
    is_anybody_gone = bool(is_gone or late or (waiting is not None and waiting.gone))
    agreed = model.agreed if is_anybody_gone else ()
    absentee = None if model.absentee == nick else model.absentee
    return replace(model, waiting=waiting, late=late, absentee=absentee, agreed=agreed)


# What the player may propose


def may_part(model: Model) -> bool:
    """Whether a player has been absent or late for so long that the others may go on."""
    if model.me is None or model.away == absence.WAIT or model.emptied is not None:
        return False
    if model.absentee is not None and model.gone <= {model.absentee}:
        return True
    waiting = model.waiting
    late = model.late and model.gone <= set(model.late)
    return waiting is not None and bool(late or (waiting.gone and waiting.may_part))


def offer(model: Model) -> Phrase:
    """Return the menu's label for the proposal: what this table's rules do without the player."""
    return course(model).offer.filled(absent=_gone(model))


def question(model: Model) -> Phrase:
    """Return the question asked before the proposal is sent to the others."""
    return course(model).question.filled(absent=_gone(model))


def what_follows(model: Model) -> Phrase | None:
    """Describe what follows if all others agree, if this is known."""
    follows = course(model).follows
    return None if follows is None else follows.filled(absent=_gone(model))


def agreement(model: Model) -> Phrase:
    """Say that this player agrees, and whose agreement is missing: until all have answered, it
    plays nothing."""
    told = say("You agree to go on without {absent}. Waiting for {nicks} to agree.")
    return told.filled(absent=_gone(model), nicks=_not_agreed(model))


def _not_agreed(model: Model) -> str:
    decided = {model.named(nick) for nick in (*model.agreed, *_absent(model))}
    return ", ".join(nick for nick in model.nicks if nick not in decided)


def parting_offer(model: Model, now: float) -> Phrase | None:
    """Describe how to go on without a player who is late, or whose link has been lost for long
    enough; None if only waiting helps."""
    waiting = model.waiting
    if not may_part(model) or (waiting is not None and waiting.gone and not waiting.may_part):
        return None
    absent, going_on = _gone(model), _going_on(model)
    if model.me in model.agreed:
        return agreement(model)
    if model.agreed:
        told = say("{nicks} would go on without {absent}. To agree, {way}.")
        return told.filled(nicks=model.named(*model.agreed), absent=absent, way=_way(model))
    if waiting is not None and waiting.gone:
        told = say("Everybody has waited {n} s for {absent} (disconnected). {offer}")
        return told.filled(offer=going_on, absent=absent, n=int(now - waiting.since))
    told = say("Everybody has waited {n} s for {absent}. {offer}")
    if model.absentee is not None:  # and everybody waits for another player, or for no one
        told = say("{absent} has not been connected for {n} s. {offer}")
    return told.filled(offer=going_on, absent=absent, n=int(now - model.absent_since))


def _going_on(model: Model) -> Phrase:
    """Say what this table's rules do without the absent player, and how to propose it."""
    return course(model).going_on.filled(absent=_gone(model), way=_way(model))


def _way(model: Model) -> Phrase:
    return model.way(say("press {key}"), say("type 'part'"))


def _gone(model: Model) -> str:
    return model.named(*_absent(model))


def _absent(model: Model) -> tuple[str, ...]:
    """Return the players without whom the others may go on."""
    if model.absentee is not None:
        return (model.absentee,)
    gone = model.waiting.gone if model.waiting is not None else ()
    return gone or model.late
