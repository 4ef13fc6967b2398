"""The cheats' catalogue: bidding, the rejected hand, the indicator, open and closed."""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto.group import HashedElement, base
from p2p304.crypto.statements import All, AnyOf, Hidden, NoneAmong, Statement, prove_by_keys
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Card
from p2p304.table.proofs import hidden_cards, required
from p2p304.table.state.key_shares import total
from p2p304.wire.bodies import INDICATOR, Body, Closed, Cut, Indicator, Open, Redeal, Say
from tests.support.cheats.harness import Chance, Cheat, another, corrupt, other


class Speaking(Cheat):
    kind, check = "say", "G01"
    word: str

    def lie(self, at: Chance, body: Say) -> Body | None:
        return Say(self.word)


class BidTooLow(Speaking):
    """Bids under the least bid."""

    word = "150"


class BidBadlyWritten(Speaking):
    """A number in a second way of writing."""

    word = "0160"


class BidOffTheStep(Speaking):
    """A bid between the steps."""

    word = "165"


class BidTooHigh(Speaking):
    """A number above the highest bid."""

    word = "310"


class CapsWithFourCards(Speaking):
    """Partner Close Caps with four cards."""

    word = "pcc"


class WordUnknown(Speaking):
    """A word that is none."""

    word = "double"


class BidNotHigher(Speaking):
    """The same bid again."""

    def lie(self, at: Chance, body: Say) -> Body | None:
        high = at.hand.auction.high
        return Say(str(high)) if 0 < high < acts.PCC and at.hand.auction.bidder != at.seat else None


class SecondBidTooLow(Speaking):
    """Speaks a second time, under 200."""

    def lie(self, at: Chance, body: Say) -> Body | None:
        said = [a for a in at.hand.history if a.seat == at.seat]
        high = at.hand.auction.high
        if not said or at.hand.bid or not 0 < high < 190:
            return None
        return Say(str(high + 10))


class RejectsTooLate(Cheat):
    """Rejects its cards after others have spoken."""

    kind, check = "say", "G01"

    def lie(self, at: Chance, body: Say) -> Body | None:
        if at.hand.bid or not at.hand.history:
            return None
        return at.writer.chosen(acts.Redeal(at.seat))


class RejectsAGoodHand(Cheat):
    """Rejects four cards worth fifteen or more."""

    kind, check = "say", "G01"

    def lie(self, at: Chance, body: Say) -> Body | None:
        points = at.hand.options.pack.points
        if at.hand.history or sum(points[c] for c in at.cards().values()) < 15:
            return None
        return at.writer.chosen(acts.Redeal(at.seat))


class RejectsOtherCards(Cheat):
    """Rejects cards, naming other ones that are worth nothing."""

    kind, check = "say", "P02"

    def lie(self, at: Chance, body: Say) -> Body | None:
        if at.hand.history:
            return None
        honest = at.writer.chosen(acts.Redeal(at.seat))
        assert isinstance(honest, Redeal)
        return replace(honest, cards=("7S", "8S", "7H", "8H"))


class RejectsThreeCards(Cheat):
    """Turns up three of four cards."""

    kind, check = "say", "P02"

    def lie(self, at: Chance, body: Say) -> Body | None:
        if at.hand.history:
            return None
        honest = at.writer.chosen(acts.Redeal(at.seat))
        assert isinstance(honest, Redeal)
        return replace(honest, cards=honest.cards[:3])


class SpeaksWithAnotherEntry(Cheat):
    """Cuts in the middle of the bidding."""

    kind, check = "say", "S02"

    def lie(self, at: Chance, body: Say) -> Body:
        return Cut(3)


# The indicator ---------------------------------------------------------------------------------


class IndicatorNotInTheHand(Cheat):
    """Lays a card as the indicator that it does not hold."""

    kind, check = "indicator", "P01"

    def lie(self, at: Chance, body: Indicator) -> Body:
        return replace(body, slot=30)


class IndicatorAtNoPlace(Cheat):
    """A place that cannot be: minus one, which means the indicator itself."""

    kind, check = "indicator", "W04"

    def lie(self, at: Chance, body: Indicator) -> Body:
        return replace(body, slot=INDICATOR)


class OpensAnotherCard(Cheat):
    """Plays open and names another indicator than the one laid."""

    kind, check = "open", "P02"

    def lie(self, at: Chance, body: Open) -> Body:
        return replace(body, card=another(body.card))


class OpensACardOfTheHand(Cheat):
    """Swaps the indicator: proves a card of its hand, not the one that lies there."""

    kind, check = "open", "P02"

    def lie(self, at: Chance, body: Open) -> Body:
        slot, card = next(iter(at.cards().items()))
        held = at.held.hand[slot]
        assert held is not None
        return Open(card.name, at.writer._turn_up((held,), (card,), b"open"))


class OpensWithABentProof(Cheat):
    """One bit of the proof."""

    kind, check = "open", "P02"

    def lie(self, at: Chance, body: Open) -> Body:
        return replace(body, proof=corrupt(body.proof))


