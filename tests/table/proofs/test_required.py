"""The rows against the rules' own judgement: a claim is true exactly where a player who sees the
cards finds the play legal. Everything in the clear here (every key is G); that true claims can
be proved and false ones cannot is crypto's business, and tests/support/cheats'."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p304.crypto.group import Element, G, HashedElement, Q, add, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Hidden,
    NoneAmong,
    NotAWitness,
    Statement,
    prove_by_keys,
    verify,
)
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.seats import Seat
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play.engine import apply
from p2p304.rules.play.view import View, check_own
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.proofs import hidden_cards, required
from p2p304.table.proofs.required import ProofKind, RequiredProofs
from p2p304.table.state import deal as dealing
from p2p304.table.state.deal import Deal, SeatSlots, Slot
from p2p304.table.state.table import TableState, first_state
from p2p304.wire.bodies import INDICATOR
from tests.support.table import simnet

TABLE = first_state(simnet.make(1).tables[0].terms)


def opened(hidden: Hidden) -> Element:
    """Every key is G, so every secret is 1."""
    return hidden.times if hidden.plus is None else add(hidden.times, hidden.plus)


def is_true(statement: Statement | None) -> bool:
    match statement:
        case None:
            return True
        case NoneAmong(hidden, elements):
            return not {opened(h) for h in hidden} & set(elements)
        case All(parts):
            return all(map(is_true, parts))
        case AnyOf(branches):
            return any(map(is_true, branches))
    raise TypeError("rows are made of these forms only")


def holds(claims: RequiredProofs) -> bool:
    return all(not claim.broken and is_true(claim.statement) for claim in claims)


CHECK = {
    "follow.suit": "P09",
    "follow.up": "P09",
    "reveal.ask": "P09",
    "down.trump": "P10",
    "lead.trump": "P11",
    "exhausted.when": "P12",
    "declare.stuck": "P13",
    "reveal.cut": "P18",
}
"""The rules about hidden cards, and the check that refuses a play against each."""


class Table(Referee):
    """A referee whose position can be laid out as a table's public state."""

    judged: Counter[tuple[str, bool]]

    def state(self) -> TableState:
        deal = dealing.begin(TABLE.table, 1, self.hand.dealer, self.hand.options)
        for seat in range(4):
            deal = deal.with_holding(seat, self.holding(deal, seat))
        deal = replace(deal, inspection=G, inspected=tuple(self.inspected(deal)))
        return replace(TABLE, deal=deal, hand=self.hand, number=1)

    def holding(self, deal: Deal, seat: Seat) -> SeatSlots:
        known = {self.hand.indicator}
        cards = sorted(self.held[seat], key=lambda card: card.name)
        slots = tuple(Slot(G, deal.element(c), c if c in known else None) for c in cards)
        lying = None
        if self.indicator is not None and seat == self.hand.maker:
            lying = Slot(G, deal.element(self.indicator))
        hidden = ((n, p) for n, t in enumerate(self.hand.tricks) for p in t.plays if not p.card)
        down = (self.true_cards[n, seat] for n, p in hidden if p.seat == seat)
        laid = tuple(Slot(G, deal.element(card)) for card in down)
        return SeatSlots(hand=slots, indicator=lying, down=laid)

    def inspected(self, deal: Deal) -> Iterator[tuple[Seat, Element, Element]]:
        for seat in self.hand.to_inspect:
            card = self.true_cards[len(self.hand.tricks) - 1, seat]
            yield seat, G, add(deal.element(card), G)

    def number(self, seat: Seat, card: Card) -> int:
        return sorted(self.held[seat], key=lambda each: each.name).index(card)

    def compare(self, state: TableState, action: Action) -> None:
        """The rules on the cards seen, and the claims on the cards unseen."""
        view = self.view(action.seat)
        try:
            apply(self.hand, acts.public(action))
        except RuleBroken:
            return
        rule = ""
        try:
            check_own(view, action)
        except RuleBroken as broken:
            rule = broken.rule
        claims = self.claims(state, action)
        assert holds(claims) == (not rule), (rule, action, view)
        false = {c.kind.check for c in claims if c.broken or not is_true(c.statement)}
        assert rule not in CHECK or CHECK[rule] in false, (rule, action, view)
        for claim in claims:
            self.judged[claim.kind.name, is_true(claim.statement)] += 1

    def claims(self, state: TableState, action: Action) -> RequiredProofs:
        if isinstance(action, acts.Closed):
            return required.for_closed(state, action.seat)
        if isinstance(action, acts.Reveal):
            return required.for_asking(state, action.seat)
        assert isinstance(action, Play)
        slot = INDICATOR if action.indicator else self.number(action.seat, action.card)  # type: ignore[arg-type]
        return required.for_play(state, action.seat, slot, None if action.down else action.card)

    def compare_spoilt(self, state: TableState) -> None:
        """Were trumps called spoilt now, after they have been shown."""
        trump = self.hand.trump
        for seat in set(range(4)) - set(self.hand.makers):
            if trump is not None and self.hand.phase is Phase.PLAY:
                none = all(card.suit is not trump for card in self.dealt[seat])
                claims = required.for_count(state, seat)
                assert holds(claims) == none and claims[0].kind is ProofKind.SPOILT
                self.judged[ProofKind.SPOILT.name, none] += 1

    def settle(self) -> None:
        if self.hand.phase is Phase.ANNOUNCE and self.hand.to_inspect:
            self.compare_announcement(self.state(), self.hand)
        super().settle()

    def compare_announcement(self, state: TableState, hand: Hand) -> None:
        trump = self.indicator
        cards = [self.true_cards[len(hand.tricks) - 1, seat] for seat in hand.to_inspect]
        if trump is None or not hand.indicator_down or hand.maker is None:
            return
        among = any(card.suit is trump.suit for card in cards)
        for shown in (None, trump):
            claims = required.for_announcement(state, hand.maker, False, shown)
            assert claims and holds(claims) == (not among)
            self.judged[claims[0].kind.name, not among] += 1


