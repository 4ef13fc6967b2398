"""Entries prepared while the player thinks: the same bytes, at no other place, soon forgotten."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

import pytest

from p2p304.crypto import group
from p2p304.crypto.signing import SigningKey
from p2p304.log.entry import Entry, Signed
from p2p304.log.faults import Refused
from p2p304.rules.core import actions as acts
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.player import entry_writer
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.player.keyring import Secrets
from p2p304.table.player.preparation import Preparation
from p2p304.table.proofs import checks
from p2p304.table.state.events import YourTurn
from p2p304.table.transition.actions import Step
from p2p304.table.transition.replica import Replica
from p2p304.wire.bodies import Body, Down, Play
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet
from tests.support.table.paused import acted, forbid_writing, paused, sent

ASKS = preset("online-4")


def prepared(table: TableMachine) -> Preparation:
    preparation = table.turns.preparation
    assert preparation is not None
    preparation.run()
    return preparation


def test_a_hand_that_is_over_before_the_thread_runs_leaves_nothing_prepared() -> None:
    _, table = paused()
    preparation = table.turns.preparation
    assert preparation is not None and table.state is not None
    table.me.secrets.renew(table.state.number + 1)
    preparation.run()
    assert not preparation._prepared


def chosen_bodies(preparation: Preparation) -> dict[acts.Action, Play | Down]:
    bodies = [(choice, one.body) for choice, one in preparation._prepared.items()]
    return {
        choice: body
        for choice, body in bodies
        if isinstance(body, Play | Down) and not isinstance(choice, str)
    }


def game(rules: Options | None, prepares: bool) -> tuple[bytes, int]:
    """The transcript of a closed hand, and how many of its entries were prepared."""
    net, used = simnet.make_closed(2, rules=rules), 0
    plain = list(net.choosers)

    def thinking(number: int) -> simnet.Chooser:
        def choose(view: View) -> acts.Action:
            nonlocal used
            action = plain[number](view)
            preparation = net.tables[number].turns.preparation if prepares else None
            if preparation is not None:
                # The chosen one alone, so that this test stays quick.
                preparation._choices = lambda: iter([action])  # type: ignore[method-assign]
                preparation.run()
                used += preparation.body(action) is not None
            return action

        return choose

    net.choosers = [thinking(number) for number in range(len(net.tables))]
    net.run()
    assert net.finished and not any(net.evidence)
    return net.transcripts[0], used


@pytest.mark.parametrize("rules", [None, ASKS], ids=["down", "ask"])
def test_a_game_with_prepared_entries_has_the_same_bytes(rules: Options | None) -> None:
    """So no nonce is used for two statements: what is prepared is what is made without it."""
    plain, none = game(rules, prepares=False)
    ahead, used = game(rules, prepares=True)
    assert plain == ahead and none == 0 and used >= 32


@pytest.mark.parametrize("nth", [2, 3, 10, 20])
def test_every_prepared_body_is_the_one_that_is_made_at_once(nth: int) -> None:
    _, table = paused(Phase.PLAY, nth)
    bodies = chosen_bodies(prepared(table))
    due = table.turns.due
    assert due is not None
    assert set(bodies) == {one for one in legal(table.view) if isinstance(one, acts.Play)}
    work = set()
    for action, body in bodies.items():
        with group.counting() as count:
            assert table.turns.writer(due).chosen(action) == body
        work.add((type(body), tuple(map(len, body.owed)), count.multiply, count.multiply_base))
    assert len(work) == 1, "each takes as much work as every other"


def test_a_key_press_with_everything_prepared_makes_and_verifies_no_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net, table = paused(Phase.PLAY, 3)
    prepared(table)
    calls: list[str] = []

    def count(owner: object, name: str) -> None:
        honest = getattr(owner, name)

        def counted(*given: Any) -> Any:
            calls.append(name)
            return honest(*given)

        monkeypatch.setattr(owner, name, counted)

    for name in ("prove", "prove_by_keys", "prove_dleq", "mul", "base"):
        count(entry_writer, name)
    for name in ("verify", "verify_dleq"):
        count(checks, name)
    count(SigningKey, "sign")
    entry = acted(table, net.now)
    assert calls == ["sign"]
    other = net.tables[(table.me.player + 1) % 4]
    other.receive(table.me.key.public, FrameKind.ENTRY, entry, net.now)
    assert calls.count("verify_dleq") == 1, "the others verify it like every entry"
    assert other.chain.next_seq == table.chain.next_seq


def test_without_preparation_a_key_press_proves_and_verifies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net, table = paused(Phase.PLAY, 3)
    judged: list[Signed] = []
    judge = Replica.judge

    def counted(replica: Replica, signed: Signed) -> Step:
        judged.append(signed)
        return judge(replica, signed)

    monkeypatch.setattr(Replica, "judge", counted)
    acted(table, net.now)
    assert len(judged) == 1


def test_nothing_prepared_is_signed_sent_persisted_or_told(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = paused(Phase.PLAY, 2)
    table.effects()
    table.events()

    def sign(key: SigningKey, message: bytes) -> bytes:
        raise AssertionError("a prepared entry was signed")

    monkeypatch.setattr(SigningKey, "sign", sign)
    assert chosen_bodies(prepared(table))
    assert table.effects() == [] and table.events() == []


def test_nothing_is_prepared_before_the_player_is_asked() -> None:
    net, table = paused(Phase.PLAY, 2)
    assert [other.turns.preparation for other in net.tables if other is not table] == [None] * 3
    assert table.turns.preparation is table.turns.preparation is not None
    table.turns.asked_for = None
    assert table.turns.preparation is None


@pytest.mark.parametrize("why", ["written", "blocked", "recovery", "stopped", "unsettled", "left"])
def test_what_is_prepared_is_dropped_where_the_player_may_not_write(why: str) -> None:
    _, table = paused(Phase.PLAY, 2)
    preparation = prepared(table)
    forbid_writing(table, why)
    table.effects()
    assert not preparation._prepared and table.turns._preparation is None
    preparation.run()
    assert not preparation._prepared, "nor is it filled again by a thread that still runs"


def test_what_was_prepared_is_dropped_with_the_entry() -> None:
    net, table = paused(Phase.PLAY, 2)
    preparation = prepared(table)
    acted(table, net.now)
    assert not preparation._prepared and table.turns._preparation is None


@pytest.mark.parametrize("what", ["link", "state"])
def test_another_place_never_uses_what_was_prepared(what: str) -> None:
    """The link before an entry is in every challenge: after another one all is made anew."""
    _, table = paused(Phase.PLAY, 2)
    preparation, action = prepared(table), legal(table.view)[0]
    old = preparation.body(action)
    if what == "link":
        last = table.chain.entries[-1]
        table.chain._entries[-1] = Signed(last.entry, last.raw, bytes(32))
    else:
        assert table.replica.state is not None
        table.replica.state = replace(table.replica.state)
    body = table.turns.chosen(action)
    assert old is not None and body is not old and (body == old) == (what == "state")
    assert preparation.body(action) is None and not preparation._prepared
    assert table.turns.preparation is not preparation


def test_an_entry_is_foreseen_at_the_present_state_alone() -> None:
    _, table = paused(Phase.PLAY, 2)
    prepared(table)
    action = legal(table.view)[0]
    body = table.turns.chosen(action)
    entry = table.turns.sign(body.KIND, body).entry
    assert table.turns.foreseen(entry) is not None
    assert table.turns.foreseen(replace(entry, prev=bytes(32))) is None
    assert table.turns.foreseen(replace(entry, body={**entry.body, "slot": 31})) is None
    assert table.replica.state is not None
    table.replica.state = replace(table.replica.state)
    assert table.turns.foreseen(entry) is None


def test_the_thread_may_prepare_more_while_a_prepared_entry_is_looked_up() -> None:
    """The player chooses what is ready; the thread is at the next card then."""
    _, table = paused(Phase.PLAY, 2)
    preparation, first = prepared(table), legal(table.view)[0]
    body = table.turns.chosen(first)
    entry = table.turns.sign(body.KIND, body).entry
    choices = dict(preparation._prepared)

    class Adding(Entry):
        """Another entry is added while this one is compared."""

        def __eq__(self, other: object) -> bool:
            preparation._prepared.update(choices)
            return super().__eq__(other)

        __hash__ = Entry.__hash__

    entries = {each.name: getattr(entry, each.name) for each in fields(Entry)}
    begun = replace(choices[first], entry=Adding(**entries | {"seq": 0}))
    preparation._prepared = {acts.Pass(0): begun}
    assert table.turns.foreseen(entry) is None
    assert table.turns.foreseen(entry) is not None


def test_cards_that_cannot_be_read_are_left_to_the_choice_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loop may renew the secrets while the thread reads the hand."""
    net, table = paused(Phase.PLAY, 2)
    with monkeypatch.context() as broken:
        refused = Refused("D16", "another hand's key")
        broken.setattr(Secrets, "read", lambda *_: (_ for _ in ()).throw(refused))
        assert not chosen_bodies(prepared(table))
    assert acted(table, net.now)


