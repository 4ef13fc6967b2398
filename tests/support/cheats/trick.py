"""The cheats' catalogue: inspection, the announcement, the count."""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto.group import G, add, base, mul
from p2p304.crypto.statements import Scalars, prove
from p2p304.table.proofs import required, statements
from p2p304.wire.bodies import Announce, Body, Count, Inspect, Say
from tests.support.cheats.harness import Chance, Cheat, another, corrupt, other, swapped
from tests.support.false_proofs import prove_unchecked


class Showing(Cheat):
    kind, check = "inspect", "P03"


class ShowsAnotherCard(Showing):
    """Shows the trump maker another card of its hand than the one it laid."""

    def lie(self, at: Chance, body: Inspect) -> Body | None:
        if not at.cards():
            return None
        card = at.held.hand[next(iter(at.cards()))]
        assert card is not None
        slot, to = at.held.down[-1], at.deal.inspection or G
        u = at.table.me.secrets.key_of(slot, at.deal.number, at.held.relocks)
        k = at.table.me.secrets.hand(at.state.number).child(b"lie").scalar()
        e1, e2 = base(k), add(mul(u, card.locked), mul(k, to))
        statement = statements.inspection(slot, to, e1, e2)
        proof = prove_unchecked(statement, Scalars({"k": k, "u": u}), *at.writer._place(b"inspect"))
        return Inspect(e1, e2, proof)


class ShowsNonsense(Showing):
    """A ciphertext that holds no card."""

    def lie(self, at: Chance, body: Inspect) -> Body:
        return replace(body, e2=other(body.e2))


class ShowsToAnotherKey(Showing):
    """Encrypts its card to another key: the trump maker cannot read it."""

    def lie(self, at: Chance, body: Inspect) -> Body:
        slot, to = at.held.down[-1], at.deal.key(at.seat)
        u = at.table.me.secrets.key_of(slot, at.deal.number, at.held.relocks)
        k = at.table.me.secrets.hand(at.state.number).child(b"lie").scalar()
        e1, e2 = base(k), add(mul(u, slot.locked), mul(k, to))
        statement = statements.inspection(slot, to, e1, e2)
        proof = prove(statement, Scalars({"k": k, "u": u}), *at.writer._place(b"inspect"))
        return Inspect(e1, e2, proof)


class ShowsAnothersCiphertext(Showing):
    """Sends the ciphertext of another player's card."""

    def lie(self, at: Chance, body: Inspect) -> Body | None:
        before = at.before("inspect")
        return Inspect(**before[0]) if before else None


class ShowsWithABentProof(Showing):
    """One bit of the proof."""

    def lie(self, at: Chance, body: Inspect) -> Body:
        return replace(body, proof=corrupt(body.proof))


class ShowsTheIdentity(Showing):
    """No mask at all."""

    check = "D01"

    def lie(self, at: Chance, body: Inspect) -> Body:
        return replace(body, e1=bytes(32))


class DoesNotShow(Showing):
    """Says something else instead of showing its card."""

    check = "S02"

    def lie(self, at: Chance, body: Inspect) -> Body:
        return Say("pass")


# The announcement ------------------------------------------------------------------------------


class Announcing(Cheat):
    kind = "announce"

    def cut_by_others(self, at: Chance, body: Announce) -> bool:
        """Whether a trump lies there that the trump maker could keep quiet about."""
        return bool(body.shown) and at.held.indicator is not None


class FalselyNoTrumps(Announcing):
    """Says "no trumps" although one lies there, with a forged proof."""

    check = "P14"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        if not self.cut_by_others(at, body):
            return None
        claims = required.for_announcement(at.state, at.seat, False, None)
        return Announce(0, (), None, None, None, None, None, at.forged(claims))


class FalselyNoTrumpsSilently(Announcing):
    """The same, without a proof."""

    check = "P08"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        if not self.cut_by_others(at, body):
            return None
        return Announce(0, (), None, None, None, None, None, ())


class NoTrumpsProofBent(Announcing):
    """A true "no trumps", one bit of its proof bent."""

    check = "P14"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, owed=(corrupt(body.owed[0]),)) if body.owed else None


