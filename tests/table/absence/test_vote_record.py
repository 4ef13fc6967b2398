"""What the words of an absence vote say about its rounds: who is ready, which rounds are over, and
which of them hold a player (SPEC.md, "Leaving for good")."""

from __future__ import annotations

from dataclasses import replace

from p2p304.log.absence_vote import PART, READY, STAY, AbsenceWord, Ballot, PartingPlace
from p2p304.table.absence.vote_record import MAX_HEARD, LogPosition, VoteRecord

ME, SECOND, SILENT, ABSENT = range(4)
PLACE = PartingPlace(b"t" * 32, 9, b"h" * 32, ABSENT)
FROM_SILENT = replace(PLACE, absent=SILENT)
ELSEWHERE = replace(FROM_SILENT, head=b"x" * 32)
AT = LogPosition(9, PLACE.head, b"b" * 32, 9, 9)


def word(step: str, author: int, round_: int = 0, place: PartingPlace = PLACE) -> AbsenceWord:
    return AbsenceWord(step, place, author, bytes(64), round_)


def record(*words: AbsenceWord) -> VoteRecord:
    made = VoteRecord(ME, 4)
    for each in words:
        made.add(each)
    return made


def at(round_: int, place: PartingPlace = PLACE) -> Ballot:
    return Ballot(place, round_)


def test_an_own_ready_holds_and_an_own_part_binds_for_good() -> None:
    made = record(word(READY, SECOND), word(STAY, ME, 1))
    assert made.open == set() and made.part is None
    made.add(word(READY, ME))
    assert made.open == {at(0)} and made.part is None
    made.add(word(PART, SECOND))
    assert made.open == {at(0)} and made.part is None
    bound = record(*made.of(ME), word(PART, ME))
    assert bound.open == set() and bound.part == word(PART, ME)
    bound.add(word(READY, ME, 5))
    assert bound.open == set()


def test_a_ready_beside_an_own_stay_of_that_round_holds_nobody() -> None:
    assert record(word(STAY, ME), word(READY, ME)).open == set()