class OpensNoCard(Cheat):
    """Names a card that is not in the pack."""

    kind, check = "open", "P06"

    def lie(self, at: Chance, body: Open) -> Body:
        return replace(body, card="6S")


# Closed ----------------------------------------------------------------------------------------


class InspectionKeyOfNobody(Cheat):
    """An inspection key whose secret it does not know."""

    kind, check = "closed", "D02"

    def lie(self, at: Chance, body: Closed) -> Body:
        return replace(body, key=other(body.key))


class InspectionKeyUsedBefore(Cheat):
    """Its unlock key as the inspection key: one secret for two purposes."""

    kind, check = "closed", "D03"

    def lie(self, at: Chance, body: Closed) -> Body:
        return replace(body, key=at.deal.key(at.seat))


class InspectionKeyThatAnotherDiscarded(Cheat):
    """The hand key of an accomplice who has re-ordered since as the inspection key: the same key
    would be found with another seat's shares."""

    kind, check = "closed", "D03"

    def lie(self, at: Chance, body: Closed) -> Body | None:
        for table in at.net.tables:
            if at.deal.holdings[table.seat].relocks < 2 or table is at.table:
                continue
            x = table.me.secrets.hand_key(at.deal.number, 1)
            return replace(body, key=base(x), knows=at.writer._knows(base(x), x))
        return None


class InspectionKeyOfAnothersHand(Cheat):
    """The hand key of an accomplice as the inspection key."""

    kind, check = "closed", "D03"

    def lie(self, at: Chance, body: Closed) -> Body:
        other_seat = at.net.tables[(at.number + 1) % len(at.net.tables)]
        held = at.deal.holdings[other_seat.seat]
        x = other_seat.me.secrets.hand_key(at.deal.number, held.relocks)
        return replace(body, key=base(x), knows=at.writer._knows(base(x), x))


class ClosedWithProofsNotOwed(Cheat):
    """Sends a proof where none is owed."""

    kind, check = "closed", "P08"

    def lie(self, at: Chance, body: Closed) -> Body:
        return replace(body, owed=(*body.owed, bytes(96)))


class Stuck(Cheat):
    """Chooses closed although it leads first and holds nothing but trumps."""

    kind, check = "open", "P13"

    def lie(self, at: Chance, body: Open) -> Body | None:
        lying = at.indicator()
        if lying is None or any(card.suit is not lying.suit for card in at.cards().values()):
            return None
        x = at.table.me.secrets.inspection_key(at.state.number)
        key = base(x)
        return Closed(key, at.writer._knows(key, x), self.proofs(at, lying), (), None, None)

    def proofs(self, at: Chance, lying: Card) -> tuple[bytes, ...]:
        return at.forged(required.for_closed(at.state, at.seat))

    def proved(self, at: Chance, statement: Statement) -> bytes:
        """An honest proof of another statement in the place of *stuck*."""
        secrets = at.table.me.secrets.by_key(at.state.number, at.held.relocks)
        return prove_by_keys(statement, secrets, *at.writer._place(b"stuck"))


class StuckWithOneCardLeftOut(Stuck):
    """A true proof that one of its cards is none of the other cards of its suit: that card is left
    out of those that the proof excludes."""

    def proofs(self, at: Chance, lying: Card) -> tuple[bytes, ...]:
        cards = hidden_cards.Cards(at.deal, at.hand)
        indicator, hand = (
            hidden_cards.locked((at.held.indicator,)),
            hidden_cards.locked(at.held.hand),
        )
        rest = [each for each in cards.of(lying.suit) if each != at.deal.element(lying)]
        own = AnyOf(tuple(NoneAmong((each,), tuple(rest)) for each in (*indicator, *hand)))
        others = (
            hidden_cards.either(*(cards.none_of((each,), suit) for each in (*indicator, *hand)))
            for suit in cards.suits
            if suit is not lying.suit
        )
        parts = [own, *(part for part in others if part is not None)]
        return (self.proved(at, All(tuple(parts))),)


class StuckBySums(Stuck):
    """The sum of its cards is not the sum of as many others: another way to say it, which tables
    of many seats could not hide anything in."""

    def proofs(self, at: Chance, lying: Card) -> tuple[bytes, ...]:
        cards = hidden_cards.Cards(at.deal, at.hand)
        indicator, hand = (
            hidden_cards.locked((at.held.indicator,)),
            hidden_cards.locked(at.held.hand),
        )
        summed = Hidden(indicator[0].key, total([each.times for each in (*indicator, *hand)]))
        sums = [total(cards.of(suit)) for suit in cards.suits if suit is not lying.suit]
        excluded = tuple(HashedElement(each) for each in sums)
        return (self.proved(at, NoneAmong((summed,), excluded)),)


class StuckAndSilent(Cheat):
    """The same, sending no proof."""

    kind, check = "open", "P08"

    def lie(self, at: Chance, body: Open) -> Body | None:
        lying = at.indicator()
        if lying is None or any(card.suit is not lying.suit for card in at.cards().values()):
            return None
        x = at.table.me.secrets.inspection_key(at.state.number)
        return Closed(base(x), at.writer._knows(base(x), x), (), (), None, None)
