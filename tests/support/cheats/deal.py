"""The cheats' catalogue: the draw, the shuffle, the cut, unlocking, the re-ordered hand."""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto import dleq
from p2p304.crypto.dleq import prove_dleq
from p2p304.crypto.group import Element, G, Q, add, base, mul
from p2p304.crypto.shuffle import ShuffleStatement, prove_shuffle
from p2p304.table.proofs import statements
from p2p304.wire import bodies
from p2p304.wire.bodies import Body, Cut, Draw, Relock, Shuffle, Unlock
from tests.support.cheats.harness import Chance, Cheat, corrupt, other, swapped


class AnotherNonce(Cheat):
    """Draws with another nonce than the one pledged, to choose seats and dealer."""

    kind, check = "draw", "A04"

    def lie(self, at: Chance, body: Draw) -> Body:
        return replace(body, nonce=bytes(32))


# The shuffle -----------------------------------------------------------------------------------


class Shuffling(Cheat):
    kind = "shuffle"

    def reproved(self, at: Chance, body: Shuffle, deck: tuple[bytes, ...]) -> Shuffle:
        """The deck with a proof made anew for it, as well as the algorithm goes."""
        u = at.table.me.secrets.deck_key(at.deal.number)
        order = at.table.me.secrets.order(at.deal.number, 0, len(deck))
        X = tuple(Element(card) for card in deck)
        statement = ShuffleStatement(base=G, image=Element(body.key), X=X, Y=at.deal.deck)
        proof = prove_shuffle(statement, u, order, *at.writer._place(b"shuffle"))
        return replace(body, deck=deck, proof=proof)


class IdentityAsKey(Shuffling):
    """Publishes the identity as its key."""

    check = "D01"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, key=bytes(32))


class KeyThatIsNoElement(Shuffling):
    """Publishes bytes that encode no element."""

    check = "D01"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, key=b"\xff" * 32)


class CardWithSecondEncoding(Shuffling):
    """A card of the deck in an encoding that is not the canonical one."""

    check = "D01"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        first = body.deck[0]
        return replace(body, deck=(first[:31] + bytes([first[31] | 128]), *body.deck[1:]))


class IdentityAsCard(Shuffling):
    """The identity stands for a card: whatever unlocks it, it stays."""

    check = "D01"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, deck=(bytes(32), *body.deck[1:]))


class KeyOfNobody(Shuffling):
    """Publishes a key whose secret it does not know."""

    check = "D02"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, key=other(body.key))


class KeyWithAnothersProof(Shuffling):
    """Shows another seat's proof of knowledge for its own key."""

    check = "D02"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        before = at.before("shuffle")
        return replace(body, knows=before[0]["knows"]) if before else None


class KeyOfAnother(Shuffling):
    """Uses the key that another seat published, so that two locks are one."""

    check = "D03"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        before = at.before("shuffle")
        return replace(body, key=before[0]["key"]) if before else None


class NoLockAtAll(Shuffling):
    """The generator as a key: the secret is one, nothing is locked."""

    check = "D03"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, key=bytes(G))


class CardTwice(Shuffling):
    """Doubles a card and drops another."""

    check = "D04"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, deck=(body.deck[1], *body.deck[1:]))


class CardDropped(Shuffling):
    """Drops a card."""

    check = "D04"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, deck=body.deck[1:])


class CardAdded(Shuffling):
    """Puts a thirty-third card in."""

    check = "D04"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, deck=(*body.deck, other(body.deck[0])))


class CardReplaced(Shuffling):
    """Replaces a card by one that is none, and proves it as well as it can."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return self.reproved(at, body, (other(body.deck[0]), *body.deck[1:]))


class MarkedCard(Shuffling):
    """Locks one card with another key than the rest, to know it again."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        marked = mul(pow(3, -1, Q), Element(body.deck[5]))
        return self.reproved(at, body, (*body.deck[:5], marked, *body.deck[6:]))


class CardsMixed(Shuffling):
    """Adds one card to another: the product would still be right."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        mixed = add(Element(body.deck[0]), Element(body.deck[1]))
        return self.reproved(at, body, (mixed, *body.deck[1:]))


class LockedWithAnotherKey(Shuffling):
    """Locks the whole deck with another key than the one it publishes."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        deck = tuple(mul(5, Element(card)) for card in body.deck)
        return self.reproved(at, body, deck)


class DeckHandedOn(Shuffling):
    """Hands on the deck as it came, neither locked nor shuffled."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, deck=tuple(at.deal.deck))


class OrderChangedAfterwards(Shuffling):
    """Exchanges two cards when the proof is made."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, deck=swapped(body.deck, 3, 17))


