"""Orders for knowledge set up by hand, where the rule that decides can be seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.rules.caps import Knowledge, could_call, find_order
from p2p304.rules.caps.bitboard import SUIT_NUMBER, bits
from p2p304.rules.caps.knowledge import Put
from p2p304.rules.caps.moves import _packed
from p2p304.rules.caps.solver import _Search
from p2p304.rules.core.cards import Card, Suit, card


def cards(text: str) -> list[Card]:
    return [card(name) for name in text.split()]


LYING = Knowledge(
    seat=0,
    seats=4,
    ours=0b0101,
    maker=0,
    mine=bits(cards("JH JS QS")),
    lying=card("QS").bit,
    unseen=bits(cards("9H 8H 7H JD 9D AD JC 9C AC")),
    room=(0, 3, 3, 3),
    barred=(0, 0, 0, 0),
    laid=(),
    hidden_indicator=False,
    shown=0,
    trumps=1 << SUIT_NUMBER[Suit.SPADES],
    spent=0,
    exhausted=0,
    exhausts=True,
    first=True,
    opening=False,
    lost=False,
    leader=0,
    trick=(),
)
"""The trump maker is about to lead first: the jack of hearts, and all trumps that are left."""
ALL_BUT_CLUBS = sum(1 << SUIT_NUMBER[suit] for suit in Suit if suit is not Suit.CLUBS)


@pytest.mark.parametrize(
    ("order", "lying", "shown"),
    [
        ("JH JS QS", True, True),  # the indicator last, where it still lies
        ("JH QS JS", False, True),  # before another card once it is taken up
        ("JS JH QS", False, False),  # no trump first
        ("QS JH JS", False, False),
    ],
)
def test_an_indicator_shown_after_the_first_trick_may_be_led_from_then_on(
    order: str, lying: bool, shown: bool
) -> None:
    assert could_call(LYING, cards(order)) is lying
    assert could_call(replace(LYING, opening=True), cards(order)) is shown


def test_it_is_shown_after_a_first_trick_that_another_led() -> None:
    led = replace(LYING, leader=3, trick=(Put(3, card("9H").bit),), room=(0, 3, 3, 2))
    led = replace(led, unseen=led.unseen & ~card("9H").bit, first=False)
    assert not could_call(led, cards("JH QS JS"))
    assert could_call(replace(led, opening=True), cards("JH QS JS"))


def test_it_is_shown_after_a_first_trick_that_the_caller_led() -> None:
    led = replace(LYING, mine=bits(cards("JS QS")), trick=(Put(0, card("JH").bit),), first=False)
    assert not could_call(led, cards("QS JS"))
    assert could_call(replace(led, opening=True), cards("QS JS"))


def test_an_indicator_that_lies_does_not_follow_a_trump_led() -> None:
    known = replace(
        LYING,
        mine=bits(cards("JH QS")),
        unseen=bits(cards("9H 8H 7H JD 9D AD JC 9C")),
        room=(0, 3, 3, 2),
        first=False,
        leader=3,
        trick=(Put(3, card("8S").bit),),
    )
    assert not could_call(known, cards("QS JH"))
    assert not could_call(known, cards("JH QS"))
    assert could_call(replace(known, lying=0), cards("QS JH"))


@pytest.mark.parametrize(("unseen", "free"), [("8S 7H 7D 7C", True), ("8H 7H 7D 7C", False)])
def test_trumps_led_to_which_nobody_can_follow_are_led_out(unseen: str, free: bool) -> None:
    """Where somebody must have followed, the trump maker may lead another suit in between."""
    mine, others = bits(cards("JS 9S JH")), bits(cards(f"{unseen} 8D 8C QD QC KC"))
    known = replace(LYING, mine=mine, lying=0, unseen=others, first=False)
    assert could_call(known, cards("JS 9S JH"))
    assert could_call(known, cards("JS JH 9S")) is free


def test_a_partner_leads_no_suit_that_it_is_known_to_be_out_of() -> None:
    mine, others = bits(cards("JC 9C")), bits(cards("AC TC 8H 7H 8D 7D"))
    known = replace(LYING, mine=mine, lying=0, unseen=others, room=(0, 2, 2, 2), first=False)
    partner = replace(known, leader=2, maker=1, barred=(0, 0, ALL_BUT_CLUBS, 0))
    assert could_call(partner, cards("JC 9C"))
    assert not could_call(replace(partner, barred=(0, 0, 0, 0)), cards("JC 9C"))


@pytest.mark.parametrize(
    ("order", "wins"), [("9C 8C 7D", True), ("7D 9C 8C", False), ("9C 7D 8C", False)]
)
def test_the_caller_follows_suit_to_tricks_that_the_partner_leads(order: str, wins: bool) -> None:
    """The partner has the jack on the table and the clubs that are left; nobody has trumps."""
    known = replace(
        LYING,
        maker=1,
        mine=bits(cards("9C 8C 7D")),
        lying=0,
        unseen=bits(cards("AC TC AD TH KH 8H 7H")),
        room=(0, 3, 2, 2),
        barred=(0, 0, ALL_BUT_CLUBS, 0),
        first=False,
        leader=2,
        trick=(Put(2, card("JC").bit), Put(3, card("QH").bit)),
    )
    assert could_call(known, cards(order)) is wins


@pytest.mark.parametrize(("held", "suit"), [("JC", Suit.CLUBS), ("8S", Suit.SPADES)])
def test_nobody_follows_or_cuts_with_a_suit_that_they_are_known_to_be_out_of(
    held: str, suit: Suit
) -> None:
    """Then the partner has the card that would take the trick."""
    known = replace(
        LYING,
        mine=card("9C").bit,
        lying=0,
        unseen=bits(cards(f"{held} 8H 7H")),
        room=(0, 1, 1, 1),
        first=False,
    )
    out = 1 << SUIT_NUMBER[suit]
    assert not could_call(known, cards("9C"))
    assert could_call(replace(known, barred=(0, out, 0, out)), cards("9C"))


def test_a_trump_maker_who_has_led_out_their_trumps_cuts_no_more() -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        LYING,
        maker=3,
        mine=card("9C").bit,
        lying=0,
        unseen=bits(cards("8S 8H 7D")),
        room=(0, 1, 1, 1),
        barred=(0, spades, 0, 0),
        first=False,
    )
    assert not could_call(known, cards("9C"))
    assert could_call(replace(known, spent=spades), cards("9C"))


@pytest.mark.parametrize(("out_of", "wins"), [("HS", True), ("H", False)])
def test_a_card_face_down_is_of_no_suit_that_its_player_is_out_of(out_of: str, wins: bool) -> None:
    """If it may be the last trump it may have cut the jack of hearts, which the partner led."""
    spades, barred = 1 << SUIT_NUMBER[Suit.SPADES], sum(1 << "SHDC".index(suit) for suit in out_of)
    known = replace(
        LYING,
        maker=1,
        mine=bits(cards("7H 9D")),
        lying=0,
        unseen=bits(cards("8S 8C 7C 8D AD")),
        room=(0, 2, 1, 1),
        barred=(0, spades, 0, spades),
        first=False,
        leader=2,
        trick=(Put(2, card("JH").bit), Put(3, 0, barred)),
    )
    assert could_call(known, cards("7H 9D")) is wins


CUT = replace(
    LYING, lying=0, room=(0, 3, 3, 2), first=False, leader=3, trick=(Put(3, card("9D").bit),)
)
"""The caller is out of diamonds and cuts the nine."""


def test_a_partner_who_is_out_of_the_suit_too_may_cut_higher_and_lead() -> None:
    """The partner holds two trumps around the caller's, and the queen of hearts."""
    spades, hearts, diamonds, clubs = (1 << SUIT_NUMBER[suit] for suit in Suit)
    known = replace(
        CUT,
        mine=bits(cards("TS JC 7H")),
        unseen=bits(cards("9S 8S QH AD TD KD QC 8C")),
        barred=(0, spades | hearts, diamonds | clubs, spades | hearts),
    )
    assert could_call(known, cards("TS 7H JC"))
    assert not could_call(known, cards("TS JC 7H"))


