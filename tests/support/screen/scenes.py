"""Hands played to the end by fixed choices, as one player's events: material for screens."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from p2p304.bots.club import ClubBot
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.play.default_choice import default_choice
from p2p304.rules.play.engine import apply
from p2p304.rules.play.view import View
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events, gathering_events
from p2p304.table.state.events import Event
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.reducer import Change, Chosen, reduce

PAGAT = preset("pagat")
NICKS = ("Asha", "Bandu", "Chitra", "Dilan")
MORE = ("Eshan", "Fathima", "Gayan", "Hema")
MATCH = Match.start(PAGAT)
SEATED = events.Seated(NICKS, (b"a", b"b", b"c", b"d"), 0, "MDM-3ZU", MATCH, True)
GOES_ON = replace(SEATED, match=Match.start(replace(PAGAT, away="replace")))
"""The same where the table can go on without a player."""
Chooser = Callable[[View, tuple[Action, ...]], Action]


def club() -> Chooser:
    """Sensible play: the club player."""
    bot = ClubBot()
    return lambda view, options: bot.choose(view)


def wild(seed: int) -> Chooser:
    """Any legal action, big bids seldom."""
    rng = random.Random(seed)

    def choose(view: View, options: tuple[Action, ...]) -> Action:
        weights = [0.05 if getattr(a, "amount", 0) >= 200 else 1.0 for a in options]
        return rng.choices(options, weights)[0]

    return choose


@dataclass(frozen=True)
class Gone:
    """The player of ``seat`` leaves once so many ``actions`` were done."""

    seat: int
    actions: int


def evening(
    seed: int, seat: int, choose: Chooser, options: Options = PAGAT, gone: Gone | None = None
) -> Iterator[Change]:
    """One hand from the gathering to its result, as the player of ``seat`` learns it; with
    ``gone`` it is played out, and the table ends."""
    rng, count = random.Random(seed), options.seats
    nicks = (*NICKS, *MORE)[:count]
    yield from (gathering_events.Members(nicks[: n + 1], count) for n in range(count))
    keys = tuple(bytes([97 + n]) for n in range(count))
    match = Match.start(options)
    yield events.Seated(nicks, keys, 0, "MDM-3ZU", match, True)
    yield events.HandBegan(1, 0)
    yield from _dealing(1, count, Hand.start(options, 0))
    cards = list(options.pack.cards)
    rng.shuffle(cards)
    size = options.hand_size
    hands = [cards[i * size : i * size + size] for i in range(count)]
    referee = Referee(options, 0, hands, cards[count * size :])
    yield events.HandSeen(referee.view(seat))
    batches = referee.hand.batches
    laid: set[Card] = set()
    while (turn := referee.hand.turn) is not None:
        if gone is not None and len(referee.hand.history) >= gone.actions:
            yield from _laid_open(referee, gone, nicks, laid)
        empty = gone.seat if gone is not None and laid else None
        before = referee.hand
        yield from _turn(referee, turn, seat, _lowest(choose, empty))
        lying = None if empty is None else _open(referee, empty, laid)
        yield from _told(before, referee.hand, lying)
        if referee.hand.batches > batches:
            batches = referee.hand.batches
            yield from _dealing(2, count, referee.hand)
            yield events.HandSeen(referee.view(seat))
    result = referee.hand.result
    if result is not None:
        yield events.HandOver(1, result, match.after(result))
    if gone is not None:
        yield events.Parted(nicks[gone.seat], options.away, match)
        return
    yield events.NextHand(2)


def _lowest(choose: Chooser, empty: int | None) -> Chooser:
    """Whoever is gone plays by the rule for empty seats, the others as they choose."""

    def chosen(view: View, options: tuple[Action, ...]) -> Action:
        return default_choice(view) if view.seat == empty else choose(view, options)

    return chosen


def _laid_open(
    referee: Referee, gone: Gone, nicks: tuple[str, ...], laid: set[Card]
) -> Iterator[Change]:
    """What nobody has seen of the empty seat lies open, after all have agreed to that; the
    indicator is told last."""
    view, others = referee.view(gone.seat), [n for n in range(len(nicks)) if n != gone.seat]
    name, ready = nicks[gone.seat], tuple(nicks[n] for n in others)
    if not laid:
        yield events.Waiting((name,), 0.0, 61, (name,), may_part=True)
        for n in range(len(others)):
            yield events.PartingProposed(name, ready[: n + 1], len(others))
        yield events.PlayingOut(name, gone.seat, events.OpenSeat(frozenset(), None))
    lying = () if view.indicator is None else (view.indicator,)
    seen = laid | ({referee.hand.indicator} - {None})
    cards = tuple(card for card in (*sorted(view.cards, key=str), *lying) if card not in seen)
    if cards:
        laid |= set(cards)
        yield from (events.StoodIn(n, len(cards)) for n in others)
        yield events.LaidOpen(gone.seat, cards, _open(referee, gone.seat, laid))


def _open(referee: Referee, seat: int, laid: set[Card]) -> events.OpenSeat:
    """What was ``laid`` open of this seat's cards by now, or turned up at the table."""
    view, seen = referee.view(seat), laid | ({referee.hand.indicator} - {None})
    return events.OpenSeat(view.cards & seen, view.indicator if view.indicator in seen else None)


def _turn(referee: Referee, turn: int, seat: int, choose: Chooser) -> Iterator[Change]:
    """The player on turn chooses and acts."""
    view = referee.view(turn)
    action = choose(view, referee.legal())
    if turn == seat:
        yield events.YourTurn(view)
        yield Chosen(action)
    referee.act(action)


def _told(before: Hand, after: Hand, empty: events.OpenSeat | None) -> Iterator[Event]:
    """Every action since ``before``, replayed as the table would tell it."""
    hand = before
    for action in after.history[len(before.history) :]:
        was, hand = hand, apply(hand, action)
        yield events.Acted(action, was, hand, empty)


def _dealing(batch: int, count: int, hand: Hand) -> Iterator[Event]:
    if batch == 1:
        yield from (events.Shuffled(seat, 32) for seat in range(count))
        yield events.WasCut(1, 16)
    yield from (events.Unlocked(seat, 12) for seat in range(count))
    yield events.Dealt(batch, 4, hand)


def models(
    seed: int, seat: int, choose: Chooser, options: Options = PAGAT, gone: Gone | None = None
) -> Iterator[tuple[Change, Model]]:
    """The model after every event; one event every 40 ms."""
    model = Model(me=(*NICKS, *MORE)[seat])
    for number, change in enumerate(evening(seed, seat, choose, options, gone)):
        model = reduce(model, change, number * 0.04)
        yield change, model
