"""Help for the moment: what is due, and what every word means now.

Responsible for explanations for players. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Phase

_DUE = {
    Phase.BID4: "bid on four cards, or pass.",
    Phase.TRUMP4: "choose the card that lies face down as your trump indicator.",
    Phase.BID8: "bid on eight cards (250 or more), or pass.",
    Phase.TRUMP8: "choose the card that lies face down as your trump indicator.",
    Phase.DECLARE: "open or closed trump?",
}
_MEANING: dict[type[Action], str] = {
    acts.Bid: "a bid: the points that your side must win; 60 means 160, 100 means 200",
    acts.Pass: "pass: no bid in this turn",
    acts.Ask: "ask: your partner bids in your place; it counts as a turn for both of you",
    acts.Redeal: "redeal: reject these cards, worth less than 15; they are shown and dealt again",
    acts.LayTrump: "a card: its suit becomes trumps, and it lies face down until it cuts",
    acts.Open: "open: show the indicator and take it up; all cards are played face up",
    acts.Closed: "closed: trumps stay secret; who cannot follow suit plays face down",
}
_ALWAYS = (
    "Meanwhile: last (the last trick), hand, bid, table, tokens, code, ? and quit.",
    "Between hands: say, and what the others are to read.",
    "When somebody has been gone for a minute, or late for minutes: part, to do what this table's "
    "rules say then.",
    "Cards are rank and suit: js is the jack of spades, 10d or td the ten of diamonds.",
)


def what_is_due(view: View) -> str:
    """Describe in one sentence what this player must do now."""
    if view.hand.phase is not Phase.PLAY:
        return _DUE.get(view.hand.phase, "wait.")
    if view.led is None:
        return "lead a card."
    if any(card.suit is view.led for card in view.cards):
        return f"follow suit ({view.led.word})."
    if view.hand.has_open_trumps:
        return f"you have no {view.led.word}: play any card."
    if view.indicator is not None:
        return f"you have no {view.led.word}: cut with the indicator, or play face down."
    return f"you have no {view.led.word}: play a card face down."


def help_lines(view: View | None, options: Sequence[Action]) -> list[str]:
    """List what may be done now, each word explained."""
    if view is None or not options:
        return ["It is not your turn.", *_ALWAYS]
    lines = [f"Now: {what_is_due(view)}", f"Type a number from 1 to {len(options)}, or the word."]
    for kind in dict.fromkeys(type(action) for action in options):
        if kind is Play:
            lines += _about_playing(view)
        else:
            lines.append(f"  {_MEANING[kind]}")
    if any(isinstance(a, acts.Bid) and a.amount == acts.PCC for a in options):
        lines.append("  pcc: Partner Close Caps, to win all eight tricks alone, partner out")
    return [*lines, *_ALWAYS]


def _about_playing(view: View) -> list[str]:
    if view.hand.has_open_trumps:
        return ["  a card: follow suit if you can; otherwise any card, a trump cuts"]
    lines = ["  a card: follow suit face up; without the suit it goes face down by itself"]
    if view.indicator is not None:
        lines.append(
            "  cut: play the indicator face down; it wins unless a higher trump lies there"
        )
    return lines
