"""One player's side of an absence vote, rule by rule (SPEC.md, "Leaving for good"). Whole votes, in
any order and with liars, are in test_parting.py and test_giving_up.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.absence_vote import (
    MAX_ROUND,
    PART,
    READY,
    STAY,
    AbsenceWord,
    Ballot,
    PartingPlace,
    parse_word,
    say,
)
from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.absence_voter import PARTING, ROUNDS, AbsenceVoter
from p2p304.table.absence.certificate import Certificate, parse_certificate
from p2p304.table.absence.vote_record import LogPosition
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet

NET = simnet.make(1, rules=preset("pagat").override({"away": "replace"}))
TERMS, KEYS = NET.tables[0].terms, [table.me.key for table in NET.tables]
ME, SECOND, THIRD, ABSENT = range(4)
PRESENT = (ME, SECOND, THIRD)
PLACE = PartingPlace(TERMS.table, 9, b"h" * 32, ABSENT)
FROM_THIRD = replace(PLACE, absent=THIRD)
AT = LogPosition(9, PLACE.head, b"b" * 32, 9, 9)
PAST = LogPosition(10, b"n" * 32, PLACE.head, 10, 9)
"""This node has signed place 9, which is not settled."""


def word(step: str, author: int, round_: int = 0, place: PartingPlace = PLACE) -> AbsenceWord:
    present = [n for n in range(4) if n != place.absent] if step == PART else []
    readies = tuple(say(KEYS[n], READY, place, n, round_).sig for n in present)
    return say(KEYS[author], step, place, author, round_, readies)


READY_TO_PART = [word(READY, n) for n in PRESENT]
PARTS = [word(PART, n) for n in PRESENT]


class Player:
    """A player who is linked with all but some, and what it has said and persisted."""

    def __init__(self, number: int = ME, absent: tuple[int, ...] = (ABSENT,)) -> None:
        self.number, self.absent, self.here = number, absent, AT
        self.voter = AbsenceVoter(KEYS[number], TERMS)
        self.sent: list[AbsenceWord] = []
        self.disk: list[bytes] = []

    def status(self) -> str:
        if self.voter.is_bound:
            return "bound"
        return "held" if self.voter.is_held else "free"

    def drain(self) -> list[AbsenceWord]:
        """Carry out the effects; return the words just sent. Each own one is on disk by then."""
        said = []
        for effect in self.voter.effects():
            if isinstance(effect, Persist):
                assert effect.name == PARTING
                self.disk.append(effect.data)
            else:
                assert isinstance(effect, Send) and effect.peer is None
                assert effect.kind is FrameKind.PART
                said.append(parse_word(effect.payload))
                assert said[-1].author != self.number or effect.payload in self.disk
        return said

    def propose(self, place: PartingPlace = PLACE) -> list[AbsenceWord]:
        self.voter.propose(place)
        return self.drain()

    def hear(self, *words: AbsenceWord) -> list[AbsenceWord]:
        for each in words:
            self.voter.receive(self.voter.parse(each.encode()), self.here)
        return self.drain()

    def answer(self) -> list[AbsenceWord]:
        self.voter.answer(self.here, lambda player, own: own or player not in self.absent)
        return self.drain()

    def resend(self) -> list[AbsenceWord]:
        self.voter.resend()
        return self.drain()

    def move(self, here: LogPosition) -> None:
        self.here = here
        self.voter.advance(here)

    def restarted(self) -> Player:
        again = Player(self.number, self.absent)
        again.disk = [*self.disk]
        again.voter.restore(again.disk)
        assert again.drain() == []
        return again


def bound() -> Player:
    one = Player()
    one.propose()
    one.hear(*READY_TO_PART)
    assert one.status() == "bound"
    return one


# Held, free, bound


def test_a_player_who_is_ready_is_held_before_that_place_also_after_a_restart() -> None:
    one = Player()
    assert one.voter.blocked_from is None and one.status() == "free"
    assert one.propose() == [READY_TO_PART[ME]]
    for each in (one, one.restarted()):
        assert each.status() == "held" and each.voter.blocked_from == 9
    assert one.propose() == [READY_TO_PART[ME]] and len(one.disk) == 1


def test_anothers_stay_frees_and_is_passed_on_and_the_next_proposal_is_a_later_round() -> None:
    one, stay = Player(), word(STAY, SECOND)
    one.propose()
    assert one.voter.receive(stay, AT) == stay and one.drain() == [stay]
    assert one.status() == "free" and one.voter.blocked_from is None
    assert one.hear(word(READY, THIRD, 1)) == [], "the proposal is over"
    assert one.hear(stay) == [] and one.voter.ready_without(ABSENT) == (THIRD,)
    one.hear(word(STAY, SECOND, 1))
    assert one.propose() == [word(READY, ME, 2)]
    one.propose(FROM_THIRD)
    assert one.voter.receive(word(STAY, SECOND, 2), AT) is not None
    one.drain()
    on = word(READY, ME, 1, FROM_THIRD)
    assert one.status() == "held" and one.hear(word(READY, SECOND, 1, FROM_THIRD)) == [on]


def test_the_absent_players_stay_alone_frees_nobody() -> None:
    one = Player()
    one.propose()
    assert one.hear(word(STAY, ABSENT)) == [] and one.status() == "held"


def test_once_all_are_ready_a_player_signs_its_part_and_shows_every_ready() -> None:
    one = Player()
    one.propose()
    one.hear(READY_TO_PART[SECOND])
    assert one.status() == "held" and one.voter.ready_without(ABSENT) == (ME, SECOND)
    assert one.hear(READY_TO_PART[THIRD]) == [PARTS[ME]]
    for each in (one, one.restarted()):
        assert each.voter.is_bound and not each.voter.is_held and each.voter.blocked_from == 9
        assert each.propose() == [] == each.propose(FROM_THIRD)
        assert each.hear(*READY_TO_PART) == [] == each.answer()
        each.move(replace(PAST, settled=9))
        assert each.voter.blocked_from == 9
        each.voter.note_signature(9)
        assert each.status() == "bound" and each.resend() == [PARTS[ME]]


def test_who_agrees_last_signs_its_part_at_once() -> None:
    one = Player()
    one.hear(READY_TO_PART[SECOND], READY_TO_PART[THIRD])
    assert one.propose() == [READY_TO_PART[ME], PARTS[ME]]


def test_who_sees_anothers_part_has_everybodys_ready_and_does_the_same() -> None:
    one = Player()
    one.propose()
    assert one.hear(PARTS[SECOND]) == [PARTS[SECOND], PARTS[ME]]
    assert one.hear(PARTS[SECOND]) == [], "it is passed on once"


def test_a_lost_ready_that_anothers_part_shows_holds_again() -> None:
    one = Player()
    assert one.hear(PARTS[SECOND]) == [PARTS[SECOND], PARTS[ME]]
    gone_on = Player()
    gone_on.move(PAST)
    assert gone_on.hear(PARTS[SECOND]) == [PARTS[SECOND]] and gone_on.status() == "free"


def test_own_words_from_others_change_nothing() -> None:
    one = Player()
    assert one.hear(READY_TO_PART[ME]) == [] and one.status() == "free"


def test_a_signature_that_peers_show_releases_at_its_place_and_before() -> None:
    for seq, held in ((8, True), (9, False), (10, False)):
        one = Player()
        one.propose()
        one.voter.note_signature(seq)
        assert one.status() == ("held" if held else "free")


# The certificate


@pytest.mark.parametrize("number", [ME, ABSENT])
def test_all_parts_are_the_certificate_and_are_sent_to_all(number: int) -> None:
    one = Player(number, absent=())
    if number == ME:
        one.propose()
        assert one.voter.parts() == []
    heard = [part for part in PARTS if part.author != number]
    one.hear(heard[0])
    assert one.voter.certificate is None
    last = one.hear(*heard[1:])
    assert all(part in last for part in PARTS)
    whole = Certificate(tuple(PARTS))
    for each in (one, one.restarted()):
        assert each.voter.certificate == whole and each.voter.is_bound and not each.voter.is_held
        assert each.voter.blocked_from == 9 and set(each.voter.parts()) == set(PARTS)
        assert each.resend() == PARTS
        assert each.hear(READY_TO_PART[SECOND], word(STAY, SECOND, 1)) == [] == each.answer()
        assert not each.voter.contradictions
    assert parse_certificate(one.disk[-1], TERMS) == whole


def test_after_the_end_another_part_or_a_stay_in_a_round_of_it_is_a_contradiction() -> None:
    one = bound()
    one.hear(PARTS[SECOND], word(PART, THIRD, 1))
    one.move(replace(PAST, settled=20))
    stays = word(STAY, SECOND), word(STAY, THIRD, 1)
    for number, false in enumerate((word(PART, SECOND, 0, FROM_THIRD), *stays), 1):
        one.hear(false)
        assert len(one.voter.contradictions) == number


def test_a_word_that_its_author_has_not_signed_is_refused() -> None:
    false = replace(word(READY, SECOND), author=THIRD)
    with pytest.raises(Refused, match="L03"):
        Player().hear(false)


def test_two_words_that_contradict_each_other_are_noted() -> None:
    one = Player()
    one.hear(word(READY, SECOND), word(READY, THIRD), word(STAY, SECOND))
    (evidence,) = one.voter.contradictions
    assert {evidence.first, evidence.second} == {
        word(READY, SECOND).encode(),
        word(STAY, SECOND).encode(),
    }


# Settled places


def test_a_word_for_a_settled_place_is_refused_unless_it_may_just_be_late() -> None:
    one = Player()
    for settled, step, refused in (
        (9, PART, False),
        (10, PART, True),
        (10, READY, False),
        (9 + 8, STAY, False),
        (10 + 8, STAY, True),
    ):
        one.here = replace(AT, settled=settled)
        if refused:
            with pytest.raises(Refused, match="E04"):
                one.hear(word(step, SECOND))
        elif settled > 9:
            one.hear(word(step, SECOND))
            assert one.voter.record.of(SECOND) == ()
    one.here = AT
    one.hear(word(READY, SECOND))
    one.move(PAST)
    assert one.voter.record.of(SECOND)
    one.move(replace(PAST, settled=10))
    assert not one.voter.record.of(SECOND)


def test_what_is_known_of_the_end_is_kept_however_far_play_goes_on() -> None:
    one = bound()
    one.hear(*PARTS, word(PART, ABSENT, 0, FROM_THIRD))
    one.move(replace(PAST, seq=30, signed=30, settled=30))
    assert one.resend() == PARTS and set(one.voter.parts()) >= set(PARTS)
    assert one.voter.record.words(PART)


# Answering


def test_a_ready_is_answered_by_who_is_linked_with_the_absent_player() -> None:
    for absent, answers in (((ABSENT,), []), ((), [word(STAY, ME)])):
        one = Player(absent=absent)
        one.hear(READY_TO_PART[SECOND])
        assert one.answer() == answers and one.answer() == []
        assert [parse_word(raw) for raw in one.disk] == answers
        assert one.status() == "free"


def test_a_ready_is_answered_by_who_has_signed_the_place() -> None:
    for here, answers in (
        (PAST, 1),
        (replace(PAST, before=b"x" * 32), 0),
        (replace(PAST, signed=9), 0),
        (replace(AT, head=b"x" * 32), 0),
    ):
        one = Player(absent=(ABSENT,) if here is PAST else ())
        one.hear(READY_TO_PART[SECOND])
        one.move(here)
        assert len(one.answer()) == answers


def test_who_wants_to_part_or_is_held_says_no_stay_in_a_round_of_that_proposal() -> None:
    one = Player(absent=())
    one.propose()
    one.hear(word(STAY, THIRD), word(READY, SECOND))
    assert one.answer() == [], "said in one round: ready"
    two = Player(absent=())
    two.propose()
    two.hear(word(READY, SECOND, 3))
    again = two.restarted()
    again.hear(word(READY, SECOND, 5))
    assert again.answer() == [] and again.status() == "held"


def test_a_proposal_that_came_to_nothing_at_its_place_is_no_longer_wanted() -> None:
    for here, wanted in ((AT, True), (PAST, False)):
        one = Player()
        one.propose()
        one.move(here)
        one.move(replace(AT, signed=10))
        said = one.hear(word(READY, SECOND, 1))
        assert said == ([word(READY, ME, 1)] if wanted else [])


def test_the_absent_players_own_stay_is_forwarded_once_where_somebody_is_ready() -> None:
    one, own = Player(), word(STAY, ABSENT)
    one.hear(own)
    assert one.answer() == [], "nobody is ready"
    one.propose()
    assert one.answer() == [own] and one.answer() == []
    one.move(AT)
    assert one.answer() == []
    for elsewhere in (replace(PLACE, head=b"x" * 32), replace(PLACE, seq=10)):
        one.hear(word(STAY, ABSENT, 0, elsewhere), word(READY, SECOND, 0, elsewhere))
        assert one.answer() == []
    one.move(PAST)
    assert not one.voter._forwarded, "nothing is kept for places that are past"


def test_the_absent_players_own_stay_tells_who_has_no_link_to_it_that_it_is_there() -> None:
    one = Player()
    one.hear(word(STAY, ABSENT), READY_TO_PART[SECOND])
    assert one.answer() == [word(STAY, ABSENT), word(STAY, ME)]
    other = Player()
    other.hear(word(STAY, SECOND), READY_TO_PART[THIRD])
    assert other.answer() == []


def test_the_absent_player_answers_too_and_forwards_nothing() -> None:
    one = Player(ABSENT, absent=())
    one.hear(READY_TO_PART[SECOND])
    assert one.answer() == [word(STAY, ABSENT)] and one.answer() == []
    assert one.hear(READY_TO_PART[THIRD]) == [word(STAY, ABSENT)]


# Rounds


def test_a_proposal_goes_on_in_a_round_that_another_player_begins() -> None:
    one = Player()
    one.propose()
    assert one.hear(word(READY, SECOND, 3)) == [word(READY, ME, 3)]
    assert one.restarted().hear(word(READY, SECOND, 4)) == []


def test_a_player_begins_and_joins_rounds_up_to_the_last_but_two() -> None:
    one = Player()
    one.propose()
    assert one.hear(word(READY, SECOND, ROUNDS)) == [] and one.status() == "held"
    assert one.hear(word(READY, THIRD, ROUNDS - 1)) == []
    other = Player()
    other.hear(word(READY, SECOND, ROUNDS - 1))
    assert other.propose() == [word(READY, ME, ROUNDS - 1)] and ROUNDS == MAX_ROUND - 2
    other.hear(word(STAY, THIRD, ROUNDS - 1))
    with pytest.raises(LookupError):
        other.propose()
    assert other.status() == "free"


# Repeating


def test_a_held_player_repeats_its_ready_and_what_gives_the_proposal_up() -> None:
    one = Player()
    one.propose()
    first = [word(STAY, ME, 1), word(READY, ME, 0, FROM_THIRD)]
    assert one.propose(FROM_THIRD) == first
    assert one.resend() == [word(READY, ME), *first] or one.resend() == [
        first[1],
        word(READY, ME),
        first[0],
    ]
    assert one.propose(FROM_THIRD) == first[1:], "it is left open once"


def test_a_ready_of_a_round_that_was_ended_is_answered_again_once_in_a_while() -> None:
    one, stay = Player(absent=()), word(STAY, SECOND)
    resent = []
    for each in (stay, READY_TO_PART[THIRD], READY_TO_PART[THIRD], word(READY, THIRD, 1)):
        resent.append((one.hear(each), one.voter.has_resent))
    assert resent == [([], False), ([stay], True), ([], True), ([], True)]
    assert one.resend() == []
    for each in (word(READY, THIRD, 1), READY_TO_PART[THIRD]):
        resent.append((one.hear(each), one.voter.has_resent))
    assert resent[4:] == [([], False), ([stay], True)]


def test_who_has_given_a_round_up_answers_its_ready_with_that() -> None:
    one = Player()
    one.propose()
    one.propose(FROM_THIRD)
    one.resend()
    assert one.hear(READY_TO_PART[SECOND]) == [word(STAY, ME, 1)]
    stranger = Player(absent=())
    stranger.hear(word(READY, THIRD, 1))
    stranger.answer()
    assert stranger.hear(READY_TO_PART[SECOND]) == [], "it was never ready in that round"


# Giving a proposal up


def left_open() -> Player:
    one = Player()
    one.propose()
    one.propose(FROM_THIRD)
    return one


def test_who_has_left_a_proposal_open_is_bound_by_anothers_part_alone() -> None:
    one = left_open()
    one.hear(*READY_TO_PART)
    assert one.status() == "held"
    one.hear(PARTS[THIRD])
    assert one.status() == "held", "the silent player's part does not count"
    one.hear(PARTS[SECOND])
    assert one.status() == "bound" and one.voter.blocked_from == 9


def test_the_second_stay_follows_the_first_one_of_all_but_the_silent_player() -> None:
    one = left_open()
    assert one.hear(word(STAY, THIRD, 1)) == []
    assert one.hear(word(STAY, SECOND, 1)) == [word(STAY, ME, 2)]
    assert one.hear(word(STAY, THIRD, 2)) == []
    one.hear(PARTS[SECOND])
    assert one.status() == "held" and Ballot(PLACE, 0) in one.voter.record.open
    second = word(STAY, SECOND, 2)
    assert one.voter.receive(second, AT) == word(STAY, SECOND, 1)
    assert Ballot(PLACE, 0) not in one.voter.record.open
    assert sorted(w.author for w in one.drain()) == [ME, ME, SECOND, SECOND, THIRD, THIRD]


def test_a_player_who_is_ready_again_does_not_give_up() -> None:
    one = left_open()
    one.hear(word(READY, SECOND, 2))
    one.propose()
    assert Ballot(PLACE, 2) in one.voter.record.open
    said = one.hear(word(STAY, SECOND, 3))
    assert [each for each in said if each.place == PLACE and each.author == ME] == []


def test_who_is_the_last_to_leave_a_proposal_open_is_free_at_once() -> None:
    one = Player()
    one.propose()
    one.hear(word(STAY, SECOND, 1), word(STAY, SECOND, 2))
    one.propose(FROM_THIRD)
    assert one.voter.record.open == {Ballot(FROM_THIRD, 0)}


def test_at_a_table_for_three_it_is_free_at_once_also_after_a_restart() -> None:
    terms = simnet.make(1, rules=preset("online-3").override({"away": "replace"})).tables[0].terms
    one, disk = AbsenceVoter(KEYS[ME], terms), []
    gone, silent = (PartingPlace(terms.table, 9, PLACE.head, absent) for absent in (2, 1))
    for place in (gone, silent):
        one.propose(place)
        disk += [effect.data for effect in one.effects() if isinstance(effect, Persist)]
    again = AbsenceVoter(KEYS[ME], terms)
    again.restore(disk)
    assert one.record.open == again.record.open == {Ballot(silent, 0)}


def test_the_second_stay_may_be_in_the_last_round_and_not_after_it() -> None:
    one = Player()
    one.propose()
    one.hear(word(READY, SECOND, ROUNDS - 1))
    assert word(STAY, ME, ROUNDS) in one.propose(FROM_THIRD)
    assert word(STAY, ME, MAX_ROUND - 1) in one.hear(word(STAY, SECOND, ROUNDS))


def test_a_lost_ready_is_not_given_up_where_all_rounds_are_used() -> None:
    one = Player(absent=())
    one.hear(word(READY, SECOND, MAX_ROUND - 1))
    assert one.answer() == [word(STAY, ME, MAX_ROUND - 1)]
    one.propose(FROM_THIRD)
    assert one.hear(PARTS[THIRD]) == [PARTS[THIRD]]
    assert one.hear(word(STAY, SECOND, ROUNDS)) == []
    assert one.voter.record.open == {Ballot(PLACE, 0), Ballot(FROM_THIRD, 0)}