def candidates(view: View) -> Iterator[Action]:
    if view.hand.phase is Phase.DECLARE:
        yield acts.Closed(view.seat)
    if view.hand.phase is Phase.PLAY:
        yield acts.Reveal(view.seat)
        for card in view.cards:
            yield from (Play(view.seat, card, down) for down in (False, True))
        if view.indicator is not None:
            yield from (Play(view.seat, view.indicator, down, True) for down in (False, True))


def dealt(rng: random.Random, options: Options, skew: int) -> list[list[Card]]:
    """Four hands; the less is exchanged of a sorted pack, the longer the suits."""
    pack = list(options.pack.cards)
    for _ in range(skew):
        one, other = rng.randrange(32), rng.randrange(32)
        pack[one], pack[other] = pack[other], pack[one]
    hands = [pack[8 * n : 8 * n + 8] for n in range(4)]
    rng.shuffle(hands)
    return [rng.sample(hand, 8) for hand in hands]


def weight(action: Action) -> float:
    """Low bids and closed trumps, so that much is hidden for long."""
    if isinstance(action, acts.Bid):
        return 1 if action.amount < 200 else 0.02
    return 0.1 if isinstance(action, acts.Redeal | acts.Open) else 1


def play(seed: int, options: Options, judged: Counter[tuple[str, bool]]) -> None:
    rng = random.Random(seed)
    table = Table(options, seed % 4, dealt(rng, options, rng.choice([0, 4, 12, 200])))
    table.judged = judged
    while legal := table.legal():
        state = table.state()
        table.compare_spoilt(state)
        for action in candidates(table.view(legal[0].seat)):
            table.compare(state, action)
        weights = [weight(action) for action in legal]
        table.act(rng.choices(legal, weights)[0])


CLOSED = set(ProofKind) - {ProofKind.CUT}
"""The rows of games in which cards are played face down."""


@pytest.mark.parametrize(
    ("name", "options", "rows"),
    [
        ("pagat", {}, CLOSED),
        ("pagat", {"open_trump": "off"}, CLOSED - {ProofKind.STUCK}),
        ("pagat", {"reveal": "all"}, set()),
        ("online-4", {}, {ProofKind.FOLLOW, ProofKind.CUT}),
    ],
)
def test_a_claim_is_true_exactly_where_the_rules_allow(
    name: str, options: dict[str, str], rows: set[ProofKind]
) -> None:
    judged: Counter[tuple[str, bool]] = Counter()
    for seed in range(50):
        play(seed, preset(name).override(options), judged)
    missing = [(r.name, v) for r in rows for v in (True, False) if not judged[r.name, v]]
    assert not missing, judged


@pytest.mark.parametrize("name", ["pagat", "six-24", "tamil-904"])
def test_a_hand_of_trumps_only_is_told_from_any_other(name: str) -> None:
    options = preset(name)
    deal = dealing.begin(TABLE.table, 1, 0, options)
    cards = hidden_cards.Cards(deal, Hand.start(options, 0))
    pack, size = options.pack.cards, options.hand_size
    hidden = [Hidden(G, deal.element(c)) for c in pack]
    for first in range(len(pack) - size + 1):
        statement = hidden_cards.not_only_trumps(
            cards, hidden[first], hidden[first + 1 : first + size]
        )
        one_suit = len({card.suit for card in pack[first : first + size]}) == 1
        assert is_true(statement) == (not one_suit)


