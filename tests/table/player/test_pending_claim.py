"""A pending claim alone: when a receipt waits, when a search begins, and what a receipt carries."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p304.rules.caps.knowledge import CapsError
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import card
from p2p304.rules.play import claims
from p2p304.rules.state.hand import Phase
from p2p304.table.player import pending_claim
from p2p304.table.player.pending_claim import LONGEST_SEARCH, SEARCH_AFTER, PendingClaim, Search
from p2p304.table.transition.phases import Duty
from tests.support.table.paused import paused

ORDER = (card("JS"), card("9S"))
CAPS, SPOILT = acts.Caps(2, ORDER), acts.Spoilt(2)
SIGNED = cast(Any, object())


class Player:
    """Player 1 on seat 2 of a plain table, whose side may have to call Caps as ``due`` says."""

    def __init__(
        self, patch: pytest.MonkeyPatch, pause: float = 0.0, calls: bool = False, help_: str = "off"
    ) -> None:
        self.due = self.may = True
        self.hand = SimpleNamespace(caps=None, trick=None, tricks=[1], turn=0)
        self.state: Any = SimpleNamespace(number=1, hand=self.hand, seat_of=lambda player: 2)
        rules = SimpleNamespace(caps=help_)
        self.replica = SimpleNamespace(
            terms=SimpleNamespace(rules=rules), state=self.state, seat_of=lambda player: player + 1
        )
        patch.setattr(claims, "may_be_due", lambda hand, seat: self.due and seat == 2)
        patch.setattr(claims, "may_make", lambda hand, seat, name: self.may and seat == 2)
        patch.setattr(pending_claim, "own_knowledge", lambda state, seat, secrets: self.knowledge)
        patch.setattr(pending_claim, "find_order", self._find)
        self.knowledge: Any = "what seat 2 knows"
        self.found: tuple[Any, ...] | None = ORDER
        me = SimpleNamespace(player=1, secrets=None)
        self.claim = PendingClaim(cast(Any, me), cast(Any, self.replica), pause, calls)

    def _find(self, knowledge: object) -> tuple[Any, ...] | None:
        assert knowledge == self.knowledge
        if self.found is None:
            raise CapsError("no")
        return self.found


@pytest.fixture
def patch() -> Any:
    with pytest.MonkeyPatch.context() as made:
        yield made


# What a receipt carries


@pytest.mark.parametrize(("action", "name"), [(CAPS, "caps"), (SPOILT, "spoilt")])
def test_a_receipt_carries_the_claim_that_the_player_asked_for_while_it_may_be_made(
    patch: pytest.MonkeyPatch, action: acts.Claim, name: str
) -> None:
    player = Player(patch)
    assert player.claim.for_receipt() is None
    player.claim.request(action)
    assert player.claim.for_receipt() == name
    player.may = False
    assert player.claim.for_receipt() is None
    player.may = True
    player.state.hand = None
    assert player.claim.for_receipt() is None


@pytest.mark.parametrize("why", ["another hand", "no hand", "no table", "called"])
def test_a_claim_is_dropped_with_its_hand_or_once_caps_is_called(
    patch: pytest.MonkeyPatch, why: str
) -> None:
    for action in (CAPS, SPOILT):
        player = Player(patch)
        player.claim.request(action)
        player.claim.on_entry(5, 0.0)
        assert player.claim.for_receipt() is not None
        match why:
            case "another hand":
                player.state.number = 2
            case "no hand":
                player.state.hand = None
            case "no table":
                player.replica.state = None
            case "called":
                player.hand.caps = "a call"
        player.claim.on_entry(6, 0.0)
        player.state.number, player.state.hand, player.replica.state = 1, player.hand, player.state
        kept = why == "called" and action is SPOILT
        assert (player.claim.for_receipt() is not None) == kept


def test_a_claim_is_made_with_the_floor_once(patch: pytest.MonkeyPatch) -> None:
    player = Player(patch)
    player.claim.request(CAPS)
    other, floor = Duty(1, 2, ("say",), False), Duty(1, 2, ("caps",), False)
    assert player.claim.take(player.state, other) is None
    assert player.claim.take(player.state, floor) == CAPS
    player.found = ORDER[::-1]
    assert player.claim.take(player.state, floor) == acts.Caps(2, ORDER[::-1])
    assert player.claim.take(player.state, Duty(1, 2, ("spoilt",), False)) == SPOILT


def test_a_call_that_was_forgotten_names_any_order_where_none_is_found() -> None:
    _, table = paused(Phase.PLAY)
    claim = PendingClaim(table.me, table.replica, 0.0, False)
    state = table.state
    assert state is not None
    action = claim.take(state, Duty(table.me.player, table.seat, ("caps",), False))
    view = table.view
    held = view.cards if view.indicator is None else view.cards | {view.indicator}
    assert isinstance(action, acts.Caps) and set(action.order) == held
    assert action.seat == table.seat and len(action.order) == len(held)


# The search


@pytest.mark.parametrize(
    ("calls", "help_", "due", "asked", "searches"),
    [
        (True, "off", True, False, True),
        (True, "off", False, False, False),
        (True, "off", True, True, False),
        (False, "off", True, False, False),
        (False, "assist", True, False, True),
        (False, "assist", True, True, True),
        (False, "assist", False, False, False),
    ],
)
def test_a_search_begins_where_a_program_looks_for_a_call_that_may_be_due(
    patch: pytest.MonkeyPatch, calls: bool, help_: str, due: bool, asked: bool, searches: bool
) -> None:
    player = Player(patch, calls=calls, help_=help_)
    player.due = due
    if asked:
        player.claim.request(CAPS)
    player.claim.on_entry(7, 100.0)
    assert player.claim.searching == (7 if searches else None)
    assert player.claim.search_at == (100.0 + SEARCH_AFTER if searches else math.inf)
    assert player.claim.must_wait == (calls and searches)
    search = player.claim.search
    assert (search is not None) == searches
    if search is not None:
        assert search.place == 7 and search.order() == ORDER and "knows" not in repr(search)


def test_an_order_is_none_where_nothing_is_known_or_found(patch: pytest.MonkeyPatch) -> None:
    player = Player(patch, calls=True)
    player.claim.on_entry(7, 0.0)
    player.found = None
    assert player.claim.search is not None and player.claim.search.order() is None
    assert Search(7, None).order() is None
    player.replica.state = None
    assert player.claim.search is None


def test_a_game_without_caps_knows_nothing_that_matters(patch: pytest.MonkeyPatch) -> None:
    player = Player(patch, calls=True)
    player.claim.on_entry(7, 0.0)

    def none(*args: object) -> None:
        raise CapsError("no Caps here")

    patch.setattr(pending_claim, "own_knowledge", none)
    assert player.claim.search == Search(7, None)


@pytest.mark.parametrize("calls", [False, True])
def test_what_was_found_is_claimed_by_a_program_that_calls_by_itself(
    patch: pytest.MonkeyPatch, calls: bool
) -> None:
    player = Player(patch, calls=calls, help_="assist")
    player.claim.on_entry(7, 0.0)
    player.claim.finish_search(None)
    assert player.claim.for_receipt() is None
    assert player.claim.searching is None and player.claim.search_at == math.inf
    player.claim.finish_search(ORDER)
    assert player.claim.for_receipt() == ("caps" if calls else None)
    if calls:
        player.claim.finish_search(ORDER[::-1])
        assert player.claim.take(player.state, Duty(1, 2, ("caps",), False)) == CAPS
        player.claim.request(SPOILT)
        player.claim.finish_search(ORDER)
        assert player.claim.for_receipt() == "spoilt"


# A receipt that waits


def test_a_receipt_waits_while_a_person_may_think_of_caps(patch: pytest.MonkeyPatch) -> None:
    player = Player(patch, pause=2.0)
    assert player.claim.hold_until == math.inf and player.claim.take_held() is None
    assert player.claim.hold_receipt(SIGNED, 10.0) and player.claim.hold_until == 12.0
    assert player.claim.take_held() is SIGNED
    assert player.claim.take_held() is None and player.claim.hold_until == math.inf


@pytest.mark.parametrize(
    "why", ["no pause", "asked", "no hand", "in a trick", "no trick yet", "leads", "not due"]
)
def test_a_receipt_is_given_at_once_where_there_is_nothing_to_think_of(
    patch: pytest.MonkeyPatch, why: str
) -> None:
    player = Player(patch, pause=0.0 if why == "no pause" else 2.0)
    match why:
        case "asked":
            player.claim.request(CAPS)
        case "no hand":
            player.state.hand = None
        case "in a trick":
            player.hand.trick = "cards"
        case "no trick yet":
            player.hand.tricks = []
        case "leads":
            player.hand.turn = 2
        case "not due":
            player.due = False
    assert not player.claim.hold_receipt(SIGNED, 10.0)
    assert player.claim.hold_until == math.inf and player.claim.take_held() is None


def test_a_receipt_waits_for_a_search_and_not_for_ever(patch: pytest.MonkeyPatch) -> None:
    player = Player(patch, calls=True)
    assert not player.claim.hold_receipt(SIGNED, 10.0)
    player.claim.on_entry(7, 10.0)
    assert player.claim.hold_receipt(SIGNED, 10.0)
    assert player.claim.hold_until == 10.0 + LONGEST_SEARCH == 20.0
