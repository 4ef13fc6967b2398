"""Checks of a play that everybody can make, without knowing a hidden card.

Responsible for everything that is done during play except claims, which are left to
rules/play/claims.py. What only the player's own cards can tell is left to own_card_checks.py.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Play
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import say
from p2p304.rules.core.seats import Seat
from p2p304.rules.state.hand import Hand


def check_play(hand: Hand, action: Play) -> None:
    """A card to the trick: which cards lie face down, and when the indicator may be played."""
    card, seat = action.card, action.seat
    if action.indicator:
        if seat != hand.maker or not hand.indicator_down:
            raise RuleBroken("indicator.none", say("You have no indicator on the table"), seat)
        if hand.cards_left(seat) > 0 and not action.down:
            why = say("You can lead the indicator or follow suit with it only in the last trick")
            raise RuleBroken("indicator.last", why, seat)
    elif hand.indicator_down and seat == hand.maker and hand.cards_left(seat) == 0:
        raise RuleBroken(
            "indicator.last", say("Your only card left is the indicator: play it"), seat
        )
    if action.down:
        if not hand.plays:
            raise RuleBroken("lead.up", say("Lead a card face up"), seat)
        if hand.options.hidden != "face_down":
            raise RuleBroken("reveal.up", say("This table plays every card face up"), seat)
        if hand.trump is not None:
            raise RuleBroken("open.up", say("Trumps are open: play your card face up"), seat)
    elif card is None:
        raise RuleBroken("play.card", say("A card played face up needs a name"), seat)
    elif card.bit & hand.face_up_bits:
        raise RuleBroken("play.again", say("{card} was already played", card=card), seat)
    elif (
        hand.trump is None
        and hand.led not in (None, card.suit)
        and hand.options.hidden == "face_down"
    ):
        why = say("Trumps are closed: play a card of another suit face down")
        raise RuleBroken("hidden.down", why, seat)


def check_announce(hand: Hand, action: acts.Announce) -> None:
    """The trump maker's word: what it must and may turn up."""
    seat, card = action.seat, action.indicator
    cutting = hand.tricks[-1].has_indicator
    if (action.revealed or cutting or hand.must_show_after_first) and card is None:
        raise RuleBroken("announce.show", say("The indicator must be shown now"), seat)
    if not action.revealed and not cutting:
        if card is not None and not hand.must_show_after_first:
            raise RuleBroken(
                "announce.none", say("You can't show the indicator: nobody cut this trick"), seat
            )
        return
    if tuple(s for s, _ in action.revealed) != hand.to_turn_up:
        raise RuleBroken(
            "announce.all", say("After a cut, all face-down cards must be turned up"), seat
        )
    suits = {c.suit for _, c in action.revealed}
    if card is not None and not cutting and card.suit not in suits:
        raise RuleBroken("announce.none", say("None of the cards turned up is a trump"), seat)


def check_reveal(hand: Hand, action: acts.Reveal) -> None:
    """Trumps may be asked for in one's turn, while they are closed and a suit has been led."""
    if hand.options.hidden != "ask_reveal":
        raise RuleBroken("reveal.ask", say("You can't ask for trumps at this table"), action.seat)
    if hand.trump is not None:
        raise RuleBroken("reveal.ask", say("Trumps were already shown"), action.seat)
    if hand.trick is None:
        raise RuleBroken("reveal.ask", say("You can't ask for trumps when you lead"), action.seat)
    if hand.cards_left(action.seat) == 0:
        raise RuleBroken(
            "reveal.ask", say("Your only card left is the indicator: play it"), action.seat
        )


def check_double(hand: Hand, action: acts.Double) -> None:
    """Before the lead to the third trick from the end, by a side that has won every trick."""
    if not hand.options.double or hand.bids_all_tricks:
        raise RuleBroken(
            "double.when",
            say("This table plays without double, or this contract already needs every trick"),
            action.seat,
        )
    if (
        hand.trick is not None
        or hand.completed_count != hand.tricks_due - 3
        or hand.doubled is not None
    ):
        why = say("You can say double only once, just before the lead to the third-last trick")
        raise RuleBroken("double.when", why, action.seat)
    if not has_won_all(hand, action.seat):
        why = say("You can say double only if your side has won every trick")
        raise RuleBroken("double.won", why, action.seat)


def has_won_all(hand: Hand, seat: Seat) -> bool:
    """Whether the side of ``seat`` has won every trick so far."""
    account, mine = hand.options.account, hand.options.account(seat)
    return all(t.winner is None or account(t.winner) == mine for t in hand.tricks)


def check_marriage(hand: Hand, action: acts.Marriage) -> None:
    """King and queen are shown by who is on lead and has won a trick, trumps being open."""
    seat = action.seat
    if not hand.options.marriages:
        raise RuleBroken("marriage.off", say("This table plays without marriages"), seat)
    lead = hand.trick is None and any(t.winner == seat for t in hand.tricks)
    if not lead or hand.trump is None:
        why = say(
            "You can show a marriage only when you lead, have won a trick, and trumps are open"
        )
        raise RuleBroken("marriage.when", why, seat)
    faces = sum(c.bit for c in hand.options.pack.cards if c.suit is action.suit and c.rank in "KQ")
    if any(suit is action.suit for _, suit in hand.marriages) or hand.face_up_bits & faces:
        why = say("This marriage was already shown, or one of its cards was played")
        raise RuleBroken("marriage.held", why, seat)
