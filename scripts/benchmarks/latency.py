"""From key press to everybody's having verified it: four real processes, over loopback.

The deal is stacked, so that what is measured comes again and again: the trump maker leads seven
hearts, closed, and the others cannot follow. Every player thinks for a moment before it presses; in
every second hand its entries are prepared meanwhile (`prepared_ms`), in the others they are not
(`median_ms`); a trump maker that plays closed prepares none. Owns no figure of its own; usage:
scripts/dev bench-proofs --latency. Clock times, so a busy machine counts: `busy` says by how much a
plain loop was slowed. Beside them `two_cores_ms`: the CPU time of the author, unprepared, then of
three others on two cores (two of them one after the other), which a busy machine does not change
much. `floor_ms` is one synced write, as it takes now, and that CPU time of the others: nothing is
sent before it is on disk, and everybody verifies.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.net.links.driver import Driver
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import card
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.player.keyring import Secrets
from p2p304.table.state import events
from tests.support.paths import ROOT
from tests.support.table.simnet import Repeatable
from tests.support.table.stacked import Stacker

PLAYERS = 4
THINKS = 0.25
"""Seconds from the question to the key press."""
OWN = {"seating": "chosen", "caps": "off", "redeal15": "off", "spoilt": "off", "pcc": "off"}
RULES = preset("pagat").override(OWN)
MAKER = [card(name) for name in ("JC", "JH", "9H", "AH", "TH", "KH", "QH", "8H")]
"""The indicator and seven of the eight hearts."""
Mark = tuple[str, str, float]
"""What happened (``pressed``, ``seen``, ``inspected``), which action (its hand and number), when;
or ``cpu``: the seconds that this process spent on it."""


def seed_of(number: int) -> bytes:
    return bytes([number + 1]) * 32


class Everybody(Stacker):
    """Stacks every hand of the table in which this player shuffles last."""

    seat: int = 0

    def order(self, number: int, relocks: int, count: int) -> tuple[int, ...]:
        for each in self.all_secrets:
            each.renew(number)  # hand by hand: each seed comes of the one before
        if relocks or self.table is None or self.table.state is None:
            return Secrets.order(self, number, relocks, count)
        dealer = self.table.state.open_deal.dealer
        if (dealer + 3) % PLAYERS != self.seat:
            return Secrets.order(self, number, relocks, count)
        rest = [c for c in RULES.pack.cards if c not in MAKER]
        seats = [(dealer + 1 + step) % PLAYERS for step in range(PLAYERS)]
        self.hands = [[], [], [], []]
        for place, seat in enumerate(seats):
            self.hands[seat] = MAKER if place == 0 else rest[place - 1 :: 3]
        return self.stacked(number, count)


def stack(session: Session) -> None:
    """Once all sit: this node's secrets, and what the last to shuffle has to know."""
    table = session.node.table
    if table is None:
        return
    here = table.terms.table
    known = [Repeatable(seed_of(int(p.nick[-1])), here) for p in table.terms.players]
    own = Everybody(known[table.me.player].seed, here, table=table)
    own.seat = table.me.player
    own.all_secrets = tuple(own if n == own.seat else each for n, each in enumerate(known))
    for each in (own, *known):
        each.renew(1)
    object.__setattr__(table.me, "secrets", own)


def choose(view: View) -> acts.Action:
    """The dealer's right-hand neighbour bids least and leads hearts; nobody else lays a club."""
    actions = legal(view)
    wishes = {acts.Bid: 3.0, acts.Pass: 2.0, acts.Closed: 1.0}
    mine = view.seat == (view.hand.dealer + 1) % PLAYERS

    def wish(action: acts.Action) -> float:
        if isinstance(action, acts.LayTrump):
            return float(action.card is MAKER[0])
        if isinstance(action, acts.Play):
            hidden = action.card
            return 0.0 if hidden is None else float(hidden.suit is not MAKER[0].suit)
        if isinstance(action, acts.Bid) and (not mine or action.amount > 160):
            return -1.0
        return wishes.get(type(action), 0.0)

    return max(actions, key=wish)


