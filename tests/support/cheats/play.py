"""The cheats' catalogue: cards played, face up and face down, and the proofs they owe."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from p2p304.crypto.group import HashedElement
from p2p304.crypto.statements import NoneAmong, prove_by_keys
from p2p304.rules.core.cards import Card, Suit
from p2p304.table.proofs import hidden_cards, required
from p2p304.table.proofs.statements import Binding
from p2p304.wire.bodies import INDICATOR, Body, Down, Play, Say
from tests.support.cheats.harness import Chance, Cheat, another, corrupt, other


def face_up(at: Chance, slot: int, card: Card) -> Play:
    """A card face up with an honest opening, and its claims proved or forged."""
    lies = at.held.slot(slot)
    assert lies is not None
    proof = at.writer._turn_up((lies,), (card,), b"play")
    return Play(slot, card.name, proof, at.forged(required.for_play(at.state, at.seat, slot, card)))


def face_down(at: Chance, slot: int) -> Down:
    return Down(slot, at.forged(required.for_play(at.state, at.seat, slot, None)))


def follows(at: Chance, body: Play) -> bool:
    """Whether the honest play follows suit."""
    return at.led is not None and body.card.endswith(at.led.value)


def not_of(at: Chance, suit: Suit) -> int | None:
    """An own hidden card of another suit."""
    return next((slot for slot, card in at.cards().items() if card.suit is not suit), None)


def of(at: Chance, suit: Suit) -> int | None:
    return next((slot for slot, card in at.cards().items() if card.suit is suit), None)


class Playing(Cheat):
    kind = "play"


class NoCardThere(Playing):
    """Plays from a place without a card."""

    check = "P01"

    def lie(self, at: Chance, body: Play) -> Body:
        return replace(body, slot=39)


class IndicatorOfAnother(Playing):
    """Plays an indicator that it does not have."""

    check = "P01"

    def lie(self, at: Chance, body: Play) -> Body | None:
        return None if at.hand.maker == at.seat else replace(body, slot=INDICATOR)


class AnotherCardNamed(Playing):
    """Names another card than the one that lay there."""

    check = "P02"

    def lie(self, at: Chance, body: Play) -> Body:
        return replace(body, card=another(body.card))


class CardPlayedBefore(Playing):
    """Names a card that was played before."""

    check = "P02"

    def lie(self, at: Chance, body: Play) -> Body | None:
        gone = [e["card"] for e in at.before("play")]
        return replace(body, card=gone[0]) if gone else None


class CardOfTheNextSlot(Playing):
    """Opens one card and takes another from its hand."""

    check = "P02"

    def lie(self, at: Chance, body: Play) -> Body | None:
        slots = [slot for slot in at.cards() if slot != body.slot]
        return replace(body, slot=slots[0]) if slots else None


class PlayProofBent(Playing):
    """One bit of the proof."""

    check = "P02"

    def lie(self, at: Chance, body: Play) -> Body:
        return replace(body, proof=corrupt(body.proof))


class PlayProofOfAnother(Playing):
    """Shows another player's proof."""

    check = "P02"

    def lie(self, at: Chance, body: Play) -> Body | None:
        before = at.before("play")
        return replace(body, proof=before[0]["proof"]) if before else None


class CardOfNoPack(Playing):
    """Plays a six."""

    check = "P06"

    def lie(self, at: Chance, body: Play) -> Body:
        return replace(body, card="6S")


class OutOfTurn(Playing):
    """The neighbour plays before its turn."""

    check = "S01"
    author = 1

    def lie(self, at: Chance, body: Play) -> Body:
        return body


class SpeaksInsteadOfPlaying(Playing):
    """Bids in the middle of the play."""

    check = "S02"

    def lie(self, at: Chance, body: Play) -> Body:
        return Say("200")


class LeadsFaceDown(Playing):
    """Leads a card face down."""

    check = "G01"

    def lie(self, at: Chance, body: Play) -> Body | None:
        return Down(body.slot, ()) if at.led is None and body.slot != INDICATOR else None


class DownWhileOpen(Playing):
    """Lays a card face down although trumps are open."""

    check = "G01"

    def lie(self, at: Chance, body: Play) -> Body | None:
        return Down(body.slot, ()) if at.hand.has_open_trumps and at.led is not None else None


class IndicatorTooEarly(Playing):
    """Leads the indicator while it holds other cards."""

    check = "G01"

    def lie(self, at: Chance, body: Play) -> Body | None:
        lying = at.indicator()
        if lying is None or at.led is not None or not at.cards():
            return None
        return face_up(at, INDICATOR, lying)


class RevokesOpen(Playing):
    """Does not follow suit although it can, trumps open, with a forged proof."""

    check = "P09"

    def lie(self, at: Chance, body: Play) -> Body | None:
        if not at.hand.has_open_trumps or not follows(at, body) or of(at, at.led) is None:
            return None
        slot = not_of(at, at.led)
        return None if slot is None else face_up(at, slot, at.cards()[slot])


