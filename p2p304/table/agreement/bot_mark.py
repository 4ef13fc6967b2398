"""The mark of a bot in a lobby's list of guests and in a table's agreement.

Responsible for the mark, its bytes and what its signature covers (SPEC.md, "Bots at a table"). An
honest program marks its bots. Nothing can show that an unmarked player is a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from p2p304.crypto.signing import SigningKey, verify
from p2p304.wire.forms import octets, of, record

LABEL = b"p2p304 bot\x00"


@dataclass(frozen=True, slots=True)
class BotMark:
    """The owner of a bot, and the owner's signature.

    ``owner`` is the owner's identity key (32 bytes); a bot that nobody else runs is its own owner.
    ``sig`` is the owner's Ed25519 signature (64 bytes) over `LABEL` and the bot's key.
    """

    owner: bytes = of(octets(32, 32))
    sig: bytes = of(octets(64, 64))

    def is_signed_for(self, bot: bytes) -> bool:
        """Return whether the owner has signed this mark for the bot with this key (32 bytes)."""
        return verify(self.owner, LABEL + bot, self.sig)


BOT_MARK_FORM = record(BotMark)
"""`BotMark.is_signed_for` verifies the signature of what this form reads."""


class Marked(Protocol):
    """A guest or a player, who may be a bot."""

    @property
    def key(self) -> bytes: ...
    @property
    def nick(self) -> str: ...
    @property
    def bot(self) -> BotMark | None: ...


def bot_mark(owner: SigningKey, bot: bytes) -> BotMark:
    """Sign the mark of the player with the key ``bot`` (32 bytes) as a program of ``owner``."""
    return BotMark(owner.public, owner.sign(LABEL + bot))


def bot_owners(people: Sequence[Marked]) -> tuple[str | None, ...]:
    """Return for each: None for a person; for a bot its owner's nickname, empty if the owner is not
    among ``people``."""
    nicks = {one.key: one.nick for one in people if one.bot is None}
    return tuple(None if one.bot is None else nicks.get(one.bot.owner, "") for one in people)


def bot_keys(owner: bytes, people: Iterable[Marked]) -> frozenset[bytes]:
    """Return the keys of those who are marked as bots of this owner; without the owner, who may be
    a bot itself."""
    return frozenset(one.key for one in people if one.bot and owner == one.bot.owner != one.key)
