"""Takes a seat: at a new table, at one that is joined, or at one that is resumed.

Responsible for how a session gets its seat, and for the lists of tables that can be joined or
resumed. Playing on that seat is
left to frontends/text/player.py, frontends/fullscreen/fullscreen.py or frontends/bot.py.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from ipaddress import ip_address
from typing import Any

from p2p304.app.config import NewTable, ResumeTarget, Target
from p2p304.app.network_phrases import found_table, left_table, searching
from p2p304.app.session import Session
from p2p304.net.errors import NetError
from p2p304.net.mdns.discovery import Discovery
from p2p304.net.mdns.txt_record import Found
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.data_folder import DataFolder, DataFolderError
from p2p304.storage.unfinished import Unfinished, Unreadable, forget, unfinished_tables
from p2p304.table.agreement.terms import plain_name
from p2p304.wire.names import LONGEST_NAME

SEARCH_TIME = 15.0
"""Seconds to look for a table named by the player."""


async def list_tables(
    interfaces: Sequence[str] | None,
    seconds: float,
    as_json: bool,
    text: Callable[[Phrase], str] = str,
) -> int:
    """Look for tables for a while, and print them; ``text`` writes a sentence as this person reads
    it."""
    discovery = Discovery(interfaces)
    found = await _find_tables(discovery, seconds)
    if as_json:
        print_line(json.dumps([asdict(item) for item in found]))
        return 0
    for item in found:
        print_line(text(found_table(item)))
    if not found:
        print_line(text(say("No tables found. {where}", where=searching(discovery))))
        print_line(
            text(
                say(
                    "Is this computer on the same network as the others? WiFi may block multicast, "
                    "and a firewall may block UDP port 5353. You can always join by address: "
                    "p2p304 play --table HOST:PORT"
                )
            )
        )
    return 0


async def _find_tables(discovery: Discovery, seconds: float) -> list[Found]:
    await discovery.start()
    try:
        discovery.look()
        await asyncio.sleep(seconds)
        return sorted(discovery.found.values(), key=lambda f: f.announcement.table)
    finally:
        await discovery.close()


def find_names(seconds: float) -> list[str]:
    """Look for tables with a free seat for a while, and return their names. Raises NetError."""
    found = asyncio.run(_find_tables(Discovery(None), seconds))
    return sorted({one.announcement.table for one in found if one.announcement.free})


def print_line(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def find_resumable(store: DataFolder, wanted: str | None) -> Unfinished:
    """Return the table that was begun last, or the one whose identifier begins with ``wanted``.
    Raises DataFolderError if there is none, or if its journal is damaged."""
    item = find_unfinished(store, wanted)
    if isinstance(item, Unreadable):
        raise item.why
    return item


def find_unfinished(store: DataFolder, wanted: str | None) -> Unfinished | Unreadable:
    """Find the same table to give it up: its journal may be damaged. Raises DataFolderError if
    there is none."""
    for item in unfinished_tables(store):
        if wanted is None or item.table.startswith(wanted):
            return item
    if wanted is None:
        raise DataFolderError("There is no unfinished table to resume.")
    raise DataFolderError(
        "There is no unfinished table {table}. List yours with p2p304 resume --list.", table=wanted
    )


def list_unfinished(store: DataFolder, as_json: bool, text: Callable[[Phrase], str] = str) -> None:
    """Print the tables that can be resumed, and why others cannot."""
    found = unfinished_tables(store)
    if as_json:
        print_line(json.dumps([_data(item) for item in found]))
        return
    for item in found:
        print_line(_described(store, item, text))
    if not found:
        print_line(text(say("You have no unfinished table.")))


def _data(item: Unfinished | Unreadable) -> dict[str, Any]:
    if isinstance(item, Unreadable):
        return {"table": item.table, "why": str(item.why)}
    here = item.begin.list
    nicks = [guest.nick for guest in here.guests]
    return {"table": item.table, "name": here.name, "players": nicks, "moves": item.moves}


def forget_unfinished(
    store: DataFolder, wanted: str | None, text: Callable[[Phrase], str] = str
) -> None:
    """Give a table up: delete its secrets, so that it cannot be resumed. Raises DataFolderError."""
    with store.locked():
        item = find_unfinished(store, wanted)
        forget([item.game])
    table = _described(store, item, text) if isinstance(item, Unfinished) else item.table
    print_line(text(say("Forgotten: {table}.", table=table)))


def _described(
    store: DataFolder, item: Unfinished | Unreadable, text: Callable[[Phrase], str]
) -> str:
    if isinstance(item, Unreadable):
        return f"{item.table}: {text(item.why.phrase)}"
    return text(left_table(item, store.identity().public))


async def take_seat(session: Session, target: Target | None) -> None:
    """Open the table, join the one named (a name, or HOST:PORT), or resume one; raises NetError."""
    is_name = isinstance(target, str) and address_of(target) is None
    await session.start(tells=not is_name)  # `join_typed` raises why a name cannot be found
    if isinstance(target, ResumeTarget):
        await session.resume()
        for typed in target.peers:
            address = address_of(typed)
            if address is None:
                raise NetError(
                    say(
                        "{typed} is not an address. Write HOST:PORT, as in 192.0.2.7:40304.",
                        typed=typed,
                    )
                )
            await session.reach(*address)
        return
    if isinstance(target, NewTable):
        # screens put it in the player's language
        name = target.name or f"{session.nick}'s table"[:LONGEST_NAME]
        named = plain_name(name)
        await session.found(named, target.rules, target.hands, target.bots)
        return
    if target is None:
        raise NetError(say("Choose a table with --table, or open one with --open."))
    await join_typed(session, target)


async def join_typed(session: Session, table: str) -> None:
    """Join the table with this name, or at this HOST:PORT; raises NetError."""
    address = address_of(table)
    if address is not None:
        await session.join_address(*address)
    elif _has_false_port(table):
        raise NetError(
            say("{typed} is not an address: a port is a number from 1 to 65535.", typed=table)
        )
    else:
        found = await session.announcer.find(table, SEARCH_TIME)
        await session.join_found(found)


def _has_false_port(typed: str) -> bool:
    """Whether this is an IP address with a port that there is not."""
    host, colon, port = typed.rpartition(":")
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return colon == ":" and port.isdecimal() and address_of(typed) is None


def address_of(typed: str) -> tuple[str, int] | None:
    """Parse HOST:PORT, with IPv6 in brackets; None if it is no address."""
    host, _, port = typed.rpartition(":")
    well_formed = host and port.isdecimal() and 0 < int(port[:6]) < 65536
    return (host.strip("[]"), int(port[:6])) if well_formed else None