class RevokesOpenSilently(RevokesOpen):
    """The same, without the proof that is owed."""

    check = "P08"

    def lie(self, at: Chance, body: Play) -> Body | None:
        public = [slot.card for slot in at.held.hand if slot is not None]
        if any(card is not None and card.suit is at.led for card in public):
            return None  # that all have seen this card is P09, before proofs are counted
        false = super().lie(at, body)
        return replace(false, owed=()) if isinstance(false, Play) else None


class HidesTheIndicatorTakenUp(Playing):
    """Does not follow with the trump that everybody saw it take up; its other cards cannot."""

    check = "P09"

    def lie(self, at: Chance, body: Play) -> Body | None:
        slot = at.held.slot(body.slot)
        if slot is None or slot.card is None or not follows(at, body):
            return None
        hidden = not_of(at, at.led)
        if hidden is None or of(at, at.led) is not None:
            return None
        return face_up(at, hidden, at.cards()[hidden])


class RevokesClosed(Playing):
    """Lays a card face down although it can follow, with a forged proof."""

    check = "P09"

    def lie(self, at: Chance, body: Play) -> Body | None:
        if at.hand.has_open_trumps or not follows(at, body) or body.slot == INDICATOR:
            return None
        slot = not_of(at, at.led)
        return None if slot is None else self.down(at, slot)

    def down(self, at: Chance, slot: int) -> Down:
        return face_down(at, slot)


class RevokesClosedSilently(RevokesClosed):
    """The same, without a proof."""

    check = "P08"

    def down(self, at: Chance, slot: int) -> Down:
        return Down(slot, ())


class HidesTheCardThatFollows(Playing):
    """Lays the very card that follows suit face down."""

    check = "P09"

    def lie(self, at: Chance, body: Play) -> Body | None:
        if at.hand.has_open_trumps or not follows(at, body) or body.slot == INDICATOR:
            return None
        return face_down(at, body.slot)


class RevokesLeavingCardsOut(RevokesClosed):
    """A true proof about its other cards, leaving out those that could follow."""

    check = "P09"

    def down(self, at: Chance, slot: int) -> Down:
        rest = [
            s
            for n, s in enumerate(at.held.hand)
            if n in at.cards() and at.cards()[n].suit is not at.led
        ]
        cards = hidden_cards.Cards(at.deal, at.hand)
        statement = hidden_cards.cannot_follow(cards, hidden_cards.locked(rest), at.led)
        assert statement is not None
        secrets = at.table.me.secrets.by_key(at.state.number, at.held.relocks)
        place = at.writer._place(b"follow")
        claims = required.for_play(at.state, at.seat, slot, None)
        first = prove_by_keys(statement, secrets, *place)
        return Down(slot, (first, *at.forged(claims)[1:]))


class RevokesWithAnothersSuit(RevokesClosed):
    """A true proof that its hand lacks some other suit, or as good as true."""

    check = "P09"

    def down(self, at: Chance, slot: int) -> Down:
        claims = required.for_play(at.state, at.seat, slot, None)
        first = claims[0].statement
        assert isinstance(first, NoneAmong)
        secrets = at.table.me.secrets.by_key(at.state.number, at.held.relocks)
        turned = NoneAmong(first.hidden, tuple(HashedElement(other(M)) for M in first.elements))
        proof = prove_by_keys(turned, secrets, *at.writer._place(b"follow"))
        return Down(slot, (proof, *at.forged(claims)[1:]))


class CutsThoughItCanFollow(Playing):
    """Cuts with the indicator although its hand can follow."""

    check = "P09"

    def lie(self, at: Chance, body: Play) -> Body | None:
        if at.indicator() is None or not follows(at, body) or body.slot == INDICATOR:
            return None
        return face_down(at, INDICATOR)


class LeadsATrumpFirst(Playing):
    """The trump maker, closed, leads a trump to the first trick."""

    check = "P11"

    def lie(self, at: Chance, body: Play) -> Body | None:
        lying = at.indicator()
        if lying is None or at.hand.tricks:
            return None
        slot = of(at, lying.suit)
        return None if slot is None else face_up(at, slot, at.cards()[slot])


class KeepsExhaustedTrumps(Playing):
    """Leads another suit although its trumps, which nobody can follow, must be led."""

    check = "P12"
    closed: ClassVar[bool] = True

    def lie(self, at: Chance, body: Play) -> Body | None:
        if at.led is not None or bool(at.hand.closed) is not self.closed:
            return None
        for slot, card in at.cards().items():
            claims = required.for_play(at.state, at.seat, slot, card)
            if (
                any(c.kind is required.ProofKind.EXHAUSTED for c in claims)
                and card.name != body.card
            ):
                trump = at.hand.trump or getattr(at.indicator(), "suit", None)
                if of(at, trump) is not None and card.suit is not trump:  # type: ignore[arg-type]
                    return face_up(at, slot, card)
        return None


