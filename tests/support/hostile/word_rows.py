"""Words of parting for protocol/words that two honest programs could judge differently: words that
are taken or dropped, and words with two faults, where the order of the checks decides.

Responsible for these words; those with one fault are false_words.py's.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from p2p304.log.absence_vote import PART, READY, STAY, AbsenceWord
from p2p304.rules.variants.presets import preset
from tests.support.hostile.false_words import LIAR, PLACE, game, where, word
from tests.support.table import simnet

CONTEXT, WAITING = "context.304", "waits.304"


class Row(NamedTuple):
    """A word of the table in ``context``, the check that refuses it or None, and what it is."""

    context: str
    word: AbsenceWord
    check: str | None
    comment: str


@cache
def waiting_game() -> simnet.Net:
    """A table before the same place whose rules are to wait."""
    net = simnet.make_closed(3, 1, preset("pagat").override({"away": "wait"}))
    net.come_to(PLACE)
    return net


def game_of(context: str) -> simnet.Net:
    return game() if context == CONTEXT else waiting_game()


def word_rows() -> dict[str, Row]:
    net, waits = game(), waiting_game()
    at, long_settled = where(net), where(net, 12)
    elsewhere = replace(at, table=bytes(32))
    few = word(net, PART, long_settled).readies[:2]
    bent = bytes(64)
    own = where(net, absent=LIAR)
    there = where(waits, 12)
    rows: dict[str, Row] = {}

    def row(name: str, said: AbsenceWord, check: str | None, comment: str) -> None:
        at_the_other = said.place.table == there.table
        rows[name] = Row(WAITING if at_the_other else CONTEXT, said, check, comment)

    row("Ready", word(net, READY, at), None, "taken")
    row("ReadyInTheLastRound", word(net, READY, at, round_=15), None, "no honest one; taken")
    row("Stay", word(net, STAY, at), None, "taken")
    row("StaysThoughAbsent", word(net, STAY, own), None, "an absent player says that it is there")
    row("Part", word(net, PART, at), None, "taken, and passed on")
    row("ReadyAheadOfThePlace", word(net, READY, replace(at, seq=PLACE + 7)), None, "kept")
    late = where(net, PLACE - 8)
    row("ReadyEightPlacesLate", word(net, READY, late), None, "dropped, not refused")
    row("StayOnePlaceLate", word(net, STAY, where(net, PLACE - 1)), None, "dropped, not refused")
    row(
        "PartOfAnotherTableByNobody",
        replace(word(net, PART, elsewhere), author=4),
        "L01",
        "another table, and an author who does not sit here",
    )
    row("ReadyByNobody", replace(word(net, READY, at), author=4, sig=bent), "L02", "a fifth player")
    row(
        "ReadyWithoutNobody", word(net, READY, where(net, absent=4)), "L02", "absent is nobody here"
    )
    row("ReadyOfTheAbsent", word(net, READY, own), "L03", "the absent player's own ready")
    row("PartOfTheAbsent", word(net, PART, own), "L03", "the absent player's own part")
    row(
        "UnsignedAtASettledPlace",
        replace(word(net, READY, long_settled), sig=bent),
        "L03",
        "a bent signature, at a place that is long settled",
    )
    row(
        "PartsWithTooFewReadiesAtASettledPlace",
        word(net, PART, long_settled, readies=few),
        "E05",
        "two readies of three, at a place that is long settled",
    )
    row("ReadyWhereAllWait", word(waits, READY, where(waits)), "E03", "the rules are to wait")
    row(
        "PartsWithTooFewReadiesWhereAllWait",
        word(waits, PART, there, readies=few),
        "E03",
        "the rules are to wait; two readies of three; a settled place",
    )
    row(
        "UnsignedWhereAllWait",
        replace(word(waits, STAY, there), sig=bent),
        "L03",
        "a bent signature, and the rules are to wait",
    )
    return rows
