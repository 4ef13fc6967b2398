"""Players who are ready to part from one who has come back, and a liar who owes the answer: they
give the proposal up together, whatever the liar says to some of them, or all are bound by it."""

from __future__ import annotations

import random

import pytest

from p2p304.log.absence_vote import PART, READY, STAY, AbsenceWord, PartingPlace, say
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.absence_voter import AbsenceVoter
from p2p304.table.absence.vote_record import LogPosition
from p2p304.wire.effects import Persist, Send
from tests.support.table.simnet import make

PLACE, HEAD = 9, b"h" * 32
AT = LogPosition(PLACE, HEAD, b"b" * 32, PLACE, PLACE)
PAST = LogPosition(PLACE + 1, b"n" * 32, HEAD, PLACE + 1, PLACE)
PRESETS = {3: "online-3", 4: "pagat", 6: "six-36"}
LIAR = 1


class Returned:
    """The last player was gone and is back, and may have signed the place. The liar sends what it
    likes to whom it likes. The words of all others are lost, late and out of order, and their
    programs stop and start again."""

    def __init__(self, seed: int, seats: int, has_signed: bool) -> None:
        net = make(1, rules=preset(PRESETS[seats]).override({"away": "replace"}))
        self.rng, self.terms = random.Random(seed), net.tables[0].terms
        self.keys = [table.me.key for table in net.tables]
        self.back = seats - 1
        self.honest = [n for n in range(seats) if n != LIAR]
        self.ready = [n for n in self.honest if n != self.back]
        self.sides = [AbsenceVoter(key, self.terms) for key in self.keys]
        self.here = [AT] * seats
        if has_signed:
            self.here[self.back] = PAST
        self.has_signed = has_signed
        self.disks: list[list[bytes]] = [[] for _ in self.keys]
        self.flying: list[tuple[int, bytes]] = []
        self.from_back = PartingPlace(self.terms.table, PLACE, HEAD, self.back)
        self.from_liar = PartingPlace(self.terms.table, PLACE, HEAD, LIAR)
        self.parsed: dict[bytes, AbsenceWord] = {}
        self.convicted = False

    def look(self, number: int) -> None:
        side = self.sides[number]
        side.advance(self.here[number])
        side.answer(self.here[number], lambda absent, says_so: absent != LIAR)
        self.convicted |= bool(side.contradictions)
        for effect in side.effects():
            if isinstance(effect, Persist):
                self.disks[number].append(effect.data)
            elif isinstance(effect, Send):
                self.flying += [(n, effect.payload) for n in self.honest if n != number]

    def hear(self, number: int, payload: bytes) -> None:
        side = self.sides[number]
        if payload not in self.parsed:
            self.parsed[payload] = side.parse(payload)
        side.receive(self.parsed[payload], self.here[number])
        self.look(number)

    def propose(self, number: int, where: PartingPlace) -> None:
        if self.here[number] is AT:
            self.sides[number].propose(where)
            self.look(number)

    def lie(self, number: int) -> None:
        """The liar shows one player a word of the round that this player is in, or its part."""
        side = self.sides[number]
        rounds = side.record.ready_players()
        for (where, round_), ready in rounds.items():
            if where != self.from_back:
                continue
            key, step = self.keys[LIAR], self.rng.choice((READY, READY, READY, PART, STAY))
            if step == PART and {*ready, LIAR} >= {*self.ready, LIAR}:
                sigs = {
                    n: say(self.keys[n], READY, where, n, round_).sig for n in (*self.ready, LIAR)
                }
                shown = tuple(sigs[n] for n in sorted(sigs))
                self.hear(number, say(key, PART, where, LIAR, round_, shown).encode())
            elif step != PART:
                self.hear(number, say(key, step, where, LIAR, round_).encode())

    def chaos(self, steps: int, lies: bool) -> None:
        for number in self.ready:
            self.propose(number, self.from_back)
        for _ in range(steps):
            number = self.rng.choice(self.ready)
            match self.rng.choice(("hear", "hear", "hear", "wish", "stop", "lie", "send", "sign")):
                case "hear" if self.flying:
                    target, payload = self.flying.pop(self.rng.randrange(len(self.flying)))
                    if self.rng.random() < 0.8:
                        self.hear(target, payload)
                case "wish" if self.rng.random() < 0.5:
                    self.propose(number, self.from_liar)
                case "stop":
                    self.sides[number] = AbsenceVoter(self.keys[number], self.terms)
                    self.sides[number].restore(self.disks[number])
                case "lie" if lies and self.rng.random() < 0.3:
                    self.lie(number)
                case "send":
                    self.sides[number].resend()
                case "sign" if self.sides[number].blocked_from is None:
                    self.here[number] = PAST
            self.look(number)

    def settle(self) -> None:
        """The liar is silent, all words arrive, and all want to part from the liar."""
        for _ in range(8):
            for number in self.honest:
                self.sides[number].resend()
                self.look(number)
            while self.flying:
                self.hear(*self.flying.pop(0))

    def finish(self) -> None:
        self.settle()
        for number in self.honest:
            self.propose(number, self.from_liar)
        self.settle()

    def outcome(self) -> str:
        """How it ends for all honest players together; an AssertionError if not for all alike."""
        parts = {n: self.sides[n].record.part for n in self.honest}
        wheres = {part.place for part in parts.values() if part is not None}
        assert len(wheres) < 2
        if self.from_back in wheres:
            assert all(parts[n] is not None for n in self.ready)
            return "bound"
        held = [n for n in self.honest if self.sides[n].is_held]
        if wheres:
            assert all(parts.values()) and not self.has_signed
            return "parted from the liar"
        assert not held
        return "free"


