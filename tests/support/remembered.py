"""Arithmetic that is done once for all the players of a test process.

At a simulated table every player computes what every other one has computed, in the same process,
and tests play the same games again. The group's engine, signatures and their check, and the search
for an order of Caps depend on nothing but their arguments, so their results are remembered; all the
code around them runs each time. Failures raise and are never remembered. tests/crypto and the tests
of real processes compute everything; tests/rules/caps search each time.

Within one test the state that follows from a state and an entry is remembered too (`Steps`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import pytest

from p2p304.crypto import group, signing
from p2p304.log import absence_vote, chain, entry
from p2p304.log.entry import Entry
from p2p304.rules.caps import solver
from p2p304.rules.play import caps_judgement
from p2p304.table.agreement import bot_mark, terms
from p2p304.table.exchange import receipts
from p2p304.table.gathering import meeting
from p2p304.table.gathering.exchange import messages
from p2p304.table.player import pending_claim
from p2p304.table.state.table import TableState
from p2p304.table.transition import replica
from p2p304.table.transition import step as stepping
from p2p304.table.transition.actions import Step
from tests.support.table import known_games

MOST = 1 << 16
"""Results of each operation: some tens of megabytes."""
MOST_STEPS = 1 << 12
"""Steps of a table that are remembered: those of some matches."""

sign_each_time = signing.SigningKey.sign


class RememberingEngine:
    """An engine that gives a result that it gave before without computing it."""

    def __init__(self, engine: group.Engine) -> None:
        self.NAME = engine.NAME
        self.multiply = lru_cache(MOST)(engine.multiply)
        self.multiply_base = lru_cache(MOST)(engine.multiply_base)
        self.add = lru_cache(MOST)(engine.add)
        self.subtract = lru_cache(MOST)(engine.subtract)
        self.from_uniform = lru_cache(MOST)(engine.from_uniform)
        self.is_element = lru_cache(MOST)(engine.is_element)


CHECK_SIGNATURES = (entry, absence_vote, bot_mark, terms, messages)
"""The modules whose ``verify`` remembers."""


class Signatures:
    """Ed25519 gives the same signature of a key and a message each time, and that one is valid;
    every other one is checked."""

    def __init__(self) -> None:
        self._made = dict[tuple[bytes, bytes], bytes]()
        self._check = lru_cache(MOST)(signing.verify)

    def sign(self, key: signing.SigningKey, message: bytes) -> bytes:
        asked = key.public, message
        if asked not in self._made:
            if len(self._made) >= MOST:
                self._made.clear()
            self._made[asked] = sign_each_time(key, message)
        return self._made[asked]

    def verify(self, public: bytes, message: bytes, signature: bytes) -> bool:
        made = self._made.get((public, message))
        return signature == made or self._check(public, message, signature)


class Steps:
    """What follows from a state and an entry: the first player of a table who judges it computes it
    for the other ones, and for an audit in the same test.

    A refusal is never remembered, and an entry counts as the same only if all of it is. It is
    forgotten after every test (`forget`): the next one may have replaced a check.
    """

    def __init__(self) -> None:
        self._agreed, self._step = stepping.agreed, stepping.step
        self._first = dict[bytes, tuple[Entry, TableState]]()
        self._next = dict[tuple[int, bytes], tuple[TableState, Entry, Step]]()

    def forget(self) -> None:
        self._first.clear()
        self._next.clear()

    def agreed(self, entry: Entry) -> TableState:
        known = self._first.get(entry.sig)
        if known is None or known[0] != entry:
            known = self._first[entry.sig] = entry, self._agreed(entry)
        return known[1]

    def step(self, state: TableState, entry: Entry) -> Step:
        # The state is kept with its result, so no other one can get its id.
        known = self._next.get((id(state), entry.sig))
        if known is None or known[1] != entry:
            if len(self._next) >= MOST_STEPS:
                self.forget()
            known = self._next[id(state), entry.sig] = state, entry, self._step(state, entry)
        return known[2]


@contextmanager
def remembering(engine: group.Engine) -> Iterator[Steps]:
    """This engine's results, and those of signatures, their checks, searches for an order of Caps
    and steps of a table, are remembered."""
    with pytest.MonkeyPatch.context() as patch, group.using(RememberingEngine(engine)):
        signatures = Signatures()
        for module in CHECK_SIGNATURES:
            patch.setattr(module, "verify", signatures.verify)
        patch.setattr(signing.SigningKey, "sign", lambda key, text: signatures.sign(key, text))
        find_order = lru_cache(MOST)(solver.find_order)
        for module in (caps_judgement, pending_claim, known_games):
            patch.setattr(module, "find_order", find_order)
        patch.setattr(receipts, "parse_receipt", lru_cache(MOST)(entry.parse_receipt))
        patch.setattr(meeting, "parse_lobby", lru_cache(MOST)(messages.parse_lobby))
        is_signed = lru_cache(MOST)(entry.receipt_is_signed_by)
        patch.setattr(chain, "receipt_is_signed_by", is_signed)
        steps = Steps()
        patch.setattr(replica, "agreed", steps.agreed)
        patch.setattr(replica, "step", steps.step)
        yield steps
