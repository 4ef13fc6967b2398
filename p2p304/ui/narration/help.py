"""Help for the moment: what is due, what every choice means, what can be pressed or typed.

Responsible for these explanations, on the full screen and in text mode. It decides nothing.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.narration.absence_phrases import may_part, what_follows
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.status import due

_MEANING: dict[type[Action], Phrase] = {
    acts.Bid: say("A bid: the points that your side must win. 60 means 160, 100 means 200."),
    acts.Pass: say("pass: no bid in this turn."),
    acts.Ask: say("ask: your partner bids instead of you. This counts as a turn for both of you."),
    acts.Redeal: say(
        "redeal: show your cards, worth less than 15 points. All cards are dealt again."
    ),
    acts.LayTrump: say(
        "The card becomes the trump indicator: its suit is trumps, and it lies face down."
    ),
    acts.Open: say(
        "open: show the indicator and take it into your hand. All cards are played face up."
    ),
    acts.Closed: say(
        "closed: the trump suit stays secret. A player who cannot follow suit plays face down."
    ),
}
_PLAY_OPEN = say("A card: follow suit if you can. Otherwise play any card; a trump cuts.")
_PLAY_CLOSED = say("A card: follow suit if you can. A card of another suit is played face down.")
_CUT = say("cut: play the indicator face down. It wins unless somebody plays a higher trump.")
_PCC = say("pcc: Partner Close Caps. You must win every trick alone; your partner sits out.")
_KEYS = (
    say("Choose with the arrow keys or a number and press Enter, or type it: js, 10d, 60, pass."),
    say("Space skips the pause after a trick. Esc closes a pane. Ctrl-L redraws the screen."),
    say("Ctrl-C leaves the table (you must confirm)."),
)
_WORDS = (
    say("Type the number of a choice or its word. js is the jack of spades, 10d or td a ten."),
    say("At any time: last (the last trick), hand, bid, table, tokens, code, ? and quit."),
    say("Between hands: say, then your message to the others."),
)
_QUEUE = say("Choose a card now to play it on your turn, if it is allowed then.")


def help_phrases(model: Model) -> list[Phrase]:
    """Return what is due, what each choice means, and the keys or words."""
    told = [due(model)]
    for kind in dict.fromkeys(type(action) for action in model.options):
        if kind is Play:
            told += _about_playing(model)
        elif kind in _MEANING:
            told.append(_MEANING[kind])
    if any(isinstance(a, acts.Bid) and a.amount == acts.PCC for a in model.options):
        told.append(_PCC)
    if not model.typed and not model.is_my_turn and model.stage is Stage.PLAYING:
        told.append(_QUEUE)
    follows = what_follows(model) if may_part(model) else None
    if follows is not None:
        told.append(follows)
    return [*told, *(_WORDS if model.typed else _KEYS)]


def _about_playing(model: Model) -> list[Phrase]:
    view = model.view
    if view is None or view.hand.has_open_trumps:
        return [_PLAY_OPEN]
    return [_PLAY_CLOSED] if view.indicator is None else [_PLAY_CLOSED, _CUT]
