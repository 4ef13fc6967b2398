"""What each game is, in one sentence.

Responsible for these sentences. The rules of a game are its options (presets.py), told by page.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p304.rules.core.phrases import Phrase, say

GAMES: Mapping[str, Phrase] = {
    "pagat": say("The usual game of Sri Lanka, as pagat.com tells it."),
    "bank": say("The usual game, but the loser pays a bank, so a match is shorter."),
    "fives": say("The usual game, but bids from 200 on go up in fives."),
    "wikipedia": say("The usual game, but each player bids or passes only once."),
    "catsatcards": say("The usual game as CatsAtCards tells it, with other penalties for Caps."),
    "half-court": say("The usual game, with the bid to win all tricks alone on four cards."),
    "six-24": say("Two sides of three, 24 cards, four tricks; the first player must bid."),
    "eight-32": say("Two sides of four, 32 cards, four tricks; the first player must bid."),
    "six-36": say("Two sides of three, 36 cards with sixes, six tricks."),
    "maharashtra": say("From Maharashtra: the trump maker calls a partner; marriages count."),
    "doso-viso": say("From Mumbai: the trump maker calls a partner; marriages do not count."),
    "tamil-304": say("From Tamil Nadu: all cards are dealt first, and a side may say double."),
    "tamil-504": say("From Tamil Nadu, two sides of three: threes count 50, 504 points in all."),
    "tamil-904": say("From Tamil Nadu, two sides of four: twos count 100, 904 points in all."),
    "tenths": say("The usual game, told in tenths: 1.6 is 160, and 25.0 points win a game."),
    "online-2": say("Online rules, one against one: ten cards and a stock, clockwise."),
    "online-3": say("Online rules, one against two: the trump maker may exchange two cards."),
    "online-4": say("Online rules, two against two: ask for the trump instead of hiding cards."),
}
