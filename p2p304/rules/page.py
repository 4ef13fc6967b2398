"""A game's rules as a page to play from, made from its options.

Owns the sentences: one for every value of every option, so that page and engine cannot drift
(a test holds that none is missing). What an option does is the engine's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from p2p304.rules.options import Options, written
from p2p304.rules.presets import PRESETS

OURS = "(ours)"
"""Marks what no rule text says and this project had to supply."""

SENTENCES: Mapping[str, Mapping[object, str]] = {
    "seats": {4: "Four play, two against two; partners sit opposite each other."},
    "pack": {
        32: "32 cards. Each suit ranks J 9 A 10 K Q 8 7 and counts 30 20 11 10 3 2 0 0: "
        "304 points in all."
    },
    "direction": {
        "ccw": "Deal and play run counter-clockwise, beginning at the dealer's right.",
        "cw": "Deal and play run clockwise, beginning at the dealer's left.",
    },
    "seating": {
        "random": f"Seats and the first dealer are drawn by all players together {OURS}.",
        "chosen": f"Players sit in the order in which they came; the first dealer is drawn {OURS}.",
    },
    "deal": {
        "4+4": "The dealer's other neighbour cuts. Four cards each, bidding, then four more.",
        "all_first": "The dealer's other neighbour cuts. All cards are dealt before the bidding.",
    },
    "redeal15": {
        "on": "The first to speak may instead throw in a first batch worth less than 15 points; "
        "the same dealer deals again.",
        "off": "No hand may be thrown in for being poor.",
    },
    "bid.min": {160: "The least bid is 160.", 150: "The least bid is 150."},
    "rebid": {
        200: "Whoever has spoken may bid again, but not less than 200.",
        "once": "Everybody speaks once.",
        "first200": "Whoever has spoken may bid again only 200 or more, while nobody has bid 200.",
    },
    "over_partner": {
        200: "Over one's partner's bid one must bid at least 200.",
        "never": "One may not bid over one's partner unless an opponent has bid between.",
        "first200": "Over one's partner one may only bid 200 or more, while nobody has bid 200.",
    },
    "ask_partner": {
        "on": "With four cards one may ask one's partner to bid instead: a turn for both.",
        "off": "Partners may not be asked to bid.",
    },
    "step_over_200": {
        10: "Bids go up by ten, to 300 at most.",
        5: "Bids go up by ten, from 200 on by five, to 300 at most.",
    },
    "bid304": {"off": "", "on": "304 may be bid; its bidder leads."},
    "all_pass": {
        "next_dealer": "If all pass, nobody scores and the next dealer deals.",
        "dealer_forced": "If all others pass, the dealer must bid.",
    },
    "bid8": {
        "on": "When all cards are out a second round of one turn each may better the bid.",
        "off": "There is no second round of bidding.",
    },
    "bid8.start": {
        "winner": "The second round begins with the holder of the bid.",
        "dealer_right": "The second round begins where the first began.",
    },
    "bid8.min": {
        250: "In it the least bid is 250, and above the old one.",
        "equal_ok": "In it the least bid is the higher of 250 and the old one.",
        "over250": "In it a bid is above 250 and above the old one.",
    },
    "pcc": {
        "on": "With all cards in hand Partner Close Caps may be bid: to lead, and to win every "
        "trick alone, the partner's cards laid aside.",
        "off": "Partner Close Caps is not played.",
    },
    "open_trump": {
        "on": "Before the first lead the trump maker may show the indicator and play open trump.",
        "off": "Trumps always begin closed.",
    },
    "hidden": {
        "face_down": "While trumps are closed, whoever cannot follow suit plays face down; the "
        "trump maker looks at those cards and says whether a trump is among them. The indicator "
        "is played only to cut, face down, or as the last card."
    },
    "reveal": {
        "others": "A cut turns up all face-down cards of the trick but the trump maker's own.",
        "all": "A cut turns up all face-down cards of the trick.",
    },
    "open_after_250": {
        "on": "From 250 on the indicator is shown after the first trick.",
        "off": "The indicator stays down at any bid.",
    },
    "exhausted": {
        "on": "A trump maker who led a trump that nobody followed leads trumps while any are in "
        "hand.",
        "off": "Exhausted trumps bind nobody.",
    },
    "spoilt": {"off": "Spoilt trumps cannot be called yet."},
    "caps": {"off": "Caps cannot be called yet."},
    "match": {
        "across": "The loser pays the winner: under 200 one token for a bid made and two for one "
        "failed, from 200 two and three, from 250 three and four, Partner Close Caps four and "
        "five. A side without tokens has lost.",
        "bank": "The loser pays a bank: under 200 one token for a bid made and two for one "
        "failed, from 200 two and three, from 250 three and four, Partner Close Caps four and "
        "five. The first side without tokens has lost.",
    },
}
NEEDS_SECOND_ROUND = ("bid8", "bid8.start", "bid8.min")


def _spoken(options: Options) -> Iterator[tuple[str, str]]:
    """Option and sentence, in the order in which a hand runs."""
    values = {written(f.name): getattr(options, f.name) for f in fields(options)}
    one_round = options.deal == "all_first"
    for name, sentences in SENTENCES.items():
        idle = name in NEEDS_SECOND_ROUND and (
            one_round or (options.bid8 == "off" and name != "bid8")
        )
        sentence = sentences[values[name]]
        if sentence and not idle:
            yield name, sentence


def page(options: Options) -> list[str]:
    """The rules as lines: a heading, a sentence a line, and how many tokens there are."""
    lines = [f"304, {options.preset}", ""]
    lines += [f"* {sentence}" for _, sentence in _spoken(options)]
    return [*lines, f"* Each side begins with {options.tokens} tokens."]


def diff(one: Options, other: Options) -> list[str]:
    """Where two games differ, option by option; empty if they play alike."""
    first, second = dict(_spoken(one)), dict(_spoken(other))
    lines = []
    for name in SENTENCES:
        if first.get(name) != second.get(name):
            lines.append(name)
            lines += [f"  {o.preset}: {s.get(name, 'does not apply.')}"
                      for o, s in ((one, first), (other, second))]  # fmt: skip
    if one.tokens != other.tokens:
        lines.append(f"tokens\n  {one.preset}: {one.tokens}\n  {other.preset}: {other.tokens}")
    return lines


def listing() -> list[str]:
    """Every preset with how it differs from `pagat`, by option."""
    pagat = PRESETS["pagat"]
    lines = []
    for name, options in PRESETS.items():
        changed = [
            f"{written(name)}={getattr(options, name)}"
            for name in (f.name for f in fields(options) if f.name != "preset")
            if getattr(options, name) != getattr(pagat, name)
        ]
        lines.append(f"{name:<14}{', '.join(changed) or 'the default'}")
    return lines