@pytest.mark.parametrize("led", ["7S", "7H"])
@pytest.mark.parametrize(("second", "wins"), [("AS", True), ("KS", False)])
def test_a_partner_may_play_the_trump_that_would_beat_the_indicator_taken_up(
    led: str, second: str, wins: bool
) -> None:
    """The partner holds the nine of trumps and one more, the trump maker the ten. The caller wins
    this trick with the jack, and leads the eight."""
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        LYING,
        maker=1,
        mine=bits(cards("JS 8S")),
        lying=0,
        shown=card("TS").bit,
        unseen=bits(cards(f"9S {second} AH TH")),
        room=(0, 0, 2, 2),
        barred=(0, 0, 15 & ~spades, spades),
        first=False,
        leader=1,
        trick=(Put(1, card(led).bit),),
    )
    assert could_call(known, cards("JS 8S")) is wins


def test_an_opponent_whose_indicator_a_cut_has_shown_plays_it_from_the_hand() -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        CUT,
        maker=1,
        mine=bits(cards("JS KC")),
        unseen=bits(cards("8S 8D 7D 8H 7H")),
        room=(0, 1, 2, 1),
        barred=(0, 0, spades, spades),
        hidden_indicator=True,
    )
    assert not could_call(known, cards("JS KC"))
    spent = replace(known, unseen=bits(cards("8D 7D 8H 7H")), hidden_indicator=False)
    assert could_call(spent, cards("JS KC"))