class ShuffleProofBent(Shuffling):
    """One bit of the shuffle's proof."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, proof=corrupt(body.proof))


class ShuffleProofOfAnother(Shuffling):
    """Shows the proof of the shuffle before."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        before = at.before("shuffle")
        return replace(body, proof=before[0]["proof"]) if before else None


class ShuffleForAnotherPlace(Shuffling):
    """A good proof, made for another place of the log."""

    check = "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        moved = replace(at.writer.at, seq=at.writer.at.seq + 1)
        u = at.table.me.secrets.deck_key(at.deal.number)
        order = at.table.me.secrets.order(at.deal.number, 0, len(body.deck))
        X = tuple(Element(card) for card in body.deck)
        statement = ShuffleStatement(base=G, image=Element(body.key), X=X, Y=at.deal.deck)
        rng = at.table.me.secrets.fresh(moved, b"shuffle")
        return replace(
            body, proof=prove_shuffle(statement, u, order, moved.context(b"shuffle"), rng)
        )


class ShuffleSkipped(Shuffling):
    """Cuts instead of shuffling."""

    check = "S02"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return Cut(0)


class EmptyDeck(Shuffling):
    """A deck without a card."""

    check = "W04"

    def lie(self, at: Chance, body: Shuffle) -> Body:
        return replace(body, deck=())


class CutOutside(Cheat):
    """Cuts deeper than the pack has cards."""

    kind, check = "cut", "D06"

    def lie(self, at: Chance, body: Cut) -> Body:
        return replace(body, at=39)


class BidsInsteadOfCutting(Cheat):
    """Speaks when a cut is due."""

    kind, check = "cut", "S02"

    def lie(self, at: Chance, body: Cut) -> Body:
        return bodies.Say("pass")


# Unlocking -------------------------------------------------------------------------------------


class Unlocking(Cheat):
    kind, check = "unlock", "D07"

    def reproved(self, at: Chance, outputs: tuple[bytes, ...]) -> Unlock:
        """Outputs with a proof made for them, as well as the algorithm goes."""
        u = at.table.me.secrets.deck_key(at.deal.number)
        inputs = [at.deal.batch[place] for place in at.deal.foreign(at.seat)]
        cards = [Element(card) for card in outputs]
        context, rng = at.writer._place(b"unlock")
        proof = prove_dleq(u, G, at.deal.key(at.seat), inputs, cards, context, rng)
        return Unlock(outputs, proof)


class OneCardSkipped(Unlocking):
    """Leaves one card of the batch out."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        return replace(body, cards=body.cards[1:])


class OneCardStillLocked(Unlocking):
    """Passes one card on as it came."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        place = at.deal.foreign(at.seat)[2]
        return self.reproved(at, (*body.cards[:2], at.deal.batch[place], *body.cards[3:]))


class OneCardWithAnotherKey(Unlocking):
    """Unlocks one card with another key: its holder would read nonsense."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        return self.reproved(at, (other(body.cards[0]), *body.cards[1:]))


class AllWithAnotherKey(Unlocking):
    """Unlocks everything with another key than it published."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        return self.reproved(at, tuple(other(card) for card in body.cards))


class SwappedBetweenSeats(Unlocking):
    """Exchanges two players' cards while unlocking, a partner's good for a bad one."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        return self.reproved(at, swapped(body.cards, 0, len(body.cards) - 1))


class AnothersSlot(Unlocking):
    """Unlocks one of its own positions in place of a foreign one."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        u = at.table.me.secrets.deck_key(at.deal.number)
        own = next(p for p in range(len(at.deal.batch)) if p not in at.deal.foreign(at.seat))
        return self.reproved(at, (mul(u, at.deal.batch[own]), *body.cards[1:]))


class BothCancelOut(Unlocking):
    """Multiplies one card by t and another by 1/t, so that a plain sum would not show it."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        t = 7
        first = mul(t, Element(body.cards[0]))
        second = mul(pow(t, -1, Q), Element(body.cards[1]))
        return self.reproved(at, (first, second, *body.cards[2:]))


class ErrorsCancelUnderHonestWeights(Unlocking):
    """Adds errors to two cards that cancel under the weights of the honest batch."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        inputs = [at.deal.batch[place] for place in at.deal.foreign(at.seat)]
        outputs = [Element(card) for card in body.cards]
        context, _ = at.writer._place(b"unlock")
        first, second, *_ = dleq._weights(G, at.deal.key(at.seat), inputs, outputs, context)
        false = (add(outputs[0], base(second)), add(outputs[1], base(-first)), *outputs[2:])
        return self.reproved(at, false)


