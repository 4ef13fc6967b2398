"""Panes that open on a key: the contents of each, line by line.

Responsible for their contents as spans. Which pane is open and how far it is scrolled is
ui_state.py's; the frame around it is render.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from p2p304.rules.core.cards import Card
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.tricks import Trick
from p2p304.ui.fullscreen.model.result_lines import contract_line
from p2p304.ui.fullscreen.model.ui_state import Pane
from p2p304.ui.guidance.card_values import rank_values, value_phrases
from p2p304.ui.guidance.rules_page import rules_lines
from p2p304.ui.narration.accounts import gained, games, standing
from p2p304.ui.narration.model import Line, Model, Stage, Tone
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.play import offences
from p2p304.ui.narration.reducer import wants_again
from p2p304.ui.questions.end_choices import choices, telling_hand
from p2p304.ui.terminal.canvas import Span, wrapped

TITLES = {
    Pane.HELP: say("Help for this moment"),
    Pane.MENU: say("Menu"),
    Pane.LAST: say("The last trick"),
    Pane.PROOFS: say("Behind the scenes: proofs"),
    Pane.SHEET: say("Match sheet"),
    Pane.HANDS: say("All cards that were shown in the last hand"),
    Pane.LOG: say("Log of this game"),
    Pane.CAPS: say("Caps: the order of your cards"),
    Pane.RESULT: say("The hand is over"),
    Pane.RULES: say("The rules of this table"),
    Pane.END: say("The end"),
    Pane.CODE: say("Spoken code"),
}
_TONES = {
    Tone.PLAIN: "",
    Tone.HEAD: "head",
    Tone.MINOR: "minor",
    Tone.GOOD: "good",
    Tone.WARN: "warn",
    Tone.CHAT: "good",
}
Lines = list[list[Span]]


def title(pane: Pane, model: Model) -> Phrase:
    """Return what stands above a pane. A replay knows the cards of a hand before its end."""
    if pane is Pane.HANDS and model.is_replay and model.stage is Stage.PLAYING:
        return say("All cards that were shown in this hand")
    return TITLES[pane]


def log_lines(model: Model, renderer: PhraseRenderer, width: int, most: int | None = None) -> Lines:
    """Return the log, wrapped; later lines last. ``most``: there is room for so many of the last,
    and no sentence begins in its middle there unless it is longer than the room."""
    found: list[Lines] = []
    for line in reversed(model.shown_log):
        lines = _log_line(line, renderer, width)
        if most is not None and found and sum(map(len, found)) + len(lines) > most:
            break
        found.append(lines)
    return [line for lines in reversed(found) for line in lines]


def _log_line(line: Line, renderer: PhraseRenderer, width: int) -> Lines:
    """Wrap a line of the log. Every line of chat begins with a bar: wrapped words of another player
    must not look like a line of the program's own."""
    style = _TONES[line.tone]
    if line.tone is not Tone.CHAT:
        return renderer.wrapped(width, line.phrase, style=style)
    bar = (style, f"{renderer.look.frame.down} ")
    return [[bar, *rest] for rest in renderer.wrapped(max(1, width - 2), line.phrase, style=style)]


def aside(told: tuple[Line, ...], renderer: PhraseRenderer, width: int) -> Lines:
    """Return what a lesson says, with a line between its parts."""
    lines: Lines = []
    for line in told:
        lines += [*([[]] if lines else []), *_log_line(line, renderer, width)]
    return lines


def last_trick(model: Model, renderer: PhraseRenderer, width: int) -> Lines:
    """Return the tricks that may be looked at: the last one, or all, the last one first."""
    tricks, count = model.shown_tricks, len(model.done_tricks)
    if not tricks:
        return renderer.wrapped(width, say("No trick has been completed in this hand."))
    lines = trick_lines(tricks[0], renderer, model.known_down(tricks[0]))
    for number, trick in enumerate(tricks[1:], 1):
        title = renderer.spans(say("Trick {n}", n=count - number), "head")
        lines += [[], title, *trick_lines(trick, renderer, model.known_down(trick))]
    return lines


def trick_lines(
    trick: Trick, renderer: PhraseRenderer, seen: Mapping[int, Card] = MappingProxyType({})
) -> Lines:
    """Return a trick in order of play, with its leader and its winner; ``seen`` are the face-down
    cards that this player knows, by seat."""
    lines: Lines = []
    for play in trick.plays:
        known = play.card or seen.get(play.seat)
        card = renderer.card(known) if known else ("back", renderer.look.frame.back * 2)
        marks = [say("led")] if play.seat == trick.leader else []
        marks += [say("face down")] if play.down else []
        marks += [say("won it")] if play.seat == trick.winner else []
        told = ", ".join(renderer.text(mark) for mark in marks)
        style = "good" if play.seat == trick.winner else ""
        lines.append([card, (style, f"  {renderer.name(play.seat)}"), ("minor", f"  {told}")])
    return lines


