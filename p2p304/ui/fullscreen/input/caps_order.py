"""Arranging the order of the cards for Caps, by moving them.

Responsible for the moves. Whether Caps may be called, and what the call is worth, are the rules' to
decide.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.ui.fullscreen.model.ui_state import Ui


def moved(ui: Ui, key: str) -> Ui:
    """Return the arrangement after a key: arrows move the cursor or a lifted card; Space lifts the
    card and puts it down."""
    if not ui.order:
        return ui
    if key == " ":
        return replace(ui, lifted=not ui.lifted)
    steps = {"left": -1, "up": -1, "right": 1, "down": 1}
    if key not in steps:
        return ui
    at = max(0, min(len(ui.order) - 1, ui.at + steps[key]))
    if not ui.lifted:
        return replace(ui, at=at)
    order = list(ui.order)
    order.insert(at, order.pop(ui.at))
    return replace(ui, order=tuple(order), at=at)
