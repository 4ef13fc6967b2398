"""What a founder types for somebody who waits at the door names one key, and never two."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.frontends.visitors import visitor_words

FRIEND, STRANGER = b"\x01" * 32, b"\x02" * 32


def asked(waiting: dict[bytes, str], gone: dict[bytes, str] | None = None) -> dict[str, bytes]:
    """The words for visitors who wait, where others have waited before."""
    door: Any = SimpleNamespace(waiting=waiting, recent_names={**waiting, **(gone or {})})
    return visitor_words(door)


def test_one_who_waits_alone_is_called_by_the_nickname() -> None:
    assert asked({FRIEND: "Bandu", STRANGER: "Chitra"}) == {"Bandu": FRIEND, "Chitra": STRANGER}


@pytest.mark.parametrize("other", ["Bandu", "bandu", "B andu", "Ｂandu"])
def test_where_two_are_alike_the_nickname_alone_names_nobody(other: str) -> None:
    found = asked({FRIEND: "Bandu", STRANGER: other})
    assert sorted(found.values()) == [FRIEND, STRANGER]
    assert "Bandu" not in found and other not in found
    assert all(len(word.rsplit(" ", 1)[1]) == 4 for word in found)


def test_what_was_typed_for_a_friend_who_has_gone_lets_no_stranger_in() -> None:
    found = asked({STRANGER: "Bandu"}, gone={FRIEND: "Bandu"})
    assert list(found.values()) == [STRANGER] and "Bandu" not in found


def test_keys_that_begin_alike_are_told_apart() -> None:
    """A stranger can make keys until the first digits are the friend's."""
    twin = FRIEND[:2] + STRANGER[2:]
    found = asked({FRIEND: "Bandu", twin: "Bandu"})
    assert sorted(found.values()) == sorted([FRIEND, twin]) and len(found) == 2