def proof_log(model: Model, renderer: PhraseRenderer, width: int, most: int | None = None) -> Lines:
    """Return the steps of the protocol, with milliseconds and what each step proved. ``most``: only
    so many of the last lines are needed."""
    found: list[Lines] = []
    for step in reversed(model.proof_log):
        took = "" if step.took is None else f"{step.took} ms  "
        lines = wrapped([("key", took), *renderer.spans(step.what)], width)
        proved = renderer.wrapped(max(1, width - 3), step.proved, style="minor")
        found.append([*lines, *([("", "   "), *rest] for rest in proved)])
        if most is not None and sum(map(len, found)) >= most:
            break
    shown = [line for lines in reversed(found) for line in lines]
    return shown or renderer.wrapped(width, say("Nothing yet: the table is not complete."))


def spoken_code(model: Model, renderer: PhraseRenderer, width: int) -> Lines:
    """Return the spoken code, large, until all have confirmed it, or the player closes the pane."""
    large = f"  {' '.join(model.code)}  "
    left = " " * max(0, (width - len(large)) // 2)
    asked = say(
        "Everyone reads {code} aloud. Press Enter if all codes are the same.", code=model.code
    )
    if model.me in model.confirmed:
        waits = ", ".join(model.unconfirmed)
        asked = say("You have confirmed it. Not yet: {nicks}. Esc closes this.", nicks=waits)
    told = renderer.wrapped(width, asked)
    why = renderer.wrapped(
        width, say("If the codes differ, leave: somebody is between you."), style="minor"
    )
    blank = [("", left), ("turn", " " * len(large))]
    return [[], blank, [("", left), ("turn", large)], blank, [], *told, *why]


def match_sheet(model: Model, renderer: PhraseRenderer, width: int) -> Lines:
    """Return the match so far: every hand's contract, result, points and the tokens after it."""
    if not model.ended:
        return [renderer.spans(say("No hand has ended yet."))]
    lines: Lines = []
    for ended in model.ended:
        lines.append(
            [
                ("head", renderer.text(say("Hand {n}", n=model.hand_number(ended.number)))),
                ("", "  "),
                *contract_line(ended, renderer),
            ]
        )
        told = [standing(ended.match, model.seat), *games(ended.match, model.seat)]
        room = max(1, width - 2)
        below = [
            *renderer.wrapped(room, ended.result.reason),
            *renderer.wrapped(room, *told, style="minor"),
            *renderer.wrapped(room, *offences(ended), style="warn"),
        ]
        lines += [[("", "  "), *line] for line in below]
    return lines


def card_values(model: Model, renderer: PhraseRenderer, width: int, most: int) -> Lines:
    """Return what the ranks are worth, and what value_phrases tells; where these are more than
    ``most`` lines, without the ranks."""
    told = value_phrases(model)
    if model.hand is None or not told:
        return []
    ranks = wrapped([("key", rank_values(model.hand))], width)
    spans: list[Span] = []
    for phrase in told:
        spans += [*([("", " ")] if spans else []), *renderer.spans(phrase, "minor")]
    lines = wrapped(spans, width)
    return lines[:most] if len(ranks) + len(lines) > most else [*ranks, *lines]


def rules(model: Model, renderer: PhraseRenderer, width: int) -> Lines:
    """Return the rules that are played here."""
    if model.match is None:
        return [renderer.spans(say("The rules are shown once the first hand begins."))]
    return rules_lines(model.match.options, renderer, width)


def caps(
    order: tuple[Card, ...], at: int, lifted: bool, renderer: PhraseRenderer, width: int
) -> Lines:
    """Return the own cards in the order in which they will be played."""
    line: list[Span] = []
    for number, card in enumerate(order):
        style, text = renderer.card(card)
        here = number == at
        mark = (("[", "]") if lifted else (">", "<")) if here else (" ", " ")
        line += [("key", mark[0]), (style, text), ("key", mark[1])]
    told: list[Phrase] = [
        say(
            "Played in this order, these cards must win every remaining trick, whatever the "
            "others hold."
        ),
        say("Arrow keys choose a card. Space picks it up, arrow keys move it, Space puts it down."),
        say("Enter calls Caps (you must confirm). Esc cancels."),
    ]
    return [*wrapped(line, width), [], *renderer.wrapped(width, *told, style="minor")]


def end(model: Model, at: int, renderer: PhraseRenderer, width: int) -> tuple[Lines, range]:
    """Return the pane at the end of a table, from the winner to the match sheet, and which of its
    lines are choices."""
    told: Lines = []
    outcome = model.outcome or model.stopped or say("The table is over.")
    told += renderer.wrapped(width, outcome, style="head")
    if model.match is not None:
        told += renderer.wrapped(width, standing(model.match, model.seat))
    most = telling_hand(model)
    if most is not None and len(model.ended) > 1:
        decided = say("Hand {n} decided most:", n=model.hand_number(most.number))
        told += wrapped(
            [*renderer.spans(decided), ("", " "), *contract_line(most, renderer)], width
        )
        below = renderer.wrapped(width - 2, most.result.reason, *gained(most))
        told += [[("", "  "), *line] for line in below]
    if model.wants_again:
        told += renderer.wrapped(width, wants_again(model.wants_again), style="good")
    told.append([])
    first = len(told)
    for number, choice in enumerate(choices(model)):
        name: list[Span] = renderer.spans(choice.name)
        if number == at:
            name = [("chosen", text) for _, text in name]
        told.append([("key", f"{number + 1}  "), *name])
    shown = range(first, len(told))
    title = renderer.text(TITLES[Pane.SHEET])
    return [*told, [], [("key", title)], *match_sheet(model, renderer, width)], shown
