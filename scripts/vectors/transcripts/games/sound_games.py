"""Whole tables for protocol/transcripts: at least one for every option that changes the protocol.

Responsible for which games these are; scripts/vectors/table.py writes them.
"""

from __future__ import annotations

from functools import partial

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, PCC
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.games.game_builders import (
    SIX,
    Game,
    all_pass,
    bids,
    called_early,
    called_early_and_left,
    called_last,
    closed,
    club,
    doubles,
    gathered_after_claim,
    left_in_bidding,
    left_owing,
    low_cards,
    of_idle,
    of_last_to_speak,
    rejects,
    trump_maker_wins_all,
    wanting,
    without_open_trump,
)
from scripts.vectors.transcripts.games.spoilt_games import SPOILT_GAMES
from tests.support.cheats.games import GAMES, WHOLE_SUIT, calling, declaring, trump_maker
from tests.support.table import simnet
from tests.support.table.leaving_games import (
    MOMENTS,
    RULES,
    left,
    left_then,
    of_maker_again,
    of_second_inspected,
    twice_reordered,
)

SOUND_GAMES: dict[str, tuple[Game, str]] = {
    "closed": (GAMES["closed 3"], "closed trumps: cards are inspected and announced"),
    "exhausted": (SIX, "the trump maker leads first, closed, and has exhausted trumps"),
    "no-open-trump": (without_open_trump, "open_trump=off: a first lead proved in two ways"),
    "reveal-all": (
        partial(closed, "catsatcards", 29, external_caps="plus_one"),
        "reveal=all: a cut turns up all cards",
    ),
    "outbid": (GAMES["twice"], "a superseded indicator; shared keys, and nobody leaves"),
    "shown-early": (
        GAMES["high bids"],
        "a bid over 250, closed: the indicator is shown after trick 1",
    ),
    "drawn-seats": (partial(closed, "pagat", 4, seating="draw"), "seating=draw"),
    "rejected": (partial(wanting, low_cards, rejects), "a rejected batch, and the next deal"),
    "pcc": (partial(wanting, partial(simnet.make, 1), bids(PCC)), "Partner Close Caps"),
    "half-court": (
        partial(wanting, partial(closed, "half-court", 1), bids(HALF_COURT)),
        "half court: one batch",
    ),
    "full-court": (
        partial(wanting, partial(club, "maharashtra", 10), bids(FULL_COURT)),
        "maharashtra: full court with a called partner, and a marriage",
    ),
    "called-partner": (partial(club, "maharashtra", 4), "maharashtra: a called partner, closed"),
    "double": (partial(wanting, partial(club, "tamil-304", 1), doubles), "all cards first; double"),
    "double-left": (
        partial(trump_maker_wins_all, 160, 2),
        "the trump maker has doubled, and its partner leaves: what the bid loses, 1 and 2 more",
    ),
    "double-left-by-other": (
        partial(trump_maker_wins_all, 160, 1),
        "the trump maker has doubled, and an opponent leaves: what the bid wins, 1 and 2 more",
    ),
    "court-open": (
        partial(trump_maker_wins_all, FULL_COURT),
        "a full court with double=on, where nobody may double",
    ),
    "tenths": (partial(closed, "tenths", 1), "the game of tenths, closed: a side has won a game"),
    "six-24": (partial(club, "six-24", 1), "six players"),
    "gathered": (GAMES["gathering 1"], "shuffle=minimal: the second hand's pack is gathered"),
    "gathered-after-claim": (
        partial(calling, gathered_after_claim, 3),
        "shuffle=minimal: the first hand ends by a call of Caps, and the pack is gathered after it",
    ),
    "stock": (partial(club, "online-2", 4), "two players who draw cards; trumps are asked for"),
    "exchange": (partial(club, "online-3", 2), "three players; two cards are exchanged"),
    "online-4": (partial(club, "online-4", 1), "four players; trumps are asked for"),
    "caps-in-time": (partial(calling, SIX, 0), "a call of Caps on a receipt, in time"),
    "caps-late": (partial(calling, SIX, 3), "a call of Caps on a receipt, late"),
    "caps-early": (partial(called_early, GAMES["closed 5"]), "an early call, and a trick lost"),
    "spoilt": (GAMES["spoilt"], "spoilt trumps, called rightly on a receipt; the next deal"),
    "spoilt-false": (GAMES["spoilt, false"], "spoilt trumps, called wrongly on a receipt"),
    "spoilt-late": (
        partial(declaring, partial(trump_maker, WHOLE_SUIT, WHOLE_SUIT, acts.Open, "7S"), 30),
        "spoilt trumps, called when the caller has no card left to open",
    ),
    **SPOILT_GAMES,
    "absent-unlocker": (partial(left, MOMENTS["unlock"]), "played out from the deal on"),
    "absent-inspected": (
        partial(left, MOMENTS["inspect"]),
        "played out: the trump maker is shown an absent player's card",
    ),
    "absent-second-inspected": (
        partial(left, of_second_inspected),
        "played out: another player shows a card before the absent one",
    ),
    "absent-shown-again": (
        partial(left, of_maker_again),
        "played out: an absent trump maker that was shown cards in two tricks",
    ),
    "absent-caps-owed": (
        partial(left_owing, 38),
        "played out: the trump maker was due to call Caps, its time was over at the parting: 2",
    ),
    "absent-caps-in-time": (
        partial(left_owing, 36),
        "played out: the trump maker could still have called Caps in time, and pays nothing for it",
    ),
    "absent-outbid": (
        partial(left_then, partial(twice_reordered, seed=5), MOMENTS["indicator"]),
        "played out: an absent player lays a card that all have seen, and is outbid",
    ),
    "absent-first": (
        partial(left_then, partial(closed, "six-24", 10, away="playout"), MOMENTS["bid"]),
        "played out: the absent player must bid first, and bids 200; of three tens in three suits "
        "it lays the first in the pack as indicator",
    ),
    "absent-forced": (
        partial(left_then, partial(all_pass, 2), of_last_to_speak),
        "played out: the absent player must bid last, and bids 160; its indicator is of its only "
        "suit of two cards",
    ),
    "absent-idle": (
        partial(
            left_then, partial(wanting, partial(simnet.make, 1, rules=RULES), bids(PCC)), of_idle
        ),
        "played out: the absent player's hand lies idle, and stays closed",
    ),
    "absent-counting": (partial(left, MOMENTS["count"]), "played out: only the count is left"),
    "caps-face-down": (
        partial(called_last, partial(closed, "six-24", 39)),
        "a call of Caps ends the hand; the caller has a card face down, and counts nothing",
    ),
    "caps-early-down": (
        partial(called_early, partial(closed, "pagat", 14)),
        "an early call of Caps; the caller plays cards face down, and counts them without proofs",
    ),
    "caps-early-left": (
        partial(called_early_and_left, "replace", 2),
        "an early call of Caps by the trump maker, which names a card that it inspected; then a "
        "player leaves",
    ),
    "absent-caps-seen": (
        partial(called_early_and_left, "playout", 2),
        "the same, played out: the card that the call has named is opened at its owner's count, in "
        "the owner's place",
    ),
    "absent-caps-other": (
        partial(called_early_and_left, "playout", 3),
        "the same, but another player leaves: the owner proves the card when it counts",
    ),
    "absent-caps-caller": (
        partial(called_early_and_left, "playout", 1),
        "the same, but the caller leaves: its seat plays the stated order; no card of it is due",
    ),
    "short-tokens": (
        partial(wanting, partial(closed, "maharashtra", 7, tokens=5), bids(160)),
        "a player who stands alone owes two to each of three, and has five: 1 for each in "
        "proportion, and the other 2 for the first",
    ),
    "bid-left": (
        partial(left_in_bidding, second=False),
        "external_caps=8: the player who has bid highest so far leaves, 8 and 2 more",
    ),
    "outbid-left": (
        partial(left_in_bidding, second=True),
        "the same in the second round: the new bid and its bidder count, not the old ones",
    ),
}


def sound_transcripts() -> dict[str, Vector]:
    """File name to bytes, verdict, check and comment."""
    made: dict[str, Vector] = {}
    for name, (game, comment) in SOUND_GAMES.items():
        net = game()
        net.run()
        whole = net.transcripts[0] or net.transcripts[1]
        made[f"{name}.304"] = (whole, "sound", None, comment)
    return made
