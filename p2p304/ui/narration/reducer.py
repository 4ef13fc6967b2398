"""The reducer: a model and one event give the next model. It is pure, and ignores an unknown event.

Responsible for how table events become what is shown. Time is passed in (seconds). Absence is
absence_phrases.py's, and the players who gather gathering.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase, Quoted, Who, say
from p2p304.rules.play.view import View
from p2p304.table.state import events, gathering_events
from p2p304.table.state.events import Event
from p2p304.ui.common.remarks import remark_or_text
from p2p304.ui.common.wording import NAMELESS
from p2p304.ui.narration.absence_phrases import reduce_absence, without_absence
from p2p304.ui.narration.accounts import ended_match, gained, games, games_won, standing
from p2p304.ui.narration.choices import in_order
from p2p304.ui.narration.gathering import reduce_gathering
from p2p304.ui.narration.model import (
    MOST_LINES,
    Ended,
    Line,
    Model,
    Room,
    Stage,
    Step,
    Tone,
    WaitingVisitor,
)
from p2p304.ui.narration.play import offences, reduce_action
from p2p304.ui.narration.proof_log import proven, what_happened


@dataclass(frozen=True, slots=True)
class Chosen:
    """This player's own choice was sent to the table."""

    action: Action


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence from this node itself: trouble with the network, a stranger's name, or (``plain``)
    where it listens."""

    phrase: Phrase
    plain: bool = False


@dataclass(frozen=True, slots=True)
class GotReady:
    """This player is ready for the next hand."""


@dataclass(frozen=True, slots=True)
class Gathers:
    """The table at which this node gathers."""

    room: Room


@dataclass(frozen=True, slots=True)
class Knocked:
    """A visitor asks for a seat."""

    visitor: WaitingVisitor


@dataclass(frozen=True, slots=True)
class Decided:
    """The player has decided about a visitor."""

    key: bytes


MOST_SPECTATORS = 50
"""Spectators through each member of whom the log tells: neither a stranger nor a liar can fill it,
and no note displaces who watches through this node."""
_STEPS = (
    events.PublicEvent
    | events.YourTurn
    | events.CapsDue
    | events.NextHand
    | events.CutOffered
    | events.CutChosen
)
Change = Event | Chosen | Note | GotReady | Gathers | Knocked | Decided


def reduce(model: Model, change: Change, now: float) -> Model:
    """Return the model after ``change`` at ``now``."""
    return _with_own_cards(_clocked(model, _reduced(model, change, now), now))


def _with_own_cards(model: Model) -> Model:
    """Remember every card that this player holds: it may never be turned up for the others."""
    view = model.view
    if view is None:
        return model
    lying = frozenset() if view.indicator is None else frozenset({view.indicator})
    held = model.own | view.cards | lying
    return model if held == model.own else replace(model, own=held)


def _clocked(before: Model, after: Model, now: float) -> Model:
    """Note when a turn begins: another player is waited for, or the same one again."""
    turn = after.turn
    if turn == before.turn:
        return after
    return replace(after, turn_at=None if turn is None else now)


def _reduced(model: Model, change: Change, now: float) -> Model:
    after = _stepped(model, change, now)
    match change:
        case Chosen(action=action) if isinstance(action, acts.Claim):
            return after  # not a turn: it is sent with the next message, and the choice stays open
        case Chosen(action=action):
            return replace(after, chosen=action, options=())
        case Gathers(room=room):
            return replace(after, room=room)
        case Knocked(visitor=visitor):
            others = tuple(v for v in after.knocks if v.key != visitor.key)
            return replace(after, knocks=(*others, visitor))
        case Decided(key=key):
            return replace(after, knocks=tuple(v for v in after.knocks if v.key != key))
        case GotReady():
            return replace(after, deal_next=None)
        case Note(phrase=phrase, plain=plain):
            tone = Tone.MINOR if plain else Tone.WARN
            return logged(after, Line(phrase, tone))
        case (
            events.Seated()
            | gathering_events.Members()
            | gathering_events.Gathering()
            | gathering_events.NoSeat()
        ):
            after, lines = reduce_gathering(after, change)
            return logged(after, *lines)
        case events.HandBegan(number=number, dealer=dealer):
            told = say("Hand {n}: {who} deals.")
            if model.ended and model.ended[-1].result.void:
                told = say("Hand {n}, dealt again: {who} deals.")
            line = Line(told.filled(n=model.hand_number(number), who=Who(dealer)), Tone.HEAD)
            fresh = replace(
                after,
                log=tuple(replace(old, trick=None) for old in after.log if not old.gathers),
                stage=Stage.DEALING,
                number=number,
                dealer=dealer,
                hand=None,
                view=None,
                options=(),
                chosen=None,
                deal_next=None,
                cut_until=None,
                shuffled=0,
                has_begun=False,
                emptied=None,
                own=frozenset(),
                own_views=(),
                own_down=(),
            )
            return logged(fresh, line)
        case events.CutOffered(seconds=seconds):
            return replace(after, cut_until=now + seconds)
        case events.WasCut() | events.CutChosen():
            return replace(after, cut_until=None)
        case events.Unlocked():
            return replace(after, has_begun=True)
        case events.Shuffled():
            return replace(after, shuffled=after.shuffled + 1)
        case events.Dealt(hand=hand) if model.watches:
            return replace(after, stage=Stage.PLAYING, hand=hand)  # a spectator sees no view
        case events.Acted():
            after, lines = reduce_action(after, change)
            return logged(after, *lines)
        case events.HandSeen(view=view):
            return _seen(after, view)
        case events.YourTurn(view=view):
            seen = replace(_seen(after, view), options=in_order(view), chosen=None)
            return replace(seen, own_views=(*after.own_views, view))
        case events.HandOver():
            return _hand_over(after, change)
        case _:
            return _about_the_table(after, change, now)


def logged(model: Model, *lines: Line) -> Model:
    """Return the model with further log lines."""
    return replace(model, log=(*model.log, *lines)[-MOST_LINES:])


def _about_the_table(model: Model, change: Change, now: float) -> Model:
    match change:
        case events.LeftOut(times=times):
            told = say("{n} more refused or repeated messages are hidden.", n=times)
            return logged(model, Line(told, Tone.MINOR))
        case events.Waiting():
            return replace(model, waiting=change)
        case events.MayPart(absent=absent, since=since):
            return replace(model, absentee=absent, absent_since=since)
        case events.CapsDue(order=order):
            way = model.way(say("press {key} and choose Caps"), say("type 'caps' and these cards"))
            told = say("You can call Caps now with {cards}: {way}.", cards=order, way=way)
            return logged(replace(model, caps_order=order), Line(told, Tone.GOOD))
        case (
            events.PartingProposed()
            | events.PartingRefused()
            | events.Overdue()
            | events.Parted()
            | events.PlayingOut()
            | events.LaidOpen()
        ):
            after, lines = reduce_absence(model, change, now)
            return logged(after, *lines)
        case events.PlayerLeft(nick=nick, said=said):
            told = say("The connection to {nick} is lost. The seat is kept.")
            if said:
                told = say("{nick} has left the table. The seat and the cards are kept.")
            after = replace(model, gone=model.gone | {nick})
            return logged(after, Line(told.filled(nick=Quoted(model.named(nick))), Tone.WARN))
        case events.PlayerBack(nick=nick):
            told = say("{nick} is back.", nick=Quoted(model.named(nick)))
            back = replace(without_absence(model, nick), gone=model.gone - {nick})
            return logged(back, Line(told, Tone.GOOD))
        case events.SpectatorCame(nick=nick, through=through):
            return _watched(model, nick, through)
        case events.WantsAgain(nick=nick):
            waits = model.named(nick)
            asked = replace(model, wants_again=(*model.wants_again, waits))
            return logged(asked, Line(wants_again((waits,)), Tone.GOOD))
        case events.CodeConfirmed(nick=nick, may_be_known=may_be_known):
            told = say("{nick} has confirmed the spoken code.", nick=Quoted(nick))
            now_confirmed = replace(model, confirmed=(*model.confirmed, nick))
            if may_be_known:
                return now_confirmed
            return logged(now_confirmed, Line(told, Tone.MINOR))
        case events.ChatMessage(nick=nick, text=text):
            return logged(model, Line(chat_line(nick, text), Tone.CHAT))
        case events.NextHand(number=number):
            return replace(model, deal_next=number)
        case gathering_events.TurnedAway(sentence=sentence):
            return _stopped(model, sentence)
        case events.Fault():
            return _fault(model, change)
        case events.SignedElsewhere():
            told = say(
                "Another program is using your identity at this table. Stop p2p304 on your other "
                "computer now: if the two sign different things, the table ends and your side "
                "pays."
            )
            return logged(model, Line(told, Tone.WARN))
        case events.Closed():
            return replace(model, waiting=None, late=(), absentee=None)
        case events.TableOver(match=match, winner=winner):
            outcome = ended_match(match, winner)
            over = replace(
                model,
                stage=Stage.OVER,
                options=(),
                deal_next=None,
                cut_until=None,
                waiting=None,
                late=(),
                absentee=None,
                outcome=outcome,
            )
            return logged(over, Line(outcome, Tone.HEAD))
    return model


def wants_again(nicks: tuple[str, ...]) -> Phrase:
    """Say who waits for this player to open the table again."""
    if len(nicks) == 1:
        return say("{nick} wants to play again, and waits for you.", nick=Quoted(nicks[0]))
    told = say("These players want to play again, and wait for you: {nicks}.")
    return told.filled(nicks=", ".join(nicks))


def chat_line(nick: str, text: str) -> Phrase:
    """Return a chat message with its author."""
    return say("{nick}: {message}", nick=Quoted(nick), message=remark_or_text(text))


def _watched(model: Model, nick: str, through: str | None) -> Model:
    """Tell of a spectator once, however often the spectator comes."""
    known_there = sum(member == through for _, member in model.spectators)
    if (nick, through) in model.spectators or known_there >= MOST_SPECTATORS:
        return model
    known = replace(model, spectators=(*model.spectators, (nick, through)))
    told = say("A spectator is watching: {nick}.", nick=Quoted(nick))
    if nick == NAMELESS:
        told = say("A spectator is watching.")
        if through is not None:
            told = say("A spectator is watching through {who}.", who=Quoted(through))
    elif through is not None:
        told = say(
            "A spectator is watching through {who}: {nick}.", who=Quoted(through), nick=Quoted(nick)
        )
    return logged(known, Line(told, Tone.MINOR))


def _stepped(model: Model, change: Change, now: float) -> Model:
    """End the waiting after any entry, or where this player is asked for something; note a step of
    the protocol with its time."""
    told = what_happened(change, model.emptied) if isinstance(change, Event) else None
    after = model
    if isinstance(change, events.HandBegan):
        after = replace(after, step_at=now)
    if told is not None:
        took = None if model.step_at is None else max(0, round((now - model.step_at) * 1000))
        steps = (*model.proof_log, Step(*told, took))[-MOST_LINES:]
        after = replace(after, proof_log=steps, step_at=now)
    elif isinstance(change, events.Acted):
        after = replace(after, step_at=now)
    return replace(after, waiting=None, late=(), agreed=()) if isinstance(change, _STEPS) else after


def _seen(model: Model, view: View) -> Model:
    seen = replace(model, stage=Stage.PLAYING, view=view, hand=view.hand, seat=view.seat)
    last = seen.last_trick
    known = {} if last is None else seen.seen_down(last)
    if last is None or not known or known == model.seen_down(last):
        return seen
    told = say("You saw face down: {cards}.", cards=tuple(known.values()))
    return logged(seen, Line(told, Tone.MINOR, len(seen.done_tricks) - 1))


def _hand_over(model: Model, event: events.HandOver) -> Model:
    ended = Ended(
        event.number,
        model.hand,
        event.result,
        event.match,
        event.offences,
        model.emptied,
        model.match,
        model.own,
        model.view,
        model.own_views,
    )
    lines = [Line(offence, Tone.WARN) for offence in offences(ended)]
    ends = say("Hand {n} is over. {why}")
    if event.result.void:
        ends = say("Hand {n} does not count. {why}")
    number = model.hand_number(event.number)
    lines.append(Line(ends.filled(n=number, why=event.result.reason), Tone.HEAD))
    told = [
        *gained(ended),
        *games_won(model.match, event.match),
        standing(event.match, model.seat, model.match),
        *games(event.match, model.seat),
    ]
    lines += [Line(phrase) for phrase in told]
    over = replace(
        model,
        stage=Stage.BETWEEN,
        match=event.match,
        options=(),
        chosen=None,
        ended=(*model.ended, ended),
    )
    return logged(over, *lines)


def _stopped(model: Model, phrase: Phrase) -> Model:
    return logged(
        replace(model, stopped=phrase, absentee=None, options=(), cut_until=None),
        Line(phrase, Tone.WARN),
    )


def _fault(model: Model, fault: events.Fault) -> Model:
    check, nick = fault.finding.check, fault.nick
    if nick is None:
        why = fault.finding.sentence
        told = say("A message was refused: {why} (check {check}).", why=why, check=check)
        return logged(model, Line(told, Tone.WARN))
    return _stopped(model, proven(fault, model.named(nick)))
