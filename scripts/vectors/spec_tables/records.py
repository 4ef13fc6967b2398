"""protocol/records.json: the hands of transcripts as hand records, in 304N."""

from __future__ import annotations

from typing import Any

from p2p304.offline.hand_records import write_records
from scripts.vectors.transcripts.games.hard_games import HARD_GAMES
from scripts.vectors.transcripts.games.sound_games import SOUND_GAMES
from tests.support.paths import TRANSCRIPTS

MORE = ("P17", "lost", "played-out")
"""A fault in the second hand, a hand that a parting has lost, and one that is played out."""


def records() -> dict[str, Any]:
    """File to exit status and lines, as `p2p304 replay --notation` gives them."""
    return {f"{name}.304": _of(name) for name in sorted({*SOUND_GAMES, *HARD_GAMES, *MORE})}


def _of(name: str) -> dict[str, Any]:
    lines: list[str] = []
    data = (TRANSCRIPTS / f"{name}.304").read_bytes()
    status = write_records(data, None, True, lines.append, str)
    return {"status": status, "records": lines}
