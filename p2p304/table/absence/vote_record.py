"""The words of an absence vote that one node knows, and what follows from them for each round.

Responsible for who is ready in which round, which rounds are over, and which of them hold this
player (SPEC.md, "Leaving for good"). It says nothing and sends nothing: what this player says is
absence_voter.py's, and the bytes of a word are log/absence_vote.py's.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from operator import attrgetter

from p2p304.log.absence_vote import PART, READY, STAY, AbsenceWord, Ballot, PartingPlace

MAX_HEARD = 64
"""Words of one other player that are kept. Then the oldest is dropped, unless it is about a
proposal to which this player has said *ready*."""
BY_ROUND = attrgetter("round")


@dataclass(frozen=True, slots=True)
class LogPosition:
    """How far this node's log is.

    ``seq`` is the next place, ``head`` the link of the last entry and ``before`` the link of the
    entry before it. This node has signed all places before ``signed``; all places before
    ``settled`` are settled.
    """

    seq: int
    head: bytes
    before: bytes
    signed: int
    settled: int

    @property
    def at(self) -> tuple[int, bytes]:
        """The next place and the link of the entry before it, as `PartingPlace.at` is."""
        return self.seq, self.head


class VoteRecord:
    """All words of the player ``me`` and about proposals to which it has said *ready*; of other
    words of the others the newest."""

    def __init__(self, me: int, players: int) -> None:
        self.open: set[Ballot] = set()
        """Rounds that hold this player: it is ready, and they are not over. None once it has signed
        its part."""
        self.part: AbsenceWord | None = None
        """This player's part."""
        self._me = me
        self._by_author: dict[int, tuple[AbsenceWord, ...]] = dict.fromkeys(range(players), ())

    def add(self, word: AbsenceWord) -> None:
        known = self._by_author[word.author]
        if word.author != self._me:
            known = self._with_room(known)
        elif word.step == PART:
            self.part = word
            self.open.clear()
        elif word.step == READY and word.ballot not in self.own() and self.part is None:
            self.open.add(word.ballot)
        self._by_author[word.author] = (*known, word)

    def _with_room(self, known: tuple[AbsenceWord, ...]) -> tuple[AbsenceWord, ...]:
        """Return another player's words; if they are many, without the oldest that may be dropped.

        What concerns a proposal to which this player has said *ready* stays until its place is
        settled. Otherwise its author could send many words to hide one that a later signature
        contradicts."""
        if len(known) < MAX_HEARD:
            return known
        agreed = {ballot.place for ballot in self.own(READY)}
        dropped = next((word for word in known if word.place not in agreed), None)
        return tuple(word for word in known if word is not dropped)

    def forget_before(self, seq: int) -> None:
        """Forget all words for places before this one."""
        for author, words in self._by_author.items():
            self._by_author[author] = tuple(word for word in words if word.place.seq >= seq)

    def release_before(self, seq: int) -> None:
        """Release this player from rounds for places before this one."""
        self.open = from_place(self.open, seq)

    # Words

    @property
    def is_empty(self) -> bool:
        """Whether no word is known, as nearly always."""
        return not any(self._by_author.values())

    def of(self, player: int) -> tuple[AbsenceWord, ...]:
        return self._by_author[player]

    def own(self, *steps: str) -> set[Ballot]:
        """Return the rounds in which this player has said one of these words, or *ready* or *stay*
        if none is given."""
        return {w.ballot for w in self._by_author[self._me] if w.step in (steps or (READY, STAY))}

    def words(self, step: str, place: PartingPlace | None = None) -> list[AbsenceWord]:
        """Return all words of a step, or those for one place."""
        known = itertools.chain.from_iterable(self._by_author.values())
        return [word for word in known if word.step == step and place in (None, word.place)]

    def latest_own(self, place: PartingPlace) -> AbsenceWord:
        """Return this player's word in the latest round of a proposal in which it is ready."""
        words = [word for word in self._by_author[self._me] if word.place == place]
        return max(words, key=BY_ROUND)

    def later_stays(self, ballot: Ballot, player: int) -> list[AbsenceWord]:
        """Return the first two *stay* words of this player in later rounds of a proposal.

        With one, the player is bound in this round only by another player's *part*; with two, it
        never is."""
        place, round_ = ballot
        words = self._by_author[player]
        return [w for w in words if w.step == STAY and w.place == place and w.round > round_][:2]

    def suspect(self, place: PartingPlace) -> int | None:
        """Return the player from whom this player was last ready to part at the same place of the
        log, other than the absent one."""
        places = [word.place for word in self._by_author[self._me] if word.step == READY]
        others = [p.absent for p in places if p.at == place.at and p.absent != place.absent]
        return others[-1] if others else None

    # Rounds

    def present(self, place: PartingPlace) -> list[int]:
        """Return all players but the absent one."""
        return [player for player in self._by_author if player != place.absent]

    def stays(self) -> dict[Ballot, AbsenceWord]:
        """Return the *stay* of every ended round. The absent player's own *stay* ends no round."""
        return {w.ballot: w for w in self.words(STAY) if w.author != w.place.absent}

    def is_given_up(self, ballot: Ballot) -> bool:
        """Whether all players but the absent one and one other will never be bound in this round.

        For a player who is held by it, the other one is that player itself or the silent one."""
        left = {n for n in self.present(ballot.place) if len(self.later_stays(ballot, n)) < 2}
        held = ballot in self.open
        return len(left) < 2 and not (held and left - {self._me, self.suspect(ballot.place)})

    def ready_players(self) -> dict[Ballot, list[int]]:
        """Return the players who are ready, in their order, for every round that is not over."""
        stays = self.stays()
        ready: dict[Ballot, list[int]] = {}
        for word in self.words(READY):
            if word.ballot not in stays:
                ready.setdefault(word.ballot, []).append(word.author)
        return {at: players for at, players in ready.items() if not self.is_given_up(at)}

    def next_ballot(self, place: PartingPlace) -> Ballot:
        """Return the latest round that a player has begun and that is not over, or else a new
        one."""
        stays = self.stays()
        begun = max(map(BY_ROUND, self.words(READY, place)), default=0)
        rounds = (Ballot(place, round_) for round_ in itertools.count(begun))
        return next(at for at in rounds if at not in stays and not self.is_given_up(at))

    def unanswered_rounds(
        self, here: LogPosition
    ) -> list[tuple[Ballot, frozenset[int], frozenset[int]]]:
        """Return every unanswered round at this node's place: the round, the players who are ready,
        and the players whose word is missing (whose part, once there is a part).

        A round after an entry that is not in this log does not count: no honest program would
        answer it.
        """
        waits: list[tuple[Ballot, frozenset[int], frozenset[int]]] = []
        if self.is_empty:
            return waits
        for ballot, ready in self.ready_players().items():
            place = ballot.place
            if place.at not in (here.at, (here.seq - 1, here.before)):
                continue
            parted = {word.author for word in self.words(PART, place)}
            missing = set(self.present(place)) - (parted or {*ready})
            waits.append((ballot, frozenset(ready), frozenset(missing)))
        return waits


def from_place(ballots: set[Ballot], seq: int) -> set[Ballot]:
    return {ballot for ballot in ballots if ballot.place.seq >= seq}
