"""The status in words: the title, the contract, the turn, the players waited for.

Responsible for which sentence the player needs now. How it is drawn is render.py's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import ceil

from p2p304.rules.core.notation import bid_phrase, points_text
from p2p304.rules.core.phrases import Phrase, Quoted, Who, say
from p2p304.rules.core.seats import side
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.absence import LONG, WAIT
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.text_width import clipped, width_of
from p2p304.ui.guidance.choice_phrases import my_due
from p2p304.ui.narration.absence_phrases import agreement, more_gone, parting_offer
from p2p304.ui.narration.accounts import accounts, has_sides
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.play import tenths
from p2p304.ui.terminal.canvas import LEAST_NAME, Span

HURRY = 10
"""Seconds left of a turn at which its clock is highlighted."""


def titles(model: Model, renderer: PhraseRenderer) -> Iterator[list[Span]]:
    """Yield the left part of the first line, the longest form first."""
    parts = ["304"]
    if model.watches:
        parts.append(renderer.text(say("You are watching")))
    if model.number:
        parts.append(renderer.text(say("Hand {n}", n=model.hand_number(model.number))))
    if model.code and model.has_people:
        told = renderer.text(say("spoken code {code}", code=model.code))
        yield [("title", " " + "   ".join((*parts, told)))]
        yield [("title", " " + "   ".join((*parts, model.code)))]
    yield [("title", " " + "   ".join(parts))]


def window_title(model: Model) -> Phrase:
    """Return the title of the terminal's window: whose turn it is."""
    if model.is_my_turn or model.deal_next is not None:
        return say("304: your turn")
    hand = model.hand
    if hand is not None and hand.turn is not None and hand.turn != model.seat:
        return say("304: {who}'s turn", who=Who(hand.turn))
    return say("304")


def tokens(model: Model, renderer: PhraseRenderer, room: int) -> list[Span]:
    """Return the tokens of both sides (or of all players), as numbers and, with room, as dots."""
    if model.match is None:
        return []
    match, frame = model.match, renderer.look.frame
    count = match.tokens
    labels = [(account, renderer.together(label)) for account, label in accounts(match, model.seat)]
    most = max(width_of(name) for _, name in labels)
    figures = sum(4 + len(str(n)) for n in count)  # with the gaps
    while most > LEAST_NAME and sum(min(most, width_of(n)) for _, n in labels) + figures > room:
        most -= 1
    each = [(clipped(name, most, frame.dots), count[account]) for account, name in labels]
    short = "   ".join(f"{name} {n}" for name, n in each)
    dots = "   ".join(f"{name} {n:2} {frame.full * n}" for name, n in each)
    return [("title", (dots if width_of(dots) + 1 <= room and max(count) <= 30 else short) + " ")]


def contract(model: Model) -> Phrase:
    """Describe bid and trump as far as this player may know them."""
    hand = model.hand
    if hand is None:
        return _before_cards(model)
    if hand.maker is None or hand.phase is Phase.BID4:
        bidder = hand.auction.bidder
        if bidder is None:
            return say("No bid yet.")
        return say(
            "Highest bid: {bid} by {who}.",
            who=Who(bidder),
            bid=bid_phrase(hand.auction.high, tenths(hand)),
        )
    return _trump(model, hand)


def _before_cards(model: Model) -> Phrase:
    if model.stage is Stage.GATHERING and model.is_replay:
        return say("No hand has begun yet.")
    if model.stage is Stage.GATHERING and model.watches:
        return say("Nothing can be shown yet.")
    if model.is_visitor:
        return say("You are not at the table yet.")
    if model.stage is Stage.GATHERING:
        return say(
            "Waiting for players: {n} of {seats} have joined.",
            n=len(model.nicks),
            seats=model.places,
        )
    if model.typed:
        return say("No hand is being played.")
    if model.awaits_deal:
        return say("The pack is shuffled. It is dealt once everybody has pressed Enter.")
    return say(
        "The cards are being shuffled and dealt. Press {key} to see how.",
        key=model.keys[Command.PROOFS],
    )