async def node(number: int, folder: Path, hands: int) -> list[Mark]:
    """One real node, which notes when it presses and when it has verified."""
    marks: list[Mark] = []

    def on_event(event: events.Event) -> None:
        now = time.monotonic()
        if isinstance(event, events.HandBegan) and event.number == 1:
            stack(session)
        if isinstance(event, events.HandBegan):
            session.background.prepares = is_prepared(event.number)
        elif isinstance(event, events.Acted):
            marks.append(("seen", name(event.action, event.before), now))
        elif isinstance(event, events.Inspected):
            marks.append(("inspected", "", now))
        elif isinstance(event, events.YourTurn):
            asyncio.get_running_loop().call_later(THINKS, press, event.view)

    def press(view: View) -> None:
        action = choose(view)
        marks.append(("pressed", name(acts.public(action), view.hand), time.monotonic()))
        watched(session.act)(action)

    def name(action: acts.Action, before: Any) -> str:
        where = f"{session.node.table.state.number if session.node.table else 0}"  # type: ignore[union-attr]
        kind = type(action).__name__ + (" down" if getattr(action, "down", False) else "")
        shown = len(before.to_inspect) if isinstance(action, acts.Announce) else 0
        return json.dumps(
            [
                where,
                len(before.history),
                kind,
                len(before.tricks),
                action.seat == before.maker,
                shown,
            ]
        )

    def watched(do: Callable[..., None]) -> Callable[..., None]:
        """Notes the CPU of a call, with the actions that were seen because of it."""

        def run(*given: Any) -> None:
            old, begun = len(marks), time.process_time()
            do(*given)
            spent = time.process_time() - begun
            marks.extend([("cpu", key, spent) for what, key, _ in marks[old:] if what == "seen"])

        return run

    setattr(Driver, "on_frame", watched(Driver.on_frame))  # noqa: B010 - of this process alone
    session = Session(
        DataFolder(folder / str(number)),
        f"Bench {number}",
        NodeConfig(f"127.0.0.{number + 1}"),
        on_event,
    )
    setattr(Meeting, "_seed", property(lambda _: seed_of(number)))  # noqa: B010 - known to all
    setattr(Secrets, "fresh_bytes", Repeatable.fresh_bytes)  # noqa: B010 - also to begin with
    await session.start()
    if number == 0:
        await session.found("bench", RULES, hands)
    else:
        found = await session.announcer.find("bench", 20)
        await session.join_address(found.host, found.port)
    await session.run()
    return marks


def is_prepared(hand: int) -> bool:
    return hand % 2 == 0


def measured(told: list[list[Mark]], prepared: bool) -> dict[str, list[float]]:
    """Milliseconds from each press (or from a trick's last inspection) to the last node's having
    verified what came of it, by what it was, in the hands that are prepared or in the others."""
    seen: dict[str, list[float]] = {}
    for marks in told:
        for what, key, when in marks:
            if what == "seen":
                seen.setdefault(key, []).append(when)
    found: dict[str, list[float]] = {}
    for marks in told:
        for begin, key in begun(marks):
            if (
                len(seen.get(key, ())) == PLAYERS
                and is_prepared(int(json.loads(key)[0])) == prepared
            ):
                found.setdefault(kind_of(key), []).append((max(seen[key]) - begin) * 1e3)
    return found


def on_two_cores(told: list[list[Mark]]) -> dict[str, list[tuple[float, float]]]:
    """Milliseconds of CPU from an unprepared press to the last node's having verified, by what it
    was: those of the author (who spends most: it writes), and twice the median of the others'."""
    spent: dict[str, list[float]] = {}
    for marks in told:
        for what, key, seconds in marks:
            if what == "cpu":
                spent.setdefault(key, []).append(seconds * 1e3)
    found: dict[str, list[tuple[float, float]]] = {}
    for key, each in spent.items():
        if len(each) == PLAYERS and not is_prepared(int(json.loads(key)[0])):
            *others, author = sorted(each)
            found.setdefault(kind_of(key), []).append((author, 2 * statistics.median(others)))
    return found


