"""Seats and sides, for two to eight players."""

from __future__ import annotations

import pytest

from p2p304.rules.core.seats import following, names, side, side_names


@pytest.mark.parametrize(
    ("count", "seats", "sides"),
    [
        (1, "1", ("1",)),
        (2, "12", ("1", "2")),
        (3, "123", ("1", "2", "3")),
        (4, "SENW", ("NS", "EW")),
        (5, "12345", ("135", "24")),
        (6, "123456", ("135", "246")),
        (8, "12345678", ("1357", "2468")),
    ],
)
def test_what_seats_and_sides_are_called(count: int, seats: str, sides: tuple[str, ...]) -> None:
    assert names(count) == tuple(seats)
    assert side_names(count) == sides


@pytest.mark.parametrize("count", [0, 9])
def test_no_table_has_so_many_seats(count: int) -> None:
    with pytest.raises(KeyError):
        names(count)


def test_partners_sit_alternately() -> None:
    assert [side(seat) for seat in range(6)] == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("playing", "count", "expected"),
    [
        ((0, 1, 2, 3), 4, (1, 2, 3, 0)),
        ((0, 2, 3), 4, (2, 2, 3, 0)),
        ((1, 3), 4, (1, 3, 3, 1)),
        ((2,), 3, (2, 2, 2)),
        ((0, 1), 2, (1, 0)),
    ],
)
def test_the_next_seat_is_the_next_that_plays(
    playing: tuple[int, ...], count: int, expected: tuple[int, ...]
) -> None:
    assert following(playing, count) == expected