class KeepsExhaustedTrumpsOpen(KeepsExhaustedTrumps):
    """The same with open trumps."""

    check = "P12"
    closed = False


# Face down -------------------------------------------------------------------------------------


class LyingDown(Cheat):
    kind = "down"


class TrumpFaceDown(LyingDown):
    """The trump maker lays a trump from its hand face down, with a forged proof."""

    check = "P10"

    def lie(self, at: Chance, body: Down) -> Body | None:
        lying = at.indicator()
        slot = None if lying is None else of(at, lying.suit)
        return None if slot is None else face_down(at, slot)


class CutsItsOwnSuit(LyingDown):
    """Cuts the suit of the indicator with the indicator."""

    check = "P09"

    def lie(self, at: Chance, body: Down) -> Body | None:
        lying = at.indicator()
        return face_down(at, INDICATOR) if lying is not None and lying.suit is at.led else None


class DiscardsFaceUp(LyingDown):
    """Throws a card of another suit away face up while trumps are closed."""

    check = "G01"

    def lie(self, at: Chance, body: Down) -> Body | None:
        if body.slot == INDICATOR:
            return None
        return face_up(at, body.slot, at.cards()[body.slot])


class LaysAnEmptySlot(LyingDown):
    """Lays a card from a place that is empty."""

    check = "P01"

    def lie(self, at: Chance, body: Down) -> Body | None:
        empty = [n for n, slot in enumerate(at.held.hand) if slot is None]
        return replace(body, slot=empty[0]) if empty else None


class OwesMore(LyingDown):
    """Leaves out the second of two proofs."""

    check = "P08"

    def lie(self, at: Chance, body: Down) -> Body | None:
        return replace(body, owed=body.owed[:1]) if len(body.owed) == 2 else None


class ProofsExchanged(LyingDown):
    """Sends its two proofs in the other order."""

    check = "P09"

    def lie(self, at: Chance, body: Down) -> Body | None:
        return replace(body, owed=body.owed[::-1]) if len(body.owed) == 2 else None


class OwedProofBent(LyingDown):
    """One bit of a proof."""

    check = "P09"

    def lie(self, at: Chance, body: Down) -> Body | None:
        return replace(body, owed=(corrupt(body.owed[0]), *body.owed[1:])) if body.owed else None


class OwedProofShort(LyingDown):
    """A proof that ends early."""

    check = "P09"

    def lie(self, at: Chance, body: Down) -> Body | None:
        return replace(body, owed=(body.owed[0][:-32], *body.owed[1:])) if body.owed else None


class OwedProofReplayed(LyingDown):
    """An earlier player's proof."""

    check = "P09"

    def lie(self, at: Chance, body: Down) -> Body | None:
        before = [e["owed"] for e in at.before("down") if e["owed"]]
        if not before or not body.owed:
            return None
        return replace(body, owed=(before[0][0], *body.owed[1:]))


# True proofs from elsewhere --------------------------------------------------------------------


class Transplanted(LyingDown):
    """A true proof of the very claim, made for somewhere else."""

    def elsewhere(self, at: Binding) -> Binding:
        return at

    def lie(self, at: Chance, body: Down) -> Body | None:
        claims = required.for_play(at.state, at.seat, body.slot, None)
        if not body.owed or claims[0].statement is None:
            return None
        secrets = at.table.me.secrets.by_key(at.state.number, at.held.relocks)
        context = self.elsewhere(at.writer.at).context(self.label())
        rng = at.table.me.secrets.hand(at.state.number).child(b"elsewhere")
        moved = prove_by_keys(claims[0].statement, secrets, context, rng)
        return replace(body, owed=(moved, *body.owed[1:]))

    def label(self) -> bytes:
        return b"follow"


class FromAnotherTable(Transplanted):
    """The proof was made for another table."""

    check = "P09"

    def elsewhere(self, at: Binding) -> Binding:
        return replace(at, table=bytes(32))


class FromAnotherHand(Transplanted):
    """The proof was made for another hand."""

    check = "P09"

    def elsewhere(self, at: Binding) -> Binding:
        return replace(at, number=at.number + 1)


class FromAnotherPlace(Transplanted):
    """The proof was made for another place of the log."""

    check = "P09"

    def elsewhere(self, at: Binding) -> Binding:
        return replace(at, seq=at.seq - 1)


class FromAnotherHead(Transplanted):
    """The proof was made after another entry."""

    check = "P09"

    def elsewhere(self, at: Binding) -> Binding:
        return replace(at, prev=bytes(32))


class FromAnotherSeat(Transplanted):
    """The proof was made for another seat."""

    check = "P09"

    def elsewhere(self, at: Binding) -> Binding:
        return replace(at, seat=(at.seat + 1) % 4)


class FromAnotherStatement(Transplanted):
    """The proof was made under another statement's label."""

    check = "P09"

    def label(self) -> bytes:
        return b"down"