def test_cards_under_two_keys_are_judged_by_their_own_keys() -> None:
    """Else a hand of trumps only could be proved to be more, by a key that its cards have not."""
    pack = preset("pagat").pack
    deal = dealing.begin(TABLE.table, 1, 0, preset("pagat"))
    cards = hidden_cards.Cards(deal, Hand.start(preset("pagat"), 0))
    other = add(G, G)
    half = mul(pow(2, -1, Q), deal.element(pack.cards[7]))
    keys = {G: 1, other: 2}
    for first in (0, 3):
        hidden = [Hidden(G, deal.element(c)) for c in pack.cards[first:7]]
        hidden += [Hidden(G, deal.element(pack.cards[8 + n])) for n in range(first)]
        statement = hidden_cards.not_only_trumps(
            cards, hidden[0], [*hidden[1:], Hidden(other, half)]
        )
        assert statement is not None
        try:
            proof = prove_by_keys(statement, keys, b"", Rng.from_seed(bytes(32)))
            assert first and verify(statement, proof, b"")
        except NotAWitness:
            assert not first


def test_spoilt_trumps_are_told_from_the_cards_dealt() -> None:
    pack = preset("pagat").pack
    deal = dealing.begin(TABLE.table, 1, 0, preset("pagat"))
    cards = hidden_cards.Cards(deal, Hand.start(preset("pagat"), 0))
    hidden = [Hidden(G, deal.element(c)) for c in pack.cards]
    spades = pack.cards[0].suit
    assert is_true(hidden_cards.was_dealt_none(cards, hidden[8:16], spades))
    assert not is_true(hidden_cards.was_dealt_none(cards, hidden[7:15], spades))


def test_what_everybody_sees_needs_no_proof() -> None:
    b = NoneAmong((Hidden(G, G),), (HashedElement(G),))
    assert hidden_cards.either(b, None) is None and hidden_cards.every([None, None]) is None
    assert hidden_cards.every([None, b]) == All((b,)) and hidden_cards.either(b) == AnyOf((b,))


def test_an_indicator_that_everybody_knows_spares_no_proof_of_the_inspected_cards() -> None:
    """Else a trump maker whose indicator is public could say "no trumps" over a trump."""
    trump, other = preset("pagat").pack.cards[:2]
    plain = next(c for c in preset("pagat").pack.cards if c.suit is not trump.suit)
    deal = dealing.begin(TABLE.table, 1, 0, preset("pagat"))
    hand = replace(Hand.start(preset("pagat"), 0), maker=0, indicator_down=True)
    for known, shown in ((None, None), (None, trump), (trump, None), (trump, trump)):
        lying = SeatSlots(indicator=Slot(G, deal.element(trump), known))
        for card in (other, plain):
            seen = (1, G, add(deal.element(card), G))
            laid = replace(deal.with_holding(0, lying), inspection=G, inspected=(seen,))
            state = replace(TABLE, deal=laid, hand=hand, number=1)
            claims = required.for_announcement(state, 0, False, shown)
            assert claims and holds(claims) == (card is plain)
            inspected_alone = isinstance(claims[0].statement, NoneAmong)
            assert inspected_alone == (known is not None or shown is not None)
            assert not required.for_announcement(state, 0, True, shown)
            nothing = replace(state, deal=replace(laid, inspected=()))
            assert not required.for_announcement(nothing, 0, False, shown)


def test_a_suit_to_which_nobody_followed_is_led_on_while_it_may_be_trumps() -> None:
    """The indicator lies face down: its holder shows that it is of another suit, or that the hand
    holds none of the suit that was drawn."""
    options = preset("pagat")
    pack = options.pack.cards
    led, lying, kept, *_ = (card for card in pack if card.suit is pack[0].suit)
    other, thrown, *_ = (card for card in pack if card.suit is not led.suit)
    deal = dealing.begin(TABLE.table, 1, 0, options)
    for indicator, held, allowed in (
        (lying, (kept, other), False),
        (lying, (thrown, other), True),
        (thrown, (kept, other), True),
    ):
        hand = after_one_trick(options, led)
        slots = tuple(Slot(G, deal.element(card)) for card in held)
        seat = SeatSlots(slots, Slot(G, deal.element(indicator)))
        state = replace(TABLE, deal=deal.with_holding(0, seat), hand=hand, number=1)
        (claim,) = required.for_play(state, 0, 1, other)
        assert claim.kind is ProofKind.EXHAUSTED and holds((claim,)) == allowed
        assert not required.for_play(state, 0, 0, kept), "the suit is led on"
        free = after_one_trick(options.override({"exhausted": "off"}), led)
        all_tricks = hand.copied()
        all_tricks.bid = PCC
        for each in (free, all_tricks):
            assert not required.for_play(replace(state, hand=each), 0, 1, other)


def after_one_trick(options: Options, led: Card) -> Hand:
    """The trump maker has led; the others have laid cards face down."""
    hand = Hand.start(options, 0).copied()
    hand.maker, hand.closed, hand.indicator_down, hand.phase = 0, True, True, Phase.PLAY
    discards = tuple(Play(seat, None, True) for seat in (1, 2, 3))
    hand.completed_tricks = (Trick(0, (Play(0, led), *discards), 0),)
    return hand
