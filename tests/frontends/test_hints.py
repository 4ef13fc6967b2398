"""Reasons of a hint: what is said of a bid is what the table of bids says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.bots.bidding_table import chances
from p2p304.bots.club import ClubBot
from p2p304.frontends.hints import advice, reason
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import card
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from p2p304.ui.narration.intents import AskHint
from p2p304.ui.text.screen import Show, TextScreen


@pytest.mark.parametrize(
    ("names", "game", "told"),
    [
        ("JS 9S AS KS", "pagat", True),
        ("KS QH TD AC", "pagat", True),
        ("JS 9S AS KS", "tamil-304", False),
    ],
)
def test_a_bid_is_explained_by_its_chance_where_that_is_known(
    names: str, game: str, told: bool
) -> None:
    rules = preset(game)
    mine = [card(name) for name in names.split()]
    rest = [one for one in rules.pack.cards if one not in mine]
    referee = Referee(rules, 0, [rest[:8], [*mine, *rest[8:12]], rest[12:20], rest[20:]])
    view = referee.view(1)
    said = str(reason(view, ClubBot().choose(view)))
    assert ("In practice deals" in said) is told
    if told:
        found = chances(mine)
        assert found is not None
        assert f"make 160 in {round(found.of(160) * 100)} of 100" in said


@pytest.mark.parametrize(("game", "told"), [("pagat", True), ("online-4", False)])
def test_a_pass_says_what_a_failed_bid_costs(game: str, told: bool) -> None:
    rules = preset(game)
    mine = [card(name) for name in ("KS", "QH", "TD", "AC")]
    rest = [one for one in rules.pack.cards if one not in mine]
    view = Referee(rules, 0, [rest[:8], [*mine, *rest[8:12]], rest[12:20], rest[20:]]).view(1)
    said = str(reason(view, acts.Pass(1)))
    costs = "of 100. A bid that fails costs 2, and one that is made wins only 1."
    assert (costs in said) is told


@pytest.mark.parametrize("word", ["hint", "i", " HINT "])
def test_text_mode_gives_the_hint_of_the_full_screen(word: str) -> None:
    rules = preset("pagat")
    cards = list(rules.pack.cards)
    view = Referee(rules, 0, [cards[at : at + 8] for at in range(0, 32, 8)]).view(1)
    screen = TextScreen("Asha")

    def typed(line: str) -> str:
        answer = screen.typed(line)
        assert isinstance(answer, Show)
        return " ".join(answer.lines)

    assert typed(word) == "You can get a hint only when it is your turn."
    screen.show(events.YourTurn(view))
    assert typed(word) == "This table plays without hints until the hand is over."
    assert "hint:" not in typed("?")
    screen.teller.model = replace(screen.model, has_people=False)
    assert screen.typed(word) == AskHint()
    assert "hint: what the bot would do" in typed("?")
    assert screen.teller.text(advice(screen.model)).startswith("Hint: ")
