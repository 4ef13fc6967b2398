"""The world that is: a referee's hand, as those who see every card have it."""

from __future__ import annotations

import random
from dataclasses import replace

from p2p304.bots.club import ClubBot
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits, suit_of
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset
from p2p304.rules.worlds.position import Position, World, reading_of_any
from p2p304.rules.worlds.world_play import WorldPlay, WorldRules, without_idle_seats
from tests.support.reference.random_hands import dealt


def true_world(referee: Referee, view: View) -> World:
    """Of all worlds that a view leaves open, the one that is."""
    hand, true, lies = referee.hand, referee.true_cards, referee.indicator
    if lies is None:
        raise LookupError("a hand in play has an indicator")
    seen = {(number, seat) for number, seat, _ in view.known}
    laid = [
        true[number, play.seat].bit
        for number, trick in enumerate(hand.completed_tricks)
        for play in trick.plays
        if play.card is None and (number, play.seat) not in seen
    ]
    return World(
        tuple(bits(cards) for cards in referee.held),
        lies.bit if hand.indicator_down else 0,
        suit_of(lies.bit),
        tuple(laid),
        tuple(true[hand.completed_count, play.seat].bit for play in hand.plays),
        tuple(card.bit for card in referee.pile),
    )


def seen_by(referee: Referee, seat: int) -> WorldPlay:
    """The hand in play as it follows from the view of one seat; seats are places among those that
    play."""
    view = referee.view(seat)
    table = Position(view, reading_of_any(view)).table(true_world(referee, view))
    playing = referee.hand.playing
    return without_idle_seats(table, playing) if len(playing) < table.seats else table


def in_play(name: str, seed: int) -> Referee | None:
    """A hand after the bidding, as the club player bids; None if there is nothing to play."""
    referee = dealt(replace(preset(name), caps="off"), random.Random(seed), seed % 4)
    while referee.hand.phase is not Phase.PLAY:
        seat = referee.hand.turn
        if seat is None:
            return None
        referee.act(ClubBot().choose(referee.view(seat)))
    return None if referee.hand.bids_all_tricks else referee


def table_of(referee: Referee) -> WorldPlay:
    """The hand before its first lead, made without a view."""
    hand = referee.hand
    if hand.maker is None or referee.indicator is None:
        raise LookupError("a hand in play has a trump maker and an indicator")
    lies = referee.indicator.bit if hand.indicator_down else 0
    options = hand.options
    seats = range(options.seats)
    friends = {hand.maker}
    if options.partner == "across":
        friends = {seat for seat in seats if (seat - hand.maker) % 2 == 0}
    elif hand.called is not None:
        friends |= {seat for seat in seats if hand.called in referee.held[seat]}
    points = {card.bit: n for card, n in options.pack.points.items()}
    side = tuple(int(seat not in friends) for seat in seats)
    asks = options.hidden == "ask_reveal"
    return WorldPlay(
        WorldRules(points, side, asks, options.exhausted),
        hands=[bits(cards) for cards in referee.held],
        indicator=lies,
        trump=SUIT_CARDS[SUIT_NUMBER[referee.indicator.suit]],
        maker=hand.maker,
        leader=hand.leader,
        plays=[],
        won=(0, 0),
        first=hand.closed is True and not asks,
        opens=hand.closed is True and hand.must_show_early,
        pile=tuple(card.bit for card in referee.pile) if options.stock == "draw" else (),
    )
