"""What goes on behind the deal, step by step, and what each step proved.

Owns the wording of the "behind it" pane: fairness is to be seen there, not only claimed. Times
are this node's own, between one accepted entry and the next; nothing is measured here.
"""

from __future__ import annotations

from p2p304.table import events
from p2p304.table.events import Event
from p2p304.ui.screen.phrases import Phrase, Who, say


def what_happened(event: Event) -> tuple[Phrase, Phrase] | None:
    """What an event did behind the cards and what it proved; None where it is none of that."""
    match event:
        case events.Seated(code=code):
            return (
                say("Seats and first dealer drawn by all together; code {code}.", code=code),
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
