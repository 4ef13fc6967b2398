"""Between hands: the next pack is shuffled at once, and nobody unlocks a card of it before every
person has asked for the deal."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from functools import partial

import pytest

from p2p304.log.entry import Receipt, parse_receipt
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.errors import NotNow
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.absence import OVERDUE
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.absence_voter import AbsenceVoter
from p2p304.table.absence.vote_record import LogPosition
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.exchange.sync import sync_bytes
from p2p304.table.machine.own_turns import CUT_TIME
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.debts import Debts
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.state import events
from p2p304.table.state.events import CutChosen, CutOffered, HandOver, NextHand
from p2p304.wire.effects import Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet

GAMES = {
    "four": preset("pagat"),
    "two": preset("online-2"),
    "three": preset("online-3"),
    "eight": preset("eight-32"),
    "clockwise": preset("online-4"),
    "gathered": preset("pagat").override({"shuffle": "minimal"}),
}


def passing(view: View) -> Action:
    return next((a for a in legal(view) if isinstance(a, acts.Pass)), legal(view)[0])


def between_hands(options: Options | None = None, persons: Iterable[int] = range(8)) -> simnet.Net:
    """A table at which the first hand is over, its result is read, and nothing more happens by
    itself."""
    net = simnet.make_closed(1, hands=4, rules=options)
    if options is None or options.shuffle != "minimal":  # a hand of which all cards are known
        net.choosers = [passing] * len(net.tables)
    everybody = range(len(net.tables))
    net.run(seconds=60, until=lambda: all(count(net, n, events.Dealt) for n in everybody))
    for number in set(persons) & set(everybody):
        net.tables[number].turns.is_patient = True
    net.run(seconds=60, until=lambda: all(count(net, n, HandOver) for n in everybody))
    assert all(count(net, n, HandOver) == 1 for n in everybody)
    net.run(seconds=CUT_TIME + 2)
    return net


def count(net: simnet.Net, number: int, kind: type[events.Event]) -> int:
    return sum(isinstance(event, kind) for event in net.told[number])


def kinds(net: simnet.Net, number: int = 0) -> list[str]:
    """The kinds of entries of the hand that has begun last."""
    made = [entry.entry.kind for entry in net.tables[number].chain.entries]
    first = max(n for n, kind in enumerate(made) if kind not in ("shuffle", "cut", "unlock"))
    return made[first + 1 :]


def unlocks(net: simnet.Net) -> int:
    return max(kinds(net, number).count("unlock") for number in range(len(net.tables)))


def run_to_the_first_unlock(net: simnet.Net) -> None:
    net.run(seconds=1, until=lambda: unlocks(net) > 0)
    assert unlocks(net) > 0


def cutter_of(net: simnet.Net) -> int:
    table = net.tables[0]
    assert table.state is not None
    return table.state.player_on(table.state.cutter)


def test_a_person_is_asked_before_every_deal() -> None:
    net = simnet.make(1, hands=4)
    net.choosers = [passing] * 4
    person = net.tables[0]
    person.turns.is_patient = True

    def asked() -> list[int]:
        return [event.number for event in net.told[0] if isinstance(event, NextHand)]

    for number in (2, 3, 4):
        due = list(range(2, number + 1))
        net.run(seconds=30, until=partial(lambda wanted: asked() == wanted, due))
        net.run(seconds=30)
        assert asked() == due
        assert sum(isinstance(event, HandOver) for event in net.told[0]) == number - 1
        person.ready(net.now)


@pytest.mark.parametrize("game", GAMES)
def test_all_shuffle_at_once_and_nobody_unlocks_before_the_last_has_asked(game: str) -> None:
    """In whichever order the persons ask; the last one may be the cutter."""
    options = GAMES[game]
    seats, net = options.seats, between_hands(options)
    lasts = [cutter_of(net)]
    lasts += [n for n in range(seats) if n not in lasts] if game == "four" else []
    for turn, last in enumerate(lasts):
        net = between_hands(options) if turn else net
        rounds = 1 if kinds(net).count("shuffle") == seats else 2
        assert kinds(net).count("shuffle") == rounds * seats and unlocks(net) == 0
        assert all(count(net, number, NextHand) == 1 for number in range(seats))
        for number in [n for n in range(seats) if n != last]:
            net.tables[number].ready(net.now)
            net.run(seconds=60)
            assert unlocks(net) == 0, "a card was unlocked before all had asked"
            assert all(count(net, each, HandOver) == 1 for each in range(seats)), "and played"
        net.tables[last].ready(net.now)
        run_to_the_first_unlock(net)


def test_bots_wait_for_the_one_person() -> None:
    for person in range(4):
        net = between_hands(persons=[person])
        net.run(seconds=100)
        assert kinds(net).count("shuffle") == 4 and unlocks(net) == 0
        assert count(net, person, HandOver) == 1
        net.tables[person].ready(net.now)
        run_to_the_first_unlock(net)


@pytest.mark.parametrize("person", range(4))
def test_nobody_is_told_late_for_the_time_in_which_this_player_did_not_ask(person: int) -> None:
    """Before the end of the first hand that counts, a player who is late is noted (A06)."""
    net = between_hands(persons=[person])
    net.run(seconds=OVERDUE + 60)
    net.told[person].clear()
    net.tables[person].ready(net.now)
    net.tables[person].handle_timer(net.now)
    run_to_the_first_unlock(net)
    told = net.told[person]
    assert not [e for e in told if isinstance(e, events.Waiting | events.DrawLeft)]


def test_the_cut_is_asked_while_the_result_is_read_and_written_with_the_players_word() -> None:
    net = between_hands()
    cutter = cutter_of(net)
    assert [count(net, n, CutOffered) for n in range(4)] == [int(n == cutter) for n in range(4)]
    assert count(net, cutter, CutChosen) == 1, "the time to cut is over, so the pack stays as it is"
    assert "cut" not in kinds(net)
    with pytest.raises(NotNow):
        net.tables[cutter].cut(5, net.now)
    net.tables[cutter].ready(net.now)
    assert [e.entry.body["at"] for e in net.tables[cutter].chain.entries[-1:]] == [0]


def test_a_cut_that_is_chosen_early_is_the_one_written() -> None:
    net = simnet.make(1, hands=4)
    net.choosers = [passing] * 4
    for table in net.tables:
        table.turns.is_patient = True
    net.run(seconds=60, until=lambda: any(count(net, n, CutOffered) for n in range(4)))
    net.tables[cutter_of(net)].cut(0, net.now)
    net.run(seconds=60, until=lambda: sum(count(net, n, CutOffered) for n in range(4)) == 2)
    cutter = net.tables[cutter_of(net)]
    cutter.cut(7, net.now)
    net.run(seconds=100)
    assert "cut" not in kinds(net)
    for table in net.tables:
        table.ready(net.now)
    assert cutter.chain.entries[-1].entry.body == {"at": 7}


def test_a_player_who_asks_before_the_offer_to_cut_is_still_offered_it() -> None:
    net = simnet.make(1, hands=4)
    net.choosers = [passing] * 4
    for table in net.tables:
        table.turns.is_patient = True
    net.run(seconds=60, until=lambda: all(count(net, n, HandOver) for n in range(4)))
    for table in net.tables:
        table.ready(net.now)
    offered = partial(count, net, cutter_of(net), CutOffered)
    net.run(seconds=1, until=lambda: offered() > 0)
    net.tables[cutter_of(net)].cut(9, net.now)
    net.run(seconds=1, until=lambda: unlocks(net) > 0)
    assert unlocks(net) > 0 and count(net, cutter_of(net), CutChosen) == 0


def test_everybody_is_told_who_has_not_asked_but_for_players_who_have_not_asked_themselves() -> (
    None
):
    net = between_hands()
    cutter = cutter_of(net)
    net.tables[cutter].ready(net.now)
    net.run(seconds=5)
    for number in (cutter, (cutter + 1) % 4):
        net.told[number].clear()
        net.tables[number].ready(net.now)
        net.run(seconds=20)
    told = [e for e in net.told[cutter] if isinstance(e, events.Waiting)]
    others = {simnet.NICKS[n] for n in range(4)} - {
        simnet.NICKS[cutter],
        simnet.NICKS[(cutter + 1) % 4],
    }
    assert told and set(told[-1].nicks) == others
    for number in ((cutter + 2) % 4, (cutter + 3) % 4):
        after = [e for e in net.told[number] if isinstance(e, events.Waiting)]
        assert not any(simnet.NICKS[(cutter + 3) % 4] in e.nicks for e in after)


def test_nothing_is_shuffled_where_no_hand_follows() -> None:
    net = simnet.make(1, hands=1)
    for table in net.tables:
        table.turns.is_patient = True
    net.run(seconds=60, until=lambda: any(count(net, n, CutOffered) for n in range(4)))
    net.run(seconds=600)
    assert net.finished and kinds(net).count("shuffle") == 0
    assert all(count(net, number, NextHand) == 0 for number in range(4))


# Leaving and coming back while the pack lies there


def at_the_last_signature(absent: int) -> simnet.Net:
    """All but this player have asked; the pack is shuffled and, unless it cuts, cut."""
    net = between_hands()
    for number in range(4):
        if number != absent:
            net.tables[number].ready(net.now)
    net.run(seconds=10)
    return net


@pytest.mark.parametrize("cuts", [True, False])
@pytest.mark.parametrize("away", ["replace", "playout"])
def test_a_player_who_leaves_without_having_asked_loses_nothing(cuts: bool, away: str) -> None:
    options = preset("pagat").override({"away": away})
    net = between_hands(options)
    absent = next(n for n in range(4) if (n == cutter_of(net)) == cuts)
    for number in set(range(4)) - {absent}:
        net.tables[number].ready(net.now)
    net.run(seconds=10)
    dealer = net.tables[0].state.dealer if net.tables[0].state is not None else None
    seq = net.tables[0].chain.next_seq
    assert net.tables[0].chain.entries[-1].entry.kind == ("shuffle" if cuts else "cut")
    net.agree(absent, seq)
    for number, table in enumerate(net.tables):
        net.collect(number)
        assert table.replica.is_ended and table.state is not None
        assert table.state.dealer == dealer and table.state.last_record is not None
        assert table.state.last_record.number == 1
        assert count(net, number, HandOver) == 1 and count(net, number, events.Parted) == 1
        assert table.state.match.tokens == (11, 11)


def test_a_player_who_proposes_to_part_gives_its_receipt_first() -> None:
    net = between_hands(preset("pagat").override({"away": "replace"}))
    cutter, absent, asks = cutter_of(net), *[n for n in range(4) if n != cutter_of(net)][:2]
    net.tables[cutter].ready(net.now)
    net.run(seconds=10)
    table = net.tables[asks]
    assert asks in table.chain.missing()
    table.waits.presence.on_link_down(table.terms.keys[absent], net.now - 100)
    absence = PlayerAbsence(table)
    absence.propose_parting(net.now)
    assert asks not in table.chain.missing() and absence.is_held
    sent = [e.kind for e in absence.effects() if isinstance(e, Send)]
    assert sent.index(FrameKind.RECEIPT) < sent.index(FrameKind.PART)
    table.ready(net.now)
    assert table.effects() == []


def test_a_person_who_comes_back_is_asked_again_and_signs_nothing_before() -> None:
    net = at_the_last_signature(absent=(cutter_of(between_hands()) + 1) % 4)
    (missing,) = net.tables[0].chain.missing()
    table = net.tables[missing]
    back = TableMachine(table.terms, copy.deepcopy(table.me), 0.0, patient=True)
    chain = table.chain
    past = []
    for seq, signed in enumerate(chain.entries[:-1]):  # a receipt held back is not written down
        own = chain.receipt_of(seq, missing)
        before = chain.block(seq - 1).receipts if seq else ()
        past.append(PlaceRecord(signed.raw, None if own is None else own.encode(), before))
    back.restore(past, net.now)
    others = [t for t in net.tables if t is not table]
    last = others[0].chain
    for receipt in last.receipts_at(last.next_seq - 2):
        back.receive(last_author(table, receipt), FrameKind.RECEIPT, receipt.encode(), net.now)
    back.receive(others[0].me.key.public, FrameKind.ENTRY, last.entries[-1].raw, net.now)
    for one in others:
        back.receive(one.me.key.public, FrameKind.SYNC, sync_bytes(one.chain), net.now)
    assert back.waits.recovery is None and back.chain.next_seq == last.next_seq
    assert [e.number for e in back.events() if isinstance(e, NextHand)] == [2]
    given = [e for e in back.effects() if isinstance(e, Send) and e.kind is FrameKind.RECEIPT]
    assert not given
    back.ready(net.now)
    given = [e for e in back.effects() if isinstance(e, Send) and e.kind is FrameKind.RECEIPT]
    assert {parse_receipt(e.payload).seq for e in given} == {last.next_seq - 1}


def test_a_person_who_comes_back_after_having_asked_is_not_asked_again() -> None:
    """Its signature under the cut is in its journal; the cards come without another word."""
    net = between_hands()
    late = (cutter_of(net) + 1) % 4
    asker = (cutter_of(net) + 2) % 4
    for number in range(4):
        if number != late:
            net.tables[number].ready(net.now)
    net.run(seconds=10)
    table = net.tables[asker]
    assert table.chain.missing() == (late,)
    back = TableMachine(table.terms, copy.deepcopy(table.me), 0.0, patient=True)
    past = []
    for seq, signed in enumerate(table.chain.entries):
        own = table.chain.receipt_of(seq, asker)
        before = table.chain.block(seq - 1).receipts if seq else ()
        past.append(PlaceRecord(signed.raw, None if own is None else own.encode(), before))
    back.restore(past, net.now)
    for one in net.tables:
        if one is not table:
            back.receive(one.me.key.public, FrameKind.SYNC, sync_bytes(one.chain), net.now)
    assert back.waits.recovery is None and back.chain.next_seq == table.chain.next_seq
    assert not [e for e in back.events() if isinstance(e, NextHand)]


def last_author(table: TableMachine, receipt: Receipt) -> bytes:
    return table.terms.keys[receipt.author]


def test_a_player_who_never_asks_is_overdue_as_one_who_never_shuffled() -> None:
    """And nobody is, while two have not asked."""
    net = between_hands()
    cutter = cutter_of(net)
    late, other, third = (n for n in range(4) if n != cutter)
    for number in (cutter, third):
        net.tables[number].ready(net.now)
    net.run(seconds=5)
    watcher = net.tables[cutter]
    debts = Debts(watcher, AbsenceVoter(watcher.me.key, watcher.terms))
    at = LogPosition(watcher.chain.next_seq, watcher.chain.head, watcher.chain.head, 0, 0)
    assert debts.overdue(at, net.now) is None and debts.overdue(at, net.now + 10**4) is None
    net.tables[other].ready(net.now)
    net.run(seconds=5)
    assert debts.overdue(at, net.now) is None
    debt = debts.overdue(at, net.now + debts.patience)
    assert debt is not None and (debt.player, debt.missing) == (late, "deal")


def test_once_all_have_asked_a_player_whose_unlock_is_missing_is_late_with_its_move() -> None:
    net = between_hands()
    for table in net.tables:
        table.ready(net.now)
    watcher = net.tables[0]

    def may_unlock() -> bool:
        state = watcher.state
        return state is not None and state.open_deal.cut is not None and watcher.chain.is_settled

    net.run(seconds=5, until=may_unlock)
    state, due = watcher.state, watcher.replica.due
    assert state is not None and not state.open_deal.has_begun
    assert due is not None and due.kinds == ("unlock",)
    debts = Debts(watcher, AbsenceVoter(watcher.me.key, watcher.terms))
    at = LogPosition(watcher.chain.next_seq, watcher.chain.head, watcher.chain.head, 0, 0)
    assert debts.overdue(at, net.now) is None
    debt = debts.overdue(at, net.now + debts.patience)
    assert debt is not None and (debt.player, debt.missing) == (due.player, "entry")
