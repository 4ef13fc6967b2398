"""The next entry of a deal, made while the receipts for the one before travel: the same bytes, not
signed before all have signed what it follows, and at no other place."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.log.entry import Entry, Signed
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.errors import NotNow
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.player import entry_writer
from p2p304.table.player.preparation import Preparation
from p2p304.table.transition.actions import Step
from p2p304.table.transition.replica import Replica
from tests.support.table import simnet
from tests.support.table.paused import copied, forbid_writing
from tests.table.node.test_ready import between_hands, kinds, passing, unlocks


class Game(NamedTuple):
    """A table to be dealt at, until entries of the kind ``last`` have come so often."""

    rules: Options
    prepared: dict[str, int]
    """How many entries of each kind were prepared when they were due."""
    last: str = "play"
    times: int = 1
    seed: int = 2
    hands: int = 1
    choose: simnet.Chooser | None = None
    cuts: bool = False
    """Persons sit here; the one who may cut leaves the pack as it is."""


def rejecting(view: View) -> Action:
    """Reject the cards if that is allowed, else pass."""
    return next((a for a in legal(view) if isinstance(a, acts.Redeal)), passing(view))


MINIMAL = preset("pagat").override({"shuffle": "minimal"})
# Every shuffle but the dealer's, all unlocking in all batches, every re-ordering. At a table of two
# the other player's signature settles an entry: only a player who writes twice prepares the second.
GAMES = {
    "pagat": Game(preset("pagat"), {"shuffle": 3, "unlock": 8, "relock": 4}),
    "online-2": Game(preset("online-2"), {"unlock": 1}, times=6),
    "online-3": Game(preset("online-3"), {"shuffle": 2, "unlock": 5, "relock": 1}),
    "online-4": Game(preset("online-4"), {"shuffle": 3, "unlock": 4}),
    "six-24": Game(preset("six-24"), {"shuffle": 5, "unlock": 12, "relock": 6}),
    "tamil-504": Game(preset("tamil-504"), {"shuffle": 5, "unlock": 6}),
    "eight-32": Game(preset("eight-32"), {"shuffle": 7, "unlock": 16, "relock": 8}),
    "cut refused": Game(preset("pagat"), {"shuffle": 3, "unlock": 4}, "say", cuts=True),
    "redeal": Game(preset("pagat"), {"shuffle": 6, "unlock": 8}, "say", seed=4, choose=rejecting),
    "minimal": Game(MINIMAL, {"shuffle": 10, "unlock": 12, "relock": 4}, "say", 12, hands=2),
}


def answer_cut(net: simnet.Net, number: int) -> None:
    """This person asks for the deal at once, and does not want to cut."""
    table, due = net.tables[number], net.tables[number].replica.due
    if table.state is not None and not table.turns.has_asked_for_deal:
        table.ready(net.now)
    if due is not None and due.kinds == ("cut",) and due.player == number:
        with suppress(NotNow):  # answered before
            table.cut(0, net.now)


def dealt(game: Game, prepares: bool) -> tuple[Signed, ...]:
    """The entries of a table up to the first card, or as the game says."""
    net = simnet.make_closed(game.seed, game.hands, game.rules)
    net.choosers = net.choosers if game.choose is None else [game.choose] * game.rules.seats
    collect = net.collect

    def collected(number: int) -> None:
        collect(number)
        table = net.tables[number]
        if game.cuts:
            answer_cut(net, number)
            collect(number)
        if prepares:
            table.turns.prepare_ahead()

    net.collect = collected  # type: ignore[method-assign]
    for table in net.tables:
        table.turns.is_patient = game.cuts
    chain = net.tables[0].chain
    net.run(
        until=lambda: [each.entry.kind for each in chain.entries].count(game.last) == game.times
    )
    return chain.entries


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_that_is_prepared_has_the_same_bytes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES[name]
    plain, used, step = dealt(game, False), Counter[str](), Preparation.step

    def counted(preparation: Preparation, entry: Entry) -> Step | None:
        found = step(preparation, entry)
        used[entry.kind] += found is not None
        return found

    monkeypatch.setattr(Preparation, "step", counted)
    assert [each.raw for each in dealt(game, True)] == [each.raw for each in plain]
    assert +used == game.prepared


@cache
def _waiting(last: int) -> simnet.Net:
    net = between_hands()
    for number in (net.tables[n] for n in range(4) if n != last):
        number.ready(net.now)
    net.run(seconds=2)
    return net


def waiting(is_itself: bool = False) -> tuple[simnet.Net, TableMachine, TableMachine]:
    """A table whose cut lacks the signature of one player alone: that player's machine, and the
    machine of the player who unlocks first. ``is_itself``: these are the same."""
    for last in range(4):
        net = copied(_waiting(last))
        due = net.tables[0].replica.due
        if kinds(net)[-1] == "cut" and due is not None and (due.player == last) == is_itself:
            first = net.tables[due.player]
            first.effects()
            first.events()
            return net, net.tables[last], first
    raise LookupError("there is no such player")


@pytest.mark.parametrize("is_itself", [False, True])
def test_a_prepared_unlocking_waits_for_the_last_signature_under_the_cut(
    is_itself: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    net, last, first = waiting(is_itself)

    def refused(*given: Any) -> Any:
        raise AssertionError("signed, or made a second time")

    with monkeypatch.context() as patch:
        patch.setattr(SigningKey, "sign", refused)
        first.turns.prepare_ahead()
        prepared = first.turns._preparation
        assert prepared is not None and prepared.body("unlock") is not None
        assert first.effects() == [] and first.events() == [], "nothing is told of it"
        first.turns.prepare_ahead()
        assert first.turns._preparation is prepared
        net.run(seconds=30)
        assert unlocks(net) == 0
    with monkeypatch.context() as patch:
        patch.setattr(entry_writer, "prove_dleq", refused)
        patch.setattr(Replica, "judge", refused)
        last.ready(net.now)
        net.run(seconds=1, until=lambda: unlocks(net) > 0)
    assert first.chain.entries[-1].entry.kind == "unlock"


@pytest.mark.parametrize(
    "why", ["written", "blocked", "recovery", "stopped", "left", "link", "state"]
)
def test_a_prepared_unlocking_is_dropped_where_it_may_not_follow(why: str) -> None:
    _, _, first = waiting()
    first.turns.prepare_ahead()
    prepared, state = first.turns._preparation, first.replica.state
    assert prepared is not None and prepared._prepared and state is not None
    match why:
        case "link":  # a liar has signed two cuts
            cut = first.chain.entries[-1]
            first.chain._entries[-1] = Signed(cut.entry, cut.raw, bytes(32))
        case "state":  # a claim takes the floor
            first.replica.state = replace(state)
        case _:
            forbid_writing(first, why)
    first.effects()
    assert not prepared._prepared and first.turns._preparation is None


def test_only_the_player_who_writes_next_prepares() -> None:
    net, _, first = waiting()
    for table in net.tables:
        table.turns.prepare_ahead()
    assert [table for table in net.tables if table.turns._preparation is not None] == [first]


def test_what_cannot_be_made_yet_is_made_when_it_is_due() -> None:
    """The dealer's shuffle needs the secrets of a hand that is not settled."""
    _, _, first = waiting()
    assert first.state is not None
    first.me.secrets.renew(first.state.number + 1)
    first.turns.prepare_ahead()
    prepared = first.turns._preparation
    assert prepared is not None and not prepared._prepared