class ErrorsCancelPairByPair(Unlocking):
    """Adds errors to two cards that cancel under the weights that each pair has by itself."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        inputs = [at.deal.batch[place] for place in at.deal.foreign(at.seat)]
        outputs = [Element(card) for card in body.cards]
        key, (context, _) = at.deal.key(at.seat), at.writer._place(b"unlock")
        d = [
            dleq._weights(G, key, [C], [D], context)[0]
            for C, D in zip(inputs[:2], outputs[:2], strict=True)
        ]
        false = (add(outputs[0], base(d[1])), add(outputs[1], base(-d[0])), *outputs[2:])
        return self.reproved(at, false)


class UnlockProofBent(Unlocking):
    """One bit of the proof."""

    def lie(self, at: Chance, body: Unlock) -> Body:
        return replace(body, proof=corrupt(body.proof))


class UnlockProofReplayed(Unlocking):
    """The proof of the batch before."""

    def lie(self, at: Chance, body: Unlock) -> Body | None:
        before = at.before("unlock")
        return replace(body, proof=before[0]["proof"]) if before else None


class IdentityUnlocked(Unlocking):
    """An unlocked card that is the identity."""

    check = "D01"

    def lie(self, at: Chance, body: Unlock) -> Body:
        return replace(body, cards=(bytes(32), *body.cards[1:]))


# The re-ordered hand ---------------------------------------------------------------------------


class Reordering(Cheat):
    kind, check = "relock", "D08"

    def reproved(self, at: Chance, body: Relock, cards: tuple[bytes, ...]) -> Relock:
        secrets, held, number = at.table.me.secrets, at.held, at.deal.number
        old = secrets.key_of(held.hidden[0], number, held.relocks)
        w = old * pow(secrets.hand_key(number, held.relocks + 1), -1, Q) % Q
        order = secrets.order(number, held.relocks + 1, len(cards))
        elements = tuple(Element(card) for card in cards)
        statement = statements.reordering(held.hidden, Element(body.key), elements)
        proof = prove_shuffle(statement, w, order, *at.writer._place(b"relock"))
        return replace(body, cards=cards, proof=proof)


class HandCardReplaced(Reordering):
    """Puts another card into its hand while re-ordering."""

    def lie(self, at: Chance, body: Relock) -> Body:
        return self.reproved(at, body, (other(body.cards[0]), *body.cards[1:]))


class HandCardOfAnother(Reordering):
    """Takes a neighbour's slot into its own hand."""

    def lie(self, at: Chance, body: Relock) -> Body:
        theirs = at.deal.holdings[(at.seat + 1) % 4].hidden[0].locked
        return self.reproved(at, body, (theirs, *body.cards[1:]))


class HandCardTwice(Reordering):
    """Holds a card twice."""

    def lie(self, at: Chance, body: Relock) -> Body:
        return replace(body, cards=(body.cards[1], *body.cards[1:]))


class HandCardShort(Reordering):
    """Loses a card on the way."""

    def lie(self, at: Chance, body: Relock) -> Body:
        return replace(body, cards=body.cards[1:])


class HandProofBent(Reordering):
    """One bit of the proof."""

    def lie(self, at: Chance, body: Relock) -> Body:
        return replace(body, proof=corrupt(body.proof))


class HandProofOfAnother(Reordering):
    """Shows the neighbour's proof."""

    def lie(self, at: Chance, body: Relock) -> Body | None:
        before = at.before("relock")
        return replace(body, proof=before[0]["proof"]) if before else None


class HandKeyKept(Reordering):
    """Re-orders under the old key, so that cards could be told again."""

    check = "D03"

    def lie(self, at: Chance, body: Relock) -> Body:
        return replace(body, key=at.held.hidden[0].key)


class IndicatorExchanged(Reordering):
    """Exchanges the indicator for a card of the hand, with a proof made for it."""

    check = "D09"

    def lie(self, at: Chance, body: Relock) -> Body | None:
        if at.held.indicator is None or body.indicator is None:
            return None
        card = Element(body.cards[0])
        w = 1 + at.table.me.secrets.hand_key(at.deal.number, 1)
        pair = [at.held.indicator.locked], [card]
        place = at.writer._place(b"keep")
        kept = prove_dleq(w, Element(body.key), at.held.indicator.key, *pair, *place)
        return replace(body, indicator=card, kept=kept)


class IndicatorLeftOut(Reordering):
    """Forgets the indicator while re-ordering."""

    check = "D09"

    def lie(self, at: Chance, body: Relock) -> Body | None:
        return None if body.indicator is None else replace(body, indicator=None, kept=None)


class IndicatorFromNowhere(Reordering):
    """Re-locks an indicator that it does not have."""

    check = "D09"

    def lie(self, at: Chance, body: Relock) -> Body | None:
        if body.indicator is not None:
            return None
        return replace(body, indicator=base(9), kept=bytes(64))
