"""A word for every option of the rules and for each of its values, as people name them.

Responsible for these words. What a value means in a sentence is descriptions.py's, and how a game
is told in one line, page.py's.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants.options import Options

LABELS: Mapping[str, Phrase] = {
    "seats": say("players"),
    "partner": say("partners"),
    "pack": say("cards in the pack"),
    "deal": say("cards of a deal"),
    "stock": say("cards left over"),
    "direction": say("direction of play"),
    "seating": say("seats"),
    "shuffle": say("shuffling"),
    "redeal15": say("rejecting poor first cards"),
    "bid.min": say("least bid"),
    "bid.first": say("first bidder"),
    "rebid": say("bidding once more"),
    "over_partner": say("bidding over the partner"),
    "ask_partner": say("asking the partner to bid"),
    "step_over_200": say("steps of high bids"),
    "all_pass": say("if all pass"),
    "half_court": say("half court"),
    "bid4": say("bids on the first cards"),
    "bid8": say("second round of bids"),
    "bid8.start": say("second round begins with"),
    "bid8.min": say("second round begins at"),
    "pcc": say("Partner Close Caps"),
    "full_court": say("full court"),
    "bid304": say("a bid of 304"),
    "tenths": say("bids in tenths"),
    "open_trump": say("open trump"),
    "hidden": say("hidden trumps"),
    "reveal": say("a cut turns up"),
    "open_after_250": say("showing trumps of high bids"),
    "exhausted": say("rule of exhausted trumps"),
    "marriages": say("marriages"),
    "last_trick": say("points for the last trick"),
    "double": say("double"),
    "spoilt": say("spoilt trumps"),
    "spoilt.until": say("spoilt trumps until"),
    "caps": say("Caps"),
    "wrong_caps": say("wrong Caps"),
    "external_caps": say("Caps of the opponents"),
    "score": say("scoring"),
    "match": say("match"),
    "tokens": say("tokens or points to win"),
    "violation": say("a broken rule"),
    "chat": say("chat"),
    "timer": say("time for a turn"),
    "timeout": say("when the time is up"),
    "memory": say("looking at all tricks"),
    "hints": say("hints"),
    "away": say("if somebody leaves for good"),
}
_FROM = say("from {special} on")
_FIRST = say("once, from {special} on")
_NO = say("no")
_NONE = say("none")
_WORDS: Mapping[tuple[str, object], Phrase] = {
    ("partner", "across"): say("two sides"),
    ("partner", "none"): say("everybody alone"),
    ("partner", "called"): say("called by card"),
    ("pack", "36-threes"): say("36, with threes"),
    ("deal", "all_first"): say("all at once"),
    ("stock", "none"): _NONE,
    ("stock", "draw"): say("drawn one by one"),
    ("stock", "exchange"): say("exchanged"),
    ("direction", "ccw"): say("counter-clockwise"),
    ("direction", "cw"): say("clockwise"),
    ("seating", "random"): say("drawn"),
    ("seating", "draw"): say("drawn by cards"),
    ("seating", "chosen"): say("chosen"),
    ("shuffle", "thorough"): say("thorough"),
    ("shuffle", "minimal"): say("short, by hand"),
    ("bid.first", "free"): say("may pass"),
    ("bid.first", "must"): say("must bid"),
    ("rebid", 200): _FROM,
    ("rebid", "once"): _NO,
    ("rebid", "first200"): _FIRST,
    ("over_partner", 200): _FROM,
    ("over_partner", "never"): _NO,
    ("over_partner", "first200"): _FIRST,
    ("all_pass", "next_dealer"): say("the next player deals"),
    ("all_pass", "dealer_forced"): say("the dealer must bid"),
    ("bid4", "numbers"): say("numbers"),
    ("bid4", "courts"): say("half court only"),
    ("bid8.start", "winner"): say("the highest bidder"),
    ("bid8.start", "dealer_right"): say("the first bidder"),
    ("bid8.min", 250): say("{second}, over the old bid"),
    ("bid8.min", "equal_ok"): say("{second}, or the old bid"),
    ("bid8.min", "over250"): say("more than {second}"),
    ("hidden", "face_down"): say("others play face down"),
    ("hidden", "ask_reveal"): say("others ask for them"),
    ("reveal", "others"): say("the others' cards"),
    ("reveal", "all"): say("all face-down cards"),
    ("last_trick", 0): _NONE,
    ("spoilt", "anyone"): say("called by anybody"),
    ("spoilt", "opponents"): say("called by the opponents"),
    ("spoilt", "auto"): say("found by the program"),
    ("spoilt", "off"): say("not called"),
    ("spoilt.until", "last_card"): say("the last card"),
    ("spoilt.until", "trick8"): say("the last trick"),
    ("caps", "grace"): say("due before the next trick"),
    ("caps", "strict"): say("due before the next card"),
    ("caps", "assist"): say("the program tells when"),
    ("caps", "off"): say("not called"),
    ("wrong_caps", "instead"): say("paid instead of the bid"),
    ("wrong_caps", "additive"): say("paid beside the bid"),
    ("external_caps", "plus_one"): say("1 token more"),
    ("external_caps", 8): say("8 tokens"),
    ("external_caps", "off"): say("no token more"),
    ("external_caps", "none"): say("not called"),
    ("score", "tokens"): say("in tokens"),
    ("score", "online"): say("in points"),
    ("match", "across"): say("the loser pays the winner"),
    ("match", "bank"): say("the loser pays a bank"),
    ("match", "session"): say("a number of hands"),
    ("match", "points"): say("until somebody has enough points"),
    ("violation", "pay"): say("is paid for"),
    ("violation", "void"): say("is paid for, and the hand is void"),
    ("chat", "between"): say("between hands"),
    ("chat", "open"): say("at any time"),
    ("timer", "off"): say("no limit"),
    ("timeout", "hint"): say("the program plays its hint"),
    ("timeout", "random"): say("the program plays by chance"),
    ("away", "wait"): say("wait"),
    ("away", "replace"): say("play on with a bot"),
    ("away", "playout"): say("play the hand out"),
}
_SWITCH = {"on": say("yes"), "off": _NO}


def value_word(options: Options, name: str, value: object) -> Phrase:
    """Return the word for a value of an option; ``options`` is the game, for its high bids."""
    if name == "timer" and isinstance(value, int):
        return say("{n} s", n=value)
    word = _WORDS.get((name, value)) or (_SWITCH.get(value) if isinstance(value, str) else None)
    if word is not None:
        return word.filled(special=options.special, second=options.second)
    return say("{value}", value=str(value).replace("+", " + "))