def begun(marks: list[Mark]) -> list[tuple[float, str]]:
    """When this node began each of its actions: at the press, or when the last card was shown."""
    out, last = [], 0.0
    for what, key, when in marks:
        if what == "inspected":
            last = when
        elif what == "pressed":
            out.append((when, key))
        elif last and json.loads(key)[2] == "Announce":
            if json.loads(key)[4]:
                out.append((last, key))
            last = 0.0
    return out


def kind_of(key: str) -> str:
    _, _, kind, tricks, maker, shown = json.loads(key)
    if kind == "Announce":
        return f"no trumps, {shown} shown"
    if kind == "Play down":
        return f"face down, {9 - tricks} in hand" + (", trump maker" if maker else "")
    if kind == "Play":
        return "face up, trump maker" if maker else "face up"
    return "word"


def slowed() -> float:
    """By how much the clock ran faster than this process: 1.0 on a quiet machine."""
    begun, spent = time.perf_counter(), time.process_time()
    while time.process_time() - spent < 0.5:
        pass
    return (time.perf_counter() - begun) / 0.5


def synced_write(folder: Path, times: int = 30) -> float:
    """Milliseconds of one synced write of an entry's size, the median."""
    samples = []
    with (folder / "synced").open("ab", buffering=0) as file:
        for _ in range(times):
            begun = time.perf_counter()
            file.write(bytes(1500))
            os.fsync(file.fileno())
            samples.append((time.perf_counter() - begun) * 1e3)
            time.sleep(0.02)
    return statistics.median(samples)


def latencies(hands: int) -> dict[str, Any]:
    """Medians, and nine in ten, of every kind of action; how busy the machine was."""
    before = slowed()
    with tempfile.TemporaryDirectory(prefix="p2p304-bench-") as made:
        synced = synced_write(Path(made))
        started = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "scripts.benchmarks.latency",
                    "--node",
                    str(n),
                    "--folder",
                    made,
                    "--hands",
                    str(hands),
                ],
                cwd=ROOT,
            )
            for n in range(PLAYERS)
        ]
        if sum(process.wait(600) for process in started):
            raise SystemExit("a node failed")
        told = [json.loads((Path(made) / f"{n}.json").read_text()) for n in range(PLAYERS)]
    marks = [[(what, key, when) for what, key, when in each] for each in told]
    plain, prepared = measured(marks, False), measured(marks, True)
    cpu = on_two_cores(marks)
    figures = {
        kind: {
            "median_ms": median(ms),
            "prepared_ms": median(prepared.get(kind, [])),
            "floor_ms": median([synced + others for _, others in cpu.get(kind, [])]),
            "times": [len(ms), len(prepared.get(kind, []))],
            "nine_in_ten_ms": [nine_in_ten(ms), nine_in_ten(prepared.get(kind, []))],
            "two_cores_ms": median([sum(each) for each in cpu.get(kind, [])]),
        }
        for kind, ms in sorted(plain.items())
    }
    return {
        "busy": round((before + slowed()) / 2, 2),
        "synced_write_ms": round(synced, 1),
        "actions": figures,
    }


def median(ms: list[float]) -> float | None:
    return round(statistics.median(ms), 1) if ms else None


def nine_in_ten(ms: list[float]) -> float | None:
    return round(sorted(ms)[len(ms) * 9 // 10], 1) if ms else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--node", type=int)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--hands", type=int, default=6)
    chosen = parser.parse_args()
    if chosen.node is None:
        sys.stdout.write(json.dumps(latencies(chosen.hands), indent=1) + "\n")
        return
    marks = asyncio.run(node(chosen.node, chosen.folder, chosen.hands))
    (chosen.folder / f"{chosen.node}.json").write_text(json.dumps(marks))


if __name__ == "__main__":
    main()
