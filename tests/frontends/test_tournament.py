"""`p2p304 tournament`: bots by their words, and the same figures for the same seed."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from p2p304.bots.club import ClubBot, LearnerBot
from p2p304.bots.search.levels import LEVELS
from p2p304.bots.series import Outcome
from p2p304.frontends.tournament import player, result_data, result_phrases, run
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.variants.options import OptionsError
from p2p304.rules.variants.presets import preset

PAGAT = preset("pagat")


def play(*words: str, seed: int = 3, deals: int = 4) -> Outcome:
    told: list[Phrase] = []
    numbers: list[int] = []
    first, second = words
    outcome = run(PAGAT, (first, second), deals, seed, told.append, numbers.append)
    assert numbers == [*range(1, deals + 1)]
    return outcome


def test_the_same_seed_gives_the_same_figures() -> None:
    first = play("club", "random")
    assert first == play("club", "random") != play("club", "random", seed=4)
    assert first.deals == 4


def test_equal_bots_are_equal_and_that_may_be_chance() -> None:
    outcome = play("learner", "learner")
    assert (outcome.tokens, outcome.margin) == (0, 0)
    told = [str(phrase) for phrase in result_phrases(PAGAT, ("a", "b"), outcome)]
    assert told[0].startswith("a against b, pagat, 4 deals") and "+0.000 tokens a hand" in told[0]
    assert told[1] == "That may be chance: play more deals."
    assert told[2:] == [
        f"{bot} made {made} of {bids} bids."
        for bot, made, bids in zip("ab", outcome.made, outcome.bids, strict=True)
    ]
    better = Outcome(100, 0.4, 0.1, (50, 50), (40, 30))
    assert len(result_phrases(PAGAT, ("a", "b"), better)) == 3
    data = json.loads(result_data(PAGAT, ("a", "b"), 3, better))
    assert (data["first"], data["seed"], data["tokens"]) == ("a", 3, 0.4)


def test_a_word_names_a_level_chance_or_a_bot_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    (tmp_path / "my_tournament_bot").with_suffix(".py").write_text(
        "class Bot:\n    def choose(self, view):\n        raise ValueError\n"
    )
    told: list[Phrase] = []
    below = Random(1).randrange
    with ExitStack() as stack:
        assert isinstance(player("club", below, told.append, stack), ClubBot)
        assert isinstance(player("learner", below, told.append, stack), LearnerBot)
        for word in (*LEVELS, "random"):
            assert player(word, below, told.append, stack)
        for word in ("nobody", "", "no_such_module:Bot", "pipe:"):
            with pytest.raises(OptionsError):
                player(word, below, told.append, stack)
    outcome = run(PAGAT, ("my_tournament_bot:Bot", "club"), 2, 1, told.append, told.append)  # type: ignore[arg-type]
    faults = [phrase for phrase in told if isinstance(phrase, Phrase)]
    assert len(faults) == 1 and "plays as the club bot" in str(faults[0])
    assert outcome.tokens == 0
