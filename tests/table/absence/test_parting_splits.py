"""A player who shows contradicting words of parting to different players is found by all of the
honest within one exchange, however it splits them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from p2p304.log.absence_vote import PART, READY, STAY, PartingPlace
from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.log.faults import Refused
from p2p304.table.player.keyring import Secrets
from p2p304.table.state import events
from p2p304.wire.effects import Send
from p2p304.wire.framing import FrameKind
from tests.support.hostile.false_words import word
from tests.table.absence import test_parting_liars
from tests.table.absence.test_parting_liars import ABSENT, HONEST, LIAR, Four

Said = tuple[FrameKind, bytes]
Pair = tuple[Said, Said]


_game = cache(test_parting_liars._played_to)


@pytest.fixture(autouse=True)
def one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """All begin with one game, whose secrets no end of a table may erase."""
    monkeypatch.setattr(test_parting_liars, "_played_to", _game)
    monkeypatch.setattr(Secrets, "erase", lambda self: None)


def a_word(four: Four, step: str, where: PartingPlace, round_: int = 0) -> Said:
    return FrameKind.PART, word(four.net, step, where, LIAR, round_).encode()


def parts_from_two(four: Four) -> Pair:
    other = PartingPlace(four.place.table, four.place.seq, four.place.head, 1)
    return a_word(four, PART, four.place), a_word(four, PART, other)


def parts_after_two_heads(four: Four) -> Pair:
    other = PartingPlace(four.place.table, four.place.seq, bytes(32), ABSENT)
    return a_word(four, PART, four.place), a_word(four, PART, other)


def parts_at_two_places(four: Four) -> Pair:
    other = PartingPlace(four.place.table, four.place.seq + 1, bytes(32), ABSENT)
    return a_word(four, PART, four.place), a_word(four, PART, other)


def part_and_stay(four: Four) -> Pair:
    return a_word(four, PART, four.place), a_word(four, STAY, four.place)


def part_and_receipt(four: Four) -> Pair:
    key, chain = four.net.tables[LIAR].me.key, four.net.tables[LIAR].chain
    head = four.net.tables[0].chain.head
    late = sign_receipt(key, chain.table, four.place.seq + 3, head, LIAR, None)
    return a_word(four, PART, four.place), (FrameKind.RECEIPT, late.encode())


def ready_and_stay(four: Four) -> Pair:
    return a_word(four, READY, four.place), a_word(four, STAY, four.place)


PARTS: list[Callable[[Four], Pair]] = [
    parts_from_two,
    parts_after_two_heads,
    parts_at_two_places,
    part_and_stay,
]
SPLITS = [split for split in product((0, 1, None), repeat=3) if {0, 1} <= set(split)]


def tell(four: Four, target: int, said: Said) -> None:
    """As a node does it: what is signed for the log is compared first, then goes to the table."""
    kind, payload = said
    leaving, key = four.leaving[target], four.net.tables[LIAR].me.key.public
    try:
        leaving.compare_with_part(kind, payload)
        if kind is FrameKind.PART:
            leaving.receive(payload, four.net.now)
        else:
            four.net.tables[target].receive(key, kind, payload, four.net.now)
    except Refused:
        pass
    leaving.on_table_advanced(four.net.now)


def exchange(four: Four, among: tuple[int, ...] = HONEST) -> None:
    """What each of these has to say reaches the others: words, and evidence."""
    said: list[tuple[int, Said]] = []
    for number in among:
        four.leaving[number].handle_timer(four.net.now)
        effects = four.leaving[number].effects() + four.net.tables[number].effects()
        kinds = (FrameKind.PART, FrameKind.EVIDENCE)
        said += [
            (number, (e.kind, e.payload))
            for e in effects
            if isinstance(e, Send) and e.kind in kinds
        ]
    for number, (kind, payload) in said:
        for other in among:
            if other != number and kind is FrameKind.PART:
                tell(four, other, (kind, payload))
            elif other != number:
                key = four.net.tables[number].me.key.public
                four.net.tables[other].receive(key, kind, payload, four.net.now)


def named(four: Four) -> list[tuple[str, int | None] | None]:
    stopped = [four.net.tables[n].stopped for n in HONEST]
    return [None if s is None else (s.finding.check, s.finding.player) for s in stopped]


@pytest.mark.parametrize("split", SPLITS, ids=str)
@pytest.mark.parametrize("kind", PARTS, ids=lambda kind: kind.__name__)
def test_two_words_are_found_whatever_the_split(
    kind: Callable[[Four], Pair], split: tuple[int | None, ...]
) -> None:
    four = Four()
    pair = kind(four)
    for target, which in zip(HONEST, split, strict=True):
        if which is not None:
            tell(four, target, pair[which])
    exchange(four)
    exchange(four)
    assert named(four) == [("E07", LIAR)] * 3


@pytest.mark.parametrize("split", SPLITS, ids=str)
def test_a_part_and_a_receipt_are_found_where_they_are_compared(
    split: tuple[int | None, ...],
) -> None:
    """The part is passed on; whoever had it before the receipt came, compares."""
    four = Four()
    pair = part_and_receipt(four)
    for which in (0, 1):
        for target, shown in zip(HONEST, split, strict=True):
            if shown == which:
                tell(four, target, pair[which])
        exchange(four)
    exchange(four)
    assert named(four) == [("E06", LIAR)] * 3


def entry_ahead(four: Four, seq: int) -> Said:
    key, chain = four.net.tables[LIAR].me.key, four.net.tables[LIAR].chain
    kind, body = chain.entries[-1].entry.kind, chain.entries[-1].entry.body
    return FrameKind.ENTRY, sign_entry(key, chain.table, seq, bytes(32), LIAR, kind, body).raw


def receipt_ahead(four: Four, seq: int) -> Said:
    key, chain = four.net.tables[LIAR].me.key, four.net.tables[LIAR].chain
    return FrameKind.RECEIPT, sign_receipt(key, chain.table, seq, bytes(32), LIAR, None).encode()


AHEAD = (entry_ahead, receipt_ahead)
Ahead = Callable[[Four, int], Said]


@pytest.mark.parametrize(
    ("kind", "later"), [(entry_ahead, 1), (receipt_ahead, 0), (receipt_ahead, 1)]
)
def test_what_is_kept_ahead_of_its_place_is_compared_with_a_part_that_follows(
    kind: Ahead, later: int
) -> None:
    four = Four()
    tell(four, HONEST[0], kind(four, four.place.seq + later))
    assert not any(named(four))
    tell(four, HONEST[1], a_word(four, PART, four.place))
    exchange(four)
    exchange(four)
    assert named(four) == [("E06", LIAR)] * 3


def test_a_receipt_for_another_entry_is_compared_with_a_part_that_follows() -> None:
    """The receipt is refused (L08), and kept: the log has no other of this player."""
    four = Four(40)
    chain, last = four.net.tables[HONEST[0]].chain, four.place.seq - 1
    assert chain.entries[last].entry.author != LIAR
    chain._receipts[-1] = {n: each for n, each in chain._receipts[-1].items() if n != LIAR}
    tell(four, HONEST[0], receipt_ahead(four, last))
    assert not any(named(four)) and not chain.is_settled
    before = PartingPlace(four.place.table, last, chain.entries[last].entry.prev, ABSENT)
    tell(four, HONEST[0], a_word(four, PART, before))
    assert named(four)[0] == ("E06", LIAR)


@pytest.mark.parametrize("kind", AHEAD, ids=lambda kind: kind.__name__)
def test_what_a_liar_signs_in_anothers_name_is_not_compared(kind: Ahead) -> None:
    """Only the own signature of the author of the part counts."""
    four = Four()
    liar = four.net.tables[LIAR].me
    four.net.tables[LIAR].me = replace(liar, key=four.net.tables[ABSENT].me.key)
    forged = kind(four, four.place.seq + 1)
    four.net.tables[LIAR].me = liar
    tell(four, HONEST[0], forged)
    tell(four, HONEST[0], a_word(four, PART, four.place))
    assert not any(named(four))


@pytest.mark.parametrize("split", SPLITS, ids=str)
def test_ready_and_stay_are_found_once_somebody_wants_to_part(
    split: tuple[int | None, ...],
) -> None:
    four = Four()
    four.wish(0, 1)
    pair = ready_and_stay(four)
    for target, which in zip(HONEST, split, strict=True):
        if which is not None:
            tell(four, target, pair[which])
    for _ in range(3):
        exchange(four)
    assert ("E07", LIAR) in named(four)


def test_passing_parts_on_ends() -> None:
    """Each is passed on once by each player, so nothing echoes for ever."""
    four = Four()
    tell(four, HONEST[0], parts_from_two(four)[0])
    sent = 0
    for _ in range(6):
        for number in HONEST:
            for payload in four.words(number):
                sent += 1
                for other in HONEST:
                    if other != number:
                        four.tell(other, payload)
    assert sent < 3 * 3 * 3
    assert not [
        e for n in HONEST for e in four.net.tables[n].events() if isinstance(e, events.Fault)
    ]
