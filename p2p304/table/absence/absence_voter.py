"""Parting: all players but an absent one agree to go on without that player.

Responsible for one node's side of the agreement's two steps (SPEC.md, "Leaving for good"). What it
has heard is vote_record.py's, the words and their signatures are log/absence_vote.py's, the
certificate is certificate.py's, and the state after the end is table/transition/ending.py's. This
module verifies no entry and knows no clock and no links.

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

from collections.abc import Callable, Iterable, Sequence
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
from p2p304.table.absence.certificate import Certificate, check_word, parse_certificate
from p2p304.table.absence.vote_record import BY_ROUND, LogPosition, VoteRecord, from_place
from p2p304.table.agreement.terms import Terms
from p2p304.wire.effects import Outbox, WithOutbox
from p2p304.wire.framing import FrameKind

PARTING = "parting"
"""The name under which an own word, and later the certificate, is persisted."""
_A_WORD = b"\x89"
"""The first byte of a word, which is a map of nine fields. All other persisted bytes are the
certificate."""
ROUNDS = MAX_ROUND - 2
"""Rounds in which this node says *ready*. The last two are for giving up the proposal."""
LATE = 8
"""How many settled places back an honest *ready* or *stay* may still arrive."""


class AbsenceVoter(WithOutbox[Never]):
    """One node's side of the vote. Drain `effects` and `contradictions`; read `is_bound` and
    `certificate`."""

    def __init__(self, key: SigningKey, terms: Terms) -> None:
        self.certificate: Certificate | None = None
        self.contradictions: list[Evidence] = []
        """Pairs of words of one player that no honest player signs both."""
        self._key, self._terms = key, terms
        self._me = terms.keys.index(key.public)
        self.record = VoteRecord(self._me, len(terms.keys))
        self._proposal: PartingPlace | None = None
        self._forwarded: set[Ballot] = set()
        """Rounds in which this node has forwarded the absent player's own *stay* to the others."""
        self._resent: set[Ballot] = set()
        """Rounds whose *stay* was sent again since the last call of `resend`."""
        self.outbox = self._out = Outbox[Never]()

    @property
    def is_bound(self) -> bool:
        """Whether this node has signed its part, or knows that the others have ended the table. It
        then signs nothing else here."""
        return self.record.part is not None or self.certificate is not None

    @property
    def is_held(self) -> bool:
        """Whether this node has said *ready* and waits for the others' answers."""
        return bool(self.record.open) and not self.is_bound

    @property
    def has_resent(self) -> bool:
        """Whether the *stay* of some round will not be sent again before `resend` is called."""
        return bool(self._resent)

    @property
    def blocked_from(self) -> int | None:
        """The first place for which nothing may be signed now; None if all may."""
        ended = self.certificate or self.record.part
        if ended is not None:
            return ended.place.seq
        return min((place.seq for place, _ in self.record.open), default=None)

    def restore(self, records: Sequence[bytes]) -> None:
        """Take up the persisted words and certificate; raises Refused."""
        for raw in records:
            if raw.startswith(_A_WORD):
                self.record.add(self.parse(raw))
            else:
                self.certificate = parse_certificate(raw, self._terms)
        self._release()

    # What this player says

    def propose(self, place: PartingPlace) -> None:
        """Say *ready* to part without ``place.absent``; NotNow if this player can begin no
        more rounds."""
        if self.is_bound:
            return
        ballot = self.record.next_ballot(place)
        if ballot.round >= ROUNDS:
            raise NotNow(
                phrases.say("You can't propose this again: the others refused it too often.")
            )
        self._proposal = place
        for other in {opened.place for opened in self.record.open} - {place}:
            last = self.record.latest_own(other)
            if last.step == READY:
                self._vote(STAY, Ballot(other, last.round + 1))
        self._vote(READY, ballot)
        self._proceed()
        self._release()

    def answer(self, here: LogPosition, is_here: Callable[[int, bool], bool]) -> None:
        """Say *stay* in each round without a player who is here, or at a place that this node has
        gone past.

        ``is_here(player, own_stay)`` is asked whether a player is here; ``own_stay`` tells whether
        that player has said *stay* itself. The absent player's own *stay* ends no round, but it
        shows players without a link to it that it is there.
        """
        if self.is_bound:
            return
        answered = self.record.own()
        others = [word for word in self.record.words(STAY) if word.author != self._me]
        own_stays = {word.ballot: word for word in others if word.author == word.place.absent}
        # A *stay* beside an open round of the same proposal would give that round up.
        wanted = {self._proposal, *(opened.place for opened in self.record.open)}
        for ballot in sorted({word.ballot for word in self.record.words(READY)}, key=BY_ROUND):
            place, own_stay = ballot.place, own_stays.get(ballot)
            is_now = place.at == here.at
            if own_stay is not None and is_now and ballot not in self._forwarded:
                # The others may have no link to its author. It is forwarded once, and only while
                # a player is ready to part from that author here: a liar could make the others do
                # this without end.
                self._forwarded.add(ballot)
                self._send(own_stay)
            is_past = place.at == (here.signed - 1, here.before)
            is_refused = is_now and place not in wanted and is_here(place.absent, bool(own_stay))
            if ballot not in answered and (is_past or is_refused):
                self._vote(STAY, ballot)

    def _vote(self, step: str, ballot: Ballot, readies: tuple[bytes, ...] = ()) -> None:
        """Say this word in this round. It is persisted before it is sent, and only once."""
        word = say(self._key, step, ballot.place, self._me, ballot.round, readies)
        if self._take(word):
            self._out.persist(PARTING, word.encode())
        self._send(word)

    def _proceed(self) -> None:
        """Say what the known words allow: *ready* in a later round, the part, the *stay* that gives
        a proposal up. Make the certificate if all parts are here."""
        if self._proposal is not None and not self.is_bound:
            # Another player may have begun a later round.
            later = self.record.next_ballot(self._proposal)
            if later.round < ROUNDS and later not in self.record.own():
                self._vote(READY, later)
        ready = self.record.ready_players()
        whole = [
            ballot
            for ballot in sorted(self.record.open, key=BY_ROUND)
            if ready.get(ballot) == self.record.present(ballot.place) and self._may_bind(ballot)
        ]
        if whole:
            sigs = {w.author: w.sig for w in self.record.words(READY) if w.ballot == whole[0]}
            self._vote(PART, whole[0], tuple(sigs[player] for player in sorted(sigs)))
        self._give_up()
        self._complete_certificate()

    def _may_bind(self, ballot: Ballot) -> bool:
        """Whether this player signs its part once all are ready. If it has left the round open, it
        waits for a part; the silent player's does not count. The others may have given the round up
        by then, and the silent player could bind this one alone."""
        parts = {word.author for word in self.record.words(PART, ballot.place)}
        stays = len(self.record.later_stays(ballot, self._me))
        return stays == 0 or (stays == 1 and bool(parts - {self.record.suspect(ballot.place)}))

    def _give_up(self) -> None:
        """Say the second *stay* in each open round that all players but the absent and the silent
        one have left open."""
        for ballot in sorted(self.record.open, key=BY_ROUND):
            place, suspect = ballot.place, self.record.suspect(ballot.place)
            last, own_stays = (
                self.record.latest_own(place),
                self.record.later_stays(ballot, self._me),
            )
            left_open = len(own_stays) == 1 and last.step == STAY and last.round + 1 < MAX_ROUND
            others = set(self.record.present(place)) - {suspect}
            all_left = all(self.record.later_stays(ballot, player) for player in others)
            if left_open and all_left and suspect is not None:
                self._vote(STAY, Ballot(place, last.round + 1))

    def _complete_certificate(self) -> None:
        """Make the certificate once every part is here, and send all parts.

        A liar may have shown its part to one player alone. An absent player who has returned
        completes the certificate too.
        """
        for place in {word.place for word in self.record.words(PART)}:
            parts = {word.author: word for word in self.record.words(PART, place)}
            present = self.record.present(place)
            if parts.keys() >= set(present):
                self.certificate = Certificate(tuple(parts[player] for player in present))
                self._out.persist(PARTING, self.certificate.encode())
                self.resend()

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
            shown = {ready for part in ended for ready in part.ready_words}
            self._compare(word, (*ended, *shown))
            return None
        if word.step != PART and here.settled - LATE <= word.place.seq < here.settled:
            return None
        if word.place.seq < here.settled:
            raise Refused("E04", "this vote is about a place that all players have settled")
        if word.author == self._me:
            return None
        self._take(word)
        for ready in word.ready_words if word.step == PART else ():
            self._take(ready)  # perhaps an own one, of a run whose disk was lost
        if word.step == READY and word.ballot not in self._resent:
            # Answered with the *stay* that ended the round, or with those that gave it up, at most
            # once between two calls of `resend`: a liar that asks again and again could make honest
            # players send each other more than a link may carry.
            stays = [stay for stay in self.record.words(STAY) if stay.ballot == word.ballot]
            if word.ballot in self.record.own(READY):
                stays += self.record.later_stays(word.ballot, self._me)
            for stay in stays:
                self._resent.add(word.ballot)
                self._send(stay)
        released = self._release()
        self.advance(here)
        self._proceed()
        return released or self._release()

    def _take(self, word: AbsenceWord) -> bool:
        """Keep a word, compare it with its author's other words, and forward it if it is another
        player's part. Return whether it is new."""
        known = self.record.of(word.author)
        if any(word.step == each.step and word.ballot == each.ballot for each in known):
            return False
        self._compare(word, known)
        self.record.add(word)
        if word.author != self._me and word.step == PART:
            self._send(word)
        return True

    def _compare(self, word: AbsenceWord, others: Iterable[AbsenceWord]) -> None:
        for other in others:
            if contradict(word, other):
                self.contradictions.append(of_two_words(word.encode(), other.encode()))

    def _release(self) -> AbsenceWord | None:
        """Release this player from rounds that are over, and send the words that ended them. Return
        the first of these."""
        stays, answers = self.record.stays(), list[AbsenceWord]()
        for ballot in sorted(self.record.open, key=BY_ROUND):
            if ballot in stays:
                answers.append(stays[ballot])
            elif self.record.is_given_up(ballot):
                # This player's own words come last: the caller says who answered.
                players = sorted(self.record.present(ballot.place), key=lambda n: n == self._me)
                answers += [w for n in players for w in self.record.later_stays(ballot, n)]
            else:
                continue
            self.record.open.remove(ballot)
        if answers and self._proposal not in {ballot.place for ballot in self.record.open}:
            self._proposal = None
        for word in answers:
            self._send(word)
        return answers[0] if answers else None

    # As the log goes on

    def note_signature(self, seq: int) -> None:
        """Note that a peer shows this player's signature for this place. This player had then been
        released there, even if its journal has lost that."""
        self.record.release_before(seq + 1)

    def advance(self, here: LogPosition) -> None:
        """Drop what was said for places that this node has signed or that are settled."""
        self._forwarded = from_place(self._forwarded, here.seq)
        self.record.release_before(here.signed)
        if self._proposal is not None and self._proposal.seq != here.seq:
            self._proposal = None
        if self.certificate is None:
            self.record.forget_before(here.settled)

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
        for ballot in sorted(self.record.open, key=BY_ROUND):
            ready = say(self._key, READY, ballot.place, self._me, ballot.round)
            for word in (ready, *self.record.later_stays(ballot, self._me)):
                self._send(word)

    def ready_without(self, absent: int) -> tuple[int, ...]:
        """Return the players who are ready to part without this player and were not answered with
        *stay*."""
        rounds = self.record.ready_players().items()
        ready = (players for ballot, players in rounds if ballot.place.absent == absent)
        return tuple(sorted(set().union(*ready)))

    def parts(self) -> list[AbsenceWord]:
        """Return every part that is known."""
        known = [] if self.certificate is None else list(self.certificate.words)
        return [*known, *self.record.words(PART)]

    def _send(self, word: AbsenceWord) -> None:
        self._out.send_to(None, FrameKind.PART, word.encode())
