"""One sentence for every value of every option.

Responsible for the words in which a game's rules are told; a test holds that none is missing. What
an option does is left to the modules of play/, and how these sentences make a page, to page.py.
"""

from __future__ import annotations

from collections.abc import Mapping

OURS = "(ours)"
"""Marks what no rule text says and this project had to supply."""
LEFT = (
    "When a player has been gone for a minute, or has kept everybody waiting for several minutes, "
    "all others together may"
)
"""How every rule about players who have left for good begins."""

BANDS = (
    "A bid under {special} that is made wins 1 token and one that fails loses 2; from {special} "
    "on 2 and 3, from {second} on 3 and 4, bids to win every trick 4 and 5."
)

SENTENCES: Mapping[str, Mapping[object, str]] = {
    "seats": {2: "Two play.", 3: "Three play.", 4: "Four play.", 6: "Six play.", 8: "Eight play."},
    "partner": {
        "across": "Partners sit alternately round the table, each between two opponents.",
        "none": (
            "Everybody plays alone. Once the trump maker is known, all others play together "
            "against the trump maker."
        ),
        "called": "There are no fixed partners: the trump maker calls a card ('partner JS'), and "
        "the player who plays it is the partner for this hand. A trump maker who calls an own card "
        f"plays alone {OURS}.",
    },
    "pack": {
        24: "24 cards. Each suit ranks J 9 A 10 K Q and counts 30 20 11 10 3 2: 304 points in all.",
        32: "32 cards. Each suit ranks J 9 A 10 K Q 8 7 and counts 30 20 11 10 3 2 0 0: "
        "304 points in all.",
        36: "36 cards. Each suit ranks J 9 A 10 K Q 8 7 6 and counts 30 20 11 10 3 2 0 0 0: "
        "304 points in all.",
        "36-threes": "36 cards. Each suit ranks 3 J 9 A 10 K Q 8 7 and counts 50 30 20 11 10 3 2 "
        "0 0: 504 points in all.",
        40: "40 cards. Each suit ranks 2 3 J 9 A 10 K Q 8 7 and counts 100 50 30 20 11 10 3 2 0 0: "
        "904 points in all.",
    },
    "direction": {
        "ccw": "Deal and play run counter-clockwise, beginning at the dealer's right.",
        "cw": "Deal and play run clockwise, beginning at the dealer's left.",
    },
    "seating": {
        "random": f"Seats and the first dealer are drawn by all players together {OURS}.",
        "draw": (
            "Each player draws a card. The highest card deals, and the players with high "
            "cards sit against those with low cards."
        ),
        "chosen": f"Players choose their seats as they come; the first seat deals first {OURS}.",
    },
    "shuffle": {
        "thorough": "The pack is shuffled before every hand, and may be cut.",
        "minimal": "Between hands the pack is gathered in the order in which the tricks fell. Each "
        "player in turn gives it one short overhand shuffle in secret. Part of the order survives, "
        "and a program can use it. At a table of four, a program that knows only its own cards "
        "names about a quarter of the others' cards, each in its place. Two partners who tell each "
        "other their shuffles and cards can name nearly all. At a table of two, each player's "
        "program can name more than half. A pack of which a card stayed unknown is shuffled "
        f"thoroughly {OURS}.",
    },
    "deal": {
        "4+4": "Four cards are dealt to each, then comes the bidding, then four more.",
        "3+1": "Three cards are dealt to each, then comes the bidding, then one more.",
        "4+2": "Four cards are dealt to each, then comes the bidding, then two more.",
        "all_first": "All cards are dealt before the bidding.",
    },
    "stock": {
        "none": "",
        "draw": "Ten cards each; the others are a stock. After every trick each player draws one, "
        f"the winner first, until it is gone {OURS}: sixteen tricks.",
        "exchange": "Ten cards each; two are left over. The trump maker may lay two cards away for "
        "them ('exchange 7H 8H') or 'keep' the hand; the two that lie aside count for the "
        "opponents.",
    },
    "redeal15": {
        "on": (
            "The first player to bid may instead reject first cards worth less than 15 "
            "points. The same player deals again."
        ),
        "off": "No player may reject poor cards.",
    },
    "bid.min": {
        150: "The least bid is 150.",
        160: "The least bid is 160.",
        200: "The least bid is 200.",
        260: f"The least bid is 260 {OURS}.",
        460: f"The least bid is 460 {OURS}.",
    },
    "bid.first": {"free": "", "must": "The first player must bid."},
    "rebid": {
        200: "A player who has already bid or passed may bid again, but at least {special}.",
        "once": "Each player bids or passes only once.",
        "first200": (
            "A player who has already bid or passed may bid again only at {special} or more, "
            "and only while nobody has bid {special}."
        ),
    },
    "over_partner": {
        200: "To bid higher than your partner, you must bid at least {special}.",
        "never": "You may not bid higher than your partner unless an opponent has bid in between.",
        "first200": (
            "You may bid higher than your partner only at {special} or more, and only while "
            "nobody has bid {special}."
        ),
    },
    "ask_partner": {
        "on": (
            "In the first round you may ask your partner to bid instead of you. This counts "
            "as a turn for both of you."
        ),
        "off": "You may not ask your partner to bid.",
    },
    "step_over_200": {
        10: "Bids go up in tens, to {highest} at most.",
        5: "Bids go up in tens, from {special} on in fives, to {highest} at most.",
    },
    "all_pass": {
        "next_dealer": "If all pass, nobody scores and the next dealer deals.",
        "dealer_forced": "If all others pass, the dealer must bid.",
    },
    "bid4": {
        "numbers": "",
        "courts": (
            "On the first cards you may bid only half court. Bid numbers when all cards are dealt."
        ),
    },
    "half_court": {
        "off": "",
        "on": "Half court ('halfcourt') is above every number: no more cards are dealt, and the "
        f"bidder, who leads, must win every trick, with no partner but one that is called {OURS}.",
    },
    "full_court": {
        "off": "",
        "on": "Full court ('fullcourt') is above every number: the bidder leads and must win every "
        f"trick with all cards {OURS}.",
    },
    "bid304": {"off": "", "on": "You may bid 304. The player who bids it leads."},
    "tenths": {
        "off": "",
        "on": "During the game a bid of 160 is written 1.6, and 10 points are written 1.0; "
        "this page writes both in full. Tricks worth 25.0 win a game beside tokens.",
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
        250: "In the second round the least bid is {second}, and above the old one.",
        "equal_ok": "In the second round the least bid is the higher of {second} and the old one.",
        "over250": "In the second round a bid is above {second} and above the old one.",
    },
    "pcc": {
        "on": "With all cards in hand Partner Close Caps ('pcc') may be bid: to lead, and to win "
        "every trick alone, the partners' cards laid aside.",
        "off": "Partner Close Caps is not played.",
    },
    "hidden": {
        "face_down": "The trump maker lays a card face down to show the trump suit: the indicator. "
        "While trumps are closed, a player who cannot follow suit plays face down; the "
        "trump maker looks at those cards and says whether a trump is among them. The indicator "
        "is played only to cut, face down, or as the last card.",
        "ask_reveal": "The trump maker lays a card face down to show the trump suit. A player "
        "who cannot follow suit may ask for trumps ('reveal'): the card is shown and taken up, and "
        "the player who asked must cut if possible. Any other card is played face up, and cuts "
        "nothing until trumps are shown.",
    },
    "open_trump": {
        "on": "Before the first lead the trump maker may show the indicator and play open trump.",
        "off": "Trumps always begin closed.",
    },
    "reveal": {
        "others": "A cut turns up all face-down cards of the trick but the trump maker's own.",
        "all": "A cut turns up all face-down cards of the trick.",
    },
    "open_after_250": {
        "on": "From {second} on the indicator is shown after the first trick.",
        "off": "The indicator stays face down, however high the bid.",
    },
    "exhausted": {
        "on": "A trump maker who led a trump that nobody followed leads trumps while any are in "
        "hand.",
        "off": "There is no rule about exhausted trumps.",
    },
    "marriages": {
        "off": "",
        "on": "A player who leads, and has won a trick, may show king and queen of a suit when "
        f"trumps are open ('marriage S'): 40 points in trumps, 20 in another suit {OURS}.",
    },
    "last_trick": {
        0: "",
        10: f"The last trick gives the trump maker's side 10 points more, if it wins it {OURS}.",
    },
    "double": {
        "off": "",
        "on": "Before the third trick from the end its leader, whose side has won "
        "every trick, may say 'double': every trick for a token more, or a failed bid and "
        f"one more {OURS}.",
    },
    "spoilt": {
        "anyone": "If the trump maker's opponents hold no trump, anyone may say so ('spoilt'): the "
        "same dealer deals again. Saying so wrongly is a violation.",
        "opponents": "If the trump maker's opponents hold no trump, they may say so ('spoilt'): "
        "the same dealer deals again. Saying so wrongly is a violation.",
        "auto": "If the trump maker's opponents held no trump, the hand is void.",
        "off": "Spoilt trumps are not called.",
    },
    "spoilt.until": {
        "last_card": "This may be said until the last card is played.",
        "trick8": "This may be said until the last trick begins.",
    },
    "caps": {
        "grace": (
            "A player who knows an order of their cards that wins every trick must call Caps "
            "('caps JS 9S') before the next trick begins."
        ),
        "strict": (
            "A player who knows an order of their cards that wins every trick must call Caps "
            "('caps JS 9S') before anybody plays the next card."
        ),
        "assist": (
            "A player who knows an order of their cards that wins every trick must call Caps "
            "('caps JS 9S') before the next trick begins. Their own program tells them."
        ),
        "off": "Caps is not called.",
    },
    "wrong_caps": {
        "instead": "Caps called too early, too late or not at all costs 2 tokens, and nothing is "
        "paid for the bid; a trick lost after the call makes it 5.",
        "additive": "Caps called too early, too late or not at all costs 2 tokens beside what a "
        "failed bid loses; a trick lost after the call makes it 5.",
    },
    "external_caps": {
        "plus_one": "Called correctly before the last trick but one, Caps wins a token more, also "
        "for the trump maker's opponents.",
        8: "Called correctly before the last trick but one, Caps wins a token more; for the trump "
        "maker's opponents it wins 8.",
        "off": "Called correctly before the last trick but one, Caps wins a token more, but not "
        "for the trump maker's opponents.",
        "none": "Called correctly before the last trick but one, Caps wins a token more. The trump "
        "maker's opponents neither call Caps nor owe a call.",
    },
    "score": {
        "tokens": BANDS,
        "online": "A bid under {special} wins 5 points if made, or gives each opponent 3; from "
        "{special} on 6 and 5, for 304 10 and 7. Points are won and not paid.",
    },
    "match": {
        "across": "The loser pays the winner; a side without tokens has lost.",
        "bank": "The loser pays a bank; the first side without tokens has lost.",
        "session": "What is won and lost is counted until the agreed hands are played.",
        "points": "The first to have enough points wins the match.",
    },
    "violation": {
        "pay": "A proven violation gives the other side what it would have won, and 2 more.",
        "void": "A proven violation voids the hand, and the same dealer deals again; the other "
        "side is paid what it would have won all the same, and 2 more, so that nobody can undo a "
        f"hand by a violation {OURS}.",
    },
    "chat": {
        "between": "Players may chat only between hands.",
        "open": "Players may chat at any time.",
    },
    "timer": {
        "off": "",
        **{
            n: f"A turn lasts {n} seconds; then the player's own program plays."
            for n in range(5, 601)
        },
    },
    "timeout": {
        "hint": f"It passes if that is allowed, and otherwise does what its hint says {OURS}.",
        "random": "It passes if that is allowed, bids the least if it must bid, lays away the two "
        "cards worth least if it may exchange, and otherwise does anything allowed, by chance.",
    },
    "memory": {
        "off": "During a hand everybody can look at the last completed trick, and at no earlier "
        "one.",
        "on": f"During a hand everybody can look at all its completed tricks {OURS}.",
    },
    "hints": {
        "off": "During a hand a player gets hints only if all the others are that player's own "
        f"bots {OURS}.",
        "on": f"During a hand every player can ask for hints {OURS}.",
    },
    "away": {
        "wait": f"The table waits for an absent player {OURS}.",
        "replace": f"{LEFT} give the seat to a bot or another person: the absent player's side has "
        f"lost the hand, and pays as for a violation {OURS}.",
        "playout": f"{LEFT} play the "
        f"hand to its end: the empty seat's cards lie open, it passes and plays its lowest legal "
        f"card. Nobody calls Caps or spoilt trumps any more; a call of Caps that was missed before "
        f"is judged. Then the table ends {OURS}.",
    },
}
