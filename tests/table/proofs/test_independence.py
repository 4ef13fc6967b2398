"""What a row publishes must not be linearly related, or the row reads out the hand that it hides.

A proof of `NoneAmong` publishes multiples of hidden and public elements by one secret. It hides
the cards only where all of these elements are hashes of different cards (SPEC.md, "Logarithms that
differ"). This is held for every row of every preset, at its largest and as played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement

import pytest

from p2p304.crypto import inequality
from p2p304.crypto.group import Element, add, base, decode_element
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import (
    All,
    AnyOf,
    NoneAmong,
    NotAStatement,
    Relations,
    Statement,
    encode_statement,
    prove_by_keys,
    verify,
)
from p2p304.rules.core import actions as acts
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.proofs.required import ProofKind, RequiredProofs
from tests.support.table import simnet
from tests.support.table.largest_rows import SECRETS, card_points, largest_rows

RNG = Rng.from_seed(bytes(32))
OPEN_OFF = preset("pagat").override({"open_trump": "off"})
GAMES = {**{name: preset(name) for name in PRESETS}, "pagat, open_trump=off": OPEN_OFF}


def parts(statement: Statement) -> Iterator[NoneAmong]:
    """Every `NoneAmong` inside a statement."""
    match statement:
        case NoneAmong():
            yield statement
        case All(members) | AnyOf(members):
            for member in members:
                yield from parts(member)
        case Relations():
            raise TypeError("no row has bare relations")


def check_independence(
    statement: Statement, secrets: Mapping[Element, int], points: Sequence[Element]
) -> None:
    """Hidden and public elements are points of different cards. Then they are linearly independent,
    unless somebody knows a relation between hashes. Where a hidden card is one of the public ones
    the part is false: it is a branch that is only simulated, from random elements."""
    for part in parts(statement):
        hidden = [inequality.hidden_element(each, secrets[each.key]) for each in part.hidden]
        assert set(hidden) <= set(points) and len(set(hidden)) == len(hidden)
        assert set(part.elements) <= set(points)
        assert len(set(part.elements)) == len(part.elements)


def published_by(statement: Statement, proof: bytes) -> list[Element]:
    count = inequality.published_count(statement)
    return [decode_element(proof[32 * n : 32 * n + 32]) for n in range(count)]


def has_small_relation(elements: Sequence[Element]) -> bool:
    """Whether two different pairs of the elements have the same sum: what differences of sums of
    cards show at once."""
    sums = [add(one, other) for one, other in combinations_with_replacement(elements, 2)]
    return len(set(sums)) != len(sums)


@pytest.mark.parametrize("name", GAMES)
def test_what_the_rows_publish_is_independent_in_every_preset(name: str) -> None:
    options = GAMES[name]
    for each in largest_rows(options):
        check_independence(each.statement, SECRETS, card_points(options.pack))
        proof = prove_by_keys(each.statement, SECRETS, b"test", RNG)
        assert verify(each.statement, proof, b"test")
        assert not has_small_relation(published_by(each.statement, proof)), each.name


def leader_closes(seed: int) -> simnet.Chooser:
    """The first to lead bids least and plays closed, all others pass; the play is random."""
    at_random = simnet.random_chooser(seed)

    def choose(view: View) -> acts.Action:
        options = legal(view)
        bids = [each for each in options if isinstance(each, acts.Bid)]
        if bids and view.seat == view.hand.leader and view.hand.maker is None:
            return min(bids, key=lambda bid: bid.amount)
        wanted = [each for each in options if isinstance(each, acts.Closed | acts.Pass)]
        return wanted[0] if wanted else at_random(view)

    return choose


@cache
def played(name: str) -> tuple[frozenset[ProofKind], int]:
    """Plays one closed hand of a game; every proof that is written is examined with its author's
    secrets. Returns the rows met and how many elements their proofs published in all."""
    rows: set[ProofKind] = set()
    told: list[Element] = []
    honest = EntryWriter._prove_required

    def examined(writer: EntryWriter, claims: RequiredProofs) -> tuple[bytes, ...]:
        proofs = honest(writer, claims)
        deal = writer.state.open_deal
        points = deal.elements
        secrets = writer.secrets.by_key(deal.number, writer.held.relocks)
        due = [claim for claim in claims if claim.statement is not None]
        for claim, proof in zip(due, proofs, strict=True):
            assert claim.statement is not None
            check_independence(claim.statement, secrets, points)
            told.extend(published_by(claim.statement, proof))
            rows.add(claim.kind)
        return proofs

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EntryWriter, "_prove_required", examined)
        net = simnet.make(1, 1, GAMES[name])
        net.choosers = [leader_closes(number) for number in range(len(net.tables))]
        net.run()
    assert net.finished and not any(net.evidence)
    assert len(set(told)) == len(told)
    return frozenset(rows), len(told)


def expected(options: Options) -> set[ProofKind]:
    """Rows that one hand of this game must meet."""
    if options.hidden == "ask_reveal":
        return {ProofKind.FOLLOW}
    return {ProofKind.FOLLOW, ProofKind.STUCK} if options.open_trump else {ProofKind.FOLLOW}


@pytest.mark.parametrize("name", GAMES)
def test_rows_as_played_speak_of_different_cards_only(name: str) -> None:
    rows, published = played(name)
    assert expected(GAMES[name]) <= rows, rows
    assert published


def test_a_statement_about_sums_or_repeated_elements_is_not_proved() -> None:
    """Sums are no `HashedElement`, which mypy refuses; what repeats is refused when it runs."""
    options = preset("six-24")
    points = card_points(options.pack)
    (follow,) = (each.statement for each in largest_rows(options) if each.row is ProofKind.FOLLOW)
    assert isinstance(follow, NoneAmong)
    for bad in (
        NoneAmong((*follow.hidden, follow.hidden[0]), follow.elements),
        NoneAmong(follow.hidden, (*follow.elements, follow.elements[0])),
        AnyOf((NoneAmong(follow.hidden, (points[0], points[0])), follow)),
    ):
        with pytest.raises(NotAStatement):
            encode_statement(bad)
        with pytest.raises(NotAStatement):
            prove_by_keys(bad, SECRETS, b"test", RNG)
        assert not verify(bad, bytes(32 * 40), b"test")


def test_the_search_for_relations_finds_those_of_sums() -> None:
    """The very leak of a row that excludes sums: all pairs of four cards under one factor."""
    four = [base(3 + n * n * n) for n in range(4)]
    sums = [add(one, other) for n, one in enumerate(four) for other in four[n + 1 :]]
    assert has_small_relation(sums)
    assert not has_small_relation(four)
