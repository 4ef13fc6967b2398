"""The pane at the end of a table: who has won, what to do next, and the match sheet.

Responsible for its lines. What can be done is ui/questions/end_choices.py's.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import say
from p2p304.ui.fullscreen.model.result_lines import contract_line
from p2p304.ui.fullscreen.model.ui_state import Pane
from p2p304.ui.fullscreen.view import panes
from p2p304.ui.narration.accounts import gained, standing
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.questions.end_choices import choices, telling_hand
from p2p304.ui.terminal.canvas import Span, wrapped


def lines(model: Model, at: int, renderer: PhraseRenderer, width: int) -> tuple[panes.Lines, range]:
    """Return the lines, and which of them are the choices."""
    told: panes.Lines = []
    outcome = model.outcome or model.stopped or say("The table is over.")
    told += wrapped(renderer.spans(outcome, "head"), width)
    if model.match is not None:
        told += wrapped(renderer.spans(standing(model.match, model.seat)), width)
    most = telling_hand(model)
    if most is not None and len(model.ended) > 1:
        decided = say("Hand {n} decided most:", n=model.hand_number(most.number))
        told += wrapped(
            [*renderer.spans(decided), ("", " "), *contract_line(most, renderer)], width
        )
        for phrase in (most.result.reason, *gained(most)):
            told += [[("", "  "), *line] for line in wrapped(renderer.spans(phrase), width - 2)]
    told.append([])
    first = len(told)
    for number, choice in enumerate(choices(model)):
        name: list[Span] = renderer.spans(choice.name)
        if number == at:
            name = [("chosen", text) for _, text in name]
        told.append([("key", f"{number + 1}  "), *name])
    shown = range(first, len(told))
    title = renderer.text(panes.TITLES[Pane.SHEET])
    return [*told, [], [("key", title)], *panes.match_sheet(model, renderer, width)], shown
