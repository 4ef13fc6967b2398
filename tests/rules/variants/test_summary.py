"""What a guest reads of a table's rules in one line."""

from __future__ import annotations

from p2p304.rules.variants.option_words import LABELS, value_word
from p2p304.rules.variants.options import PLAYABLE, Options
from p2p304.rules.variants.page import game_in_words
from p2p304.rules.variants.presets import PRESETS, preset


def test_a_preset_is_its_name_and_nothing_that_was_changed_is_left_out() -> None:
    assert [in_line(options) for options in PRESETS.values()] == list(PRESETS)
    own = preset("pagat").override({"away": "playout", "bid.min": 200, "seating": "chosen"})
    assert in_line(own) == (
        "pagat, seats: chosen, least bid: 200, if somebody leaves for good: play the hand out"
    )
    assert in_line(own, with_names=True).endswith("good: play the hand out (away=playout)")


def in_line(options: Options, with_names: bool = False) -> str:
    return ", ".join(map(str, game_in_words(options, with_names)))


def test_every_value_of_every_option_has_a_word_of_the_game() -> None:
    assert set(LABELS) == set(PLAYABLE)
    for options in PRESETS.values():
        for name, values in PLAYABLE.items():
            words = [str(value_word(options, name, value)) for value in values]
            assert len(set(words)) == len(words), "no two values read the same"
            assert not any("_" in word or "=" in word or "{" in word for word in words)
            raw = {str(value) for value in values if isinstance(value, str)} & set(words)
            assert raw <= {"thorough", "chosen", "numbers", "wait", "none"}, (name, raw)
