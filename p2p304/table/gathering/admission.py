"""Admission to a table before the agreement: the passphrase, and the founder's approval.

Responsible for both sides of a locked table (SPEC.md, "Passphrase"): how often a run of the
exchange may begin, which visitors have proven the passphrase, and which visitors the founder has
accepted. The list of guests is guest_list.py's; the exchange itself is
table/gathering/exchange/passphrase.py's.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from p2p304.crypto.rng import Rng
from p2p304.rules.core.phrases import english
from p2p304.table.gathering.exchange.messages import Full, Key, LobbyMessage, Locked, Unlocked
from p2p304.table.gathering.exchange.passphrase import Exchange, WrongPassphrase
from p2p304.table.gathering.visitor_places import VisitorPlaces, address_of

RUN_INTERVAL = 0.5
"""Seconds between two runs of the exchange at one table. The interval limits guessing."""
MOST_WAITING, WAITING_SHARE = 16, 4
"""Visitors who may wait for the founder's decision: in all, and from one address."""
MOST_RUNS, RUN_SHARE = 16, 2
"""Runs of the exchange that may be open at once: in all, and from one address."""
MOST_ARRIVALS, ARRIVAL_SHARE = 64, 8
"""Visitors who may come onto the list within REST seconds: in all, and from one address."""
MOST_NAMES = 256
"""Visitors whose names are remembered after they have left."""
RESERVED = 4
"""Places of each of these kinds that are reserved for players whom the founder has met."""
RUN_TIME = 10.0
"""Seconds within which a run must be finished. Programs need a few milliseconds."""
REST = 60.0
"""Seconds for which the place of a visitor who has left stays taken."""
REQUEST_TIME = 2.5
"""Seconds for which a request for a run counts. Visitors repeat it each second."""
BARRED = 60.0
"""Seconds for which a guest whom the founder removed is not admitted again."""
NEEDS_ONE = english(
    "This table needs a passphrase. Ask its players for it, and type it when you join."
)
ASKED_ANEW = english(
    "This table asks for the passphrase again. Join again, and type the passphrase."
)
WRONG = english("Wrong passphrase. Try again.")
ASKS_TWICE = english(
    "You did not join: this table asked for your passphrase twice, perhaps to guess "
    "it. Join again only if you know the player who opened it."
)
NO_EXCHANGE = english(
    "You did not join: this table did not check your passphrase correctly. Choose another table."
)
TOO_SLOW = english("Checking the passphrase took too long. Join again.")
TOO_MANY = english("Too many players joined and left from your address. Join again in a minute.")
FULL = english("This table is full. Choose another one.")
REFUSED = english("Choose another table.")
NOT_THE_TABLE = english(
    "You did not join: this table does not have your passphrase. It is probably "
    "another table with the same name."
)


