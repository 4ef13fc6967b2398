"""Rules that a record cannot break, because it does by itself what they ask for: tried on the
engine's own actions, as a table would bring them."""

from __future__ import annotations

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import parse
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.engine import apply
from p2p304.rules.play.view import View, check_own
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.presets import PRESETS, preset

S, E, N, W = range(4)
AFTER = ["N pass", "W pass", "S pass", "E trump", "E pass", "N pass", "W pass", "S pass"]


def begun(amount: int = 160, choice: Action | None = None) -> Hand:
    """East's trump; East leads. Nobody's cards are known here."""
    hand = apply(Hand.start(preset("pagat"), S), acts.Bid(E, amount))
    for said in AFTER:
        hand = apply(hand, acts.LayTrump(E) if said == "E trump" else parse(said))
    return hand if choice is None else apply(hand, choice)


def trick(hand: Hand, *cards: str) -> Hand:
    """Cards from the hand to play on; `~` is one face down, `!` the indicator."""
    for name in cards:
        seat = hand.turn if hand.turn is not None else E
        face = None if name in "~!" else card(name)
        hand = apply(hand, Play(seat, face, down=name in "~!", indicator=name == "!"))
    return hand


def refused(hand: Hand, action: Action) -> str:
    with pytest.raises(RuleBroken) as broken:
        apply(hand, action)
    return broken.value.rule


def test_the_announcement_shows_what_it_must() -> None:
    closed = trick(begun(choice=acts.Closed(E)), "AC", "9C", "~", "~")
    assert closed.phase is Phase.ANNOUNCE
    trump, other, shown = card("8S"), card("AD"), card("JS")
    both = ((W, trump), (S, other))
    assert refused(closed, acts.Announce(E, both)) == "announce.show"
    assert refused(closed, acts.Announce(E, ((W, trump),), shown)) == "announce.all"
    assert (
        refused(closed, acts.Announce(E, ((W, card("8H")), (S, other)), shown)) == "announce.none"
    )
    assert refused(closed, acts.Announce(E, (), shown)) == "announce.none"
    assert apply(closed, acts.Announce(E, both, shown)).has_open_trumps
    assert not apply(closed, acts.Announce(E)).has_open_trumps


def test_from_250_on_the_indicator_is_shown_after_the_first_trick() -> None:
    high = trick(begun(250, acts.Closed(E)), "AC", "9C", "TC", "JC")
    assert refused(high, acts.Announce(E)) == "announce.show"
    assert apply(high, acts.Announce(E, (), card("JS"))).has_open_trumps


def test_open_trump_shows_the_indicator_itself() -> None:
    hand, own = begun(), frozenset({card("9S"), card("AC")})
    assert refused(hand, acts.Open(E)) == "open.shown"
    with pytest.raises(RuleBroken, match=r"open\.shown"):
        check_own(View(E, hand, own, card("JS")), acts.Open(E, card("9S")))
    check_own(View(E, hand, own, card("JS")), acts.Open(E, card("JS")))
    assert apply(hand, acts.Open(E, card("JS"))).has_open_trumps


def test_only_the_trump_maker_has_an_indicator_while_it_lies() -> None:
    hand = trick(begun(choice=acts.Closed(E)), "AC")
    assert refused(hand, Play(N, None, down=True, indicator=True)) == "indicator.none"
    turned = begun(choice=acts.Open(E, card("JS")))
    assert refused(turned, Play(E, card("JS"), indicator=True)) == "indicator.none"
    with pytest.raises(RuleBroken, match=r"indicator\.none"):
        action = Play(E, card("9S"), down=True, indicator=True)
        check_own(View(E, hand, frozenset(), card("JS")), action)
    own = View(E, trick(begun(choice=acts.Closed(E)), "AC", "9C"), frozenset(), card("JS"))
    check_own(own, Play(E, card("JS"), down=True, indicator=True))


def test_a_card_face_up_is_named() -> None:
    hand = begun(choice=acts.Closed(E))
    assert refused(hand, Play(E, None)) == "play.card"
    assert trick(hand, "AC").turn == N


def test_caps_is_called_with_every_face_down_card_the_caller_knows() -> None:
    hand = apply(trick(begun(choice=acts.Closed(E)), "AC", "9C", "~", "JC"), acts.Announce(E))
    order = tuple(card(name) for name in ["JS", "9S", "KC", "QC", "8C", "7C", "AS"])
    laid: tuple[tuple[int, int, Card], ...] = ((0, W, card("8H")),)
    assert refused(hand, acts.Caps(E, order, (), card("JS"))) == "caps.known"
    assert apply(hand, acts.Caps(E, order, laid, card("JS"))).caps is not None
    for wrong in (order[:-1], (*order, card("7H")), (*order[:-1], card("6S"))):
        assert refused(hand, acts.Caps(E, wrong, laid, card("JS"))) == "caps.order"
    others = tuple(card(name) for name in ["AD", "TD", "KD", "QD", "8D", "7D", "9D"])
    assert refused(hand, acts.Caps(N, others, laid)) == "caps.known"


