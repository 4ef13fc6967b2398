"""The names on a founder's list: everybody under the name that they gave themselves, and no two
names that look alike; and the marks of bots (SPEC.md, "Gathering").

Owns checks W30 to W32. What a name may hold is wire/names.py's; who is linked, guest_list.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from p2p304.log.faults import Refused
from p2p304.table.agreement.bot_mark import BotMark
from p2p304.table.gathering.messages import Join, Seated
from p2p304.wire.names import are_alike


def check_guest_names(here: Seated, given: Mapping[bytes, str]) -> None:
    """Raise Refused W30 if two names on the list are alike, W31 if somebody stands there under
    another name than ``given``: the nickname of each key's handshake, this node's own too."""
    for one, other in combinations(here.guests, 2):
        if are_alike(one.nick, other.nick):
            raise Refused("W30", f"the names {one.nick} and {other.nick} look alike at this table")
    for guest in here.guests:
        nick = given.get(guest.key, guest.nick)
        if nick != guest.nick:
            raise _renamed(f"this table's list calls {guest.nick} a player who is {nick}")


def check_bot_marks(here: Seated, own: bytes, bot: BotMark | None) -> None:
    """Raise Refused W32 if a mark is not signed by the bot's owner, or if the list says of the
    player with the key ``own`` anything but ``bot``."""
    for guest in here.guests:
        if guest.bot is not None and not guest.bot.is_signed_for(guest.key):
            raise _false_mark(f"nobody has signed that {guest.nick} is a bot of theirs")
        if guest.key == own and guest.bot != bot:
            raise _false_mark("this table's list is wrong about whether you are a bot")


def check_visitor(visitor: bytes, join: Join, given: str) -> None:
    """Raise Refused W31 if somebody asks for a seat under another name than ``given``, the
    handshake's; W32 if it says that it is a bot, and no owner has signed that."""
    if join.nick != given:
        raise _renamed(f"who asks for a seat as {join.nick} is {given}")
    if join.bot is not None and not join.bot.is_signed_for(visitor):
        raise _false_mark(f"nobody has signed that {join.nick} is a bot of theirs")


def _renamed(why: str) -> Refused:
    return Refused("W31", why)


def _false_mark(why: str) -> Refused:
    return Refused("W32", why)


def name_alike(here: Seated, key: bytes, nick: str) -> str | None:
    """The name of another guest that this visitor's name looks like."""
    return next((g.nick for g in here.guests if g.key != key and are_alike(g.nick, nick)), None)
