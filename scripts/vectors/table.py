"""Makes protocol/messages.schema.json and derived.json, and in protocol/ the folders transcripts,
evidence, messages, words, certificates, handshakes, continued and several.

Every transcript has one fault, named by the check and the layer that must catch it; `index.json`
says which. Those named after a check are written by the cheat of the catalogue that trips it.
Evidence files come from the same cheats; messages are refused by a node that has just read
`messages/context.304` (``without``: but for player 2's last receipt).

Without arguments it makes everything, in two to four minutes, and says what it is at. The parts
named below take seconds each. `cheat NAME` plays one cheat of the catalogue, and writes its
transcript alone if that is the vector of its check.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from p2p304.log.transcript import read_blocks
from scripts.vectors.derived import derived
from scripts.vectors.evidence.edge_cases import edge_cases
from scripts.vectors.evidence.evidence_files import evidence
from scripts.vectors.index import write
from scripts.vectors.messages.absence import certificates, words
from scripts.vectors.messages.body_schema import write_body_schema
from scripts.vectors.messages.handshakes import handshakes
from scripts.vectors.messages.single_messages import messages
from scripts.vectors.related_files.continued import continued
from scripts.vectors.related_files.several import several
from scripts.vectors.transcripts.absence import ended_tables, hands_played_out
from scripts.vectors.transcripts.agreements import agreed_names, false_agreements
from scripts.vectors.transcripts.caught_cheats import caught, vector, write_cheat
from scripts.vectors.transcripts.games.hard_games import hard_transcripts
from scripts.vectors.transcripts.games.sound_games import sound_transcripts
from scripts.vectors.transcripts.log_faults import entry_over_claim, log_faults
from scripts.vectors.transcripts.neighbouring_checks import neighbouring_checks
from scripts.vectors.transcripts.one_fault import one_fault
from scripts.vectors.transcripts.two_faults import two_faults
from tests.support.paths import PROTOCOL, TRANSCRIPTS

BEGUN = time.monotonic()


def tell(part: str) -> None:
    """Say what is being made, because the whole takes minutes."""
    sys.stderr.write(f"{time.monotonic() - BEGUN:4.0f} s  {part}\n")


def transcripts_and_evidence() -> None:
    """Every transcript and evidence file; the cheats play most of the games for both."""
    tell("transcripts of the log")
    transcripts = one_fault()
    raw = list(read_blocks(transcripts["good.304"][0]))
    transcripts |= (
        false_agreements(raw)
        | agreed_names(raw)
        | log_faults(raw)
        | {"S04.304": entry_over_claim()}
    )
    transcripts |= ended_tables() | hands_played_out()
    tell("cheats of the catalogue")
    cheats = caught()
    told = {check for _, _, check, _ in transcripts.values()}
    for check, found in cheats.items():
        if check not in told:
            transcripts[f"{check}.304"] = vector(check, *found)
    tell("sound transcripts")
    sound = sound_transcripts() | hard_transcripts()
    write(TRANSCRIPTS, transcripts | sound | two_faults(raw) | neighbouring_checks(raw, sound))
    tell("evidence")
    made = evidence(cheats)
    write(PROTOCOL / "evidence", made | edge_cases(made))


PARTS: dict[str, Callable[[Path], None]] = {
    "messages": messages,
    "words": words,
    "certificates": certificates,
    "handshakes": handshakes,
    "continued": continued,
    "several": several,
    "derived": lambda folder: derived(folder.with_suffix(".json")),
}
"""Folder of protocol/ to what writes it alone; ``derived`` is a single file, made from the
transcripts that are there."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/dev vectors-table", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=", ".join(PARTS) + "; or cheat NAME ..."
    )
    wanted = parser.parse_args().parts
    if wanted[:1] == ["cheat"]:
        for name in wanted[1:]:
            try:
                sys.stdout.write(f"{write_cheat(TRANSCRIPTS, name)}\n")
            except LookupError as error:
                parser.error(str(error))
        return
    if wrong := [part for part in wanted if part not in PARTS]:
        parser.error(f"no part {wrong[0]}; the parts are {', '.join(PARTS)}")
    if not wanted:
        transcripts_and_evidence()
        write_body_schema()
    for part in wanted or PARTS:
        tell(part)
        PARTS[part](PROTOCOL / part)


if __name__ == "__main__":
    main()
