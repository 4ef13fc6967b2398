"""Who wins and loses together, and what each side has."""

from __future__ import annotations

from p2p304.rules.core.seats import side
from p2p304.ui.narration.model import Model


def has_sides(model: Model) -> bool:
    """Whether two sides play against each other, as far as the tokens tell."""
    return model.match is not None and len(model.match.tokens) == 2 and model.seats % 2 == 0


def my_side(model: Model) -> int | None:
    return side(model.seat) if model.seat is not None and has_sides(model) else None
