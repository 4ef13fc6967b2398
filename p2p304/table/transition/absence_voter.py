"""Parting: all players but an absent one agree to go on without that player.

Responsible for one node's side of the agreement's two steps (SPEC.md, "Leaving for good"). The
words and their signatures are log/absence_vote.py's, the certificate is certificate.py's, and the
state after the end is ending.py's. This module verifies no entry and knows no clock and no links.

A player who has said *ready* is held: its node signs nothing for that place or a later one until
the others have answered. Another player's *stay* releases it. Once all players present are ready,
the node signs its *part*, which binds for good. A *part* carries every *ready* of its round, so
nobody can be bound by a *part* that was not prepared. Every own word is persisted before it is
sent.

One silent player must not hold the others for ever. They propose to part from that player instead,
and give the first proposal up in two steps: a first *stay* in a later round of it, and a second one
once all but the silent player have said the first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Never

from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import (
    MAX_ROUND,
    PART,
    READY,
    STAY,
    AbsenceWord,
    Ballot,
    PartingPlace,
    contradict,
    parse_word,
    say,
)
from p2p304.log.evidence import Evidence, of_two_words
from p2p304.log.faults import Refused
from p2p304.rules.core import phrases
from p2p304.rules.core.errors import NotNow
from p2p304.table.agreement.terms import Terms
from p2p304.table.transition.certificate import Certificate, check_word, parse_certificate
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

PARTING = "parting"
"""The name under which an own word, and later the certificate, is persisted."""
_A_WORD = b"\x89"
"""The first byte of a word, which is a map of nine fields. All other persisted bytes are the
certificate."""
MAX_HEARD = 64
"""Words of one other player that are kept; the oldest is dropped."""
ROUNDS = MAX_ROUND - 2
"""Rounds in which this node says *ready*. The last two are for giving up the proposal."""
LATE = 8
"""How many settled places back an honest *ready* or *stay* may still arrive."""


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


class AbsenceVoter:
    """One node's side of the vote. Drain `effects` and `contradictions`; read `is_bound` and
    `certificate`."""

    def __init__(self, key: SigningKey, terms: Terms) -> None:
        self.certificate: Certificate | None = None
        self.contradictions: list[Evidence] = []
        """Pairs of words of one player that no honest player signs both."""
        self._key, self._terms = key, terms
        self._me = terms.keys.index(key.public)
        self._proposal: PartingPlace | None = None
        self._part: AbsenceWord | None = None
        self._own: set[Ballot] = set()
        """Rounds in which this player has said *ready* or *stay*."""
        self._open: set[Ballot] = set()
        """Rounds in which this player is ready and no other player has said *stay*."""
        self._forwarded: set[Ballot] = set()
        """Rounds in which this node has forwarded the absent player's own *stay* to the others."""
        self._resent: set[Ballot] = set()
        """Rounds whose *stay* was sent again since the last call of `resend`."""
        self._words_by_author: dict[int, tuple[AbsenceWord, ...]] = dict.fromkeys(
            range(len(terms.keys)), ()
        )
        self.outbox = self._out = Outbox[Never]()

    @property
    def is_bound(self) -> bool:
        """Whether this node has signed its part, or knows that the others have ended the table. It
        then signs nothing else here."""
        return self._part is not None or self.certificate is not None

    @property
    def is_held(self) -> bool:
        """Whether this node has said *ready* and waits for the others' answers."""
        return bool(self._open) and not self.is_bound

    @property
    def has_resent(self) -> bool:
        """Whether the *stay* of some round will not be sent again before `resend` is called."""
        return bool(self._resent)

    @property
    def blocked_from(self) -> int | None:
        """The first place for which nothing may be signed now; None if all may."""
        if self.certificate is not None:
            return self.certificate.place.seq
        if self._part is not None:
            return self._part.place.seq
        return min((place.seq for place, _ in self._open), default=None)

    def restore(self, records: Sequence[bytes]) -> None:
        """Take up the persisted words and certificate; raises Refused."""
        for raw in records:
            if raw.startswith(_A_WORD):
                word = self.parse(raw)
                self._store(word)
                self._note_own(word)
            else:
                self.certificate = parse_certificate(raw, self._terms)
        self._release()

    def _note_own(self, word: AbsenceWord) -> None:
        if word.step == PART:
            self._part = word
            return
        self._own.add(word.ballot)
        if word.step == READY:
            self._open.add(word.ballot)

    # What this player says

    def propose(self, place: PartingPlace) -> None:
        """Say *ready* to part without ``place.absent``; NotNow if this player can begin no
        more rounds."""
        if self.is_bound or place.absent == self._me:
            return
        ballot = self._next_ballot(place)
        if ballot.round >= ROUNDS:
            raise NotNow(
                phrases.say("You can't propose this again: the others refused it too often.")
            )
        self._proposal = place
        for other in {opened.place for opened in self._open} - {place}:
            last = self._last_own_word(other)
            if last.step == READY:
                self._vote(STAY, Ballot(other, last.round + 1))
        self._vote(READY, ballot)
        self._proceed()
        self._release()

    def _next_ballot(self, place: PartingPlace) -> Ballot:
        """Return the latest round that a player has begun and no player has ended, or else a new
        one."""
        ended = self._stays()
        begun = [word.round for word in self._words(READY) if word.place == place]
        rounds = map(partial(Ballot, place), itertools.count(max(begun, default=0)))
        return next(ballot for ballot in rounds if ballot not in ended)

    def answer(self, here: LogPosition, is_here: Callable[[int, bool], bool]) -> None:
        """Say *stay* in each round without a player who is here, or at a place that this node has
        gone past.

        ``is_here(player, own_stay)`` is asked whether a player is here; ``own_stay`` tells whether
        that player has said *stay* itself. The absent player's own *stay* ends no round, but it
        shows players without a link to it that it is there.
        """
        if self.is_bound:
            return
        own_stays = {w.ballot: w for w in self._words(STAY) if w.author == w.place.absent}
        asked = {word.ballot for word in self._words(READY)}
        for ballot in asked & own_stays.keys():
            # The others may have no link to it. Each is forwarded once, and only while a player is
            # ready to part from its author here: a liar could make the others do this without end.
            fits = (ballot.place.seq, ballot.place.head) == (here.seq, here.head)
            if fits and ballot.place.absent != self._me and ballot not in self._forwarded:
                self._forwarded.add(ballot)
                self._send(own_stays[ballot])
        # A *stay* beside an open round of the same proposal would give that round up.
        wanted = {self._proposal, *(opened.place for opened in self._open)}
        for ballot in sorted(asked - self._own, key=_round):
            place = ballot.place
            past = (place.seq, place.head) == (here.signed - 1, here.before)
            now = (place.seq, place.head) == (here.seq, here.head) and place not in wanted
            if past or (now and is_here(place.absent, ballot in own_stays)):
                self._vote(STAY, ballot)

    def _vote(self, step: str, ballot: Ballot) -> None:
        """Say this word in this round. It is persisted before it is sent, and said only once per
        round."""
        word = say(self._key, step, ballot.place, self._me, ballot.round)
        if ballot not in self._own:
            self._out.persist(PARTING, word.encode())
            self._note_own(word)
            self._record(word)
        self._send(word)

    # Giving a proposal up

    def _last_own_word(self, place: PartingPlace) -> AbsenceWord:
        """Return this player's word in the latest round of a proposal in which it is ready."""
        words = [w for w in self._words_by_author[self._me] if w.place == place and w.step != PART]
        return max(words, key=lambda word: word.round)

    def _later_stays(self, ballot: Ballot, player: int) -> list[AbsenceWord]:
        """Return the *stay* words of this player in later rounds of a proposal.

        With one, the player is bound in this round only by another player's *part*; with two, it
        never is."""
        place, round_ = ballot
        words = self._words_by_author[player]
        return [w for w in words if w.step == STAY and w.place == place and w.round > round_]

    def _suspect(self, place: PartingPlace) -> int | None:
        """Return the player from whom this player was last ready to part at the same place of the
        log, other than the absent one."""
        at = (place.seq, place.head)
        places = [word.place for word in self._words_by_author[self._me] if word.step == READY]
        others = [p.absent for p in places if (p.seq, p.head) == at and p.absent != place.absent]
        return others[-1] if others else None

    def _may_bind(self, ballot: Ballot) -> bool:
        """Whether this player signs its part once all are ready. If it has left the round open, it
        waits for a part; the silent player's does not count. The others may have given the round up
        by then, and the silent player could bind this one alone."""
        parts = {word.author for word in self._words(PART) if word.place == ballot.place}
        stays = len(self._later_stays(ballot, self._me))
        return stays == 0 or (stays == 1 and bool(parts - {self._suspect(ballot.place)}))

    def _give_up(self) -> None:
        """Say the second *stay* in each open round that all players but the absent and the silent
        one have left open."""
        for ballot in sorted(self._open, key=_round):
            suspect, last = self._suspect(ballot.place), self._last_own_word(ballot.place)
            left_open = len(self._later_stays(ballot, self._me)) == 1 and last.step == STAY
            if suspect is None or not left_open or last.round + 1 == MAX_ROUND:
                continue
            others = set(self._present(ballot.place)) - {suspect}
            if all(self._later_stays(ballot, player) for player in others):
                self._vote(STAY, Ballot(ballot.place, last.round + 1))

    def _is_given_up(self, ballot: Ballot) -> bool:
        """Whether all players but the absent one and one other will never be bound in this round.

        For a player who is ready in it, the other one is that player itself or the silent one."""
        present = set(self._present(ballot.place))
        left = {player for player in present if len(self._later_stays(ballot, player)) < 2}
        held = ballot in self._open
        return len(left) < 2 and (not held or left <= {self._me, self._suspect(ballot.place)})

    # What others have said

    def parse(self, payload: bytes) -> AbsenceWord:
        """Read and check one word of a peer; raises Refused."""
        word = parse_word(payload)
        check_word(word, self._terms)
        return word

    def receive(self, word: AbsenceWord, here: LogPosition) -> AbsenceWord | None:
        """Take a checked word. Returns the *stay* that releases this node, or None. Raises Refused
        E04 if the word is for a place that has long been settled."""
        if self.certificate is not None:
            # The table has ended: no word has an effect, but another part is a contradiction.
            ended = self.certificate.words
            self._compare(word, (*ended, *ended[0].ready_words))
            return None
        if word.step != PART and here.settled - LATE <= word.place.seq < here.settled:
            return None
        if word.place.seq < here.settled:
            raise Refused("E04", "this vote is about a place that all players have settled")
        if word.author == self._me:
            return None
        self._record(word)
        for ready in word.ready_words if word.step == PART else ():
            if ready.author == self._me and ready.ballot not in self._own:
                self._note_own(ready)  # an earlier run signed it, whose disk was lost
            self._record(ready)
        if word.step == READY and word.ballot not in self._resent:
            # Answered with the *stay* that ended the round, or with those that gave it up, at most
            # once between two calls of `resend`: a liar that asks again and again could make honest
            # players send each other more than a link may carry.
            stays = [stay for stay in self._words(STAY) if stay.ballot == word.ballot]
            if any(
                w.step == READY and w.ballot == word.ballot for w in self._words_by_author[self._me]
            ):
                stays += self._later_stays(word.ballot, self._me)[:2]
            for stay in stays:
                self._resent.add(word.ballot)
                self._send(stay)
        released = self._release()
        self.advance(here)
        self._proceed()
        return released or self._release()

    def _compare(self, word: AbsenceWord, others: Iterable[AbsenceWord]) -> None:
        for other in others:
            if contradict(word, other):
                self.contradictions.append(of_two_words(word.encode(), other.encode()))

    def _record(self, word: AbsenceWord) -> None:
        """Keep a new word, compare it with its author's other words, and forward it if it is a
        part."""
        known = self._words_by_author[word.author]
        if (word.step, word.ballot) in {(other.step, other.ballot) for other in known}:
            return
        self._compare(word, known)
        self._store(word)
        if word.author != self._me and word.step == PART:
            self._send(word)

    def _store(self, word: AbsenceWord) -> None:
        kept = (*self._words_by_author[word.author], word)
        self._words_by_author[word.author] = kept if word.author == self._me else kept[-MAX_HEARD:]

    def _release(self) -> AbsenceWord | None:
        """Release this player from rounds in which another player has said *stay*, and forward that
        word."""
        stays = self._stays() if self._open else {}
        ended = {ballot: [stays[ballot]] for ballot in self._open if ballot in stays}
        for ballot in self._open - ended.keys():
            if self._is_given_up(ballot):
                # This player's own words come last: the caller says who answered.
                players = sorted(self._present(ballot.place), key=lambda n: n == self._me)
                ended[ballot] = [w for n in players for w in self._later_stays(ballot, n)[:2]]
        if self.is_bound or not ended:
            return None
        self._open.difference_update(ended)
        if self._proposal not in {ballot.place for ballot in self._open}:
            self._proposal = None
        for words in ended.values():
            for word in words:
                self._send(word)
        return next(iter(ended.values()))[0]

    def note_signature(self, seq: int) -> None:
        """Note that a peer shows this player's signature for this place. This player had then been
        released there, even if its journal has lost that."""
        if not self.is_bound:
            self._open = _from_place(self._open, seq + 1)

    def advance(self, here: LogPosition) -> None:
        """Drop what was said for places that this node has signed or that are settled."""
        self._forwarded = _from_place(self._forwarded, here.seq)
        if not self.is_bound:
            self._open = _from_place(self._open, here.signed)
        if self._proposal is not None and self._proposal.seq != here.seq:
            self._proposal = None
        if self.certificate is None:
            for author, words in self._words_by_author.items():
                kept = tuple(word for word in words if word.place.seq >= here.settled)
                if len(kept) < len(words):
                    self._words_by_author[author] = kept
            self._own = _from_place(self._own, here.settled)

    def resend(self) -> None:
        """Send again what has had no effect yet; to be called repeatedly.

        After the agreement all known parts are sent, so that a player who returns learns of it from
        any other player.
        """
        self._resent.clear()
        if self.is_bound:
            for part in self.parts() if self.certificate is None else self.certificate.words:
                self._send(part)
            return
        for ballot in sorted(self._open, key=_round):
            self._send(say(self._key, READY, ballot.place, self._me, ballot.round))
            for stay in self._later_stays(ballot, self._me)[:2]:
                self._send(stay)

    def ready_without(self, absent: int) -> tuple[int, ...]:
        """Return the players who are ready to part without this player and were not answered with
        *stay*."""
        rounds = self._open_rounds().items()
        return tuple(
            sorted({n for ballot, ready in rounds if ballot.place.absent == absent for n in ready})
        )

    def unanswered_rounds(
        self, here: LogPosition
    ) -> list[tuple[Ballot, frozenset[int], frozenset[int]]]:
        """Return every unanswered round at this node's place: the round, the players who are ready,
        and the players whose word is missing (whose part, once there is a part).

        A round after an entry that is not in this log does not count: no honest program would
        answer it.
        """
        waits = []
        for ballot, ready in self._open_rounds().items():
            place = ballot.place
            if (place.seq, place.head) not in ((here.seq, here.head), (here.seq - 1, here.before)):
                continue
            parted = {w.author for w in self._words(PART) if w.place == place}
            missing = set(self._present(place)) - (parted or ready)
            waits.append((ballot, frozenset(ready), frozenset(missing)))
        return waits

    def parts(self) -> list[AbsenceWord]:
        """Return every part that is known."""
        known = [] if self.certificate is None else list(self.certificate.words)
        return [*known, *self._words(PART)]

    def effects(self) -> list[Effect]:
        return self._out.effects()

    # The two steps

    def _words(self, step: str) -> list[AbsenceWord]:
        return [w for words in self._words_by_author.values() for w in words if w.step == step]

    def _stays(self) -> dict[Ballot, AbsenceWord]:
        """Return the *stay* of every ended round. The absent player's own *stay* ends no round."""
        return {w.ballot: w for w in self._words(STAY) if w.author != w.place.absent}

    def _open_rounds(self) -> dict[Ballot, set[int]]:
        """Return the players who are ready, for every round that has not ended."""
        stayed = self._stays()
        ready: dict[Ballot, set[int]] = {}
        for word in self._words(READY):
            if word.ballot not in stayed:
                ready.setdefault(word.ballot, set()).add(word.author)
        return {at: players for at, players in ready.items() if not self._is_given_up(at)}

    def _proceed(self) -> None:
        if self._proposal is not None and not self.is_bound:
            # Another player may have begun a later round.
            later = self._next_ballot(self._proposal)
            if later.round < ROUNDS and later not in self._own:
                self._vote(READY, later)
        asked = self._open_rounds() if self._open else {}
        for ballot in sorted(self._open, key=_round):
            whole = asked.get(ballot, set()) >= set(self._present(ballot.place))
            if whole and not self.is_bound and self._may_bind(ballot):
                self._sign_part(ballot)
        if not self.is_bound:
            self._give_up()
        self._complete_certificate()

    def _complete_certificate(self) -> None:
        """Make the certificate once every part is here, and send all parts.

        A liar may have shown its part to one player alone. An absent player who has returned
        completes the certificate too.
        """
        parts = {(w.place, w.author): w for w in self._words(PART)}
        for place in {place for place, _ in parts}:
            present = self._present(place)
            if self.certificate is None and all((place, n) in parts for n in present):
                self.certificate = Certificate(tuple(parts[place, n] for n in present))
                self._out.persist(PARTING, self.certificate.encode())
                self.resend()

    def _present(self, place: PartingPlace) -> list[int]:
        return [n for n in range(len(self._terms.keys)) if n != place.absent]

    def _sign_part(self, ballot: Ballot) -> None:
        """Sign the part, with every *ready* of this round."""
        place = ballot.place
        readies = {w.author: w.sig for w in self._words(READY) if w.ballot == ballot}
        shown = tuple(readies[n] for n in self._present(place))
        self._part = part = say(self._key, PART, place, self._me, ballot.round, shown)
        self._record(part)
        self._out.persist(PARTING, part.encode())
        self._send(part)

    def _send(self, word: AbsenceWord) -> None:
        self._out.send_to(None, FrameKind.PART, word.encode())


def _round(ballot: Ballot) -> int:
    return ballot.round


def _from_place(ballots: set[Ballot], seq: int) -> set[Ballot]:
    return {ballot for ballot in ballots if ballot.place.seq >= seq}