class FounderAdmission:
    """The founder's side of admission. If ``passphrase`` is None, the table is not locked. If
    ``asks_founder`` is set, the founder decides about each visitor."""

    def __init__(self, own: bytes, rng: Rng) -> None:
        self.passphrase: str | None = None
        self.asks_founder = False
        self.waiting: dict[bytes, str] = {}
        self.recent_names: OrderedDict[bytes, str] = OrderedDict()
        """Names of all visitors who waited here lately, also of those who have left. What the
        founder types for one visitor must never come to mean another."""
        self._own, self._rng = own, rng
        self.is_known: Callable[[bytes], bool] = lambda key: False
        """Tells whether the founder has met the player with this key."""
        self._runs: dict[bytes, tuple[Exchange, float]] = {}
        self._late_runs: set[bytes] = set()
        self._run_requests: dict[bytes, tuple[str, float]] = {}
        self._last_run_at: OrderedDict[str, float] = OrderedDict()
        self._run_places = VisitorPlaces(MOST_RUNS, RUN_SHARE, RESERVED)
        self._waiting_places = VisitorPlaces(MOST_WAITING, WAITING_SHARE, RESERVED)
        self._arrival_places = VisitorPlaces(MOST_ARRIVALS, ARRIVAL_SHARE, RESERVED)
        self._proven: dict[bytes, bytes] = {}
        self._holders: set[bytes] = set()
        """Guests that have shown over their present link that they hold a list."""
        self._accepted: set[bytes] = set()
        self._refused: set[bytes] = set()
        self._excluded: dict[bytes, float] = {}
        self._next_run_at = float("-inf")

    def may_enter(self, visitor: bytes) -> bool:
        return self.is_unlocked_for(visitor) and (
            not self.asks_founder or visitor in self._accepted
        )

    def is_unlocked_for(self, visitor: bytes) -> bool:
        """Whether this visitor may read the list. If there is a passphrase, the visitor must have
        proven it."""
        return self.passphrase is None or visitor in self._proven

    def may_read_list(self, guest: bytes) -> bool:
        """Whether this guest may be sent the list unasked. One whose link was lost may have begun
        anew, and would believe no list before it has been asked for the passphrase."""
        return self.is_unlocked_for(guest) or guest in self._holders

    def note_holder(self, guest: bytes) -> None:
        """Note that this guest has not begun anew: it has a list."""
        self._holders.add(guest)

    def take_arrival_place(self, visitor: bytes, host: str, now: float) -> bool:
        """Give this visitor a place for coming onto the list; False if its address has no place
        left."""
        return self._arrival_places.take(visitor, host, self.is_known(visitor), now)

    def answer_visitor(
        self, visitor: bytes, nick: str, host: str, now: float
    ) -> LobbyMessage | None:
        """Return the answer to a visitor who may not enter yet; None if the visitor must wait."""
        if visitor in self._refused:
            return Full(REFUSED)
        if self.passphrase is not None and visitor not in self._proven:
            return self._challenge(visitor, self.passphrase, host, now)
        if self._waiting_places.take(visitor, host, self.is_known(visitor), now):
            self.waiting.setdefault(visitor, nick)
            self.recent_names[visitor] = nick
            while len(self.recent_names) > MOST_NAMES:
                self.recent_names.popitem(last=False)
        return None

    def try_key(self, visitor: bytes, key: Key) -> LobbyMessage | None:
        """Check a visitor's answer to its run, once per run; None if no run is open.

        Raises Refused W10 for malformed bytes. The run is over in every case."""
        run, _ = self._runs.pop(visitor, (None, 0.0))
        self._run_places.release(visitor)
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
        """Return the proof that this founder knows the passphrase too, for a visitor who has proven
        it."""
        proof = self._proven.get(visitor)
        return None if proof is None else Unlocked(proof)

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """Record the founder's decision about a visitor who waits."""
        self.waiting.pop(visitor, None)
        self._waiting_places.release(visitor)
        (self._accepted if welcome else self._refused).add(visitor)

    def exclude(self, visitor: bytes, now: float) -> None:
        """Exclude a visitor for BARRED seconds. Afterwards the visitor counts as new."""
        self._excluded = {key: until for key, until in self._excluded.items() if until > now}
        self._excluded[visitor] = now + BARRED
        self._accepted.discard(visitor)
        self._proven.pop(visitor, None)

    def is_excluded(self, visitor: bytes, now: float) -> bool:
        return self._excluded.get(visitor, now) > now

    def is_waiting(self, visitor: bytes) -> bool:
        """Whether this visitor waits for a decision, for a run, or in a run."""
        return visitor in self.waiting or visitor in self._runs or visitor in self._run_requests

    def on_link_down(self, visitor: bytes, now: float) -> None:
        """Forget a visitor whose link is lost, and its proof of the passphrase: the program that
        comes back may have begun anew, and could not check ours. Its places stay taken for a while,
        so that coming and going gains nothing."""
        self._proven.pop(visitor, None)
        self._holders.discard(visitor)
        self.waiting.pop(visitor, None)
        self._runs.pop(visitor, None)
        self._run_requests.pop(visitor, None)
        self._late_runs.discard(visitor)
        self._run_places.release(visitor)
        self._waiting_places.release_at(visitor, now + REST)
        self._arrival_places.release_at(visitor, now + REST)

    def _challenge(
        self, visitor: bytes, passphrase: str, host: str, now: float
    ) -> LobbyMessage | None:
        """Return the message of this visitor's open run or of a new one; None if it must wait. A
        visitor answers one message only, so an open run repeats its own."""
        for late in [key for key, (_, until) in self._runs.items() if until <= now]:
            del self._runs[late]
            self._run_places.release(late)
            self._late_runs.add(late)
        if visitor in self._runs:
            return Locked(self._runs[visitor][0].message)
        if visitor in self._late_runs:
            self._late_runs.discard(visitor)
            return Full(TOO_SLOW)
        if not self._run_places.has_room(visitor, host, self.is_known(visitor), now):
            return None
        self._run_requests[visitor] = address_of(host), now
        if now < self._next_run_at or not self._is_next(visitor, now):
            return None
        self._run_places.take(visitor, host, self.is_known(visitor), now)
        self._next_run_at = now + RUN_INTERVAL
        address, _ = self._run_requests.pop(visitor)
        self._last_run_at[address] = now
        self._last_run_at.move_to_end(address)
        if len(self._last_run_at) > MOST_ARRIVALS:
            self._last_run_at.popitem(last=False)
        run = Exchange(passphrase, self._own, visitor, True, self._rng.bytes)
        self._runs[visitor] = run, now + RUN_TIME
        return Locked(run.message)

    def _is_next(self, visitor: bytes, now: float) -> bool:
        """Whether this visitor's run is the next to begin. Known players come first. Then comes the
        address whose last run is the longest ago, so one that uses many identities waits behind the
        others."""
        self._run_requests = {
            key: (address, at)
            for key, (address, at) in self._run_requests.items()
            if now - at < REQUEST_TIME
        }

        def order(key: bytes) -> tuple[bool, float]:
            return not self.is_known(key), self._last_run_at.get(
                self._run_requests[key][0], float("-inf")
            )

        return order(visitor) == min(order(key) for key in self._run_requests)


