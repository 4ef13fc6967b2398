"""Games in which a player leaves in the middle of a hand, which is played out without them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from p2p304.rules.core import actions as acts
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.state.table import TableState
from p2p304.table.transition.phases import duty
from p2p304.table.transition.replay import Replay
from tests.support.table import simnet

RULES = preset("pagat").override({"away": "playout"})
SEEDS = (12,)
Moment = Callable[[TableState], int | None]
"""Who leaves in this state, as a player, or None."""


def whole(seed: int) -> simnet.Net:
    return simnet.make_closed(seed, rules=RULES)


@cache
def states(seed: int) -> tuple[TableState, ...]:
    """Every state of the game that nobody leaves, by place."""
    net = whole(seed)
    net.run()
    return tuple(replayed.state for replayed in Replay(net.transcripts[0]))


def left(moment: Moment) -> simnet.Net:
    """The first game that has such a moment, with a player leaving then."""
    who, place, seed = first_moment(moment)
    net = whole(seed)
    net.part(who, place + 1)
    return net


def left_then(game: Callable[[], simnet.Net], moment: Moment) -> simnet.Net:
    """A game in which the player leaves whom the moment names first, as soon as it names one."""
    whole = game()
    whole.run()
    for place, replayed in enumerate(Replay(whole.transcripts[0])):
        player = moment(replayed.state)
        if player is not None:
            net = game()
            net.part(player, place + 1)
            return net
    raise LookupError("nobody leaves this game")


def first_moment(moment: Moment) -> tuple[int, int, int]:
    """Who leaves, after which place, in the game of which seed."""
    for seed in SEEDS:
        for place, state in enumerate(states(seed)):
            who = moment(state)
            if who is not None:
                return who, place, seed
    raise LookupError("no game has such a moment")


def in_phase(phase: Phase, floor: bool = True) -> Moment:
    """Who has the floor in this phase leaves, or (not ``floor``) the next player."""

    def moment(state: TableState) -> int | None:
        due = duty(state)
        dealt = state.deal is not None and state.deal.cut is not None and not state.deal.batch
        if state.hand is None or state.hand.phase is not phase or due is None or not dealt:
            return None
        return due.player if floor else state.player_on((due.seat + 1) % state.seats)

    return moment


def writing(kind: str) -> Moment:
    """Who is to write an entry of this kind leaves, once cards are unlocked: before that there is
    nothing to play out."""

    def moment(state: TableState) -> int | None:
        due = duty(state)
        has_begun = state.deal is not None and state.deal.has_begun
        return due.player if due is not None and due.kinds == (kind,) and has_begun else None

    return moment


def of_maker(state: TableState) -> int | None:
    """The trump maker leaves when cards lie face down in a trick of closed trumps."""
    hand = state.hand
    if hand is None or hand.maker is None or hand.phase is not Phase.ANNOUNCE:
        return None
    return state.player_on(hand.maker) if hand.to_inspect else None


def of_cutting_maker(state: TableState) -> int | None:
    """The trump maker leaves when it has cut with the indicator, and has not yet said so."""
    hand = state.hand
    if hand is None or hand.maker is None or hand.phase is not Phase.ANNOUNCE:
        return None
    return state.player_on(hand.maker) if hand.tricks[-1].has_indicator else None


def of_maker_again(state: TableState) -> int | None:
    """The trump maker leaves when it was shown cards in an earlier trick, and is to be shown some
    again."""
    return of_maker(state) if state.deal is not None and state.deal.viewed else None


def of_second_inspected(state: TableState) -> int | None:
    """Who has a card face down leaves before another player has shown one."""
    hand = state.hand
    if hand is None or hand.phase is not Phase.ANNOUNCE or len(hand.to_inspect) < 2:
        return None
    return state.player_on(hand.to_inspect[1])


def of_inspected(state: TableState) -> int | None:
    """Who has a card face down leaves before showing it to the trump maker."""
    hand = state.hand
    if hand is None or hand.phase is not Phase.ANNOUNCE or not hand.to_inspect:
        return None
    return state.player_on(hand.to_inspect[0])


def twice_reordered(rules: Options = RULES, seed: int = 2) -> simnet.Net:
    """The first trump maker is outbid, takes its indicator back and re-orders its hand again; the
    second plays closed trumps."""
    net = simnet.make(seed, 1, rules)

    def choose(view: View) -> acts.Action:
        options, hand = legal(view), view.hand
        bids = [a for a in options if isinstance(a, acts.Bid)]
        first = hand.phase is Phase.BID4 and view.seat == hand.leader
        second = hand.phase is Phase.BID8 and view.seat == (hand.leader + 1) % 4
        if bids and (first or second):
            return min(bids, key=lambda bid: bid.amount)
        wanted = [a for a in options if isinstance(a, acts.Closed | acts.Pass)]
        shy = [a for a in options if not isinstance(a, acts.Open | acts.Redeal | acts.Ask)]
        return (wanted or shy or options)[0]

    net.choosers = [choose] * 4
    return net


MOMENTS: dict[str, Moment] = {
    "unlock": writing("unlock"),
    "relock": writing("relock"),
    "bid": in_phase(Phase.BID4),
    "bid, another": in_phase(Phase.BID4, floor=False),
    "indicator": in_phase(Phase.TRUMP4),
    "second bid": in_phase(Phase.BID8),
    "declare": in_phase(Phase.DECLARE),
    "play": in_phase(Phase.PLAY),
    "play, another": in_phase(Phase.PLAY, floor=False),
    "announce": of_maker,
    "announce, cut": of_cutting_maker,
    "inspect": of_inspected,
    "count": in_phase(Phase.COUNT),
}
LEAVING: dict[str, Callable[[], simnet.Net]] = {
    "shared keys": partial(whole, SEEDS[0]),
    "left": partial(left, in_phase(Phase.PLAY)),
    "twice": twice_reordered,
}
"""What the cheats' catalogue plays."""
