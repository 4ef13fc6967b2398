"""Words of parting for protocol/words that two honest programs could judge differently: words that
are taken or dropped, words with two faults, where the order of the checks decides, and words that
come after a parting.

Responsible for these words; those with one fault are false_words.py's.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from p2p304.log.absence_vote import PART, READY, STAY, AbsenceWord, PartingPlace
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.certificate import Certificate
from p2p304.table.node.player_absence import PlayerAbsence
from tests.support.cheats.harness import fork
from tests.support.hostile.false_words import LIAR, PLACE, VICTIM, game, where, word
from tests.support.table import simnet
from tests.support.table.leaving_games import MOMENTS, left

CONTEXT, WAITING, PARTED = "context.304", "waits.304", "played-out.304"
CERTIFICATE = "played-out.certificate"
LATER = 12
"""Places that are settled after the parting, under the second name of the table."""


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


@cache
def parted_game() -> simnet.Net:
    """A table whose hand goes on without the trump maker, a few places after the parting."""
    net = left(MOMENTS["announce"])
    net.come_to(parting(net).seq + LATER)
    return net


def parting(net: simnet.Net) -> PartingPlace:
    """The place at which all others parted from a player."""
    without = net.tables[0].chain.without
    if without is None:
        raise LookupError("nobody has left this table")
    return where(net, without.seq, without.absent)


def game_of(context: str) -> simnet.Net:
    return {CONTEXT: game, WAITING: waiting_game, PARTED: parted_game}[context]()


def present(net: simnet.Net) -> list[int]:
    """The players who parted from another one."""
    return [player for player in range(len(net.tables)) if player != parting(net).absent]


def certificate() -> Certificate:
    """The certificate of the parting, whose parts are of round 0."""
    net = parted_game()
    return Certificate(tuple(word(net, PART, parting(net), player) for player in present(net)))


def reader_of(context: str) -> PlayerAbsence:
    """A player who has read the context, and holds the certificate of its parting."""
    net = game_of(context)
    if context != PARTED:
        return PlayerAbsence(fork(net).tables[VICTIM])
    absence = PlayerAbsence(fork(net).tables[present(net)[0]])
    absence.voter.restore([certificate().encode()])
    return absence


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
    other = replace(at, head=bytes(32))
    row("ReadyWithAnotherHead", word(net, READY, other), None, "kept; holds nobody")
    row("PartWithAnotherHead", word(net, PART, other), None, "kept, and passed on")
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
    row("PartAtASettledPlace", word(net, PART, where(net, 20)), "E06", "it has signed that place")
    last = where(net, PLACE - 1)
    writer = net.tables[0].chain.entries[last.seq].entry.author
    reader = next(player for player in range(len(net.tables) - 1) if player != writer)
    receipted = word(net, PART, last, reader)
    row("PartAtAReceiptedPlace", receipted, "E06", "it has receipted that place")
    row(
        "ReadyAtPlace0",
        word(net, READY, replace(at, seq=0)),
        "E04",
        "place 0, which is long settled",
    )
    return {**rows, **_after_a_parting()}


def _after_a_parting() -> dict[str, Row]:
    """Words that come when the hand is already played out without the absent player."""
    net = parted_game()
    at, last = parting(net), net.tables[0].chain.next_seq - 1
    _, one, two = present(net)
    elsewhere, from_two = replace(at, head=bytes(32)), replace(at, absent=two)
    before = where(net, at.seq - 1, at.absent)
    writer = net.tables[0].chain.entry(before.seq).entry.author
    rows = (
        ("PartOfThisParting", PART, at, one, None, "a part of this very parting; passed over"),
        ("ReadyOfThisParting", READY, at, one, None, "an old ready of it; passed over"),
        ("ReadyLongBeforeTheParting", READY, where(net, 12), one, None, "passed over"),
        ("PartOfWhoIsGone", PART, from_two, at.absent, None, "it signed nothing there"),
        ("PartBeforeTheParting", PART, where(net, 20), one, "E06", "it has signed that place"),
        (
            "PartAtTheLastEntry",
            PART,
            before,
            writer,
            "E06",
            "it wrote the entry before the parting",
        ),
        ("AnotherPartWithoutAnother", PART, from_two, one, "E07", "two absent"),
        ("AnotherPartAfterAnotherEntry", PART, elsewhere, one, "E07", "two heads"),
        ("AnotherPartLater", PART, where(net, last, at.absent), one, "E07", "two places"),
    )
    stays = (
        ("StayBesideAReadyOfThisParting", at, one, 0, "E07", "the parts show its ready"),
        ("StayOfALaterRound", at, one, 1, None, "it was ready in round 0; passed over"),
        ("StayAfterAnotherEntry", elsewhere, one, 0, None, "it was ready after that of the log"),
        ("StayWithoutAnother", from_two, one, 0, None, "it was ready to part from another"),
        ("StayOfWhoIsGone", at, at.absent, 0, None, "it says that it is there; passed over"),
    )
    return {
        name: Row(PARTED, word(net, step, place, author), check, comment)
        for name, step, place, author, check, comment in rows
    } | {
        name: Row(PARTED, word(net, STAY, place, author, round_), check, comment)
        for name, place, author, round_, check, comment in stays
    }
