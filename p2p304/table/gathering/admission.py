"""Who comes in before the agreement: the passphrase, and the founder's own word.

Owns both sides of a locked door (SPEC.md, "Passphrase"): how often a run may begin, who has
proven the passphrase, whom the founder has accepted. It keeps no list of guests; guest_list.py
does.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from p2p304.crypto.rng import Rng
from p2p304.table.gathering.messages import Full, Key, LobbyMessage, Locked, Unlocked
from p2p304.table.gathering.passphrase import Exchange, WrongPassphrase
from p2p304.table.gathering.visitor_places import Places, address_of

EVERY = 0.5
"""Seconds between two runs of the exchange at one table: so slow is guessing."""
MOST_WAITING, WAITING_SHARE = 16, 4
"""Visitors who wait for the founder's word; so many of one address."""
MOST_RUNS, RUN_SHARE = 16, 2
"""Runs that are on at once; so many of one address."""
MOST_COMING, COMING_SHARE = 64, 8
"""Visitors who have come onto the list within REST seconds; so many of one address."""
MOST_HEARD = 256
"""Visitors whose names are remembered after they have gone."""
KEPT = 4
"""Places of each of these kinds that only players get whom the founder has met."""
RUN_TIME = 10.0
"""Seconds within which a run must be finished; programs need some milliseconds."""
REST = 60.0
"""Seconds for which the place of whoever has left stays taken."""
ASKED = 2.5
"""Seconds for which somebody who asked counts as waiting for a run: they ask each second."""
BARRED = 60.0
"""Seconds for which whoever was put out of a list is not let in again."""
NEEDS_ONE = "This table asks for a passphrase: ask its players, and join with --passphrase."
WRONG = "The passphrase does not fit."
ASKS_TWICE = (
    "This table asked for your passphrase a second time, as somebody does who is guessing it: "
    "you were not seated. Join again only if you know who opened this table."
)
NO_EXCHANGE = (
    "This table asked for your passphrase in a way that no p2p304 does: you were not seated. "
    "Look for another table."
)
TOO_SLOW = "The exchange of the passphrase has taken too long: join again."
TOO_MANY = "Too many have come and gone from your address: join again in a minute."
REFUSED = "There is no seat for you here."
NOT_THE_TABLE = "This table does not know your passphrase: it is another one."