@pytest.mark.parametrize(("order", "wins"), [("JS AS KC", True), ("JS KC AS", False)])
def test_an_opponent_whose_indicator_a_cut_has_shown_follows_suit_with_it(
    order: str, wins: bool
) -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        CUT,
        maker=1,
        mine=bits(cards("JS AS KC")),
        unseen=bits(cards("8S 8D 7D QD TD 8H 7H QH")),
        room=(0, 2, 3, 2),
        barred=(0, 0, spades, spades),
        hidden_indicator=True,
    )
    assert could_call(known, cards(order)) is wins


@pytest.mark.parametrize(("order", "wins"), [("AS KC", True), ("KC AS", False)])
def test_an_indicator_taken_up_is_played_once(order: str, wins: bool) -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        LYING,
        maker=1,
        mine=bits(cards("AS KC")),
        lying=0,
        shown=card("8S").bit,
        unseen=bits(cards("8D 7D QD TD 8H")),
        room=(0, 1, 2, 2),
        barred=(0, spades, spades, spades),
        first=False,
    )
    assert could_call(known, cards(order)) is wins


@pytest.mark.parametrize(("lies", "wins"), [("8S", True), ("9S", False)])
def test_a_cut_with_an_indicator_that_nobody_has_seen_may_be_beaten(lies: str, wins: bool) -> None:
    """The partner led a heart, and the trump maker cut it; the caller cuts with the ten."""
    spades, hearts = 1 << SUIT_NUMBER[Suit.SPADES], 1 << SUIT_NUMBER[Suit.HEARTS]
    known = replace(
        LYING,
        maker=3,
        mine=bits(cards("TS KC")),
        lying=0,
        unseen=bits(cards(f"{lies} 8D 7D QD TD")),
        room=(0, 2, 1, 1),
        barred=(0, spades, spades, hearts),
        first=False,
        leader=2,
        trick=(Put(2, card("JH").bit), Put(3, 0, hearts, True)),
    )
    assert could_call(known, cards("TS KC")) is wins