def _trump(model: Model, hand: Hand) -> Phrase:
    who = Who(hand.maker if hand.maker is not None else 0)
    bid = bid_phrase(hand.bid, tenths(hand))
    own = model.view.trump if model.view is not None else None
    if hand.trump is not None:
        return say("{who} plays {bid}; trumps {suit}", who=who, bid=bid, suit=hand.trump)
    if own is not None:
        return say(
            "{who} plays {bid}; trumps not shown (yours: {suit})", who=who, bid=bid, suit=own
        )
    if hand.phase in (Phase.TRUMP4, Phase.TRUMP8):
        return say("{who} plays {bid}; trumps not chosen yet", who=who, bid=bid)
    return say("{who} plays {bid}; trumps not shown", who=who, bid=bid)


def points(model: Model, renderer: PhraseRenderer) -> list[Span]:
    """Return the points that everybody has seen, and how many won cards nobody has seen."""
    hand = model.hand
    if hand is None or not model.done_tricks or model.match is None or not has_sides(model):
        return []
    hidden, counted = hidden_cards(model), hand.points
    if model.ended and model.ended[-1].hand is hand and model.ended[-1].result.points is not None:
        # Caps gives a side more than its tricks, and the cards that were hidden are counted.
        hidden, counted = Counter(), model.ended[-1].result.points
    parts = []
    for account, label in accounts(model.match, model.seat):
        more = ""
        if hidden[account]:
            more = f" {renderer.text(say('+ {n} face down', n=hidden[account]))}"
        shown = points_text(counted[account], tenths(hand))
        parts.append(f"{renderer.together(label)} {shown}{more}")
    return [("minor", renderer.say("Points") + ": " + ", ".join(parts))]


def hidden_cards(model: Model) -> Counter[int]:
    """Count the cards in won tricks that were never turned up, by side."""
    found: Counter[int] = Counter()
    for trick in model.done_tricks:
        if trick.winner is not None:
            found[side(trick.winner)] += sum(play.card is None for play in trick.plays)
    return found


def due(model: Model) -> Phrase:
    """Describe in one sentence what is going on, for this player."""
    if model.stopped is not None:
        if model.stage is not Stage.OVER or model.typed or model.is_replay:
            return model.stopped
        return say("{what} Press Enter to choose what comes next.", what=model.stopped)
    if model.is_my_turn and model.view is not None:
        return my_due(model.view, model.options)
    if model.cut_until is not None:
        return say("You may cut the pack. Enter leaves it as it is.")
    if model.deal_next is not None:
        told = say("Press Enter to deal hand {n}.")
        if model.ended and model.ended[-1].result.void:
            told = say("Press Enter to deal hand {n} again.")
        return told.filled(n=model.hand_number(model.deal_next))
    if model.stage is Stage.OVER:
        if model.is_replay:
            return say("The table is over.")
        if model.waiting is not None:
            told = say(
                "The table is over, but {nicks} must still confirm the last move. Please stay "
                "until then."
            )
            return told.filled(nicks=model.named(*model.waiting.nicks))
        if model.typed:
            return say("The table is over. Type 'quit' to leave.")
        return say("The table is over. Press Enter to choose what comes next.")
    if model.hand is not None and model.hand.phase is Phase.COUNT:
        return say("The hand is being reviewed.")
    if model.hand is not None and model.hand.phase is Phase.ANNOUNCE:
        return say("The trump maker looks at the cards that lie face down.")
    if model.hand is not None and model.hand.turn is not None:
        who = Who(model.hand.turn)
        if model.is_replay or model.me is None:
            # A spectator's too: the move may be made, and be shown once all have confirmed it.
            return say("Next: {who}", who=who)
        if model.hand.turn == model.seat:
            if model.chosen is None:  # none is on its way
                return say("Your turn.")
            return say("Your choice is on its way: all others confirm it now.")
        return say("It is {who}'s turn.", who=who)
    if model.stage is Stage.GATHERING and model.is_replay:
        return say("The seats are not drawn yet.")
    if model.stage is Stage.GATHERING:
        if model.watches:
            return say("You are watching. Nothing can be shown yet.")
        if model.is_visitor:
            return say("Waiting to be let in.")
        if len(model.nicks) == model.places:
            return say("All players have joined.")
        return say("Waiting for more players.")
    if model.awaits_deal and not model.typed:
        nicks = ", ".join(model.people)
        if len(model.people) == 1:
            return say("{nick} has not pressed Enter yet.", nick=Quoted(nicks))
        if nicks:
            return say("Not all of these have pressed Enter yet: {nicks}.", nicks=Quoted(nicks))
        return say("The others have not all pressed Enter yet.")
    return say("The cards are being dealt.")


