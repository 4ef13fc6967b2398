"""A bot of your own: let it play a hand, and measure it against the club player.

usage: python examples/write_a_bot.py [DEALS]

A bot gets a view: the public hand and its own cards. It returns one of the legal actions. It
never sees another player's cards, here as at a real table.
"""

from __future__ import annotations

import random
import sys

from p2p304.api import (
    Action,
    ClubBot,
    Phase,
    View,
    action_text,
    actions,
    legal,
    play_hand,
    preset,
    series,
    shuffled,
)


class JackBot:
    """Makes the least bid with two jacks in its first cards, and plays its cheapest card."""

    def choose(self, view: View) -> Action:
        choices = legal(view)
        if view.hand.phase in (Phase.BID4, Phase.BID8):
            return self._say(view, choices)
        points = view.hand.options.pack.points
        plays = [choice for choice in choices if isinstance(choice, actions.Play)]
        return min(
            plays, key=lambda play: points[play.card] if play.card else 0, default=choices[0]
        )

    def _say(self, view: View, choices: tuple[Action, ...]) -> Action:
        jacks = [card for card in view.cards if card.rank == "J"]
        bids = [choice for choice in choices if isinstance(choice, actions.Bid)]
        passes = [choice for choice in choices if isinstance(choice, actions.Pass)]
        least = min(bids, key=lambda bid: bid.amount, default=None)
        if least is not None and (not passes or (len(jacks) >= 2 and least.amount < 200)):
            return least
        return passes[0] if passes else choices[0]


class Talking:
    """Passes on what another bot chooses, and prints it as a hand record writes it."""

    def __init__(self, bot: JackBot | ClubBot) -> None:
        self._bot = bot

    def choose(self, view: View) -> Action:
        action = self._bot.choose(view)
        print(action_text(action, view.hand.options.seats))
        return action


def main(deals: int) -> None:
    game, chance = preset("pagat"), random.Random(7)
    jacks, club = JackBot(), ClubBot()

    bots = [Talking(jacks), Talking(club), Talking(jacks), Talking(club)]
    result, _ = play_hand(game, 0, shuffled(game, chance.randrange), bots)
    print(f"The hand is over: {result.reason}")
    print(f"Tokens: North and South {result.tokens[0]:+}, East and West {result.tokens[1]:+}")

    # Every deal is played twice, with the sides exchanged: so no side has the better cards.
    outcome = series(game, jacks, club, deals, chance.randrange)
    print(
        f"Against the club player: {outcome.tokens:+.2f} tokens a hand "
        f"(give or take {outcome.margin:.2f}) in {deals} deals."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
