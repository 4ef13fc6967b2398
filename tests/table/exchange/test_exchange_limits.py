"""The limits on what members send each other are those that other programs can rely on."""

from __future__ import annotations

from p2p304.table.exchange import chat, lookahead, sync


def test_chat_is_as_long_and_as_often_as_every_program_takes_it() -> None:
    assert (chat.LONGEST, chat.MOST, chat.WITHIN) == (200, 8, 10)


def test_a_node_asks_for_what_it_lacks_each_second_and_then_more_rarely() -> None:
    assert (sync.ASK_AFTER, sync.ASK_EVERY, sync.EAGER, sync.MOST_DOUBLINGS) == (0.5, 1, 10, 4)
    assert sync.ANSWER_EVERY == 0.1


def test_little_is_kept_of_what_comes_early() -> None:
    assert lookahead.MAX_AHEAD == 2
