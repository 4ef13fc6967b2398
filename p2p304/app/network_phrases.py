"""Where this node listens, which tables it finds and which it left, and where a transcript is, in
words.

Responsible for these phrases; net/ and storage/ give the facts. Visitors are
frontends/visitors.py's.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from p2p304.net.links.mesh import Mesh
from p2p304.net.mdns.discovery import Discovery, Found
from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.rules.variants.page import game_in_words, said
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.unfinished import Unfinished, resumable_tables
from p2p304.table.agreement.bot_labels import labelled
from p2p304.table.agreement.bot_mark import bot_owners
from p2p304.table.gathering.exchange.messages import Seated

WATCHED = {
    "now": say("Spectators may watch: they see open cards at once."),
    "trick": say("Spectators may watch: they see open cards after each trick."),
    "hand": say("Spectators may watch: they see open cards after each hand."),
}


def listening(mesh: Mesh) -> Phrase:
    """Describe where this node accepts connections."""
    port = str(mesh.port)
    if mesh.bind in ("", "0.0.0.0", "::"):
        return say("Listening on every address of this computer, TCP port {port}.", port=port)
    return say("Listening on {address}, TCP port {port}.", address=mesh.bind, port=port)


def searching(discovery: Discovery) -> Phrase:
    """Describe where this node searches for tables."""
    where = discovery.addresses
    if not where:
        return say("Searching for tables on no address (mDNS, UDP port 5353).")
    return say(
        "Searching for tables on {addresses} (mDNS, UDP port 5353).", addresses=", ".join(where)
    )


def found_table(item: Found) -> Phrase:
    """Describe a table found, as its announcement says."""
    what = item.announcement
    if what.is_watched:
        told = say("{table}: opened by {nick}, {rules}, is played and can be watched, at {address}")
        where = f"{item.host}:{item.port}"
        return told.filled(
            table=Quoted(what.table), nick=Quoted(what.nick), rules=what.rules, address=where
        )
    told = say("{table}: opened by {nick}, {rules}, {n} of {seats} seats free, at {address}")
    if what.locked:
        told = say(
            "{table}: opened by {nick}, {rules}, locked, {n} of {seats} seats free, at {address}"
        )
    return told.filled(
        table=Quoted(what.table),
        nick=Quoted(what.nick),
        rules=what.rules,
        n=what.free,
        seats=what.seats,
        address=f"{item.host}:{item.port}",
    )


def left_table(item: Unfinished, own: bytes) -> Phrase:
    """Describe a table that this player can resume."""
    here = item.begin.list
    nicks = labelled([guest.nick for guest in here.guests], bot_owners(here.guests))
    others = (n for n, guest in zip(nicks, here.guests, strict=True) if guest.key != own)
    return say(
        "{table} with {nicks} ({id})",
        table=here.name,
        nicks=Quoted(", ".join(others)),
        id=item.table,
    )


def kept_transcript(path: Path, store: DataFolder) -> tuple[Phrase, ...]:
    """Describe where the transcript of a table is, what anybody can do with it, and how to resume
    the table if it is not over."""
    on_windows = sys.platform == "win32"
    typed = subprocess.list2cmdline([str(path)]) if on_windows else shlex.quote(str(path))
    go_on = say("This table is not over. To resume it: p2p304 resume, or r in the lobby.")
    can_go_on = any(item.table == path.stem for item in resumable_tables(store))
    return (
        *((go_on,) if can_go_on else ()),
        say("Transcript: {path}", path=str(path)),
        say("Anybody can verify it: p2p304 audit {path}", path=typed),
        say("To see and verify it in a browser: p2p304 report {path}", path=typed),
        say("To watch it again: p2p304 replay {path}", path=typed),
    )


def rules_of(table: Seated) -> tuple[Phrase, ...]:
    """Describe the rules of a table that gathers, and what its spectators see."""
    hands = say("hands to play: {n}", n=table.hands) if table.hands else say("a match")
    told = say(
        "The rules of this table: {rules}; {hands}. To read them: p2p304 rules {preset}.",
        rules=game_in_words(table.rules),
        hands=hands,
        preset=table.rules.preset,
    )
    hints = said(table.rules, "hints", table.rules.to_data()["hints"])
    return (told, hints, WATCHED[table.watch]) if table.watch else (told, hints)
