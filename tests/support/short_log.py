"""A log of one entry, four signing keys, and the ways in which a signed map can be damaged."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.log.chain import Chain
from p2p304.log.entry import NO_LINK, Receipt, Unverified, sign_entry, sign_receipt
from p2p304.log.faults import Refused
from p2p304.wire.canonical import Value

KEYS = [SigningKey.from_seed(bytes([n]) * 32) for n in range(1, 6)]
"""The keys of four players, and one of a player who does not sit here."""
PLAYERS = tuple(key.public for key in KEYS[:4])
TABLE = b"t" * 32


def entry(author: int = 0, seq: int = 0, prev: bytes = NO_LINK, word: str = "a") -> Unverified:
    return sign_entry(KEYS[author], TABLE, seq, prev, author, "say", {"word": word})


def receipt(chain: Chain, author: int, claim: str | None = None) -> Receipt:
    return sign_receipt(KEYS[author], TABLE, chain.next_seq - 1, chain.head, author, claim)


def settle(chain: Chain, claims: Mapping[int, str] = {}) -> None:
    """Add every receipt that the last entry needs."""
    for author in chain.missing():
        given = receipt(chain, author, claims.get(author))
        chain.authenticate_receipt(given)
        chain.add_receipt(given)


def grown(claims: Mapping[int, str] = {}) -> Chain:
    chain = Chain(TABLE, PLAYERS)
    chain.append(chain.authenticate(entry()))
    settle(chain, claims)
    return chain


def refused(check: str, act: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as caught:
        act()
    assert caught.value.finding.check == check
    return caught.value


def damaged(good: dict[str, Value], octets: dict[str, int], numbers: dict[str, int]) -> list[Value]:
    """The map without one of its fields, with one more, and with fields of bytes (of a size) and
    numbers (below a limit) that are one beyond, or of another kind."""
    return [
        [*good.values()],
        {**good, "zz": 1},
        *({key: value for key, value in good.items() if key != name} for name in good),
        *(
            {**good, name: false}
            for name, size in octets.items()
            for false in (bytes(size - 1), bytes(size + 1), "x" * size, None)
        ),
        *(
            {**good, name: false}
            for name, limit in numbers.items()
            for false in (-1, limit, False, True, "0", None)
        ),
    ]


def at_the_limits(good: dict[str, Value], numbers: dict[str, int]) -> list[dict[str, Value]]:
    """The map with each of its numbers the least and the greatest."""
    return [{**good, name: number} for name, limit in numbers.items() for number in (0, limit - 1)]
