"""Parses typed lines: people's words for bids, cards and everything else that is said.

Responsible for the accepted forms: those of the hand record and the rules page (``partner JS``,
``exchange 7H 8H``, ``1.6``), and people's own (``60`` for 160, ``js``, ``9♥``, ``cut``). It decides
nothing: it picks one of the open actions, or says why a line does nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action, Claim, Play
from p2p304.rules.core.cards import Card, Suit, UnknownCard, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.seats import Seat, names
from p2p304.rules.play.view import View, check
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.options import Options

SHORT = {
    "p": "pass",
    "a": "ask",
    "o": "open",
    "c": "closed",
    "r": "redeal",
    "close": "closed",
    "half court": "halfcourt",
    "full court": "fullcourt",
    "partner close caps": "pcc",
    "ask partner": "ask",
    "ask for the trump": "reveal",
    "open trump": "open",
    "closed trump": "closed",
    "keep (no exchange)": "keep",
}
"""Short and other words, and what stands on the screen for a choice."""
SHORT_BELOW, LEAST_NUMBER = 200, 60
SPOILT = ("spoilt", "spoilt trumps", "spoiled", "spoiled trumps")
_SIGNS = {
    sign: suit.value
    for suit, signs in zip(Suit, ("♠♤", "♥♡", "♦♢", "♣♧"), strict=True)
    for sign in signs
}
_LETTERS = str.maketrans({**_SIGNS, "\ufe0e": None, "\ufe0f": None})
_WHICH = {
    "exchange": say("Name the two cards that you lay away, for example exchange 7H 8H."),
    "partner": say("Name the card whose holder is your partner, for example partner JS."),
    "marriage": say("Name the suit of the marriage, for example marriage S."),
    "trump": say("Name the card that you lay as indicator, for example JS."),
}


def choice(line: str, options: Sequence[Action], rules: Options) -> Action | None:
    """Return the open action that a line names, or None."""
    word = _meaning(line, any(isinstance(action, acts.Reveal) for action in options))
    number = int(word[:6]) if word.isascii() and word.isdigit() else None
    is_bidding = any(isinstance(action, acts.Bid) for action in options)
    if number is not None and (not is_bidding or number < shortest_bid(rules)):
        return options[number - 1] if 1 <= number <= len(options) else None
    if word == "cut":
        return next((a for a in options if isinstance(a, Play) and a.indicator), None)
    named = named_card(word)
    if named is not None:
        down = word.startswith("~")
        cards = [a for a in options if getattr(a, "card", None) is named]
        return next((a for a in cards if not down or getattr(a, "down", False)), None)
    if _names_two_cards(word) and any(isinstance(action, acts.Exchange) for action in options):
        word = f"exchange {word}"  # the answer to "Name the two cards"
    amount = _amount(word, rules)
    if amount is not None:
        return next((a for a in options if isinstance(a, acts.Bid) and a.amount == amount), None)
    words = [(_parts(notation.word(action, rules.tenths)), action) for action in options]
    said = _parts(word)
    whole = next((action for parts, action in words if parts == said), None)
    alike = [action for (head, _), action in words if (head, []) == said]
    return whole or (alike[0] if len(alike) == 1 else None)


def _names_two_cards(word: str) -> bool:
    names = word.split()
    return len(names) == 2 and None not in map(named_card, names)


def which(line: str, options: Sequence[Action]) -> Phrase | None:
    """Return the question that a word without its cards or suit leaves open; None if it leaves
    none."""
    word = _normalised(line)
    heads = {_parts(notation.word(action))[0] for action in options}
    return _WHICH.get(word) if word in heads else None


def begins_word(letters: str, options: Sequence[Action]) -> bool:
    """Whether the word of an open action begins with these letters."""
    return any(notation.word(action).lower().startswith(letters) for action in options)


def claim(line: str, seat: Seat) -> Claim | None:
    """Parse ``caps js 9s`` or ``spoilt``, which may be said out of turn; None for anything else."""
    word = _normalised(line)
    if word in SPOILT:
        return acts.Spoilt(seat)
    first, _, rest = word.partition(" ")
    cards = [named_card(name) for name in rest.split()]
    order = tuple(card for card in cards if card is not None)
    return acts.Caps(seat, order) if first == "caps" and len(order) == len(cards) else None


def has_short_bids(rules: Options) -> bool:
    """Whether bids under 200 are bid, of which people drop the 1: 60 is 160."""
    return rules.bid_min < rules.special == SHORT_BELOW


def shortest_bid(rules: Options) -> int:
    """Return the least number that is a bid; numbers below are choices from the list."""
    return rules.bid_min - 100 if has_short_bids(rules) else LEAST_NUMBER


def named_card(word: str) -> Card | None:
    """Parse ``js``, ``10d``, ``td``, ``9♥``, or suit first: ``sj``."""
    text = _normalised(word).upper().removeprefix("~").removeprefix("TRUMP ")
    for name in (text, text[1:] + text[:1]):
        try:
            return card(name)
        except UnknownCard:
            continue
    return None


def as_card(word: str) -> str:
    """Return the card of a choice in the words of the screen: ``js as indicator`` is ``js``, and
    ``js face down`` is ``~js``."""
    if word.startswith("cut with "):
        return "cut"
    if word.endswith(" face down"):
        return "~" + word.removesuffix(" face down")
    return word.removesuffix(" as indicator")


def broken(line: str, view: View) -> RuleBroken | None:
    """Return the refusal of the rules if the line names something that cannot be done now."""
    action = _meant(_meaning(line, view.hand.phase is Phase.PLAY), view)
    return None if action is None else _refusal(action, view)


def broken_with_card(card: Card, view: View) -> RuleBroken | None:
    """Return the refusal of the rules if this card cannot be chosen now."""
    action = _with_card(card, view)
    return None if action is None else _refusal(action, view)


def _normalised(line: str) -> str:
    """Return one form of what can be written in several: small letters, and letters for suits."""
    return " ".join(line.translate(_LETTERS).lower().split())


def _meaning(line: str, can_reveal: bool) -> str:
    """Return the word for which a short or other one stands. While cards are played, a player asks
    for the trump, and not the partner."""
    word = as_card(_normalised(line))
    word = SHORT.get(word, word)
    return "reveal" if word == "ask" and can_reveal else word


def _parts(words: str) -> tuple[str, list[str]]:
    """Return the word of an action, and its cards or suit in any order."""
    head, *rest = words.lower().split() or [""]
    suits = {suit.word: suit.value.lower() for suit in Suit}
    cards = [(each, named_card(each)) for each in rest]
    found = [suits.get(each, each) if named is None else named.name for each, named in cards]
    return head, sorted(found)


def _amount(word: str, rules: Options) -> int | None:
    """Return the bid that a word means: ``160``, ``60`` for 160, ``1.6`` where tenths are bid."""
    whole, point, part = word.partition(".")
    if point and rules.tenths and len(part) in (1, 2):
        digits = whole + part.ljust(2, "0")
        return int(digits[:6]) if digits.isascii() and digits.isdigit() else None
    if not (word.isascii() and word.isdigit()):
        return None
    number = int(word[:6])
    is_short = rules.special == SHORT_BELOW and shortest_bid(rules) <= number < 150
    return number + 100 if is_short else number


def _refusal(action: Action, view: View) -> RuleBroken | None:
    try:
        check(view, action)
    except RuleBroken as found:
        return found
    return None


def _meant(word: str, view: View) -> Action | None:
    """Return what a line would mean if it could be done."""
    rules, named = view.hand.options, named_card(word)
    if named is not None:
        return _with_card(named, view, word.startswith("~"))
    amount = _amount(word, rules)
    if amount is not None:
        is_bidding = view.hand.phase in (Phase.BID4, Phase.BID8)
        return acts.Bid(view.seat, amount) if is_bidding else None
    head, rest = _parts(word)
    written = " ".join([names(rules.seats)[view.seat], head, *(each.upper() for each in rest)])
    try:
        return notation.parse(written, rules.seats, rules.tenths)
    except RuleBroken:
        return None


def _with_card(named: Card, view: View, down: bool = False) -> Action | None:
    """Lay the card as indicator, or play it: face up if the suit is followed or trumps are open,
    else face down."""
    if view.hand.phase in (Phase.TRUMP4, Phase.TRUMP8):
        return acts.LayTrump(view.seat, named)
    if view.hand.phase is not Phase.PLAY:
        return None
    hand = view.hand
    is_up = hand.options.hidden != "face_down" or hand.has_open_trumps
    is_up = is_up or view.led in (None, named.suit)
    return Play(view.seat, named, down=down or not is_up, indicator=named is view.indicator)
