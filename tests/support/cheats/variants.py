"""The cheats' catalogue: what only other games than Pagat's have."""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto.group import G, Q, base, mul
from p2p304.crypto.shuffle import ShuffleStatement, prove_shuffle
from p2p304.rules.core.cards import card
from p2p304.rules.core.phase import Phase
from p2p304.table.proofs import required
from p2p304.wire.bodies import INDICATOR, Ask, Body, Exchange, Marriage, Open, Play, Relock, Shuffle
from tests.support.cheats.harness import Chance, Cheat, another, corrupt, other, swapped
from tests.support.cheats.play import face_up, follows, not_of, of


class MovesCardsAfterTheProof(Cheat):
    """Exchanges two cards of the gathered pack after it has proved its shuffle."""

    kind, check = "shuffle", "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        return replace(body, deck=swapped(body.deck)) if at.deal.gathered else None


class TakesAFreshPack(Cheat):
    """Shuffles a pack in its printed order in place of the gathered one, with a true proof of
    that."""

    kind, check = "shuffle", "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        if not at.deal.gathered or at.deal.shuffled:
            return None
        u = at.table.me.secrets.deck_key(at.deal.number)
        fresh = at.deal.elements
        statement = ShuffleStatement(
            base=G, image=base(u), X=tuple(mul(pow(u, -1, Q), card) for card in fresh), Y=fresh
        )
        order = tuple(range(len(fresh)))
        proof = prove_shuffle(statement, u, order, *at.writer._place(b"shuffle"))
        return replace(body, deck=statement.X, proof=proof)


class KeepsTheFirstLock(Cheat):
    """Locks the gathered pack once more in the second round and leaves its first lock on, with a
    true proof of that: nobody could unlock a card."""

    kind, check = "shuffle", "D05"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        if not at.deal.gathered or at.deal.shuffled < at.deal.seats:
            return None
        u, before = at.table.me.secrets.deck_key(at.deal.number), at.deal.deck
        statement = ShuffleStatement(
            base=G, image=base(u), X=tuple(mul(pow(u, -1, Q), card) for card in before), Y=before
        )
        order = tuple(range(len(before)))
        proof = prove_shuffle(statement, u, order, *at.writer._place(b"shuffle"))
        return replace(body, deck=statement.X, proof=proof)


class KeepsAGatheredCardTwice(Cheat):
    """Puts one card of the gathered pack in a second time, for another one."""

    kind, check = "shuffle", "D04"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        return replace(body, deck=(*body.deck[:-1], body.deck[0])) if at.deal.gathered else None


class DrawsAnotherCard(Cheat):
    """Exchanges the card that it drew while it joins the hand."""

    kind, check = "relock", "D10"

    def lie(self, at: Chance, body: Relock) -> Body | None:
        return replace(body, joined=(other(body.joined[0]),)) if body.joined else None


class DrawsWithoutProof(Cheat):
    """Does not bring the card that it drew under the hand's key."""

    kind, check = "relock", "D10"

    def lie(self, at: Chance, body: Relock) -> Body | None:
        return replace(body, joined=(), joined_proof=None) if body.joined else None


class LaysOneCardAwayTwice(Cheat):
    """Lays one card away for two."""

    kind, check = "exchange", "P17"

    def lie(self, at: Chance, body: Exchange) -> Body:
        return Exchange((body.slots[0], body.slots[0]))


class LaysTheIndicatorAway(Cheat):
    """Takes the indicator for one of the cards laid away."""

    kind, check = "exchange", "P17"

    def lie(self, at: Chance, body: Exchange) -> Body:
        return Exchange((body.slots[0], INDICATOR))


class LaysNothingAway(Cheat):
    """Lays away from a place where no card lies."""

    kind, check = "exchange", "P01"

    def lie(self, at: Chance, body: Exchange) -> Body:
        return Exchange((body.slots[0], 39))


class AsksAndDoesNotCut(Cheat):
    """Has asked for trumps, holds one, and plays something else, with a forged proof."""

    kind, check = "play", "P18"

    def lie(self, at: Chance, body: Play) -> Body | None:
        trump = at.hand.trump
        if at.hand.asker != at.seat or trump is None or card(body.card).suit is not trump:
            return None
        slot = not_of(at, trump)
        return None if slot is None else face_up(at, slot, at.cards()[slot])


class AsksAlthoughItCanFollow(Cheat):
    """Asks for trumps with a card of the suit led in hand, and forges the proof."""

    kind, check = "play", "P09"

    def lie(self, at: Chance, body: Play) -> Body | None:
        closed = at.hand.trump is None and at.hand.options.hidden == "ask_reveal"
        if not closed or not follows(at, body) or of(at, at.led) is None:
            return None
        return Ask(at.forged(required.for_asking(at.state, at.seat)))


class ShowsAMarriageItDoesNotHold(Cheat):
    """Shows another suit's king and queen."""

    kind, check = "marriage", "P02"

    def lie(self, at: Chance, body: Marriage) -> Body:
        return replace(body, suit="H" if body.suit != "H" else "D")


class MarriesACardToItself(Cheat):
    """Shows one card as king and queen."""

    kind, check = "marriage", "P17"

    def lie(self, at: Chance, body: Marriage) -> Body:
        return replace(body, slots=(body.slots[0], body.slots[0]))


class SpoilsTheProofOfAMarriage(Cheat):
    """Spoils the proof that king and queen lie there."""

    kind, check = "marriage", "P02"

    def lie(self, at: Chance, body: Marriage) -> Body:
        return replace(body, proofs=(corrupt(body.proofs[0]), *body.proofs[1:]))


class ShowsAnotherTrumpOnDemand(Cheat):
    """Asked for trumps, shows another card than the indicator."""

    kind, check = "open", "P02"

    def lie(self, at: Chance, body: Open) -> Body | None:
        asked = at.hand.phase is Phase.SHOW
        return replace(body, card=another(body.card)) if asked else None