class NoTrumpsReplayed(Announcing):
    """The proof of an earlier announcement."""

    check = "P14"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        before = [e["owed"] for e in at.before("announce") if e["owed"]]
        return replace(body, owed=tuple(before[0])) if before and body.owed else None


class FalselyTrumps(Announcing):
    """Says "trumps" and turns nothing up."""

    check = "P05"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return None if body.cut else replace(body, cut=1, owed=())


class TrumpsWithoutTheIndicator(Announcing):
    """Turns the cards up and keeps the indicator down."""

    check = "P05"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, indicator=None, indicator_proof=None) if body.shown else None


class NoWordForATrump(Announcing):
    """Turns a trump up and says that there is none."""

    check = "P05"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, cut=0) if body.cut else None


class AnotherIndicator(Announcing):
    """Names another card as the indicator."""

    check = "P02"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, indicator=another(body.indicator)) if body.indicator else None


class IndicatorFromTheHand(Announcing):
    """Shows a card of its hand as the indicator."""

    check = "P02"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        if not body.indicator or not at.cards():
            return None
        slot, card = next(iter(at.cards().items()))
        held = at.held.hand[slot]
        assert held is not None
        proof = at.writer._turn_up((held,), (card,), b"indicator")
        return replace(body, indicator=card.name, indicator_proof=proof)


class TurnsUpAnotherCard(Announcing):
    """Turns up another card than the one it was shown."""

    check = "P04"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        if not body.shown:
            return None
        return replace(body, shown=(another(body.shown[0]), *body.shown[1:]))


class TurnsUpExchanged(Announcing):
    """Exchanges two players' cards while turning them up."""

    check = "P04"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, shown=swapped(body.shown)) if len(body.shown) > 1 else None


class TurnsUpWithABentProof(Announcing):
    """One bit of the proof."""

    check = "P04"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, shown_proof=corrupt(body.shown_proof)) if body.shown_proof else None


class TurnsUpItsOwnCard(Announcing):
    """Names a card of its own where it laid none."""

    check = "P05"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, own="JS") if body.own is None else None


class TurnsUpACardOfNoPack(Announcing):
    """Turns up a six."""

    check = "P06"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, shown=("6S", *body.shown[1:])) if body.shown else None


class AnnouncesWithProofsNotOwed(Announcing):
    """A proof of "no trumps" beside the trumps."""

    check = "P08"

    def lie(self, at: Chance, body: Announce) -> Body | None:
        return replace(body, owed=(bytes(128),)) if body.cut else None


# The count -------------------------------------------------------------------------------------


class Counting(Cheat):
    kind, check = "count", "P02"


class CountsAnotherCard(Counting):
    """Counts a jack for a seven."""

    def lie(self, at: Chance, body: Count) -> Body:
        return replace(body, cards=(another(body.cards[0]), *body.cards[1:]))


class CountsExchanged(Counting):
    """Exchanges two of its cards between tricks."""

    def lie(self, at: Chance, body: Count) -> Body | None:
        return replace(body, cards=swapped(body.cards)) if len(body.cards) > 1 else None


class CountProofBent(Counting):
    """One bit of the proof."""

    def lie(self, at: Chance, body: Count) -> Body:
        return replace(body, proofs=(corrupt(body.proofs[0]), *body.proofs[1:]))


class CountsTooFew(Counting):
    """Opens one card less than it laid."""

    check = "P07"

    def lie(self, at: Chance, body: Count) -> Body | None:
        return replace(body, cards=body.cards[1:]) if len(body.cards) > 1 else None


class CountsTooMany(Counting):
    """Counts a card that it did not lay."""

    check = "P07"

    def lie(self, at: Chance, body: Count) -> Body:
        return replace(body, cards=(*body.cards, "JS"))


class CountsACardOfNoPack(Counting):
    """Counts a six."""

    check = "P06"

    def lie(self, at: Chance, body: Count) -> Body:
        return replace(body, cards=("6S", *body.cards[1:]))


class DoesNotCount(Counting):
    """Says something else instead of opening its cards."""

    check = "S02"

    def lie(self, at: Chance, body: Count) -> Body:
        return Say("pass")
