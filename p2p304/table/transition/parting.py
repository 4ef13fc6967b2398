"""Parting: everybody but one who is gone agrees to do without that one, or nobody does.

Owns the agreement's two steps at one node (SPEC.md, "Leaving for good"); the words and their
signatures are log/absence_vote.py's, the certificate is certificate.py's. A player who said *ready*
is held: its node signs nothing for that place or a later one until the others have answered.
Another player's *stay* lets it go. Once all present are ready it signs the *part*, which binds for
good. A part shows everybody's *ready*, so nobody is drawn in by a part that nobody prepared. Every
own word is written down before it is sent. What becomes of the hand, the table's rules say
(ending.py). This module verifies no entry and knows no clock and no links.
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
from p2p304.table.transition.certificate import (
    Certificate,
    check_certificate,
    check_may_end,
    check_word,
    parse_certificate,
)
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

__all__ = [
    "PART",
    "READY",
    "STAY",
    "AbsenceWord",
    "Certificate",
    "LogPosition",
    "Parting",
    "PartingPlace",
    "Round",
    "check_certificate",
    "check_may_end",
    "check_word",
    "parse_certificate",
    "parse_word",
    "say",
]

PARTING = "parting"
"""The name under which an own word, and later the certificate, is persisted."""
_A_WORD = b"\x89"
"""A word is a map of nine fields; what is persisted otherwise is the certificate."""
MAX_HEARD = 64
"""Words of one player that are kept; the oldest gives way."""
LATE = 8
"""Settled places about which an honest *ready* or *stay* may still be on its way."""
Round = tuple[PartingPlace, int]
"""One attempt to part: where, and the number of the attempt."""


@dataclass(frozen=True, slots=True)
class LogPosition:
    """How far this node's log is: the next place, the links of the last entry and of the one
    before it; it has signed all places before ``signed``, and those before ``settled`` are
    settled."""

    seq: int
    head: bytes
    before: bytes
    signed: int
    settled: int


class Parting:
    """One node's side. Drain `effects` and `contradictions`; `bound` and `certificate` say how
    far it is."""

    def __init__(self, key: SigningKey, terms: Terms) -> None:
        self.certificate: Certificate | None = None
        self.contradictions: list[Evidence] = []
        """Two words of one player that no honest player signs both."""
        self._key, self._terms = key, terms
        self._me = terms.keys.index(key.public)
        self._proposal: PartingPlace | None = None
        self._part: AbsenceWord | None = None
        self._own: dict[Round, str] = {}
        self._open: set[Round] = set()
        """Rounds in which this player is ready, and nobody has said *stay*."""
        self._forwarded: set[Round] = set()
        """Rounds in which this node has shown the absent one's own *stay* to the others."""
        self._resent: set[Round] = set()
        """Rounds whose *stay* was said again since `repeat` was called last."""
        self._words_by_author: dict[int, tuple[AbsenceWord, ...]] = dict.fromkeys(
            range(len(terms.keys)), ()
        )
        self.outbox = self._out = Outbox[Never]()

    @property
    def is_bound(self) -> bool:
        """Whether this node has signed its part, or knows that the others have ended the table:
        it signs nothing else here."""
        return self._part is not None or self.certificate is not None

    @property
    def is_held(self) -> bool:
        """Whether this node has said *ready* and waits for what the others say."""
        return bool(self._open) and not self.is_bound

    @property
    def has_resent(self) -> bool:
        """Whether some round's *stay* is not said again before `repeat` is called."""
        return bool(self._resent)

    @property
    def blocked_from(self) -> int | None:
        """For this place and later ones nothing is signed now; None where nothing is agreed."""
        if self.certificate is not None:
            return self.certificate.where.seq
        if self._part is not None:
            return self._part.where.seq
        return min((where.seq for where, _ in self._open), default=None)

    def restore(self, records: Sequence[bytes]) -> None:
        """What was said, from disk; raises Refused."""
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

    # What this player wants

    def propose(self, where: PartingPlace) -> None:
        """This player is ready to part without ``where.absent``; LookupError where it cannot."""
        if self.is_bound or where.absent == self._me:
            return
        round_ = self._next_round(where)
        if round_ >= MAX_ROUND:
            raise LookupError("the others have said too often that this player is here")
        self._proposal = where
        self._vote(READY, (where, round_))
        self._proceed()

    def _next_round(self, where: PartingPlace) -> int:
        """The latest round that somebody has begun and nobody has ended, or a new one."""
        words = [word for word in self._words() if word.where == where]
        stayed = max((round_ for at, round_ in self._stays() if at == where), default=-1)
        begun = max((word.round for word in words if word.step == READY), default=0)
        return max(stayed + 1, begun)

    def answer(self, here: LogPosition, is_here: Callable[[int, bool], bool]) -> None:
        """Say *stay* to everybody who is ready to part from somebody who is here, or at a place
        that this node has gone past. ``is_here`` is asked of a player who has, or has not, said
        *stay* itself: its own word ends no wait, and shows those who are not linked with it that
        it is there."""
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
        """Show an absent player's own *stay* to those who are not linked with it: each once, and
        only where somebody is ready to part from it at this place. Otherwise one liar could make
        the others pass on words to each other without end."""
        for word in stays:
            at = (word.where, word.round)
            fits = (word.where.seq, word.where.head) == (here.seq, here.head)
            if fits and word.author != self._me and at not in self._forwarded:
                self._forwarded.add(at)
                self._send(word)

    def _vote(self, step: str, at: Round) -> None:
        """Say this word, once and for all: first it is written down."""
        where, round_ = at
        word = say(self._key, step, where, self._me, round_)
        if at not in self._own:
            self._out.persist(PARTING, word.encode())
            self._note_own(word)
            self._record(word)
        self._send(word)

    # What was said

    def parse(self, payload: bytes) -> AbsenceWord:
        """One word of a peer; raises Refused."""
        word = parse_word(payload)
        check_word(word, self._terms)
        return word

    def receive(self, word: AbsenceWord, here: LogPosition) -> AbsenceWord | None:
        """Take a word that was checked; returns the *stay* that ends this node's own wait, if it
        does. Raises Refused E04."""
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
                self._note_own(ready)  # signed by a run of this node whose disk was lost
            self._record(ready)
        if word.step == READY:
            self._resend_stay(word)
        released = self._release()
        self.advance(here)
        self._proceed()
        return released

    def _compare(self, word: AbsenceWord) -> None:
        """Once the table has ended no word has an effect; another part is a contradiction."""
        ended = self.certificate.words if self.certificate is not None else ()
        shown = [ready for part in ended[:1] for ready in part.ready_words]
        for other in (*ended, *shown):
            if contradict(word, other):
                self.contradictions.append(of_two_words(word.encode(), other.encode()))

    def _record(self, word: AbsenceWord) -> None:
        """Keep it, if it is new, and compare it with all else that its author said."""
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
        """Who asks in a round that somebody has ended is told so again, at most once between two
        calls of `repeat`: otherwise one liar that asks on and on could make honest players send
        each other more than a link may carry."""
        if (ready.where, ready.round) in self._resent:
            return
        for word in self._words():
            if (word.step, word.where, word.round) == (STAY, ready.where, ready.round):
                self._resent.add((ready.where, ready.round))
                self._send(word)

    def _release(self) -> AbsenceWord | None:
        """Let this player go where somebody has said *stay*, and pass that word on."""
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
        """A peer shows what this player has signed for this place: so it was let go there, even if
        its journal has lost what came after."""
        if not self.is_bound:
            self._open = {at for at in self._open if at[0].seq > seq}

    def advance(self, here: LogPosition) -> None:
        """The log has gone on: what was said for places that are signed, or settled, is over."""
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
        """Say again what has not had its effect; to be called now and then. Once all is agreed,
        everybody's part is told, so that whoever comes back learns of it from any one."""
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
        """Who is ready to part without this player, and was not answered with *stay*."""
        return tuple(
            sorted(
                {
                    who
                    for where, said in self._open_rounds().items()
                    if where[0].absent == absent
                    for who in said
                }
            )
        )

    def unanswered_rounds(
        self, here: LogPosition
    ) -> list[tuple[Round, frozenset[int], frozenset[int]]]:
        """Every wish to part at this node's place that is not answered: who is ready, and whose
        word is missing; once there is a part, whose part is. A wish after an entry that is not in
        the log here counts for nothing: no honest program would answer it."""
        waits = []
        for (where, round_), said in self._open_rounds().items():
            if (where.seq, where.head) not in ((here.seq, here.head), (here.seq - 1, here.before)):
                continue
            parted = {w.author for w in self._words() if w.step == PART and w.where == where}
            missing = set(self._present(where)) - (parted if parted else said)
            waits.append(((where, round_), frozenset(said), frozenset(missing)))
        return waits

    def parts(self) -> list[AbsenceWord]:
        """Every part that is known."""
        known = [] if self.certificate is None else list(self.certificate.words)
        return [*known, *(word for word in self._words() if word.step == PART)]

    def effects(self) -> list[Effect]:
        return self._out.effects()

    # The two steps

    def _words(self) -> list[AbsenceWord]:
        return [word for words in self._words_by_author.values() for word in words]

    def _stays(self) -> dict[Round, AbsenceWord]:
        """By round that somebody has ended: that word. The absent one's own ends none."""
        return {
            (w.where, w.round): w
            for w in self._words()
            if w.step == STAY and w.author != w.where.absent
        }

    def _open_rounds(self) -> dict[Round, set[int]]:
        """By round that nobody has ended: who is ready."""
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
        """A player who still wants to is ready in a later round too that another has begun."""
        wish = self._proposal
        if wish is not None and not self.is_bound:
            at = (wish, self._next_round(wish))
            if at[1] < MAX_ROUND and at not in self._own:
                self._vote(READY, at)

    def _complete_certificate(self) -> None:
        """Everybody's part is here: for those who signed, and for the absent one come back. It is
        told to all at once, since a liar may show its part to one player alone."""
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
        """Sign the part, with everybody's *ready* of this round."""
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
