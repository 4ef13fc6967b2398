"""protocol/phases.json: the phases of a hand as random hands go through them, and who had the floor
at every place of the sound transcripts."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from p2p304.log.transcript import read_blocks
from p2p304.rules.core.phase import Phase
from p2p304.rules.play import transitions
from p2p304.rules.play.claims import may_make
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.presets import PRESETS
from p2p304.table.state.table import TableState
from p2p304.table.transition.phases import BY_PHASE, CLAIMS
from p2p304.table.transition.replay import Replay
from scripts.vectors.transcripts.games.hard_games import HARD_GAMES
from scripts.vectors.transcripts.games.sound_games import SOUND_GAMES
from tests.support.paths import TRANSCRIPTS
from tests.support.reference.random_hands import walk

HANDS = 12
"""Random hands of each preset."""


def phases() -> dict[str, Any]:
    after: dict[Phase, set[str]] = defaultdict(set)
    by_maker: dict[Phase, set[bool]] = defaultdict(set)
    for options in PRESETS.values():
        for seed in range(HANDS):
            referee, _ = walk(seed, options)
            _follow(referee.hand, after, by_maker)
    rows = [
        {
            "phase": phase.value,
            "floor": "trump maker" if by_maker[phase] == {True} else "turn",
            "kinds": list(kinds),
            "next": sorted(after[phase] - {phase.value}),
        }
        for phase, kinds in BY_PHASE.items()
    ]
    whole = {f"{name}.304": floors(name) for name in (*SOUND_GAMES, *HARD_GAMES)}
    return {"phases": rows, "floors": whole}


def _follow(hand: Hand, after: dict[Phase, set[str]], by_maker: dict[Phase, set[bool]]) -> None:
    """Note the phases of a hand that is over, in their order."""
    now = hand.restarted()
    for action in hand.history:
        before = now.phase
        if type(action).__name__.lower() not in CLAIMS:
            by_maker[before].add(action.seat == now.maker)
        transitions.advance(now, action)
        after[before].add(now.phase.value)


def floors(name: str) -> list[str]:
    """For every place: player, seat, the kinds that are due, and after a bar which seats may claim
    what on the receipts for its entry."""
    data = (TRANSCRIPTS / f"{name}.304").read_bytes()
    replay, lines = Replay(data), ["0 0 agreement |"]
    for block in read_blocks(data):
        if replay.replica is not None and replay.replica.due is not None:
            due = replay.replica.due
            lines.append(f"{due.player} {due.seat} {' '.join(due.kinds)} |")
        state = replay.verify_entry(block.entry)[1]
        lines[-1] += _claims(state)
        if block.parts is not None:
            replay.verify_parts(block.parts)
        elif replay.replica is not None and replay.chain is not None:
            for receipt in block.receipts:
                replay.chain.add_receipt(receipt)
            replay.replica.settle()
    return lines


def _claims(state: TableState) -> str:
    """Which seats may claim what after the last entry."""
    if state.hand is None:
        return ""
    open_to = {
        claim: [str(seat) for seat in range(state.seats) if may_make(state.hand, seat, claim)]
        for claim in CLAIMS
    }
    return "".join(f" {claim} {' '.join(seats)}" for claim, seats in open_to.items() if seats)