def hint_refusal(model: Model) -> Phrase | None:
    """Return why this player gets no hint now; None where a hint may be given, or the hand is over
    and the teacher can say what would have been better."""
    if model.may_be_taught:
        return None
    if not model.is_my_turn:
        return say("You can get a hint only when it is your turn.")
    if not model.gives_hints:
        return say("This table plays without hints until the hand is over.")
    return None


def seconds_left(model: Model, now: float) -> int | None:
    """Return the whole seconds until the turn's clock runs out, rounded up."""
    ends = model.turn_ends
    return None if ends is None else max(0, ceil(ends - now))


def waiting_phrase(model: Model, now: float) -> Phrase | None:
    """Describe the players waited for, since when, and what can be done."""
    if model.is_my_turn and model.me in model.agreed:
        return agreement(model)
    if model.is_my_turn or model.deal_next is not None or model.cut_until is not None:
        return None
    offered = parting_offer(model, now)
    if offered is not None or model.waiting is None:
        return offered
    seconds = max(0, int(now - model.waiting.since))
    nicks, gone = model.named(*model.waiting.nicks), model.named(*model.waiting.gone)
    if gone and model.away == WAIT and seconds >= LONG:
        pressed = say("press {key}", key=model.keys[Command.LOBBY])
        way = say("type 'quit'") if model.typed else pressed
        return say(
            "Disconnected: {gone} ({n} s). This table waits, and the cards are kept. You can "
            "wait, or {way} and resume the table later.",
            gone=Quoted(gone),
            n=seconds,
            way=way,
        )
    if len(model.gone | set(model.waiting.gone)) > 1 and seconds >= LONG and not model.is_replay:
        return more_gone(model)
    owners = {model.owner_of[nick] for nick in model.waiting.gone if nick in model.owner_of}
    if gone == nicks and len(owners) == 1 and not owners & set(model.waiting.gone):
        return say(
            "Waiting for {nicks}, invited by {owner} (disconnected): {n} s. The cards are kept.",
            nicks=Quoted(nicks),
            owner=Quoted(owners.pop()),
            n=seconds,
        )
    if gone and gone == nicks:
        told = say("Waiting for {nicks} (disconnected): {n} s. Their seat and cards are kept.")
        if len(model.waiting.gone) > 1:
            told = say("Waiting for {nicks} (disconnected): {n} s. Their seats and cards are kept.")
        return told.filled(nicks=Quoted(nicks), n=seconds)
    if gone:
        return say(
            "Disconnected: {gone} (waiting for {nicks}: {n} s). Seats and cards are kept.",
            gone=Quoted(gone),
            nicks=Quoted(nicks),
            n=seconds,
        )
    if model.awaits_deal:
        return say(
            "Waiting for {nicks} to ask for the deal: {n} s.", nicks=Quoted(nicks), n=seconds
        )
    told = say("Waiting for {nicks}: {n} s.")
    if model.number == 1 and all(_may_compare(model, nick) for nick in model.waiting.nicks):
        told = say("Waiting for {nicks}: {n} s. The spoken code is not confirmed there yet.")
    return told.filled(nicks=Quoted(nicks), n=seconds)


def _may_compare(model: Model, nick: str) -> bool:
    """Whether a player may still have the spoken code on the screen: it is not confirmed, and the
    player has done nothing yet."""
    done = () if model.hand is None else model.hand.history
    return nick in model.unconfirmed and all(model.nick(one.seat) != nick for one in done)
