"""Entries with two faults, so that programs which check in another order name another number
(SPEC.md, "Order of checks")."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.vectors.derived.order_of_checks.count import count
from scripts.vectors.derived.order_of_checks.deal import deal
from scripts.vectors.derived.order_of_checks.play import play
from scripts.vectors.derived.row import Row


def order_of_checks() -> Iterator[Row]:
    yield from deal()
    yield from play()
    yield from count()