def test_a_partner_leads_a_lying_indicator_last() -> None:
    others = 15 & ~(1 << SUIT_NUMBER[Suit.SPADES] | 1 << SUIT_NUMBER[Suit.HEARTS])
    known = replace(
        LYING,
        maker=2,
        mine=bits(cards("7H 7S")),
        lying=0,
        unseen=bits(cards("QH 8S 8D 7D 8C 7C")),
        room=(0, 2, 1, 2),
        barred=(0, 15 & ~others, others, 15 & ~others),
        hidden_indicator=True,
        first=False,
        leader=2,
    )
    assert could_call(known, cards("7H 7S")) and not could_call(known, cards("7S 7H"))


@pytest.mark.parametrize(("lies", "wins"), [("8S", True), ("9S", False)])
def test_an_opponent_follows_suit_with_a_lying_indicator_as_the_last_card(
    lies: str, wins: bool
) -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        LYING,
        maker=1,
        mine=card("TS").bit,
        lying=0,
        unseen=bits(cards(f"{lies} 8D 7D")),
        room=(0, 0, 1, 1),
        barred=(0, 0, spades, spades),
        hidden_indicator=True,
        first=False,
    )
    assert could_call(known, cards("TS")) is wins


@pytest.mark.parametrize(("order", "wins"), [("TS JS", True), ("JS TS", False)])
def test_a_lying_indicator_follows_no_trump_led_before_the_last_trick(
    order: str, wins: bool
) -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        LYING,
        maker=1,
        mine=bits(cards("TS JS")),
        lying=0,
        unseen=bits(cards("9S 8D 7D 8H 7H")),
        room=(0, 1, 2, 1),
        barred=(0, 0, spades, spades),
        hidden_indicator=True,
        first=False,
        leader=3,
        trick=(Put(3, card("7S").bit),),
    )
    assert could_call(known, cards(order)) is wins


@pytest.mark.parametrize(("partner", "wins"), [("8S", True), ("8D", False)])
def test_a_partner_with_nothing_but_trumps_cuts_what_beats_the_caller(
    partner: str, wins: bool
) -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        LYING,
        mine=card("9C").bit,
        lying=0,
        unseen=bits(cards(f"JC {partner} 7H")),
        room=(0, 1, 1, 1),
        barred=(0, spades, 15 & ~spades if wins else 0, spades),
        first=False,
    )
    assert could_call(known, cards("9C")) is wins


def test_an_opponent_who_cuts_lower_keeps_the_trump_that_beats_the_next() -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    known = replace(
        CUT,
        mine=bits(cards("JS TS")),
        unseen=bits(cards("9S 8S AD TD KD")),
        room=(0, 2, 2, 1),
        barred=(0, 15 & ~spades, spades, spades),
    )
    assert not could_call(known, cards("JS TS"))
    lower = replace(known, unseen=bits(cards("8S 7S AD TD KD")))
    assert could_call(lower, cards("JS TS"))


@pytest.mark.parametrize(
    ("order", "lying", "taken_up"), [("QS JS", True, True), ("JS QS", False, True)]
)
def test_out_of_the_suit_the_trump_maker_cuts_with_the_lying_indicator_alone(
    order: str, lying: bool, taken_up: bool
) -> None:
    known = replace(
        LYING,
        mine=bits(cards("JS QS")),
        unseen=bits(cards("9H 8H 7H JD 9C")),
        room=(0, 2, 2, 1),
        first=False,
        leader=3,
        trick=(Put(3, card("9D").bit),),
    )
    assert could_call(known, cards(order)) is lying
    assert could_call(replace(known, lying=0), cards(order)) is taken_up


def test_exhausted_trumps_are_led_first() -> None:
    hearts = 1 << SUIT_NUMBER[Suit.HEARTS]
    free = replace(
        LYING,
        mine=bits(cards("JH 9H JC")),
        lying=0,
        unseen=bits(cards("9D 8D 7D QD KD TD JD AD 9C")),
        trumps=hearts,
        first=False,
    )
    assert could_call(free, cards("JC JH 9H")) and could_call(free, cards("JH 9H JC"))
    exhausted = replace(free, exhausted=hearts)
    assert not could_call(exhausted, cards("JC JH 9H"))
    assert could_call(exhausted, cards("JH 9H JC"))


