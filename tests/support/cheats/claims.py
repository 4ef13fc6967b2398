"""The cheats' catalogue: calls of Caps."""

from __future__ import annotations

from dataclasses import replace

from p2p304.table.transition.phases import duty
from p2p304.wire.bodies import Body, Caps, Say
from tests.support.cheats.harness import Chance, Cheat, another, corrupt, swapped


class Calling(Cheat):
    kind = "caps"


class CallsWithACardInHiding(Calling):
    """Leaves the last card of the order out."""

    check = "P15"

    def lie(self, at: Chance, body: Caps) -> Body | None:
        return replace(body, order=body.order[:-1], slots=body.slots[:-1]) if body.order else None


class CallsWithOneCardTwice(Calling):
    """Lays the same place open twice and hides another."""

    check = "P15"

    def lie(self, at: Chance, body: Caps) -> Body | None:
        return replace(body, slots=(body.slots[0], *body.slots[:-1])) if body.slots[1:] else None


class CallsWithAnotherCard(Calling):
    """States a jack that it does not hold."""

    check = "P02"

    def lie(self, at: Chance, body: Caps) -> Body | None:
        held = [n for n, slot in enumerate(body.slots) if slot in at.cards()]
        if not held:
            return None
        order = list(body.order)
        order[held[0]] = another(order[held[0]])
        return replace(body, order=tuple(order))


class CallsWithPlacesExchanged(Calling):
    """Says that two of its cards lie in each other's place."""

    check = "P02"

    def lie(self, at: Chance, body: Caps) -> Body | None:
        hidden = [n for n, slot in enumerate(body.slots) if slot in at.cards()]
        return replace(body, slots=swapped(body.slots, *hidden[:2])) if hidden[1:] else None


class CallsWithoutProof(Calling):
    """Lays its cards open and proves nothing."""

    check = "P07"

    def lie(self, at: Chance, body: Caps) -> Body | None:
        return replace(body, proofs=body.proofs[:-1]) if body.proofs else None


class CallsAndForgetsWhatItSaw(Calling):
    """Does not open the cards that it inspected as trump maker."""

    check = "P16"

    def lie(self, at: Chance, body: Caps) -> Body | None:
        return replace(body, seen=(), seen_proof=None) if body.seen else None


class CallsAndLiesAboutWhatItSaw(Calling):
    """Names another card than the one that it inspected."""

    check = "P16"

    def lie(self, at: Chance, body: Caps) -> Body | None:
        return replace(body, seen=(another(body.seen[0]), *body.seen[1:])) if body.seen else None


class CallsWithAProofSpoilt(Calling):
    """One bit of the proof about inspected cards is another."""

    check = "P16"

    def lie(self, at: Chance, body: Caps) -> Body | None:
        return replace(body, seen_proof=corrupt(body.seen_proof)) if body.seen_proof else None


class ClaimsAndSaysSomethingElse(Calling):
    """Takes the floor by a claim and bids."""

    check = "S02"

    def lie(self, at: Chance, body: Caps) -> Body:
        return Say("pass")


class CallsForAnother(Calling):
    """Calls with somebody else's floor."""

    check, author = "S01", 1

    def lie(self, at: Chance, body: Caps) -> Body | None:
        """Not by who might have overheard a claim: that names nobody (S04)."""
        due = duty(replace(at.state, claims=()))
        overheard = {who for who, _ in at.state.claims} | {due.player if due else -1}
        return None if self.author in overheard else body