def made(table: TableMachine, monkeypatch: pytest.MonkeyPatch) -> list[acts.Action]:
    written: list[acts.Action] = []
    chosen = EntryWriter.chosen

    def count(writer: EntryWriter, action: acts.Action) -> Body:
        written.append(action)
        return chosen(writer, action)

    monkeypatch.setattr(EntryWriter, "chosen", count)
    prepared(table)
    monkeypatch.setattr(EntryWriter, "chosen", chosen)
    return written


def test_the_work_does_not_tell_how_many_cards_may_be_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One entry for each card of the hand, in the order of the public places; where fewer may be
    played, some are made again."""
    counts = set()
    for seed in range(1, 4):
        _, table = paused(Phase.PLAY, 2, seed)
        state, seat = table.state, table.seat
        assert state is not None
        held = state.open_deal.holdings[seat]
        plays = [one for one in legal(table.view) if isinstance(one, acts.Play)]
        work = made(table, monkeypatch)
        cards = len([slot for slot in held.hand if slot is not None])
        assert len(work) == cards and set(work) == set(plays)
        read = partial(table.me.secrets.read, state.open_deal, held)
        places = [
            held.place_of(one.card, read)
            for one in work[: len(plays)]
            if isinstance(one, acts.Play) and one.card is not None
        ]
        assert places == sorted(places)
        counts.add((len(plays), len(work)))
    assert len({plays for plays, _ in counts}) > 1 and len({work for _, work in counts}) == 1


def test_a_choice_that_is_not_ready_is_made_at_once_and_nothing_else_is_prepared() -> None:
    net, table = paused(Phase.PLAY, 2)
    preparation = table.turns.preparation
    assert preparation is not None
    assert table.turns.chosen(legal(table.view)[0])
    preparation.run()
    assert not preparation._prepared and acted(table, net.now)


def test_no_more_than_so_many_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = paused(Phase.PLAY, 2)
    monkeypatch.setattr("p2p304.table.player.preparation.MOST", 3)
    assert len(made(table, monkeypatch)) == 3


def test_a_thread_that_prepares_stops_once_it_is_told_to_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, table = paused(Phase.PLAY, 2)
    preparation, written = table.turns.preparation, 0
    assert preparation is not None
    chosen = EntryWriter.chosen

    def dropped_meanwhile(writer: EntryWriter, action: acts.Action) -> Body:
        nonlocal written
        written += 1
        if written == 2:
            preparation.drop()
        return chosen(writer, action)

    monkeypatch.setattr(EntryWriter, "chosen", dropped_meanwhile)
    preparation.run()
    assert written == 2 and not preparation._prepared


def test_a_fault_while_preparing_is_left_to_the_choice_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net, table = paused(Phase.PLAY, 2)
    with monkeypatch.context() as broken:
        broken.setattr(EntryWriter, "chosen", lambda *_: 1 / 0)
        assert not chosen_bodies(prepared(table))
    assert acted(table, net.now)


def test_a_trump_maker_prepares_nothing_while_its_indicator_lies_face_down() -> None:
    """Whether it may cut with the indicator tells whether trumps were led: so would the work."""
    asked = 0
    for nth in range(1, 9):
        _, table = paused(Phase.PLAY, nth)
        assert table.state is not None
        lies = table.state.open_deal.holdings[table.seat].indicator is not None
        assert lies == (not chosen_bodies(prepared(table)))
        asked += lies
    assert asked == 2
    _, table = paused(Phase.DECLARE)
    assert not chosen_bodies(prepared(table))


@pytest.mark.parametrize("phase", [Phase.BID4, Phase.BID8])
def test_words_need_no_proof_and_are_not_prepared(phase: Phase) -> None:
    """Also not the right to a new deal: that there is one would be seen in the work."""
    _, table = paused(phase)
    assert not chosen_bodies(prepared(table))


def test_no_repr_shows_what_is_prepared() -> None:
    _, table = paused(Phase.PLAY, 2)
    preparation = prepared(table)
    texts = [repr(preparation), *map(repr, preparation._prepared.values())]
    assert len(texts) > 1
    assert all(text.startswith("<p2p304.table.player.preparation.") for text in texts)


def test_the_player_is_asked_again_after_a_claim_and_keeps_what_is_prepared() -> None:
    _, table = paused(Phase.PLAY, 2)
    preparation = prepared(table)
    table.turns.ask_again()
    table._advance(0.0)
    assert any(isinstance(event, YourTurn) for event in table.events())
    assert table.turns.preparation is preparation and preparation._prepared
    assert sent(table, FrameKind.ENTRY) == []
