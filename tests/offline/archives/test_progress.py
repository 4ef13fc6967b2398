"""How far long work has come: by bytes, with the time left, and not too often."""

from __future__ import annotations

import pytest

from p2p304.offline.archives.progress import Progress, duration


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_says_the_share_in_bytes_and_the_time_left() -> None:
    clock, said = Clock(), list[str]()
    progress = Progress(said.append, 3, 1000, "audited", clock)
    progress.read(10)
    clock.now += 1
    progress.read(90)
    clock.now += 1
    progress.read(100)
    assert said == [
        "0 of 3 transcripts audited, 1 %",
        "0 of 3 transcripts audited, 10 %",  # too early to guess
        "0 of 3 transcripts audited, 20 %, about 9 s left",
    ]
    progress.finish(200, "audited, 4 hands")
    clock.now += 600
    assert progress.sentence == "1 of 3 transcripts audited, 4 hands, 20 %, about 41 min left"
    progress.finish(800)
    assert said[-1] == "2 of 3 transcripts audited, 4 hands, 100 %"
    progress.end()
    assert said[-1] == ""


def test_what_was_known_cost_no_time() -> None:
    clock, said = Clock(), list[str]()
    progress = Progress(said.append, 3, 1000, "audited", clock)
    progress.finish(800, is_known=True)
    assert progress.sentence == "1 of 3 transcripts audited, 0 %"
    clock.now += 10
    progress.finish(100)
    assert progress.sentence == "2 of 3 transcripts audited, 50 %, about 11 s left"
    alone = Progress(said.append, 1, 800, "audited", clock)
    alone.finish(800, is_known=True)
    assert said[-1] == alone.sentence == "1 of 1 transcripts audited"


def test_it_is_shown_five_times_a_second_at_most() -> None:
    clock, said = Clock(), list[str]()
    progress = Progress(said.append, 2, 1000, "audited", clock)
    for _ in range(100):
        clock.now += 0.01
        progress.read(1)
    assert len(said) in (5, 6)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.2, "1 s"), (89, "90 s"), (91, "2 min"), (3000, "50 min"), (6000, "1 h 40 min")],
)
def test_a_duration_is_told_as_people_do(seconds: float, told: str) -> None:
    assert duration(seconds) == told