def test_own_words_are_kept_and_of_each_other_player_the_newest() -> None:
    many = [
        word(STAY, author, n % 16, replace(PLACE, seq=9 + n // 16))
        for n in range(MAX_HEARD + 1)
        for author in (ME, SECOND)
    ]
    made = record(*many)
    assert len(made.of(ME)) == 65 and len(made.of(SECOND)) == MAX_HEARD == 64
    assert made.of(SECOND) == tuple(w for w in many if w.author == SECOND)[1:]
    made.forget_before(11)
    assert {w.place.seq for n in (ME, SECOND) for w in made.of(n)} == {11, 12, 13}


def test_words_about_an_agreed_proposal_stay_however_many_others_follow() -> None:
    """More words than are kept of one player; its other words make room, the oldest first."""
    agreed = [word(READY, SECOND), word(STAY, SECOND, 1), word(PART, SECOND)]
    other = [word(READY, SECOND, n % 16, replace(ELSEWHERE, seq=9 + n // 16)) for n in range(200)]
    made = record(word(READY, ME), *other[:1], *agreed, *other[1:])
    assert made.of(SECOND) == (*agreed, *other[3 - MAX_HEARD :])
    made.forget_before(10)
    assert not set(agreed) & set(made.of(SECOND))


def test_own_rounds_and_words_are_found_by_step_and_place() -> None:
    words = word(READY, ME), word(STAY, ME, 1), word(PART, ME, 2), word(READY, SECOND, 3)
    made = record(*words, word(READY, SECOND, 0, FROM_SILENT))
    assert made.own() == {at(0), at(1)} and made.own(READY) == {at(0)}
    assert made.words(READY, PLACE) == [words[0], words[3]] and len(made.words(READY)) == 3
    assert made.latest_own(PLACE) == words[2] and made.present(PLACE) == [ME, SECOND, SILENT]


def test_the_stays_of_later_rounds_of_the_same_proposal_count_two_at_most() -> None:
    stays = [word(STAY, SECOND, n) for n in (1, 2, 3)]
    made = record(*stays, word(READY, SECOND, 4), word(STAY, SECOND, 4, FROM_SILENT))
    assert made.later_stays(at(0), SECOND) == stays[:2]
    assert made.later_stays(at(1), SECOND) == stays[1:]
    assert made.later_stays(at(3), SECOND) == [] == made.later_stays(at(0), SILENT)


def test_the_suspect_is_the_other_player_from_whom_this_one_was_last_ready_to_part_there() -> None:
    made = record(word(READY, ME), word(READY, ME, 0, ELSEWHERE))
    assert made.suspect(PLACE) is None
    made.add(word(STAY, ME, 0, replace(PLACE, absent=SECOND)))
    made.add(word(READY, SECOND, 0, FROM_SILENT))
    assert made.suspect(PLACE) is None
    made.add(word(READY, ME, 0, FROM_SILENT))
    assert made.suspect(PLACE) == SILENT and made.suspect(FROM_SILENT) == ABSENT
    made.add(word(READY, ME, 0, replace(PLACE, absent=SECOND)))
    assert made.suspect(PLACE) == SECOND and made.suspect(ELSEWHERE) is None


def test_a_stay_ends_its_round_unless_it_is_the_absent_players_own() -> None:
    words = word(READY, ME), word(READY, SECOND), word(STAY, ABSENT), word(READY, SILENT, 2)
    made = record(*words)
    assert made.stays() == {} and made.next_ballot(PLACE) == at(2)
    assert made.ready_players() == {at(0): [ME, SECOND], at(2): [SILENT]}
    made.add(word(STAY, SILENT))
    made.add(word(STAY, SECOND, 2))
    assert made.stays() == {at(0): word(STAY, SILENT), at(2): word(STAY, SECOND, 2)}
    assert made.ready_players() == {} and made.next_ballot(PLACE) == at(3)
    assert made.next_ballot(FROM_SILENT) == at(0, FROM_SILENT)


def test_a_round_is_given_up_once_all_but_one_have_said_two_later_stays() -> None:
    for first, second in ((ME, SECOND), (SECOND, ME)):
        made = record(word(READY, ME), word(READY, SECOND), word(READY, ME, 0, FROM_SILENT))
        for author, round_ in ((first, 1), (first, 2), (second, 1)):
            made.add(word(STAY, author, round_))
            assert not made.is_given_up(at(0)) and at(0) in made.ready_players()
            assert made.next_ballot(PLACE) == at(0)
        made.add(word(STAY, second, 2))
        assert made.is_given_up(at(0)) and at(0) not in made.ready_players()
        assert made.next_ballot(PLACE) == at(3)


def test_a_held_player_is_free_only_if_the_other_one_is_the_silent_one_or_itself() -> None:
    twice = [word(STAY, author, n) for author in (ME, SILENT) for n in (1, 2)]
    held = record(word(READY, ME), *twice, word(READY, ME, 0, FROM_SILENT))
    assert held.open == {at(0), at(0, FROM_SILENT)} and not held.is_given_up(at(0))
    held.release_before(10)
    assert held.open == set() and held.is_given_up(at(0))
    itself = [word(STAY, author, n) for author in (SECOND, SILENT) for n in (1, 2)]
    assert record(word(READY, ME), *itself).is_given_up(at(0))


def test_a_round_holds_until_the_player_has_signed_its_place() -> None:
    made = record(word(READY, ME))
    made.release_before(9)
    assert made.open == {at(0)}
    made.release_before(10)
    assert made.open == set()


def test_an_unanswered_round_lacks_those_who_are_not_ready_or_then_those_without_a_part() -> None:
    made = record(word(READY, ME), word(READY, SECOND))
    assert made.unanswered_rounds(AT) == [(at(0), frozenset({ME, SECOND}), frozenset({SILENT}))]
    made.add(word(PART, SILENT))
    both = frozenset({ME, SECOND})
    assert made.unanswered_rounds(AT) == [(at(0), both, both)]


def test_only_rounds_at_this_nodes_place_or_before_its_last_entry_count_as_unanswered() -> None:
    made = record(word(READY, ME))
    after = LogPosition(10, b"n" * 32, PLACE.head, 10, 10)
    assert made.unanswered_rounds(AT) == made.unanswered_rounds(after) != []
    for here in (
        replace(AT, head=b"n" * 32),
        replace(after, before=b"n" * 32),
        replace(after, seq=11),
        replace(AT, seq=8),
    ):
        assert made.unanswered_rounds(here) == []
