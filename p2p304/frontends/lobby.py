"""The lobby's data: turns discovery and players met into offers, and the player's intent into a
seat.

Responsible for these conversions. Nothing found is trusted: the players of a table are proven only
by joining it. The lobby's page is ui/fullscreen/lobby/page.py's.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from p2p304.app.config import NewTable, NodeConfig, Target
from p2p304.app.session import Session
from p2p304.net.errors import NetError
from p2p304.net.links.connect import where
from p2p304.net.mdns.discovery import Discovery, Found, own_addresses
from p2p304.net.mdns.txt_record import is_mark_of
from p2p304.rules.core.phrases import Quoted, say
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.known_players import KnownPlayer
from p2p304.table.agreement.bot_mark import bot_keys
from p2p304.table.agreement.terms import plain_name
from p2p304.ui.fullscreen.lobby.address_code import table_code
from p2p304.ui.fullscreen.lobby.intents import Join, JoinAddress, OpenTable
from p2p304.ui.fullscreen.lobby.model import OPTIONS, Form
from p2p304.ui.fullscreen.lobby.offer import Known, Offer
from p2p304.ui.narration.intents import Rematch
from p2p304.ui.narration.model import Room
from p2p304.wire.names import are_alike

REMATCH_TIME = 300.0
"""Seconds for which a player who plays again tries to join: somebody else opens the table."""
HOST_GONE = 10.0
"""Seconds for which the other player's computer says that no program listens, before the wait ends.
A computer that does not answer is waited for: its network may come back."""
_CLOSED = say("{nick}'s program is closed. Choose another table, or open one.")
_UNREACHABLE = say("{nick}'s computer cannot be reached. Choose another table, or open one.")
_NOT_OPENED = say("{nick} has not opened the table again. Choose another table, or open one.")
MOST_PLACES = 2
"""The number of addresses shown for others to type."""


def offers(discovery: Discovery, store: DataFolder) -> tuple[Offer, ...]:
    """Return the tables found, by name, those without a seat last, with what is known of their
    founders."""
    rows = store.players().rows
    tables = [item for item in discovery.found.values() if item.announcement.seats]
    found = sorted(tables, key=lambda f: (f.announcement.free == 0, f.announcement.table, f.name))
    return tuple(_offer(item, rows) for item in found)


def about(discovery: Discovery) -> tuple[str, ...]:
    """Return the players who offer no table: they look for the one that they left."""
    found = discovery.found.values()
    return tuple(sorted({f.announcement.nick for f in found if not f.announcement.seats}))


def _offer(item: Found, rows: list[KnownPlayer]) -> Offer:
    what = item.announcement
    known, since = _known(what.nick, what.mark, rows)
    return Offer(
        item.name,
        what.table,
        what.nick,
        what.rules,
        what.free,
        what.seats,
        f"{item.host}:{item.port}",
        known,
        since,
        what.locked,
        what.is_watched,
    )


def _known(nick: str, mark: str, rows: list[KnownPlayer]) -> tuple[Known, str]:
    """Return whether this key was met before; until it is proven it is only a claim."""
    same = [row for row in rows if is_mark_of(mark, row.key)]
    if same:
        return Known.MET, max(row.last for row in same)[:10]
    taken = any(are_alike(row.nick, nick) for row in rows)
    return (Known.STRANGER if taken else Known.NEW), ""


def form(config: NodeConfig) -> Form:
    """Return the form of a table to open, as the command line says."""
    new = config.opening
    secret, asks, watch = config.passphrase or "", config.asks, config.watch
    plays = config.bots_play
    return Form("", new.preset, new.hands, 0, secret, asks, watch, new.all_changed, plays)


@dataclass(frozen=True, slots=True)
class NextTable:
    """The table after one that is over: what to open, or where to join, and how this node listens.
    ``asks_rules``: the player changes the rules first. ``host``: the player who is to open it,
    where that is somebody else."""

    name: str
    wanted: OpenTable | JoinAddress
    config: NodeConfig
    asks_rules: bool = False
    host: str = ""


def config_for(config: NodeConfig, target: Target | NextTable | None) -> NodeConfig:
    """Return how a node listens for this target, where ``config`` is what the player said."""
    table = target.wanted if isinstance(target, NextTable) and not target.asks_rules else target
    if isinstance(table, NewTable | OpenTable) and table.bots == table.rules.seats - 1:
        is_watched = isinstance(table, OpenTable) and bool(table.watch)
        return config if is_watched else config.for_bots_alone()
    return config


def opened_elsewhere(config: NodeConfig, wanted: OpenTable) -> NextTable | None:
    """Return the table for a node that listens on this computer alone, if ``wanted`` is one that
    bots fill and a node with this ``config`` listens on the network; else None."""
    table = NextTable(wanted.name, wanted, config.for_anybody())
    return None if config_for(config, table) == config else table


def next_table(
    session: Session, how: Rematch, seat: int | None, bots_play: str, bots_pace: float | None
) -> NextTable | None:
    """Return the table at which the same players can meet again; None where none is known. The
    player who opened the last one opens it, and listens where it did, so that the others find
    it. Bots play as well, and as fast, as at the last one."""
    meeting = session.node.meeting
    here = meeting.list
    if here is None:
        return None
    drawn = how is Rematch.NEW_DRAW
    own_seat = "" if seat is None or drawn else str(seat + 1)
    listens = session.config.for_anybody()
    port = listens.port if session.config.is_local else session.mesh.port
    config = replace(listens, port=port, seat=own_seat, keeps_seat=True, bots_pace=bots_pace)
    if not meeting.is_founder:
        host = here.guests[0]
        where = session.address_of(host.key) or session.joined
        if where is None:
            return None
        again = JoinAddress(*where, meeting.visitor.passphrase)
        return NextTable(here.name, again, config, host=host.nick)
    drawing = "random" if here.rules.seating == "chosen" else here.rules.seating
    rules = replace(here.rules, seating=drawing if drawn else "chosen")
    bots = bot_keys(session.key.public, here.guests)
    state = None if session.node.table is None else session.node.table.state
    keys = [] if state is None else [state.terms.keys[player] for player in state.seating]
    nicks = {guest.key: guest.nick for guest in here.guests if guest.key in bots}
    bot_seats = [(nicks[key], seat) for seat, key in enumerate(keys) if key in nicks]
    wanted = OpenTable(
        here.name,
        here.rules if how is Rematch.OTHER_RULES else rules,
        here.hands,
        len(bots),
        meeting.admission.passphrase,
        meeting.admission.asks_founder,
        here.watch,
        bots_play,
        () if drawn else tuple(bot_seats),
    )
    return NextTable(here.name, wanted, config, how is Rematch.OTHER_RULES)


def form_of(table: OpenTable) -> Form:
    """Return the form of a table that is to be opened once more."""
    usual, own = preset(table.rules.preset).to_data(), table.rules.to_data()
    changed = {name: own[name] for name in OPTIONS if own.get(name) != usual.get(name)}
    changed["away"] = table.rules.away  # what is usual where people play is not the preset's
    return Form(
        table.name,
        table.rules.preset,
        table.hands,
        table.bots,
        table.passphrase or "",
        table.asks,
        table.watch,
        changed,
        table.bots_play,
    )


def room(session: Session) -> Room:
    """Return the gathering of this node, as its waiting room shows it."""
    meeting = session.node.meeting
    gathered = meeting.list
    if gathered is None:
        return Room("", "", (), meeting.is_founder)
    name, rules = gathered.name, gathered.rules
    if session.is_for_bots:
        return Room(name, rules.preset, (), meeting.is_founder)
    places = _own_places(session) if meeting.is_founder else _founder_places(session)
    return Room(name, rules.preset, places, meeting.is_founder, rules.away)


def _own_places(session: Session) -> tuple[str, ...]:
    """Return the addresses of this node with their codes, those that others can reach first."""
    bind, port = session.config.bind, session.mesh.port
    hosts = own_addresses() if bind in ("0.0.0.0", "", "::") else [bind]
    outside = [host for host in hosts if not host.startswith("127.")] or hosts
    return tuple(_with_code(host, port) for host in outside[:MOST_PLACES])


def _founder_places(session: Session) -> tuple[str, ...]:
    """Return the address at which this guest reaches the founder, with its code."""
    founder = session.node.meeting.founder
    address = None if founder is None else session.address_of(founder)
    return () if address is None else (_with_code(*address),)


def _with_code(host: str, port: int) -> str:
    code = table_code(host, port)
    return where(host, port) + (f"   {code}" if code else "")


async def sit_down(session: Session, wanted: Join | JoinAddress | OpenTable) -> None:
    """Join or open the table that the player wants; raises NetError or Refused."""
    admission, visitor = session.node.meeting.admission, session.node.meeting.visitor
    match wanted:
        case Join(offer=offer):
            visitor.passphrase = wanted.passphrase
            found = session.discovery.found.get(offer.key)
            if found is None:
                raise NetError(say("The table {table} is not there any more.", table=offer.table))
            await session.join_found(found)
        case JoinAddress(host=host, port=port):
            visitor.passphrase = wanted.passphrase
            await session.join_address(host, port)
        case OpenTable(name=name, rules=rules, hands=hands):
            admission.passphrase, admission.asks_founder = wanted.passphrase, wanted.asks
            session.node.meeting.guests.watch = wanted.watch
            await session.found(plain_name(name), rules, hands, wanted.bots)


async def sit_down_again(session: Session, table: NextTable) -> None:
    """Open the table that follows one with the same players, or join it as soon as the other player
    has opened it. Raises NetError, also if that player has closed the program or does not open the
    table, or Refused."""
    loop = asyncio.get_running_loop()
    begun, closed_since = loop.time(), None
    while True:
        try:
            return await sit_down(session, table.wanted)
        except NetError as error:
            if not table.host:
                raise
            now = loop.time()
            is_closed = isinstance(error.__cause__, ConnectionRefusedError)
            closed_since = (closed_since or now) if is_closed else None
            if closed_since is not None and now - closed_since >= HOST_GONE:
                raise NetError(_CLOSED.filled(nick=Quoted(table.host))) from error
            if now - begun >= REMATCH_TIME:
                is_silent = isinstance(error.__cause__, TimeoutError)
                told = _UNREACHABLE if is_silent else _NOT_OPENED
                raise NetError(told.filled(nick=Quoted(table.host))) from error
        await asyncio.sleep(1)
