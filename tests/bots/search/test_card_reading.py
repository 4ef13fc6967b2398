"""What plays tell of the cards that are left: soft, and true more often than not."""

from __future__ import annotations

import random
from unittest.mock import patch

from p2p304.bots.club import ClubBot
from p2p304.bots.search.card_reading import HELD_BACK, likely_holders
from p2p304.bots.search.play_fit import PlayFit
from p2p304.bots.search.strong import StrongBot
from p2p304.bots.search.worlds import Worlds
from p2p304.rules.caps.bitboard import bits, card_of, each
from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import card
from p2p304.rules.core.notation import parse, text
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset
from p2p304.rules.worlds.position import reading
from tests.support.reference.random_hands import dealt

SOUTH, EAST, NORTH, WEST = range(4)


def after(*played: str) -> Referee:
    """East makes trumps with 160 and plays closed; then these cards fall."""
    hands = (
        "9H KH 7D 8D QC 7C TS QS",
        "JS 9S 7S AS AH KD AC 8C",
        "JH TH 8H AD TD JC KC 8S",
        "QH 7H JD 9D QD 9C TC KS",
    )
    referee = Referee(preset("pagat"), 0, [[card(n) for n in hand.split()] for hand in hands])
    bids = ("E 160", "N pass", "W pass", "S pass", "E trump 7S")
    for said in (*bids, "E pass", "N pass", "W pass", "S pass", "E closed"):
        referee.act(parse(said))
    for name in played:
        (fits,) = [one for one in referee.legal() if text(one).endswith(name)]
        referee.act(fits)
    return referee


def unlikely(view: View) -> dict[str, list[int]]:
    """The cards of which the plays say something, with the seats that hardly hold them."""
    found = likely_holders(view, reading(view).unseen)
    rows = {card_of(one).name: row for one, row in found.items()}
    return {
        name: [seat for seat, likely in enumerate(row) if likely < 1] for name, row in rows.items()
    }


def test_a_lead_and_two_discards_tell_what_is_hardly_held() -> None:
    """East leads no jack. West throws points to a trick that North wins with the jack, so hardly
    holds fewer of that suit. South gives North the nine, and no master is left out of it."""
    south = unlikely(after("AH", "JH", "QH", "9H").view(SOUTH))
    assert south == {"JC": [EAST], "JD": [EAST], "JS": [EAST], "8H": [WEST], "7H": [WEST]}


def test_a_partner_who_gives_few_points_hardly_holds_more() -> None:
    west = unlikely(after("AH", "JH", "QH", "KH").view(WEST))
    assert west["9H"] == west["TH"] == [SOUTH]


def test_a_card_that_was_played_later_takes_the_conclusion_back() -> None:
    """West threw the queen of hearts, and follows with the seven now: it plays otherwise, so the
    queen says nothing of the eight either."""
    played = ("AH", "JH", "QH", "9H", "TH")
    assert unlikely(after(*played).view(SOUTH))["8H"] == [WEST]
    assert "8H" not in unlikely(after(*played, "7H").view(SOUTH))


def test_conclusions_are_truer_than_chance() -> None:
    """In hands of the club player: what is hardly held is held far less often than its share."""
    held = expected = 0.0
    for seed in range(8):
        referee = dealt(preset("pagat"), random.Random(seed), seed % 4)
        while (seat := referee.hand.turn) is not None:
            view = referee.view(seat)
            if view.hand.phase is Phase.PLAY and not view.hand.bids_all_tricks:
                known = reading(view)
                for one, row in likely_holders(view, known.unseen).items():
                    for other in (s for s, likely in enumerate(row) if likely < 1):
                        held += bool(bits(referee.held[other]) & one)
                        expected += known.room[other] / len(each(known.unseen))
            referee.act(ClubBot().choose(view))
    assert expected > 50 and held < 0.7 * expected


def test_worlds_follow_the_reading() -> None:
    """South draws the low hearts rarely into West's hand, and no world is ruled out."""
    view = after("AH", "JH", "QH", "9H", "JC", "TC").view(SOUTH)
    worlds = Worlds(view, reading(view), random.Random(1))
    low, rich, drawn = card("8H").bit, card("TH").bit, 300
    found = [world for world in (worlds.draw() for _ in range(drawn)) if world is not None]
    west = sum(bool(world.hands[WEST] & low) for world in found)
    assert len(found) == drawn
    assert 0 < west < (1 + HELD_BACK) / 2 * sum(bool(w.hands[WEST] & rich) for w in found)


def test_without_inference_the_plays_tell_nothing() -> None:
    """A low heart is as often in West's hand as a rich one, and the plays weigh no world."""
    view = after("AH", "JH", "QH", "9H", "JC", "TC").view(SOUTH)
    worlds = Worlds(view, reading(view), random.Random(1), infers=False)
    found = [world for world in (worlds.draw() for _ in range(600)) if world is not None]
    low, rich = (sum(bool(w.hands[WEST] & card(n).bit) for w in found) for n in ("8H", "TH"))
    assert abs(low - rich) < 60
    moves = [one.card.bit for one in legal(view) if isinstance(one, Play) and one.card]
    for infers in (True, False):
        with patch.object(PlayFit, "weight", return_value=1.0) as weight:
            assert StrongBot(random.Random(2).randrange, 10, 60.0, infers).values(view, moves)
        assert weight.called is infers
