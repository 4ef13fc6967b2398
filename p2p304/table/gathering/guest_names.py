"""Checks of the names on a founder's list, and of the marks of bots (SPEC.md, "Gathering").

Responsible for checks W30 to W32. Each guest stands on the list under the name that it gave itself,
and no two names look alike. The characters allowed in a name are wire/names.py's; the links are
guest_list.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from p2p304.log.faults import Refused
from p2p304.table.agreement.bot_mark import BotMark
from p2p304.table.gathering.exchange.messages import Join, Seated
from p2p304.table.transition.successor import Ending
from p2p304.wire.names import are_alike


def check_guest_names(table_list: Seated, handshake_names: Mapping[bytes, str]) -> None:
    """Raise Refused W30 if two names on the list look alike. Raise W31 if a guest has another name
    than in ``handshake_names``: the nickname of each key's handshake, this node's own included."""
    for one, other in combinations(table_list.guests, 2):
        if are_alike(one.nick, other.nick):
            raise Refused(
                "W30", f"the names {one.nick} and {other.nick} are too similar for one table"
            )
    for guest in table_list.guests:
        nick = handshake_names.get(guest.key, guest.nick)
        if nick != guest.nick:
            raise _wrong_name(f"the list of players shows {nick} under the name {guest.nick}")


def check_bot_marks(table_list: Seated, own: bytes, bot: BotMark | None) -> None:
    """Raise Refused W32 if the owner of a bot has not signed its mark, or if the list says anything
    but ``bot`` about the player with the key ``own``."""
    for guest in table_list.guests:
        if guest.bot is not None and not guest.bot.is_signed_for(guest.key):
            raise _false_mark(f"no player has signed that {guest.nick} is their bot")
        if guest.key == own and guest.bot != bot:
            raise _false_mark("the list of players is wrong about whether you are a bot")


def check_visitor(visitor: bytes, join: Join, given: str) -> None:
    """Raise Refused W31 if a visitor asks for a seat under another name than ``given``, the name of
    its handshake. Raise W32 if it calls itself a bot and no owner has signed that."""
    if join.nick != given:
        raise _wrong_name(f"the player who asks for a seat as {join.nick} is {given}")
    if join.bot is not None and not join.bot.is_signed_for(visitor):
        raise _false_mark(f"no player has signed that {join.nick} is their bot")


def _wrong_name(why: str) -> Refused:
    return Refused("W31", why)


def _false_mark(why: str) -> Refused:
    return Refused("W32", why)


def name_alike(table_list: Seated, previous: Ending | None, key: bytes, nick: str) -> str | None:
    """Return the name of another guest that looks like this visitor's name, or None. Whoever stays
    at a table that is continued counts as a guest before asking, too."""
    names = {guest.key: guest.nick for guest in table_list.guests}
    if previous is not None:
        before = dict(zip(previous.keys, previous.nicks, strict=True))
        names = {player: before[player] for player in previous.stay} | names
    return next(
        (other for player, other in names.items() if player != key and are_alike(other, nick)), None
    )