def test_exhausted_trumps_are_led_first_if_the_partner_leaves_the_caller_the_lead() -> None:
    """The partner may win the trick with the jack of diamonds, or keep it and play the eight."""
    spades, hearts, diamonds, clubs = (1 << SUIT_NUMBER[suit] for suit in Suit)
    others = spades | hearts | diamonds
    free = replace(
        LYING,
        mine=bits(cards("AD JS 9C")),
        lying=0,
        unseen=bits(cards("JD 8D QH TC KC QC 8C 7C")),
        room=(0, 3, 3, 2),
        barred=(0, others, spades | clubs, others),
        first=False,
        leader=3,
        trick=(Put(3, card("TD").bit),),
    )
    exhausted = replace(free, exhausted=spades)
    assert could_call(free, cards("AD 9C JS")) and not could_call(exhausted, cards("AD 9C JS"))
    assert could_call(free, cards("AD JS 9C")) and could_call(exhausted, cards("AD JS 9C"))


def test_only_in_a_closed_game_is_another_trump_makers_first_lead_no_trump() -> None:
    spades = 1 << SUIT_NUMBER[Suit.SPADES]
    closed = replace(
        LYING,
        maker=3,
        mine=card("JH").bit,
        lying=0,
        unseen=bits(cards("9S 8H 7H")),
        room=(0, 1, 1, 1),
        barred=(0, spades, 0, 0),
        leader=3,
    )
    assert could_call(closed, cards("JH"))
    assert not could_call(replace(closed, first=False), cards("JH"))


def test_a_partner_who_leads_the_last_trumps_out_goes_on_with_their_own() -> None:
    """The partner, as trump maker, has the nine of trumps and the queen of clubs left."""
    spades, hearts, diamonds = (1 << SUIT_NUMBER[suit] for suit in list(Suit)[:3])
    known = replace(
        LYING,
        maker=2,
        mine=bits(cards("8D 7D JC")),
        lying=0,
        unseen=bits(cards("9S QC 9H 8H QH KH TH")),
        room=(0, 3, 2, 2),
        barred=(0, spades, hearts | diamonds, spades),
        first=False,
        leader=2,
        trick=(Put(2, card("JS").bit), Put(3, card("7H").bit)),
    )
    assert could_call(known, cards("8D 7D JC"))
    assert not could_call(replace(known, exhausts=False), cards("8D 7D JC"))


def test_unseen_cards_that_no_other_card_parts_are_interchangeable() -> None:
    fence = bits(cards("AS QS"))

    def packed(text: str) -> int:
        return _packed(bits(cards(text)), fence)

    assert packed("JS TS 8S AH") == packed("9S KS 7S 7H") == bits(cards("9S KS 6S 6H"))


@pytest.mark.parametrize(("hearts", "is_hopeless"), [("9H", True), ("JH", False)])
def test_where_every_run_ends_beaten_there_is_no_hope(hearts: str, is_hopeless: bool) -> None:
    """The jacks of clubs and diamonds win; the nine of hearts may lose to the jack."""
    known = replace(
        LYING,
        mine=bits(cards(f"JC JD {hearts}")),
        lying=0,
        unseen=bits(cards("9C 9D AC AD AH TH KH QH" + (" JH" if is_hopeless else " 9H"))),
        first=False,
    )
    search = _Search(known)
    assert all(
        search.is_hopeless(line.worlds, known.mine) is is_hopeless for line in search.start()
    )


@pytest.mark.parametrize(("trump", "order"), [(Suit.CLUBS, "JC JS"), (Suit.SPADES, "JS JC")])
def test_of_several_orders_the_one_with_trumps_first_is_found(trump: Suit, order: str) -> None:
    known = replace(
        LYING,
        mine=bits(cards("JS JC")),
        lying=0,
        unseen=bits(cards("9D AD TD KD 9H AH")),
        room=(0, 2, 2, 2),
        trumps=1 << SUIT_NUMBER[trump],
        first=False,
    )
    assert find_order(known) == tuple(cards(order))
