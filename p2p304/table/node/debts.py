"""The debts of players at one node: an entry, a receipt or a word that has been missing for long.

Responsible for the one player who keeps the others waiting, since when, and whether that is longer
than the table's patience. What the others may then do is player_absence.py's; the words that are
missing in a vote are absence_voter.py's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from p2p304.log.absence_vote import Ballot
from p2p304.rules.variants.absence import LONG, patience
from p2p304.table.absence.absence_voter import AbsenceVoter
from p2p304.table.absence.vote_record import LogPosition
from p2p304.table.machine.table_machine import TableMachine

ANSWER_TIME = 5.0
"""Seconds for which a proposal must have had no answer before the answer is owed. Honest programs
answer at once, so no player escapes its own debt by one proposal after another."""


class Debt(NamedTuple):
    """A player, what it owes (see events.Overdue), and the place of the log."""

    player: int
    missing: str
    seq: int


class Debts:
    """The debts at one table. Call `overdue` whenever the table or the vote may have advanced."""

    def __init__(self, table: TableMachine, voter: AbsenceVoter) -> None:
        self.patience = patience(table.terms.rules.timer)
        self._table, self._voter = table, voter
        self.now = 0.0
        self._open_since: tuple[Debt, float] | None = None
        self._reported: Debt | None = None
        self._spared: tuple[Debt, float] | None = None
        """The debt of a player who came back, and until when it is not reported."""
        self._unanswered: dict[Ballot, float] = {}
        """The time since when each proposal to part is not answered."""
        self.excused: frozenset[int] = frozenset()
        """Players who are ready to part from one who is gone: nobody can play on before the others
        have answered."""
        self._excused_at: float | None = None
        """Until when the time of an excused debtor has been taken off."""

    def overdue(self, position: LogPosition, now: float) -> Debt | None:
        """Return the debt of the only player who has owed something for longer than the table's
        patience, or None."""
        self.now = now
        debt = self._open(position)
        is_excused, excused_at = debt is not None and debt.player in self.excused, self._excused_at
        self._excused_at = now if is_excused else None
        if debt is None or self._open_since is None or self._open_since[0] != debt:
            self._open_since = None if debt is None else (debt, now)
            return None
        since = self._open_since[1]
        if excused_at is not None:  # its time stands still, so that nobody gains a fresh start
            since += now - excused_at
            self._open_since = debt, since
        return debt if now >= since + self.patience and not is_excused else None

    def take_unreported(self, position: LogPosition, now: float) -> Debt | None:
        """Return an overdue debt that this player has not been told yet, else None. No debt is
        reported while a hand is played out."""
        debt = self.overdue(position, now)
        if debt is None or debt == self._reported or self._table.replica.is_playing_out:
            return None
        if self._spared is not None and self._spared[0] == debt and now < self._spared[1]:
            return None
        self._reported = debt
        return debt

    def note_back(self, player: int, now: float) -> None:
        """Report the debt of a player who has come back anew: after a while, so that the player can
        pay it, but only the first time. The debt itself runs on, so that nobody escapes it by
        leaving and coming back."""
        if self._reported is not None and self._reported.player == player:
            self._reported = None  # also if something else is owed first: it is offered no more
        debt = None if self._open_since is None else self._open_since[0]
        if debt is None or debt.player != player:
            return
        if self._spared is None or self._spared[0] != debt:
            self._spared = debt, now + LONG

    def _open(self, position: LogPosition) -> Debt | None:
        """Return the debt of the only player who keeps the others waiting, or None.

        Players who have been ready to part for a while owe nothing until all others have answered;
        those others owe the answer. The player who is back owes nothing either, because the players
        who are ready take none of its entries. While the absent player is gone, the players who are
        ready are excused, and no answer is owed: the others may rather wait."""
        self.excused = frozenset()
        if self._table.replica.is_complete or self._table.stopped is not None:
            return None
        is_settled, state = self._table.chain.is_settled, self._table.state
        missing = "entry" if is_settled else "receipt"
        if state is not None and state.number > 1 and state.deal is not None:
            deal = state.deal
            is_asked = deal.has_begun or (deal.cut is not None and is_settled)
            missing = "deal" if deal.is_shuffled and not is_asked else missing
        late = dict.fromkeys(self._table.waits.lacking, missing)
        waits = self._voter.record.unanswered_rounds(position)
        self._unanswered = {ballot: self._unanswered.get(ballot, self.now) for ballot, *_ in waits}
        self.excused = frozenset().union(
            *(ready for ballot, ready, _ in waits if self._is_gone(ballot.place.absent))
        )
        for ballot, ready, silent in waits:
            absent, long = ballot.place.absent, self.now >= self._unanswered[ballot] + ANSWER_TIME
            if long and self.is_present(absent):
                late = {n: what for n, what in late.items() if n not in {*ready, absent}}
                late |= dict.fromkeys(silent, "word")
        return Debt(*late.popitem(), self._table.chain.next_seq) if len(late) == 1 else None

    def _is_gone(self, player: int) -> bool:
        return self._table.waits.presence.is_gone(self._table.terms.keys[player])

    def is_present(self, player: int, says_so: bool = False) -> bool:
        """Whether a player is linked, or heard of through others (``says_so``), and not late.

        Clocks differ a little. So this node says *stay* only for a player who has used less than
        half of the patience."""
        key = self._table.terms.keys[player]
        if key == self._table.me.key.public:
            return True
        debt, since = self._open_since or (None, self.now)
        late = self.now - since if debt is not None and debt.player == player else 0.0
        is_here = says_so or not self._is_gone(player)
        return is_here and late < self.patience / 2

    def next_timeout(self) -> float:
        """Return when an answer is owed or a debt is to be reported."""
        times = [since + ANSWER_TIME for since in self._unanswered.values()]
        times = [time for time in times if time > self.now]
        is_told = not self._table.replica.is_playing_out and self._excused_at is None
        if self._open_since is not None and is_told:
            debt, since = self._open_since
            spared = self._spared is not None and self._spared[0] == debt
            at = max(since + self.patience, self._spared[1] if self._spared and spared else 0.0)
            times += [at] if debt != self._reported else []
        return min(times, default=math.inf)