class VisitorAdmission:
    """The visitor's side of admission. ``passphrase`` is the one that the player typed, or None.

    A visitor answers one run only. Each answer tells the table's founder whether one passphrase
    fits, and a founder who got many answers could try many passphrases."""

    def __init__(self, own: bytes, rng: Rng) -> None:
        self.passphrase: str | None = None
        self._own, self._rng = own, rng
        self._run: Exchange | None = None
        self._challenge: Locked | None = None
        self._has_checked_founder = False

    @property
    def has_answered(self) -> bool:
        """Whether the visitor has answered a run. The outcome may still be on its way."""
        return self._run is not None

    @property
    def is_founder_trusted(self) -> bool:
        """Whether the visitor needs no more proof from the founder."""
        return self.passphrase is None or self._has_checked_founder

    def answer(self, founder: bytes, locked: Locked) -> Key:
        """Answer the founder's message; a repeated message gets the same answer.

        Raises WrongPassphrase if this visitor has no passphrase or if the message differs from the
        first one, and Refused W10 for malformed bytes."""
        if self.passphrase is None:
            raise WrongPassphrase(NEEDS_ONE)
        if self._challenge not in (None, locked):
            raise WrongPassphrase(ASKS_TWICE)
        if self._run is None:
            self._challenge = locked
            run = Exchange(self.passphrase, founder, self._own, False, self._rng.bytes)
            run.finish(locked.exchange)
            self._run = run
        return Key(self._run.message, self._run.proof)

    def check_founder(self, unlocked: Unlocked) -> None:
        """Check that the founder knows the passphrase; raises WrongPassphrase if not."""
        if self._run is None:
            raise WrongPassphrase(NOT_THE_TABLE)
        try:
            self._run.verify(unlocked.proof)
        except WrongPassphrase as error:
            raise WrongPassphrase(NOT_THE_TABLE) from error
        self._has_checked_founder = True
