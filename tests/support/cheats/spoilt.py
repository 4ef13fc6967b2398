"""The cheats' catalogue: after a call of spoilt trumps."""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.actions import Spoilt
from p2p304.rules.play.counting import may_have_none
from p2p304.table.proofs.required import for_count
from p2p304.wire.bodies import Body, Count
from tests.support.cheats.harness import Chance, Cheat, corrupt


class Denying(Cheat):
    """After a call of spoilt trumps an opponent of the trump maker says that it was dealt none."""

    kind = "count"


def holds_one(at: Chance, body: Count) -> bool:
    """Whether the author would have to open its cards, because one of them is a trump."""
    return may_have_none(at.hand, at.seat) and bool(body.cards)


def forged(at: Chance) -> tuple[bytes, ...]:
    return at.forged(for_count(at.state, at.seat))


class DeniesItsTrumps(Denying):
    """Forges the proof that no trump was dealt to it."""

    check = "P19"

    def lie(self, at: Chance, body: Count) -> Body | None:
        return Count((), (), forged(at)) if holds_one(at, body) else None


class DeniesItsTrumpsWithoutProof(Denying):
    """Says that no trump was dealt to it, and proves nothing."""

    check = "P08"

    def lie(self, at: Chance, body: Count) -> Body | None:
        owes = [c for c in for_count(at.state, at.seat) if c.statement is not None and not c.broken]
        return Count((), (), ()) if owes and holds_one(at, body) else None


class DeniesWithTheNeighboursProof(Denying):
    """Sends the proof of somebody who was dealt none."""

    check = "P19"

    def lie(self, at: Chance, body: Count) -> Body | None:
        true = [told["owed"] for told in at.before("count") if told["owed"]]
        called = may_have_none(at.hand, at.seat)
        return Count((), (), tuple(true[0])) if called and true else None


class BendsItsDenial(Denying):
    """One bit of a true proof."""

    check = "P19"

    def lie(self, at: Chance, body: Count) -> Body | None:
        return replace(body, owed=(corrupt(body.owed[0]),)) if body.owed else None


class DeniesWhatEverybodySaw(Denying):
    """Has played a trump face up, and says that it was dealt none."""

    check = "P19"

    def lie(self, at: Chance, body: Count) -> Body | None:
        plays = (play for trick in at.hand.tricks for play in trick.plays)
        shown = any(p.seat == at.seat and p.card and p.card.suit is at.hand.trump for p in plays)
        return Count((), (), forged(at)) if shown and holds_one(at, body) else None


class OpensAndDenies(Denying):
    """Opens its cards, and proves beside that it was dealt no trump."""

    check = "P08"

    def lie(self, at: Chance, body: Count) -> Body | None:
        return replace(body, owed=forged(at)) if holds_one(at, body) else None


class HidesTheIndicator(Denying):
    """The trump maker does not show trumps after they were called spoilt."""

    check = "P07"

    def lie(self, at: Chance, body: Count) -> Body | None:
        called = isinstance(at.hand.ending, Spoilt)
        return Count((), (), ()) if called and at.seat == at.hand.maker else None
