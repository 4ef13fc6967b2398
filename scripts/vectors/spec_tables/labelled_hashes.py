"""protocol/labelled_hashes.json: an example of every labelled hash and every labelled signature.

The code computes each example. What it hashes and signs meanwhile is recorded, so that the labels,
the parts and their order are the code's own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from p2p304.crypto.group import base
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PART, READY, STAY, PartingPlace, say
from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.net.links.handshake import Handshake, Role
from p2p304.rules.core.cards import PACKS
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.certificate import Certificate
from p2p304.table.agreement import terms as agreement
from p2p304.table.agreement.bot_mark import bot_mark
from p2p304.table.agreement.terms import (
    Player,
    Terms,
    assent,
    pledge_of,
    seating_and_dealer,
    spoken_code,
)
from p2p304.table.evidence.share_complaint import complain
from p2p304.table.gathering.exchange.messages import OPENING, Guest, Pledge, Seated
from p2p304.table.gathering.exchange.passphrase import Exchange
from p2p304.table.player.keyring import Secrets
from p2p304.table.proofs.statements import Binding
from p2p304.table.state.deal import card_elements

KEYS = tuple(SigningKey.from_seed(bytes([n]) * 32) for n in range(1, 5))
NICKS = ("Asha", "Bala", "Chen", "Dewi")
NONCES = tuple(bytes([0x20 + n]) * 32 for n in range(4))
LINK = bytes([0x40]) * 32
HAND, PLACE, SEAT = 1, 7, 2

Hashed = tuple[bytes, tuple[bytes, ...], bytes]
Signature = tuple[bytes, bytes, bytes]


@contextmanager
def recording(hashed: list[Hashed], signed: list[Signature]) -> Iterator[None]:
    """Record all labelled hashes and signatures that the code makes."""
    digest, sign = agreement.digest, SigningKey.sign

    def hashing(label: bytes, *parts: bytes) -> bytes:
        made = digest(label, *parts)
        hashed.append((label, parts, made))
        return made

    def signing(key: SigningKey, message: bytes) -> bytes:
        made = sign(key, message)
        signed.append((key.public, message, made))
        return made

    users = [module for module in [*sys.modules.values()] if vars(module).get("digest") is digest]
    try:
        for module in users:
            module.digest = hashing  # type: ignore[attr-defined]
        SigningKey.sign = signing  # type: ignore[assignment, method-assign]
        yield
    finally:
        for module in users:
            module.digest = digest  # type: ignore[attr-defined]
        SigningKey.sign = sign  # type: ignore[method-assign]


def use_every_label() -> dict[bytes, dict[str, Any]]:
    """Make one of everything that is hashed or signed under a label; return what the code makes of
    some of the hashes."""
    pledges = [pledge_of(key.public, nonce) for key, nonce in zip(KEYS, NONCES, strict=True)]
    players = tuple(map(Player, (key.public for key in KEYS), NICKS, pledges))
    terms = Terms("Example", preset("pagat"), 1, players)
    table = terms.table
    assent(KEYS[0], table)
    seating, dealer = seating_and_dealer(terms, NONCES)
    code = spoken_code(terms, NONCES)
    context = Binding(table, HAND, PLACE, LINK, SEAT).context(b"follow")
    card_elements.cache_clear()
    jack = card_elements(table, HAND, PACKS[32])[0]
    entry = sign_entry(KEYS[0], table, PLACE, LINK, 0, "cut", {"at": 5})
    sign_receipt(KEYS[1], table, PLACE, LINK, 1, "caps")
    complain(entry.raw, base(3), SEAT, 5, Rng.from_seed(bytes(32)))
    gone = PartingPlace(table, PLACE, LINK, 3)
    say(KEYS[0], READY, gone, 0)
    say(KEYS[0], STAY, gone, 0)
    parts = tuple(say(key, PART, gone, n) for n, key in enumerate(KEYS[:3]))
    _ = Certificate(parts).without
    guests = (Guest(KEYS[0].public, NICKS[0], "", 0), Guest(KEYS[1].public, NICKS[1], "host", 3040))
    listed = Seated(LINK[:OPENING], "Example", preset("pagat"), 1, guests, number=1).signed(KEYS[0])
    Pledge.make(KEYS[1], listed.digest, pledges[1])
    bot_mark(KEYS[0], KEYS[1].public)
    Secrets(bytes([0x50]) * 32, table).record()
    _exchange(True).finish(_exchange(False).message)
    listener = Handshake(KEYS[1], NICKS[1], 3040, Role.LISTENER, LINK, NONCES[1])
    dialer = Handshake(KEYS[0], NICKS[0], 3040, Role.DIALER, LINK, NONCES[0])
    dialer.receive(listener.opening() or b"")
    founder = _exchange(True)
    founder.finish(_exchange(False).message)
    _ = founder.proof
    return {
        b"p2p304 draw": {"players": list(seating), "dealer": dealer},
        b"p2p304 code": {"code": code},
        b"p2p304 binding": {"word": "follow", "context": context.hex()},
        b"p2p304 cards": {"card": "JS", "element": jack.hex()},
    }


def _exchange(is_founder: bool) -> Exchange:
    entropy: Callable[[int], bytes] = bytes
    return Exchange("three nought four", KEYS[0].public, KEYS[1].public, is_founder, entropy)


def labelled_hashes() -> dict[str, Any]:
    hashed: list[Hashed] = []
    signed: list[Signature] = []
    with recording(hashed, signed):
        made_of = use_every_label()
    hashes, signatures = dict[bytes, Any](), dict[bytes, Any]()
    for label, parts, made in hashed:
        row = {"label": label.decode(), "parts": [part.hex() for part in parts], "hash": made.hex()}
        hashes.setdefault(label, {**row, **made_of.get(label, {})})
    for key, message, made in signed:
        label = message.split(b"\x00")[0]
        row = {"label": label.decode(), "key": key.hex(), "message": message.hex()}
        signatures.setdefault(label, {**row, "signature": made.hex()})
    return {"hashes": list(hashes.values()), "signatures": list(signatures.values())}