CASES = [(seats, signed) for seats in PRESETS for signed in (False, True)]


@pytest.mark.parametrize(("seats", "has_signed"), CASES)
def test_a_silent_player_holds_nobody(seats: int, has_signed: bool) -> None:
    """It says nothing at all: the others part from it, or are free to take the entry."""
    outcomes = set()
    for seed in range(12):
        table = Returned(seed, seats, has_signed)
        table.chaos(60, lies=False)
        table.finish()
        assert not table.convicted
        outcomes.add(table.outcome())
    assert "bound" not in outcomes
    assert outcomes >= ({"free"} if has_signed else {"parted from the liar"})


@pytest.mark.parametrize(("seats", "has_signed"), CASES)
def test_whatever_it_says_to_some_the_others_end_alike(seats: int, has_signed: bool) -> None:
    """It may bind them all by its late *ready*, but never only some of them."""
    outcomes = set()
    for seed in range(36):
        table = Returned(seed, seats, has_signed)
        table.chaos(60, lies=True)
        table.finish()
        if not table.convicted:
            outcomes.add(table.outcome())
    assert {"bound", "free"} <= outcomes


class Two:
    """Two of four who are ready to part from the player who is back; the liar is silent. Both have
    left the proposal open, and have not heard each other."""

    def __init__(self) -> None:
        self.table = Returned(1, 4, has_signed=True)
        for number in (0, 2):
            self.table.propose(number, self.table.from_back)
        self.table.settle()
        for number in (0, 2):
            self.table.propose(number, self.table.from_liar)
        self.said = {n: [p for to, p in self.table.flying if to == 2 - n] for n in (0, 2)}
        self.table.flying.clear()

    def tell(self, target: int) -> None:
        """One hears what the other has said, and says what follows from it to nobody."""
        for payload in self.said[2 - target]:
            self.table.hear(target, payload)
        self.table.flying.clear()

    def show_part(self, target: int, author: int) -> None:
        """Somebody shows a part with everybody's *ready*, the liar's among them."""
        keys, where = self.table.keys, self.table.from_back
        shown = tuple(say(keys[n], READY, where, n).sig for n in (0, 1, 2))
        self.table.hear(target, say(keys[author], PART, where, author, 0, shown).encode())

    def side(self, number: int) -> AbsenceVoter:
        return self.table.sides[number]


def test_the_silent_players_part_alone_binds_nobody_who_has_left_the_proposal_open() -> None:
    two = Two()
    two.show_part(0, LIAR)
    assert not two.side(0).is_bound and two.side(0).is_held
    two.show_part(0, 2)
    assert two.side(0).is_bound


def test_one_is_free_only_when_the_other_has_given_up_too() -> None:
    two = Two()
    two.tell(0)
    assert two.side(0).is_held
    two.show_part(0, 2)
    assert not two.side(0).is_bound and two.side(0).is_held


def test_a_word_that_was_lost_is_said_again_to_a_player_who_is_still_held() -> None:
    two = Two()
    two.tell(0)
    two.tell(2)
    two.side(0).resend()
    two.table.look(0)
    again, two.table.flying = two.table.flying, []
    for target, payload in again:
        two.table.hear(target, payload)
    two.table.settle()
    assert not two.side(2).is_held and not two.side(0).is_held


def test_one_who_is_free_answers_one_who_is_still_held() -> None:
    """All that it is told is lost. It says its *ready* again."""
    two = Two()
    two.tell(0)
    two.tell(2)
    two.side(2).resend()
    two.table.look(2)
    for target, payload in two.table.flying:
        if target != 2:
            two.table.hear(target, payload)
    two.table.flying.clear()
    assert not two.side(0).is_held and two.side(2).is_held
    two.table.settle()
    assert not two.side(2).is_held


def test_words_on_disk_hold_after_a_restart() -> None:
    """It binds nobody who has given up, and holds until the other gives up."""
    two = Two()
    two.tell(0)
    again = two.table.sides[0] = AbsenceVoter(two.table.keys[0], two.table.terms)
    again.restore(two.table.disks[0])
    two.show_part(0, 2)
    assert again.is_held and not again.is_bound


def test_a_proposal_that_was_given_up_can_be_made_again() -> None:
    """The player who was back has left once more, and the silent one answers now."""
    two = Two()
    two.tell(0)
    two.tell(2)
    two.table.settle()
    assert not two.side(0).is_held and not two.side(2).is_held
    for number in (0, 2):
        two.table.propose(number, two.table.from_back)
    two.table.settle()
    assert two.side(0).is_held and two.side(2).is_held
    (ballot,) = two.side(0).record.open
    answer = say(two.table.keys[LIAR], READY, ballot.place, LIAR, ballot.round).encode()
    two.table.hear(0, answer)
    two.table.hear(2, answer)
    two.table.settle()
    assert two.side(0).is_bound and two.side(2).is_bound
