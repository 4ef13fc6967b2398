"""The account of a collection: its counts in sections, its tests, and what they mean in sentences.

Responsible for order and words, once for the terminal, the page and the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.offline.fairness.counts import FEWEST, LEVEL, Collection, Count, counts, is_judged
from p2p304.offline.fairness.uniformity import UniformityTest, scipy_tails, uniformity_tests

INSTALL = (
    "Counts and bands only: tests of uniformity need scipy. Install it beside p2p304: "
    "pip install scipy, or pipx inject p2p304 scipy."
)
MEANING = (
    "The proofs in a transcript show that every player only permuted and locked the pack. If one "
    "player's program permuted at random, nobody could choose where a card goes.",
    "Counts are a second look with weaker eyes. They can find gross faults: a random number "
    "generator that is none, or cards that go to one place again and again.",
    "They cannot show that a player knew cards, that partners whispered, or that a single deal was "
    "honest. A count within its band proves nothing.",
    "A hand is unseen if some card of it was never shown. Whether it is seen depends on the cards "
    "(a first hand under 15 points is dealt again), so the seen hands alone are no fair sample. "
    "Bands and tests allow for this: they hold whatever the unseen hands were.",
    "Give all your tables. A choice of them, such as those that you lost, is no fair sample.",
)
KINDS = {"place": "by place after the dealer", "seat": "by seat", "player": "by player"}


@dataclass(frozen=True, slots=True)
class Section:
    """A title, and counts of one scale."""

    title: str
    rows: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """One collection: what it is, its sections, every card at every seat, and the tests (None
    without scipy)."""

    collection: Collection
    head: str
    sections: tuple[Section, ...]
    cells: tuple[Count, ...]
    tests: tuple[UniformityTest, ...] | None

    @property
    def is_judged(self) -> bool:
        return is_judged(self.collection.deal.seats, self.collection.whole)

    @property
    def conspicuous(self) -> list[str]:
        """What honest deals bring too seldom, as words."""
        rows = [*(row for section in self.sections for row in section.rows), *self.cells]
        found = [
            f"{row.of} {_by(row)}: {row.count}, not {row.least} to {row.most}"
            for row in rows
            if row.is_outside
        ]
        return found + [
            f"{test.name}: p = {test.corrected:.2g} after correction"
            for test in self.tests or ()
            if test.has_found
        ]

    @property
    def verdict(self) -> str:
        """One sentence for this collection."""
        if not self.is_judged:
            needed = FEWEST * self.collection.deal.seats
            return f"Too few hands to judge: {needed} are needed."
        found, odds = self.conspicuous, round(1 / LEVEL)
        if found:
            more = f"; and {len(found) - 6} more" if len(found) > 6 else ""
            return (
                f"CONSPICUOUS: at most one of {odds:,} honest collections brings this: "
                f"{'; '.join(found[:6])}{more}."
            )
        return "Nothing is conspicuous."


def _by(row: Count) -> str:
    return {"player": "of ", "place": "at place ", "seat": "at seat "}.get(row.by, "") + row.holder


def accounts(all_of_them: Sequence[Collection]) -> list[Account]:
    """Return the account of each collection; bands and tests are corrected for all together."""
    tails = scipy_tails()
    tested = None if tails is None else uniformity_tests(all_of_them, tails)
    found = []
    for number, (one, rows) in enumerate(zip(all_of_them, counts(all_of_them), strict=True)):
        cards = {card.name for card in one.deal.cards}
        found.append(
            Account(
                one,
                _head(one),
                tuple(_sections(one, rows)),
                tuple(row for row in rows if row.of in cards),
                None if tested is None else tuple(tested[number]),
            )
        )
    return found


def _head(one: Collection) -> str:
    tables = "1 table" if one.tables == 1 else f"{one.tables} tables"
    seen, unseen = one.whole.seen, one.whole.unseen
    games = ", ".join(sorted(one.games))
    return (
        f"{tables} of {games} ({one.deal.seats} seats, {len(one.deal.cards)} cards): "
        f"hands seen {seen}, unseen {unseen}."
    )


def _sections(one: Collection, rows: Sequence[Count]) -> list[Section]:
    found = []
    for of in one.deal.measures:
        for by, words in KINDS.items():
            chosen = tuple(row for row in rows if (row.of, row.by) == (of, by))
            found.append(Section(f"{of.capitalize()} {words}", chosen))
    for of, title in (
        ("longest suit", "Hands by the length of their longest suit"),
        ("suit squares", "Squares of the lengths of suits, all hands together"),
        ("neighbours", "Cards in one hand with the next card of the printed order"),
    ):
        found.append(Section(title, tuple(row for row in rows if row.of == of)))
    return found
