"""Help for the moment: what is due, what every choice means, what can be pressed or typed.

Responsible for these explanations, on the full screen and in text mode. It decides nothing. Figures
and words come from the table's options, so that no game is explained by the rules of another.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, PCC, Action, Play
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.notation import amount_text, points_text
from p2p304.rules.core.phrases import Phrase, Who, say
from p2p304.rules.core.seats import FOUR
from p2p304.rules.play.claims import CAPS, SPOILT
from p2p304.rules.state.auction import ALL_POINTS, partner_of
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.ui.common.input_parser import has_short_bids, shortest_bid
from p2p304.ui.common.key_map import Command
from p2p304.ui.guidance.status import due, hint_refusal
from p2p304.ui.narration.absence_phrases import may_part, what_follows
from p2p304.ui.narration.accounts import has_sides, is_points
from p2p304.ui.narration.model import Model, Stage

_MEANING: dict[type[Action], Phrase] = {
    acts.Pass: say("pass: no bid in this turn."),
    acts.LayTrump: say(
        "The card becomes the indicator: its suit is trumps, and it lies face down."
    ),
    acts.Call: say(
        "partner: call a card, for example partner JS. The player who holds it is your partner for "
        "this hand; if you call a card of your own, you play alone."
    ),
    acts.Exchange: say(
        "exchange: lay two cards away and take the two left over, for example exchange 7H 8H. The "
        "two that lie aside count for your opponents."
    ),
    acts.Keep: say("keep: leave the two cards that are left over. They count for your opponents."),
    acts.Open: say(
        "open: show the indicator and take it into your hand. All cards are played face up."
    ),
    acts.Closed: say(
        "closed: the trump suit stays secret. A player who cannot follow suit plays face down."
    ),
    acts.Reveal: say(
        "reveal: ask for the trump. The trump maker shows it, and you must cut if you can."
    ),
    acts.Double: say(
        "double: your side must win every trick. One more is then paid, whichever side wins."
    ),
}
_MARRIAGE = say(
    "marriage: show king and queen of a suit, for example marriage S. It helps your side by "
    "{trumps} points in trumps and {plain} in another suit."
)
_PLAY_OPEN = say("A card: follow suit if you can. Otherwise play any card; a trump cuts.")
_PLAY_CLOSED = say("A card: follow suit if you can. A card of another suit is played face down.")
_PLAY_UNSHOWN = say(
    "A card: follow suit if you can. Otherwise play any card, face up; nothing cuts before the "
    "trump is shown."
)
_CUT = say("cut: play the indicator face down. It wins unless somebody plays a higher trump.")
_KEYS = (
    say("Space skips the pause after a trick. Esc closes a pane. Ctrl-L redraws the screen."),
    say("Ctrl-C leaves the table (you must confirm)."),
)
_WORDS = (
    say("Type the number of a choice or its word. js is the jack of spades, 10d or td a ten."),
    say(
        "At any time: last (the last trick), hand, points, bid, table, tokens, code, ?, lobby and "
        "quit."
    ),
    say("Between hands: say, then your message to the others."),
)
_CLAIMS = {
    CAPS: say(
        "caps: your cards win all remaining tricks, whatever the others hold. Name them in the "
        "order in which you play them, for example caps JS 9S."
    ),
    SPOILT: say("spoilt: the opponents of the trump maker hold no trump. The hand is then void."),
}
_REPLAY = (
    say("Right or Enter shows the next move, Left the one before. Home is the start, End the end."),
    say("PgDn and PgUp go by tricks, Down and Up by hands. Space plays the game by itself."),
    say(
        "s or Tab looks from the next seat, and after the last seat as a spectator. A full stop "
        "(.) also shows every entry of the protocol."
    ),
)
_REPLAY_ENDS = say(
    "{hint}: what the hint for this move would have been. Esc closes a pane. q ends the replay."
)
_TEACHER = say(
    "t: the teacher looks for the next move of this seat (of all, if you look as a spectator) that "
    "was clearly worse than another, by what that player could know then."
)
_TRICKS = say("tricks: all completed tricks of this hand.")
_HINT = say("hint: what the bot would do, and why.")
_TAUGHT = say("hint: what would have been better in the last hand.")
_PACK_CUT = (
    say("no: the pack stays as it is. cut: chance chooses the place."),
    say("cut 12: the top twelve cards go to the bottom."),
)
_QUEUE = say("Choose a card now to play it on your turn, if it is allowed then.")


_RUNS = {
    "ccw": say("Play runs counter-clockwise: {who} plays after you."),
    "cw": say("Play runs clockwise: {who} plays after you."),
}
_LETTERS = say(
    "The letters of the suits: S {s}, H {h}, D {d}, C {c}.",
    s=Suit.SPADES,
    h=Suit.HEARTS,
    d=Suit.DIAMONDS,
    c=Suit.CLUBS,
)
_SIGNS = say("(D) marks the dealer, ★ the trump maker.")
_PARTNER = say("& marks your partner.")
_PARTNERS = say("& marks your partners.")
_AWAITED = say("… stands where the player to move puts a card.")
_TOKENS = say("The row of ● behind a side shows its tokens.")
_NUMBERS = say("The number beside a name is the seat, in the order of play.")


def about_seats(model: Model) -> list[Phrase]:
    """Return in which direction play runs, and the signs beside the names on the full screen."""
    if model.match is None:
        return []
    told, options = [], model.match.options
    if model.seat is not None:
        after = Who((model.seat + 1) % options.seats)
        told.append(_RUNS[options.direction].filled(who=after))
    if model.typed:
        return told
    told.append(_SIGNS)
    if model.seat is not None and has_sides(model):
        told.append(_PARTNER if options.seats == len(FOUR) else _PARTNERS)
    told.append(_AWAITED)
    if not is_points(model.match):
        told.append(_TOKENS)
    return [*told, _NUMBERS] if options.seats > len(FOUR) else told


def help_phrases(model: Model) -> list[Phrase]:
    """Return what is due, what each choice means, and the keys or words."""
    if model.is_replay:
        ends = _REPLAY_ENDS.filled(hint=model.keys[Command.HINT])
        return [*_REPLAY, _TEACHER, ends, *about_seats(model)]
    told = [due(model), *(_PACK_CUT if model.cut_until is not None else ())]
    hand = model.hand
    if hand is not None:
        for kind in dict.fromkeys(type(action) for action in model.options):
            told += _about(kind, model, hand)
    if not model.typed and not model.is_my_turn and model.stage is Stage.PLAYING:
        told.append(_QUEUE)
    follows = what_follows(model) if may_part(model) else None
    if follows is not None:
        told.append(follows)
    if model.typed:
        told += [phrase for kind, phrase in _CLAIMS.items() if model.may_claim(kind)]
    if model.typed and hand is not None and hand.options.memory:
        told.append(_TRICKS)
    if model.typed and hint_refusal(model) is None:
        told.append(_TAUGHT if model.may_be_taught else _HINT)
    told += [*about_seats(model), _LETTERS]
    return [*told, *(_WORDS if model.typed else (_choosing(hand), *_KEYS))]


def _about(kind: type[Action], model: Model, hand: Hand) -> list[Phrase]:
    """Explain the open actions of one kind."""
    options = hand.options
    if kind is Play:
        return _about_playing(model, hand)
    if kind is acts.Bid:
        return _about_bids(model, options)
    if kind is acts.Ask and model.seat is not None:
        partner = Who(partner_of(options, model.seat))
        told = say(
            "ask: {partner} bids instead of you. This counts as a turn for both of you.",
            partner=partner,
        )
        return [told]
    if kind is acts.Redeal:
        limit = points_text(15, options.tenths)
        told = say(
            "redeal: show your cards, worth less than {points} points. All cards are dealt again.",
            points=limit,
        )
        return [told]
    if kind is acts.Marriage:
        worth = [points_text(points, options.tenths) for points in (40, 20)]
        return [_MARRIAGE.filled(trumps=worth[0], plain=worth[1])]
    return [_MEANING[kind]] if kind in _MEANING else []


def _about_bids(model: Model, options: Options) -> list[Phrase]:
    """Explain a bid, and every bid with a name that is open."""
    amounts = [action.amount for action in model.options if isinstance(action, acts.Bid)]
    numbers = [amount for amount in amounts if amount < PCC]
    told = []
    if numbers:
        told.append(_GOAL[options.partner])
    if numbers and options.tenths:
        bid, points = amount_text(min(numbers), True), points_text(min(numbers), True)
        told.append(say("A bid of {bid} means {points} card points.", bid=bid, points=points))
    short = [n for n in numbers if n < options.special] if has_short_bids(options) else []
    if short and not options.tenths:
        told.append(say("{short} means {bid}.", short=min(short) - 100, bid=min(short)))
    if ALL_POINTS in numbers:
        told.append(say("304: you lead, and must win every point."))
    if PCC in amounts:
        told.append(_PCC_TWO if options.seats == 4 else _PCC_MORE)
    if HALF_COURT in amounts:
        told.append(_HALF_CALLED if options.partner == "called" else _HALF_ALONE)
    if FULL_COURT in amounts:
        told.append(say("fullcourt: you lead, and your side must win every trick."))
    return told


_GOAL = {
    "across": say("A bid: the card points that your side must win."),
    "called": say("A bid: the card points that you and the partner whom you call must win."),
    "none": say("A bid: the card points that you must win, alone."),
}
_PCC_TWO = say("pcc: Partner Close Caps. You must win every trick alone; your partner sits out.")
_PCC_MORE = say("pcc: Partner Close Caps. You must win every trick alone; your partners sit out.")
_HALF_ALONE = say("halfcourt: no more cards are dealt. You lead, and must win every trick alone.")
_HALF_CALLED = say(
    "halfcourt: no more cards are dealt. You lead, and must win every trick with the partner whom "
    "you call."
)


def _about_playing(model: Model, hand: Hand) -> list[Phrase]:
    if hand.has_open_trumps:
        return [_PLAY_OPEN]
    if hand.options.hidden != "face_down":
        return [_PLAY_UNSHOWN]
    cuts = any(isinstance(a, Play) and a.indicator and a.down for a in model.options)
    return [_PLAY_CLOSED, _CUT] if cuts else [_PLAY_CLOSED]


def _choosing(hand: Hand | None) -> Phrase:
    """Say how a choice is made, with a bid of this game as an example."""
    options = Options() if hand is None else hand.options
    least = amount_text(options.bid_min, options.tenths)
    is_short = has_short_bids(options) and not options.tenths
    return say(
        "Choose with the arrow keys or a number and press Enter, or type it: js, 10d, {bid}, pass.",
        bid=shortest_bid(options) if is_short else least,
    )
