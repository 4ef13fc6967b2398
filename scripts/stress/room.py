"""A room full of players: fifty tables on one network, fifty spectators at one table.
usage: scripts/dev room [--json] [--tables N] [--real N] [--watchers N] [--hands N]

How long until a newcomer has found all tables (aim: 2 s), and how much longer the players wait
for each other with spectators than without (aim: at most twice). What is real and what is
simulated is said with the figures, and why in room_tables.py and room_spectators.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from scripts.stress import room_spectators, room_tables

SOON = 2.0
TWICE = 2.0


def lines(figures: dict[str, Any]) -> list[str]:
    told = []
    if figures.get("tables"):
        f = figures
        told += [
            f"{f['tables']} tables: {f['tables_real']} real with {f['nodes_real']} nodes, "
            f"{f['tables'] - f['tables_real']} simulated (real records and responders alone)",
            f"  a newcomer found the first after {f['first_found_s']} s, all after "
            f"{f['all_found_s']} s (median of {f['newcomers']}; worst {f['all_found_worst_s']}; "
            f"aim {SOON:.0f})",
            f"  a real node found its table by name after {f['named_found_s']} s",
        ]
    if figures.get("spectators"):
        f = figures
        told += [
            f"{f['spectators']} spectators over links of their own, in {f['processes']} processes: "
            f"{f['verifying']} verify everything, the others believe the same blocks",
            f"  from act to everybody's receipt: {f['calm_ms']} ms without, {f['watched_ms']} ms "
            f"with them: times {f['latency_ratio']} (aim {TWICE:.0f}); "
            f"95 %: {f['calm_95_ms']} and {f['watched_95_ms']} ms",
            f"  CPU of the four nodes for an act: {f['calm_cpu_ms']} and {f['watched_cpu_ms']} ms; "
            f"memory at most +{f['watched_grown_mib']} MiB",
            f"  when the players left, the median spectator had {f['shown_median_percent']} % of "
            f"the blocks, the slowest (they are nice) {f['shown_least_percent']} %",
        ]
    return told


def is_good(figures: dict[str, Any]) -> bool:
    soon = figures.get("all_found_s", 0.0) < SOON
    calm = figures.get("latency_ratio", 0.0) <= TWICE and not figures.get("found_false")
    return soon and calm


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/dev room",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="data instead of lines")
    parser.add_argument("--tables", type=int, default=50, help="announced in all; 0: leave out")
    parser.add_argument("--real", type=int, default=6, help="of them by real nodes, three each")
    parser.add_argument("--announcers", type=int, default=8, help="processes for the others")
    parser.add_argument("--newcomers", type=int, default=5)
    parser.add_argument("--watchers", type=int, default=50, help="spectators; 0: leave out")
    parser.add_argument("--verifying", type=int, default=2, help="of them verifying, one a process")
    parser.add_argument("--hands", type=int, default=6, help="in each round")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    figures: dict[str, Any] = {}
    if chosen.tables:
        real = min(chosen.real, chosen.tables)
        figures |= room_tables.measure(chosen.tables, real, chosen.announcers, chosen.newcomers)
    if chosen.watchers:
        figures |= room_spectators.measure(
            chosen.watchers, min(chosen.verifying, chosen.watchers), chosen.hands, chosen.rounds
        )
    text = [json.dumps(figures)] if chosen.json else lines(figures)
    sys.stdout.write("\n".join(text) + "\n")
    return 0 if is_good(figures) else 1


if __name__ == "__main__":
    sys.exit(main())