def test_every_card_never_turned_up_is_counted() -> None:
    hand = apply(begun(choice=acts.Closed(E)), acts.Spoilt(W))
    assert hand.phase is Phase.COUNT and hand.turn == E
    assert refused(hand, acts.Count(E, ())) == "count.all"
    assert apply(hand, acts.Count(E, (card("JS"),))).turn == N


def test_only_after_a_call_of_spoilt_trumps_may_an_opponent_count_nothing() -> None:
    hand = apply(begun(choice=acts.Closed(E)), acts.Spoilt(W))
    hand = apply(hand, acts.Count(E, (card("JS"),)))
    dealt = tuple(card(name) for name in ["9C", "TC", "8C", "QC", "9D", "7C", "JD", "AD"])
    assert refused(hand, acts.Count(N, dealt[1:])) == "count.all"
    assert apply(hand, acts.Count(N, dealt)).turn == apply(hand, acts.Count(N, ())).turn == S
    played = apply(trick(begun(choice=acts.Closed(E)), "AC", "~", "9C", "JC"), acts.Announce(E))
    played.phase, played.turn = Phase.COUNT, N
    assert refused(played, acts.Count(N, ())) == "count.all"
    assert apply(played, acts.Count(N, (card("AD"),))).tricks[0].by(N) == Play(N, card("AD"), True)


def test_nobody_claims_while_a_hand_is_played_out() -> None:
    hand = apply(trick(begun(choice=acts.Closed(E)), "AC", "9C", "~", "JC"), acts.Announce(E))
    order = tuple(card(name) for name in ["JS", "9S", "KC", "QC", "8C", "7C", "AS"])
    caps = acts.Caps(E, order, ((0, W, card("8H")),), card("JS"))
    without = hand.copied()
    without.claims_end = len(without.history)
    assert refused(without, acts.Caps(E, order, (), card("JS"))) == "playout.claims"
    assert refused(without, acts.Spoilt(W)) == "playout.claims"
    assert apply(hand, caps).caps is not None and apply(hand, acts.Spoilt(W)).ending is not None


@pytest.mark.parametrize(
    ("phase", "instead"),
    [
        (Phase.BID4, "bid or pass"),
        (Phase.TRUMP4, "choose your trump card"),
        (Phase.BID8, "bid or pass"),
        (Phase.TRUMP8, "choose your trump card"),
        (Phase.PARTNER, "call a card for your partner"),
        (Phase.EXCHANGE, "exchange cards or keep your hand"),
        (Phase.DECLARE, "choose open or closed trump"),
        (Phase.PLAY, "play a card"),
        (Phase.SHOW, "show your indicator"),
        (Phase.ANNOUNCE, "announce whether there was a cut"),
        (Phase.COUNT, "the hand is being reviewed"),
    ],
)
def test_an_action_of_another_phase_is_answered_with_what_is_due(
    phase: Phase, instead: str
) -> None:
    hand = begun()
    hand.phase = phase
    wrong = acts.Count(E, ()) if phase is not Phase.COUNT else acts.Closed(E)
    with pytest.raises(RuleBroken, match=instead) as broken:
        apply(hand, wrong)
    assert broken.value.rule == "phase"


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_game_has_not_is_refused_as_such_while_bids_are_made(name: str) -> None:
    options = preset(name)
    hand = Hand.start(options, 0)
    turn = hand.turn
    assert turn is not None
    told = {
        "ask": _sentence(hand, acts.Ask(turn)) if not options.ask_partner else None,
        "caps": _sentence(hand, acts.Caps(turn, (card("JS"),))),
        "spoilt": _sentence(hand, acts.Spoilt(turn)),
    }
    later = "You can call Caps or spoilt trumps only while cards are played"
    assert told["ask"] in (None, "You can't ask your partner at this table")
    caps = later if options.caps != "off" else "This table plays without Caps"
    assert told["caps"] == caps
    called = options.spoilt not in ("off", "auto")
    assert told["spoilt"] == (
        later if called else "This table plays without a call of spoilt trumps"
    )


def _sentence(hand: Hand, action: Action) -> str:
    with pytest.raises(RuleBroken) as told:
        apply(hand, action)
    return str(told.value.phrase)
