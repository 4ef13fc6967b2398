"""`p2p304 doctor`: reports where this node would listen, what it hears, and what to open.

Responsible for the examination and its sentences. It changes nothing and joins no table; mDNS
answers are collected by net/mdns/probe.py.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

from p2p304 import USUAL_PORT
from p2p304.app.config import NodeConfig
from p2p304.app.network_phrases import left_table, listening, searching
from p2p304.crypto.group import SLOW, engine_name, is_slow
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.net.errors import NetError
from p2p304.net.firewall_lines import firewall_lines
from p2p304.net.interfaces import interface_names, own_interfaces
from p2p304.net.links.mesh import Mesh
from p2p304.net.mdns.discovery import Discovery, own_addresses
from p2p304.net.mdns.probe import hear
from p2p304.rules.core.phrases import Phrase, say, verbatim
from p2p304.storage.data_folder import DataFolder, DataFolderError
from p2p304.storage.unfinished import Unfinished, unfinished_tables
from p2p304.ui.common.theme import LETTERS
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated

VIRTUAL = (
    "docker",
    "br-",
    "veth",
    "virbr",
    "vmnet",
    "vboxnet",
    "tun",
    "tap",
    "wg",
    "utun",
    "zt",
    "tailscale",
    "ppp",
)
"""Prefixes of the interface names of bridges, virtual machines and VPNs."""
SPACE = 50 * 1024 * 1024
CONNECT = say("Connect to the same network as the other players.")
Out = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Found:
    """One finding; ``remedy`` says what to do, None if nothing is wrong."""

    sentence: Phrase
    remedy: Phrase | None = None
    lines: tuple[str, ...] = ()
    """Lines to paste into a shell."""


ALONE = Found(
    say("This computer has no network connection."),
    say(
        "Connect to the same network as the other players. Without a network you can play with "
        "bots: start p2p304 play, and press b."
    ),
)


async def examine(
    store: DataFolder,
    config: NodeConfig,
    seconds: float,
    out: Out,
    as_json: bool = False,
    translate: Translate = untranslated,
) -> int:
    """Report every finding; returns 0 if nothing is wrong. Data is in English."""
    interfaces = _examine_interfaces()
    found = [*about_files(store), *interfaces]
    if ALONE not in interfaces or config.interfaces:  # else all that follows would be noise
        found += await _examine_listening(config)
        found += await _examine_mdns(config, seconds)
    if as_json:
        out(json.dumps([_data(item) for item in found]))
        return 1 if any(item.remedy for item in found) else 0
    text = PhraseRenderer(LETTERS, translate).text
    for item in found:
        out(("!! " if item.remedy else "ok ") + text(item.sentence))
        for line in [*([text(item.remedy)] if item.remedy else []), *item.lines]:
            out(f"   {line}")
    return 1 if any(item.remedy for item in found) else 0


def _data(item: Found) -> dict[str, object]:
    remedy = None if item.remedy is None else str(item.remedy)
    return {"sentence": str(item.sentence), "remedy": remedy, "lines": item.lines}


def about_files(store: DataFolder) -> list[Found]:
    found = [
        Found(
            say("Group arithmetic: {engine}.", engine=engine_name()),
            verbatim(SLOW) if is_slow() else None,
        )
    ]
    try:
        key = store.identity()
        tables = unfinished_tables(store)
        store.players()
        store.check_writable()
    except DataFolderError as error:
        return [*found, Found(error.phrase, say("Do what the sentence above says."))]
    found.append(
        Found(
            say(
                "Data folder {folder}: your identity and list of players are readable and private.",
                folder=str(store.home),
            )
        )
    )
    free = shutil.disk_usage(store.home).free
    if free < SPACE:
        found.append(
            Found(
                say("The disk of the data folder has only {n} MiB free.", n=free // 2**20),
                say("Free some space. A full disk stops the game, but nothing is lost."),
            )
        )
    for item in tables:
        if isinstance(item, Unfinished):
            what = left_table(item, key.public)
            told = say("Unfinished table: {table}. Continue it with p2p304 resume.", table=what)
            found.append(Found(told))
        else:
            found.append(Found(item.why.phrase, say("You can still play at other tables.")))
    return found


def is_virtual(name: str) -> bool:
    """Whether an interface probably belongs to a bridge, a virtual machine or a VPN."""
    return name.startswith(VIRTUAL)


def _examine_interfaces() -> list[Found]:
    own = [one for one in own_interfaces() if not one.is_loopback]
    names = interface_names()
    found = []
    for one in own:
        name = names.get(str(one.ip), "?")
        told = say("Interface {name}: {address}, network {network}.")
        if is_virtual(name):
            told = say(
                "Interface {name}: {address}, network {network} (a VPN, bridge or virtual machine: "
                "the other players are probably not here)."
            )
        network = str(one.network)
        found.append(Found(told.filled(name=name, address=str(one.ip), network=network)))
    if not own:
        found.append(ALONE)
    real = [one for one in own if not is_virtual(names.get(str(one.ip), ""))]
    if own and not real:
        found.append(
            Found(
                say("This computer is connected only to VPNs, bridges or virtual machines."),
                CONNECT,
            )
        )
    return found


async def _examine_listening(config: NodeConfig) -> list[Found]:
    mesh = Mesh(SigningKey.generate(Rng.system()), "doctor", config.bind, 0)
    try:
        await mesh.start_at(config.ports())
    except NetError as error:
        other = say("Choose another address or port with --bind and --port.")
        return [Found(error.phrase, other)]
    where = listening(mesh)
    await mesh.close()
    found = []
    if config.port is None and mesh.port != USUAL_PORT:
        taken = say(
            "TCP port {port} is in use, perhaps by a p2p304 that is running. A table then listens "
            "on another port, and shows it.",
            port=str(USUAL_PORT),
        )
        found.append(Found(taken))
    port = config.port or USUAL_PORT
    lines = firewall_lines(
        sys.platform, lambda name: shutil.which(name) is not None, port, sys.executable
    )
    told = say("{where} If others cannot connect, open this computer's firewall:", where=where)
    return [*found, Found(told, lines=tuple(lines))]


async def _examine_mdns(config: NodeConfig, seconds: float) -> list[Found]:
    addresses = list(config.interfaces or own_addresses())
    discovery = Discovery(config.interfaces)
    try:
        await discovery.start()
        discovery.look()
        heard = await hear([a for a in addresses if ":" not in a], seconds)
        tables = [found.announcement for found in discovery.found.values()]
    except NetError as error:
        return [
            Found(
                error.phrase,
                say(
                    "Another program may use UDP port 5353. You can join by address instead: "
                    "p2p304 play --table HOST:PORT."
                ),
            )
        ]
    finally:
        await discovery.close()
    own = set(own_addresses())
    others = [address for address in heard if address not in own]
    found = [Found(searching(discovery))]
    if not own & set(heard):
        found.append(
            Found(
                say(
                    "This computer does not receive its own mDNS messages, so players may not find "
                    "each other."
                ),
                say(
                    "In this computer's firewall, allow UDP port 5353 in both directions for "
                    "224.0.0.251."
                ),
            )
        )
    if others:
        found.append(
            Found(
                say(
                    "{n} other computers use mDNS here: {addresses}.",
                    n=len(others),
                    addresses=", ".join(others[:8]),
                )
            )
        )
    else:
        found.append(
            Found(
                say("No other computer sent mDNS messages in {n} s.", n=round(seconds)),
                say(
                    "If other computers are on this network, allow UDP port 5353 or turn off "
                    "“client isolation” in the WiFi router. You can always join by address: p2p304 "
                    "play --table HOST:PORT."
                ),
            )
        )
    if not tables:
        return [*found, Found(say("No table is announced."))]
    told = tuple(say("{table} (opened by {nick})", table=t.table, nick=t.nick) for t in tables)
    return [*found, Found(say("Tables found: {tables}.", tables=told))]
