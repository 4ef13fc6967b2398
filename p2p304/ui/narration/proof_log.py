"""The proof log: the steps of the protocol, and what each step proved.

Responsible for the wording of that pane ("behind it"), which makes fairness visible. Times are this
node's own, between one accepted entry and the next; nothing is measured here.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, Who, say
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.ui.common.open_seat import EmptySeat


def what_happened(event: Event, emptied: EmptySeat | None = None) -> tuple[Phrase, Phrase] | None:
    """Describe a step of the protocol and what it proved; None if the event is no such step.
    ``emptied`` is a seat that is played without its player."""
    if emptied is not None:
        told = _without(event, emptied)
        if told is not None:
            return told
    match event:
        case events.Seated(code=code, drawn=drawn):
            return (
                say("Seats and first dealer drawn by all together; code {code}.", code=code)
                if drawn
                else say("Table code {code}: say it aloud and compare.", code=code),
                say("Every player was bound to a number before seeing the others'."),
            )
        case events.Shuffled(seat=seat, cards=cards):
            return (
                say("{who} locked and shuffled {n} cards.", who=Who(seat), n=cards),
                say("Proof verified: the same cards, each once, in an order nobody else knows."),
            )
        case events.WasCut(seat=seat, at=at):
            return (
                say("{who} cut the pack at {n}.", who=Who(seat), n=at),
                say("Signed: the cut stands in the log for all."),
            )
        case events.Unlocked(seat=seat, cards=cards):
            return (
                say("{who} unlocked {n} cards for the others.", who=Who(seat), n=cards),
                say("Proof verified: opened with the same key as in the shuffle."),
            )
        case events.Dealt(batch=batch, cards=cards):
            return (
                say("Batch {batch} is out: {n} cards each.", batch=batch, n=cards),
                say("Only the owner can open a card: the owner's lock is the last one on it."),
            )
        case events.Relocked(seat=seat, cards=cards):
            return (
                say("{who} put {n} hidden cards into a fresh order.", who=Who(seat), n=cards),
                say("Proof verified: the same cards, none exchanged."),
            )
        case events.Inspected(seat=seat):
            return (
                say("{who} showed a face-down card to the trump maker alone.", who=Who(seat)),
                say("Proof verified: it is the card that lies there."),
            )
        case events.Closed():
            return (
                say("Everybody has signed the last entry."),
                say("The transcript is complete: anybody can audit it."),
            )
    return None


def _without(event: Event, emptied: EmptySeat) -> tuple[Phrase, Phrase] | None:
    """Describe what was done in place of an empty seat, and what followed there without an
    entry."""
    seat, by_itself = emptied.seat, say("It follows from the rules: nobody signs for this seat.")
    match event:
        case events.StoodIn(seat=who, elements=count):
            return (
                say(
                    "{who} gave their part of {n} cards for {absent}.",
                    who=Who(who),
                    n=count,
                    absent=Who(seat),
                ),
                say("Proof verified: a true share of the absent one's key."),
            )
        case events.LaidOpen(cards=cards):
            return (
                say("{n} cards of {absent} lie open to all.", n=len(cards), absent=Who(seat)),
                say("Opened by all present together: no one of them could alone."),
            )
        case events.Unlocked(seat=who, cards=count) if who == seat:
            return (
                say("{n} cards were unlocked in the place of {absent}.", n=count, absent=Who(seat)),
                say("Opened by all present together: no one of them could alone."),
            )
        case events.WasCut(seat=who) if who == seat:
            return say("The pack is not cut: {absent} is gone.", absent=Who(seat)), by_itself
        case events.Inspected(seat=who) if who == seat:
            return (
                say("The face-down card of {absent} is seen by all.", absent=Who(seat)),
                by_itself,
            )
    return None
