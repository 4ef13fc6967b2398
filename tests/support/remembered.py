"""Arithmetic that is done once for all the players of a test process.

At a simulated table every player computes what every other one has computed, in the same process,
and tests play the same games again. The group's engine, signatures and their check, and the search
for an order of Caps depend on nothing but their arguments, so their results are remembered; all the
code around them runs each time. Failures raise and are never remembered. tests/crypto and the tests
of real processes compute everything; tests/rules/caps search each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

import pytest

from p2p304.crypto import group, signing
from p2p304.log import absence_vote, entry
from p2p304.rules.caps import solver
from p2p304.rules.play import caps_judgement
from p2p304.table.agreement import bot_mark, terms
from p2p304.table.gathering import messages
from p2p304.table.player import pending_claim
from tests.support.table import known_games

MOST = 1 << 16
"""Results of each operation: some tens of megabytes."""

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


def _remembering_sign() -> Callable[[signing.SigningKey, bytes], bytes]:
    """Ed25519 gives the same signature of a key and a message each time."""
    known = dict[tuple[bytes, bytes], bytes]()

    def remembered(key: signing.SigningKey, message: bytes) -> bytes:
        asked = key.public, message
        if asked not in known:
            if len(known) >= MOST:
                known.clear()
            known[asked] = sign_each_time(key, message)
        return known[asked]

    return remembered


@contextmanager
def remembering(engine: group.Engine) -> Iterator[None]:
    """This engine's results, and those of signatures, their checks and searches for an order of
    Caps, are remembered."""
    with pytest.MonkeyPatch.context() as patch, group.using(RememberingEngine(engine)):
        verify = lru_cache(MOST)(signing.verify)
        for module in (entry, absence_vote, bot_mark, terms, messages):
            patch.setattr(module, "verify", verify)
        patch.setattr(signing.SigningKey, "sign", _remembering_sign())
        find_order = lru_cache(MOST)(solver.find_order)
        for module in (caps_judgement, pending_claim, known_games):
            patch.setattr(module, "find_order", find_order)
        yield
