"""What a guest reads of a table's rules in one line."""

from __future__ import annotations

from p2p304.rules.variants.page import summary
from p2p304.rules.variants.presets import PRESETS, preset


def test_a_preset_is_its_name_and_nothing_that_was_changed_is_left_out() -> None:
    assert [summary(options) for options in PRESETS.values()] == list(PRESETS)
    own = preset("pagat").override({"away": "playout", "bid.min": 200, "seating": "chosen"})
    assert summary(own) == "pagat, seating=chosen, bid.min=200, away=playout"
