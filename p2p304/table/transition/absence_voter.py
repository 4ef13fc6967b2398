"""Parting: all players but an absent one agree to go on without that player.

Responsible for one node's side of the agreement's two steps (SPEC.md, "Leaving for good"). The
words and their signatures are log/absence_vote.py's, the certificate is certificate.py's, and the
state after the end is ending.py's. This module verifies no entry and knows no clock and no links.

A player who has said *ready* is held: its node signs nothing for that place or a later one until
the others have answered. Another player's *stay* releases it. Once all players present are ready,
the node signs its *part*, which binds for good. A *part* carries every *ready* of its round, so
nobody can be bound by a *part* that was not prepared. Every own word is persisted before it is
sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Never

from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import (
    MAX_ROUND,
    PART,
    READY,
    STAY,
    AbsenceWord,
    PartingPlace,
    contradict,
    parse_word,
    say,
)
from p2p304.log.evidence import Evidence, of_two_words
from p2p304.log.faults import Refused
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
LATE = 8
"""How many settled places back an honest *ready* or *stay* may still arrive."""
Round = tuple[PartingPlace, int]
"""One attempt to part: the place, and the number of the attempt."""


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
        self._own: dict[Round, str] = {}
        self._open: set[Round] = set()
        """Rounds in which this player is ready and no other player has said *stay*."""
        self._forwarded: set[Round] = set()
        """Rounds in which this node has forwarded the absent player's own *stay* to the others."""
        self._resent: set[Round] = set()
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
            return self.certificate.where.seq
        if self._part is not None:
            return self._part.where.seq
        return min((where.seq for where, _ in self._open), default=None)

    def restore(self, records: Sequence[bytes]) -> None:
        """Take up the persisted words and certificate; raises Refused."""
        for raw in records:
            if not raw.startswith(_A_WORD):
                self.certificate = parse_certificate(raw, self._terms)
                continue
            word = parse_word(raw)
            check_word(word, self._terms)
            self._store(word)
            self._note_own(word)

    def _note_own(self, word: AbsenceWord) -> None:
        if word.step == PART:
            self._part = word
        else:
            self._own[word.where, word.round] = word.step
        if word.step == READY:
            self._open.add((word.where, word.round))

    # What this player says

    def propose(self, where: PartingPlace) -> None:
        """Say *ready* to part without ``where.absent``; LookupError if this player can begin no
        more rounds."""
        if self.is_bound or where.absent == self._me:
            return
        round_ = self._next_round(where)
        if round_ >= MAX_ROUND:
            raise LookupError("the others have said too often that this player is here")
        self._proposal = where
        self._vote(READY, (where, round_))
        self._proceed()

    def _next_round(self, where: PartingPlace) -> int:
        """Return the latest round that a player has begun and no player has ended, or else a new
        one."""
        words = [word for word in self._words() if word.where == where]
        stayed = max((round_ for at, round_ in self._stays() if at == where), default=-1)
        begun = max((word.round for word in words if word.step == READY), default=0)
        return max(stayed + 1, begun)

    def answer(self, here: LogPosition, is_here: Callable[[int, bool], bool]) -> None:
        """Say *stay* in each round without a player who is here, or at a place that this node has
        gone past.

        ``is_here(player, own_stay)`` is asked whether a player is here; ``own_stay`` tells whether
        that player has said *stay* itself. The absent player's own *stay* ends no round, but it
        shows players without a link to it that it is there.
        """
        if self.is_bound:
            return
        own_stays = {
            (w.where, w.round): w
            for w in self._words()
            if w.step == STAY and w.author == w.where.absent
        }
        asked = {(w.where, w.round) for w in self._words() if w.step == READY}
        self._forward_stays(here, [own_stays[at] for at in asked & set(own_stays)])
        for where, round_ in sorted(asked - set(self._own), key=lambda one: one[1]):
            past = (where.seq, where.head) == (here.signed - 1, here.before)
            now = (where.seq, where.head) == (here.seq, here.head) and self._proposal != where
            if past or (now and is_here(where.absent, (where, round_) in own_stays)):
                self._vote(STAY, (where, round_))

    def _forward_stays(self, here: LogPosition, stays: Sequence[AbsenceWord]) -> None:
        """Forward an absent player's own *stay* to players that are not linked with it.

        Each is forwarded once, and only while a player is ready to part from its author at this
        place. Otherwise one liar could make the others forward words to each other without end.
        """
        for word in stays:
            at = (word.where, word.round)
            fits = (word.where.seq, word.where.head) == (here.seq, here.head)
            if fits and word.author != self._me and at not in self._forwarded:
                self._forwarded.add(at)
                self._send(word)

    def _vote(self, step: str, at: Round) -> None:
        """Say this word in this round. It is persisted before it is sent, and said only once per
        round."""
        where, round_ = at
        word = say(self._key, step, where, self._me, round_)
        if at not in self._own:
            self._out.persist(PARTING, word.encode())
            self._note_own(word)
            self._record(word)
        self._send(word)

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
            self._compare(word)
            return None
        if word.step != PART and here.settled - LATE <= word.where.seq < here.settled:
            return None
        if word.where.seq < here.settled:
            raise Refused("E04", "this word of parting is for a place that all have settled")
        if word.author == self._me:
            return None
        self._record(word)
        for ready in word.ready_words if word.step == PART else ():
            if ready.author == self._me and (ready.where, ready.round) not in self._own:
                self._note_own(ready)  # an earlier run signed it, whose disk was lost
            self._record(ready)
        if word.step == READY:
            self._resend_stay(word)
        released = self._release()
        self.advance(here)
        self._proceed()
        return released

    def _compare(self, word: AbsenceWord) -> None:
        """Compare a word with the certificate. After the table has ended no word has an effect, but
        another part is a contradiction."""
        ended = self.certificate.words if self.certificate is not None else ()
        shown = [ready for part in ended[:1] for ready in part.ready_words]
        for other in (*ended, *shown):
            if contradict(word, other):
                self.contradictions.append(of_two_words(word.encode(), other.encode()))

    def _record(self, word: AbsenceWord) -> None:
        """Keep a new word, compare it with its author's other words, and forward it if it is a
        part."""
        if any(
            (w.step, w.where, w.round) == (word.step, word.where, word.round)
            for w in self._words_by_author[word.author]
        ):
            return
        for other in self._words_by_author[word.author]:
            if contradict(word, other):
                self.contradictions.append(of_two_words(word.encode(), other.encode()))
        self._store(word)
        if word.author != self._me and word.step == PART:
            self._send(word)

    def _store(self, word: AbsenceWord) -> None:
        kept = (*self._words_by_author[word.author], word)
        self._words_by_author[word.author] = kept if word.author == self._me else kept[-MAX_HEARD:]

    def _resend_stay(self, ready: AbsenceWord) -> None:
        """Answer a *ready* in an ended round with that round's *stay*, at most once between two
        calls of `resend`. Otherwise a liar that asks again and again could make honest players send
        each other more than a link may carry."""
        if (ready.where, ready.round) in self._resent:
            return
        for word in self._words():
            if (word.step, word.where, word.round) == (STAY, ready.where, ready.round):
                self._resent.add((ready.where, ready.round))
                self._send(word)

    def _release(self) -> AbsenceWord | None:
        """Release this player from rounds in which another player has said *stay*, and forward that
        word."""
        stays = self._stays() if self._open else {}
        ended = [at for at in self._open if at in stays]
        if self.is_bound or not ended:
            return None
        self._open.difference_update(ended)
        self._proposal = None
        for at in ended:
            self._send(stays[at])
        return stays[ended[0]]

    def note_signature(self, seq: int) -> None:
        """Note that a peer shows this player's signature for this place. This player had then been
        released there, even if its journal has lost that."""
        if not self.is_bound:
            self._open = {at for at in self._open if at[0].seq > seq}

    def advance(self, here: LogPosition) -> None:
        """Drop what was said for places that this node has signed or that are settled."""
        self._forwarded = {at for at in self._forwarded if at[0].seq >= here.seq}
        if not self.is_bound:
            self._open = {at for at in self._open if at[0].seq >= here.signed}
        if self._proposal is not None and self._proposal.seq != here.seq:
            self._proposal = None
        if self.certificate is None:
            for author, words in self._words_by_author.items():
                kept = tuple(word for word in words if word.where.seq >= here.settled)
                if len(kept) < len(words):
                    self._words_by_author[author] = kept
            self._own = {at: step for at, step in self._own.items() if at[0].seq >= here.settled}

    def resend(self) -> None:
        """Send again what has had no effect yet; to be called repeatedly.

        After the agreement all known parts are sent, so that a player who returns learns of it from
        any other player.
        """
        self._resent.clear()
        if self.certificate is not None:
            for part in self.certificate.words:
                self._send(part)
        elif self._part is not None:
            for part in self.parts():
                self._send(part)
        else:
            for where, round_ in sorted(self._open, key=lambda one: one[1]):
                self._send(say(self._key, READY, where, self._me, round_))

    def ready_without(self, absent: int) -> tuple[int, ...]:
        """Return the players who are ready to part without this player and were not answered with
        *stay*."""
        return tuple(
            sorted(
                {
                    player
                    for (where, _), ready in self._open_rounds().items()
                    if where.absent == absent
                    for player in ready
                }
            )
        )

    def unanswered_rounds(
        self, here: LogPosition
    ) -> list[tuple[Round, frozenset[int], frozenset[int]]]:
        """Return every unanswered round at this node's place: the round, the players who are ready,
        and the players whose word is missing (whose part, once there is a part).

        A round after an entry that is not in this log does not count: no honest program would
        answer it.
        """
        waits = []
        for (where, round_), said in self._open_rounds().items():
            if (where.seq, where.head) not in ((here.seq, here.head), (here.seq - 1, here.before)):
                continue
            parted = {w.author for w in self._words() if w.step == PART and w.where == where}
            missing = set(self._present(where)) - (parted if parted else said)
            waits.append(((where, round_), frozenset(said), frozenset(missing)))
        return waits

    def parts(self) -> list[AbsenceWord]:
        """Return every part that is known."""
        known = [] if self.certificate is None else list(self.certificate.words)
        return [*known, *(word for word in self._words() if word.step == PART)]

    def effects(self) -> list[Effect]:
        return self._out.effects()

    # The two steps

    def _words(self) -> list[AbsenceWord]:
        return [word for words in self._words_by_author.values() for word in words]

    def _stays(self) -> dict[Round, AbsenceWord]:
        """Return the *stay* of every ended round. The absent player's own *stay* ends no round."""
        return {
            (w.where, w.round): w
            for w in self._words()
            if w.step == STAY and w.author != w.where.absent
        }

    def _open_rounds(self) -> dict[Round, set[int]]:
        """Return the players who are ready, for every round that has not ended."""
        stayed = self._stays()
        said: dict[Round, set[int]] = {}
        for word in self._words():
            at = (word.where, word.round)
            if word.step == READY and at not in stayed:
                said.setdefault(at, set()).add(word.author)
        return said

    def _proceed(self) -> None:
        self._join_later_round()
        asked = self._open_rounds() if self._open else {}
        for at in sorted(self._open, key=lambda one: one[1]):
            if not self.is_bound and asked.get(at, set()) >= set(self._present(at[0])):
                self._sign_part(at)
        self._complete_certificate()

    def _join_later_round(self) -> None:
        """Say *ready* also in a later round that another player has begun, if this player still
        proposes to part."""
        proposal = self._proposal
        if proposal is not None and not self.is_bound:
            at = (proposal, self._next_round(proposal))
            if at[1] < MAX_ROUND and at not in self._own:
                self._vote(READY, at)

    def _complete_certificate(self) -> None:
        """Make the certificate once every part is here, and send all parts.

        A liar may have shown its part to one player alone. An absent player who has returned
        completes the certificate too.
        """
        parts = {(w.where, w.author): w for w in self._words() if w.step == PART}
        for where in {where for where, _ in parts}:
            present = self._present(where)
            if self.certificate is None and all((where, n) in parts for n in present):
                self.certificate = Certificate(tuple(parts[where, n] for n in present))
                self._out.persist(PARTING, self.certificate.encode())
                self.resend()

    def _present(self, where: PartingPlace) -> list[int]:
        return [n for n in range(len(self._terms.keys)) if n != where.absent]

    def _sign_part(self, at: Round) -> None:
        """Sign the part, with every *ready* of this round."""
        where, round_ = at
        readies = {
            w.author: w.sig
            for w in self._words()
            if (w.step, w.where, w.round) == (READY, where, round_)
        }
        shown = tuple(readies[n] for n in self._present(where))
        self._part = part = say(self._key, PART, where, self._me, round_, shown)
        self._record(part)
        self._out.persist(PARTING, part.encode())
        self._send(part)

    def _send(self, word: AbsenceWord) -> None:
        self._out.send_to(None, FrameKind.PART, word.encode())
