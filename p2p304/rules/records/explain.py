"""A hand told action by action: what each meant, by which rule, and what followed of itself.

Responsible for the sentences of `p2p304 score --explain`. It judges nothing: referee.py plays the
hand, and the rule named is the section of SPEC.md to read about such an action.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import HALF_COURT, PCC, Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import amount_text, parse, points_text
from p2p304.rules.legality import bids
from p2p304.rules.records.explain_plays import Remark, counted, ended, played, seat_word, settled
from p2p304.rules.records.record import Record
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.auction import is_partner_high, partner_of
from p2p304.rules.state.hand import Hand

_WIDTH = 12


def explain(record: Record) -> Iterator[str]:
    """One line for each action of a record, up to its end or its first illegal action."""
    options = record.options
    referee = Referee(options, record.dealer, record.hands, record.pile)
    for index, said in enumerate(record.actions):
        start = f"{index + 1:3}  {said[:64]:{_WIDTH}}  "
        try:
            action = referee.completed(parse(said, options.seats, options.tenths))
            remarks = remarks_on(referee, action)
        except RuleBroken as broken:
            yield f"{start}Refused: {broken.message}. [{broken.rule}]"
            return
        yield start + " ".join(
            f"{sentence} [{rule}]" if rule else sentence for sentence, rule in remarks
        )


def remarks_on(referee: Referee, action: Action) -> list[Remark]:
    """Do the action, and tell it with its consequences; raises RuleBroken, changing nothing."""
    before, indicator = referee.hand, referee.indicator
    cards = frozenset(referee.held[action.seat])
    after = referee.act(action)
    found = [_meaning(before, cards, indicator, action)]
    found += _bidding_over(before, after)
    for consequence in after.history[len(before.history) :]:
        found += _consequence(after, consequence)
    if after.completed_count > before.completed_count:
        found += settled(referee, before)
    return found + ended(before, after)


def _meaning(hand: Hand, cards: frozenset[Card], indicator: Card | None, action: Action) -> Remark:
    player = seat_word(hand, action.seat)
    match action:
        case acts.Bid():
            return _bid(hand, player, action)
        case acts.Pass():
            return _passed(hand, player)
        case acts.Ask():
            partner = seat_word(hand, partner_of(hand.options, action.seat))
            return f"{player} asks {partner} to bid instead: a turn for both.", "ask.turn"
        case acts.Redeal():
            return f"{player} shows a first batch worth less than 15 and rejects it.", "redeal.once"
        case acts.LayTrump(card=Card() as card):
            return f"{player} lays {card.name} face down: {card.suit.word} are trumps.", "card.held"
        case acts.Call(card=card):
            if card in cards or card is indicator:
                return f"{player} calls {card.name}, an own card: they play alone.", "call.alone"
            return f"{player} calls {card.name}: whoever plays it is the partner.", "call.card"
        case acts.Exchange(cards=laid) if laid is not None:
            away = " and ".join(card.name for card in laid)
            return f"{player} lays {away} away and takes up the two left over.", "exchange.two"
        case acts.Exchange() | acts.Keep():
            return f"{player} keeps the hand as it is.", "exchange.two"
        case acts.Open():
            return f"{player} plays open: the indicator is shown and taken up.", "open.shown"
        case acts.Closed():
            return f"{player} plays closed: the indicator stays face down.", "hidden.down"
        case Play():
            return played(hand, cards, action)
        case acts.Reveal():
            return f"{player} cannot follow suit and asks for trumps.", "reveal.ask"
        case acts.Double():
            return f"{player} says double: to win every trick.", "double.when"
        case acts.Marriage(suit=suit):
            worth = points_text(40 if suit is hand.trump else 20, hand.options.tenths)
            return (
                f"{player} shows king and queen of {suit.word}: {worth} points.",
                "marriage.points",
            )
        case acts.Caps(order=order):
            names = " ".join(card.name for card in order)
            return f"{player} calls Caps, to win every trick left with {names}.", "caps.order"
    return f"{player} calls spoilt trumps: the opponents were dealt none.", "spoilt.what"


def _bid(hand: Hand, player: str, action: acts.Bid) -> Remark:
    """A bid, and the rule that let it be made."""
    auction, options = hand.auction, hand.options
    amount = amount_text(action.amount, options.tenths)
    if action.amount >= PCC:
        rule = "pcc.bid" if action.amount == PCC else "bid.court"
        name = {"pcc": "Partner Close Caps", "halfcourt": "half court"}.get(amount, "full court")
        return f"{player} bids {name}: to win every trick.", rule
    if auction.asked_by is not None:
        return f"{player} answers with {amount}.", "ask.turn"
    if auction.second:
        return f"{player} betters the bid to {amount} in the second round.", "bid8.min"
    if is_partner_high(options, auction, action.seat):
        return f"{player} bids {amount} over their partner.", "bid.partner"
    if action.seat in auction.spoken:
        return f"{player}, who has spoken before, bids {amount}.", "bid.rebid"
    if auction.high:
        high = amount_text(auction.high, options.tenths)
        return f"{player} bids {amount}, above {high}.", "bid.higher"
    return f"{player} bids {amount}.", bids.forced_bid_rule(options, auction) or "bid.min"


def _passed(hand: Hand, player: str) -> Remark:
    auction = hand.auction
    if auction.asked_by is not None:
        return f"{player} answers with a pass.", "ask.turn"
    if auction.second:
        high = is_partner_high(hand.options, auction, auction.turn)
        why = ": their partner has bid" if high else " in the second round"
        return f"{player} passes{why}.", "bid8.partner" if high else "bid8.min"
    return f"{player} passes.", "bid.skip" if auction.bidder is not None else "bid.circuit"


def _bidding_over(before: Hand, after: Hand) -> list[Remark]:
    """The end of a round of bidding: who has won it, or what comes next."""
    if not after.auction.is_over or before.auction.is_over or after.maker is None:
        return []
    player = seat_word(after, after.maker)
    amount = amount_text(after.bid, after.options.tenths)
    if after.auction.second and after.auction.bidder is None:
        return [(f"The bid of {amount} by {player} stands.", "bid8.min")]
    idle = len(after.playing) < after.options.seats
    alone = [(f"{player} plays alone.", "bid.court" if after.bid == HALF_COURT else "pcc.bid")]
    return [(f"{player} has the bid at {amount}.", "bid.skip"), *(alone if idle else [])]


def _consequence(after: Hand, action: Action) -> list[Remark]:
    """What the trump maker showed or said, and what was counted."""
    player = seat_word(after, action.seat)
    match action:
        case acts.Show(card=card):
            shown = f"{player} shows {card.name} and takes it up: {card.suit.word} are trumps."
            return [(shown, "reveal.ask")]
        case acts.Announce(revealed=turned, indicator=card) if card is not None:
            names = ", ".join(f"{seat_word(after, seat)}'s {one.name}" for seat, one in turned)
            up = f"turns up {names}, and " if names else ""
            seen = f"{player} {up}shows the indicator {card.name}: trumps are open."
            return [(seen, "announce.show")]
        case acts.Announce():
            return [(f"{player} looks at the cards face down: no trumps.", "announce.none")]
        case acts.Count():
            return [counted(after, action)]
    return []