class FounderAdmission:
    """The founder's side. ``passphrase`` None: not locked; ``asks``: the founder is asked."""

    def __init__(self, own: bytes, rng: Rng) -> None:
        self.passphrase: str | None = None
        self.asks = False
        self.waiting: dict[bytes, str] = {}
        self.heard: OrderedDict[bytes, str] = OrderedDict()
        """Everybody who waited here lately, also those who have gone: what the founder types for
        one must never come to mean another."""
        self._own, self._rng = own, rng
        self.known: Callable[[bytes], bool] = lambda key: False
        """Whether the founder has met the player with this key."""
        self._runs: dict[bytes, tuple[Exchange, float]] = {}
        self._late: set[bytes] = set()
        self._asked: dict[bytes, tuple[str, float]] = {}
        self._served: OrderedDict[str, float] = OrderedDict()
        self._run_places = Places(MOST_RUNS, RUN_SHARE, KEPT)
        self._waiting_places = Places(MOST_WAITING, WAITING_SHARE, KEPT)
        self._coming_places = Places(MOST_COMING, COMING_SHARE, KEPT)
        self._proven: dict[bytes, bytes] = {}
        self._accepted: set[bytes] = set()
        self._refused: set[bytes] = set()
        self._barred: dict[bytes, float] = {}
        self._next = float("-inf")

    def may_enter(self, visitor: bytes) -> bool:
        return self.is_unlocked_for(visitor) and (not self.asks or visitor in self._accepted)

    def is_unlocked_for(self, visitor: bytes) -> bool:
        """Whether this visitor may read who is on the list: it knows the passphrase, if any."""
        return self.passphrase is None or visitor in self._proven

    def may_come(self, visitor: bytes, host: str, now: float) -> bool:
        """Whether one more from this address may come onto the list."""
        return self._coming_places.take(visitor, host, self.known(visitor), now)

    def knock(self, visitor: bytes, nick: str, host: str, now: float) -> LobbyMessage | None:
        """What a visitor is answered who may not enter yet; None: to wait."""
        if visitor in self._refused:
            return Full(REFUSED)
        if self.passphrase is not None and visitor not in self._proven:
            return self._challenge(visitor, self.passphrase, host, now)
        if self._waiting_places.take(visitor, host, self.known(visitor), now):
            self.waiting.setdefault(visitor, nick)
            self.heard[visitor] = nick
            while len(self.heard) > MOST_HEARD:
                self.heard.popitem(last=False)
        return None

    def try_key(self, visitor: bytes, key: Key) -> LobbyMessage | None:
        """One try per run; None if no run is on. Raises Refused W10, and the run is over."""
        run, _ = self._runs.pop(visitor, (None, 0.0))
        self._run_places.free(visitor)
        if run is None:
            return None
        run.finish(key.exchange)
        try:
            run.verify(key.proof)
        except WrongPassphrase:
            return Full(WRONG)
        self._proven[visitor] = run.proof
        return Unlocked(run.proof)

    def proof_for(self, visitor: bytes) -> LobbyMessage | None:
        """What shows a visitor, who has, that this founder knows the passphrase too."""
        proof = self._proven.get(visitor)
        return None if proof is None else Unlocked(proof)

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """The founder's word about somebody who waits."""
        self.waiting.pop(visitor, None)
        self._waiting_places.free(visitor)
        (self._accepted if welcome else self._refused).add(visitor)

    def bar(self, visitor: bytes, now: float) -> None:
        """Not to be let in again for BARRED seconds, and then as if it had never come."""
        self._barred = {key: until for key, until in self._barred.items() if until > now}
        self._barred[visitor] = now + BARRED
        self._accepted.discard(visitor)
        self._proven.pop(visitor, None)

    def is_barred(self, visitor: bytes, now: float) -> bool:
        return self._barred.get(visitor, now) > now

    def has(self, visitor: bytes) -> bool:
        """Whether this visitor waits for something here."""
        return visitor in self.waiting or visitor in self._runs or visitor in self._asked

    def left(self, visitor: bytes, now: float) -> None:
        """The visitor's link is gone. Places of those who come and go stay taken for a while."""
        self.waiting.pop(visitor, None)
        self._runs.pop(visitor, None)
        self._asked.pop(visitor, None)
        self._late.discard(visitor)
        self._run_places.free(visitor)
        self._waiting_places.leave(visitor, now + REST)
        self._coming_places.leave(visitor, now + REST)

    def _challenge(
        self, visitor: bytes, passphrase: str, host: str, now: float
    ) -> LobbyMessage | None:
        """The message of the run that is on, or of a new one: a visitor answers one only."""
        self._end_late_runs(now)
        if visitor in self._runs:
            return Locked(self._runs[visitor][0].message)
        if visitor in self._late:
            self._late.discard(visitor)
            return Full(TOO_SLOW)
        if not self._run_places.has_room(visitor, host, self.known(visitor), now):
            return None
        self._asked[visitor] = address_of(host), now
        if now < self._next or not self._is_next(visitor, now):
            return None
        self._run_places.take(visitor, host, self.known(visitor), now)
        self._next = now + EVERY
        self._serve(visitor, now)
        run = Exchange(passphrase, self._own, visitor, True, self._rng.bytes)
        self._runs[visitor] = run, now + RUN_TIME
        return Locked(run.message)

    def _end_late_runs(self, now: float) -> None:
        for visitor in [key for key, (_, until) in self._runs.items() if until <= now]:
            del self._runs[visitor]
            self._run_places.free(visitor)
            self._late.add(visitor)

    def _is_next(self, visitor: bytes, now: float) -> bool:
        """Of all who have asked lately: players who are known first, then the address that has
        had no run for the longest. So whoever has many identities waits behind the others."""
        self._asked = {
            key: (address, at) for key, (address, at) in self._asked.items() if now - at < ASKED
        }

        def order(key: bytes) -> tuple[bool, float]:
            return not self.known(key), self._served.get(self._asked[key][0], float("-inf"))

        return order(visitor) == min(order(key) for key in self._asked)

    def _serve(self, visitor: bytes, now: float) -> None:
        address, _ = self._asked.pop(visitor)
        self._served[address] = now
        self._served.move_to_end(address)
        if len(self._served) > MOST_COMING:
            self._served.popitem(last=False)


class VisitorAdmission:
    """The visitor's side, with the passphrase it was told, or None.

    It answers one run: whoever opened the table learns from each answer whether one passphrase
    fits, and could try all of them if it were answered again.
    """

    def __init__(self, own: bytes, rng: Rng) -> None:
        self.passphrase: str | None = None
        self._own, self._rng = own, rng
        self._run: Exchange | None = None
        self._asked: Locked | None = None
        self._let_in = False

    @property
    def is_asked(self) -> bool:
        """Whether a run is on: its end may still be on its way."""
        return self._run is not None

    @property
    def may_believe(self) -> bool:
        """Whether the founder has proven what this visitor needs of it."""
        return self.passphrase is None or self._let_in

    def answer(self, founder: bytes, locked: Locked) -> Key:
        """The same answer to the same message. Raises WrongPassphrase where there is none to
        answer with, and for any other message; Refused W10 for one that is none."""
        if self.passphrase is None:
            raise WrongPassphrase(NEEDS_ONE)
        if self._asked not in (None, locked):
            raise WrongPassphrase(ASKS_TWICE)
        if self._run is None:
            self._asked = locked
            run = Exchange(self.passphrase, founder, self._own, False, self._rng.bytes)
            run.finish(locked.exchange)
            self._run = run
        return Key(self._run.message, self._run.proof)

    def believe(self, unlocked: Unlocked) -> None:
        """Raises WrongPassphrase if the founder does not know it."""
        if self._run is None:
            raise WrongPassphrase(NOT_THE_TABLE)
        try:
            self._run.verify(unlocked.proof)
        except WrongPassphrase as error:
            raise WrongPassphrase(NOT_THE_TABLE) from error
        self._let_in = True
