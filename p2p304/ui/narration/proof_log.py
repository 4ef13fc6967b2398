"""The proof log: the steps of the protocol, what each step proved, and a fault that is proven.

Responsible for the wording of these. The pane ("behind the scenes") makes fairness visible. Times
are this node's own, between one accepted entry and the next; nothing is measured here.
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
                say(
                    "All players drew the seats and the first dealer together. Spoken code {code}.",
                    code=code,
                )
                if drawn
                else say("Spoken code {code}: say it aloud and compare.", code=code),
                say("Every player committed to a random number before seeing the others'."),
            )
        case events.Shuffled(seat=seat, cards=cards):
            return (
                say("{who} locked and shuffled {n} cards.", who=Who(seat), n=cards),
                say("Proof verified: the same cards in a new, secret order."),
            )
        case events.WasCut(seat=seat, at=at):
            return (
                say("{who} cut the pack at {n}.", who=Who(seat), n=at)
                if at
                else say("{who} did not cut the pack.", who=Who(seat)),
                say("The player signed the cut, and everybody has it in the log."),
            )
        case events.Unlocked(seat=seat, cards=cards):
            return (
                say("{who} unlocked {n} cards for the other players.", who=Who(seat), n=cards),
                say("Proof verified: unlocked with the same key as in the shuffle."),
            )
        case events.Dealt(batch=batch, cards=cards, hand=hand):
            return (
                _cards_dealt(batch, cards, hand.options.stock),
                say("Only the player who got a card can read it: their lock is the only one left."),
            )
        case events.Relocked(seat=seat, cards=cards):
            return (
                say("{who} put {n} hidden cards into a new order.", who=Who(seat), n=cards),
                say("Proof verified: no card was exchanged."),
            )
        case events.Inspected(seat=seat):
            return (
                say("{who} showed a face-down card to the trump maker alone.", who=Who(seat)),
                say("Proof verified: it is the card on the table."),
            )
        case events.Closed():
            return (
                say("Everybody signed the last entry."),
                say("The transcript is complete. Anybody can verify it."),
            )
    return None


def _cards_dealt(batch: int | None, cards: int, stock: str) -> Phrase:
    if batch is not None:
        if cards == 1:
            return say("Batch {batch} is dealt: one card each.", batch=batch)
        return say("Batch {batch} is dealt: {n} cards each.", batch=batch, n=cards)
    if stock == "draw":
        return say("Each player gets a card of the stock.")
    return say("The trump maker gets the {n} cards that were left over.", n=cards)


def _without(event: Event, emptied: EmptySeat) -> tuple[Phrase, Phrase] | None:
    """Describe what was done in place of an empty seat, and what followed there without an
    entry."""
    seat, by_itself = (
        emptied.seat,
        say("The rules decide this move, so nobody signs for this seat."),
    )
    match event:
        case events.StoodIn(seat=who, elements=count):
            return (
                say(
                    "{who} helped to unlock {n} cards for {absent}.",
                    who=Who(who),
                    n=count,
                    absent=Who(seat),
                ),
                say("Proof verified: this is part of the absent player's key."),
            )
        case events.LaidOpen(cards=cards):
            return (
                say("All can see {n} cards of {absent}.", n=len(cards), absent=Who(seat)),
                say("Everybody still here opened them together; no one could do it alone."),
            )
        case events.Unlocked(seat=who, cards=count) if who == seat:
            return (
                say(
                    "{n} cards were unlocked for {absent}, who is absent.",
                    n=count,
                    absent=Who(seat),
                ),
                say("Everybody still here opened them together; no one could do it alone."),
            )
        case events.WasCut(seat=who) if who == seat:
            return say(
                "The pack is not cut, because {absent} is absent.", absent=Who(seat)
            ), by_itself
        case events.Inspected(seat=who) if who == seat:
            return (
                say("Everybody sees the face-down card of {absent}.", absent=Who(seat)),
                by_itself,
            )
    return None


def proven(fault: events.Fault, nick: str) -> Phrase:
    """Say what is proven against a player."""
    check = fault.finding.check
    if check in events.TWO_FOR_A_PLACE:
        return say(
            "{nick} signed two different entries for the same place (check {check}): by "
            "cheating, by running one identity on two computers, or after restoring a "
            "backup. The table stops; the evidence is saved.",
            nick=nick,
            check=check,
        )
    if check in events.TWO_THAT_EXCLUDE:
        return say(
            "{nick} signed two contradictory messages (check {check}): by cheating, by "
            "running one identity on two computers, or after restoring a backup. The table "
            "stops; the evidence is saved.",
            nick=nick,
            check=check,
        )
    return say(
        "CHEATING PROVEN against {nick}: {why} (check {check}). The table stops; the "
        "evidence is saved.",
        nick=nick,
        why=fault.finding.sentence,
        check=check,
    )
