"""The lobby as rows of text, for any size of window.

Responsible for its layout and for the sentences on why nothing is found. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.rules.variants import option_words
from p2p304.rules.variants.page import first_tokens, said
from p2p304.rules.variants.presets import GAMES, preset
from p2p304.ui.common.text_width import clipped, width_of
from p2p304.ui.fullscreen.lobby import settings_view
from p2p304.ui.fullscreen.lobby.keys import KEYS, entries
from p2p304.ui.fullscreen.lobby.model import OPENING_ROWS, REST, ROWS, Form, Lobby, Mode
from p2p304.ui.fullscreen.lobby.offer import Known, Offer
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.questions.leaving import ANSWERS, QUESTION
from p2p304.ui.terminal.canvas import Box, Canvas, Span, wrapped
from p2p304.ui.terminal.frame import Hit, Screenful

SOON = 4.0
"""Seconds without a result after which the screen says what usually blocks the search."""
FOOT = 4
"""Lines for a message or an explanation, and for where this node listens; a longer explanation
takes more."""
_ENTRIES = {
    "back": say("Resume {table}"),
    "open": say("Open a table and choose its rules"),
    "address": say("Join by table code or address"),
    "bots": say("Play now with {n} bots"),
    "learn": say("Learn 304 step by step, beginning with a guided first hand"),
    "watch": say("Watch a table"),
    "history": say("Your tables: look back at games that you have played"),
    "settings": say("Settings: your name, language, colours, pace, keys"),
    "leave": say("Leave"),
}
_BLOCKED = (
    say("No tables found. Usual reasons:"),
    say("- The others are on another network: a guest WiFi, a VPN, mobile data."),
    say("- The WiFi does not forward multicast, or isolates its devices."),
    say("- A firewall blocks UDP port 5353, or the port of the table."),
    say("Press n to ask every computer of your network for a table."),
    say("You can always press a and type the table code that the other screen shows."),
)
_LABELS = {
    "name": say("Name"),
    "preset": say("Rules"),
    "hands": say("Hands"),
    "bots": say("Bots"),
    "bots_play": say("Bots play"),
    "passphrase": say("Passphrase"),
    "asks": say("Approve each player"),
    "watch": say("Spectators"),
    "away": QUESTION,
    "open": say("Open the table"),
}
_EXPLAINED = {
    "name": say("The name that others see in their list. Type it here."),
    "hands": say("0 means a match: play until somebody has won it."),
    "bots": say("How many bots join at once. They run on this computer."),
    "bots_play": say("Like club players, strong players, masters (who think longer), or learners."),
    "passphrase": say("Players must know it to join. Leave it empty to let anybody join."),
    "asks": say("You decide for each player who asks for a seat."),
    "watch": say("When spectators see the open cards: at once, after the trick or after the hand."),
    "open": say("Press Enter to open the table. Players on your network can then see it."),
}
_WATCH = {
    "": say("none"),
    "now": say("at once"),
    "trick": say("after the trick"),
    "hand": say("after the hand"),
}
_BOTS_PLAY = {
    "club": say("like club players"),
    "strong": say("like strong players"),
    "master": say("like masters"),
    "learner": say("like learners"),
}
BID_LIKE_CLUB = ("six-24", "eight-32", "six-36")
"""Games whose first bids the better levels do not know the chances of (bots/search/bids.py)."""
_SEARCHING = ("strong", "master")
_LIKE_CLUB = say(
    "In this game strong players and masters bid like club players. They choose cards as usual."
)
_HELP = (
    say("The list of tables updates by itself."),
    say("Choose a table with the arrow keys or its number. Enter joins it."),
    say("o opens a table. a joins by table code or address. b starts a game with bots."),
    say("n asks every computer of your own network whether a table listens at the usual port."),
    say(
        "“met” means that you have played with this player before. You are warned if "
        "another player uses a name that you know."
    ),
    say(
        "When the table is complete, all screens show the same spoken code. Say it aloud "
        "and compare."
    ),
    say("At the table, / lets you chat between hands, and ? explains the moment."),
    say(
        "w, or Enter on a table marked “watch”, watches a table that admits spectators. Your "
        "program verifies everything."
    ),
    say("l teaches you the game, with stacked cards and nobody waiting for you."),
    say("h lists the games that you have played. You can replay each of them."),
    say("s changes your name, the language, the colours, the pace and the keys."),
    say("Esc goes back. Ctrl-L redraws the screen. q quits, and Ctrl-C asks first."),
)


def draw(lobby: Lobby, renderer: PhraseRenderer, width: int, height: int, now: float) -> Screenful:
    """Draw the lobby at ``now`` (seconds); clickable boxes are lines of the list or form."""
    canvas = Canvas(width, height, renderer.look.frame.dots)
    title = {
        Mode.FORM: say("Open a table"),
        Mode.ADDRESS: say("Address or table code"),
        Mode.SECRET: say("Passphrase"),
        Mode.SETTINGS: say("Settings"),
        Mode.HELP: say("Help"),
    }.get(lobby.mode, say("Tables on this network"))
    canvas.title("304   " + renderer.text(title), renderer.safe(lobby.me))
    hits: list[Hit] = []
    told = _told(lobby, renderer, max(1, width - 4))
    foot = max(FOOT, min(len(told), height - 12))
    room = Box(2, 2, max(0, width - 4), max(0, height - 3 - foot))
    lines = _LINES[lobby.mode](lobby, renderer, room.w, now)
    first = _first(lobby, lines, room.h)
    for row, (index, spans) in enumerate(lines[first : first + room.h]):
        canvas.spans(room.x, room.y + row, spans, room.w)
        if index is not None:
            hits.append(Hit(Box(0, room.y + row, width, 1), index))
    down, up = (" v", " ^") if renderer.look.ascii else (" ↓", " ↑")
    if first + room.h < len(lines):
        canvas.put(width - 3, room.y + room.h - 1, down, "key")
    if first:
        canvas.put(width - 3, room.y, up, "key")
    _draw_footer(lobby, renderer, canvas, told, foot)
    return Screenful(canvas.rows(), tuple(hits))


Line = tuple[int | None, list[Span]]
"""The item that a click on the line points at, and its text."""


def _first(lobby: Lobby, lines: list[Line], room: int) -> int:
    """Return the first line to show, so that the cursor's line is visible."""
    at = {Mode.FORM: lobby.form.at, Mode.SETTINGS: lobby.settings_form.at}.get(lobby.mode, lobby.at)
    row = next((n for n, (index, _) in enumerate(lines) if index == at), 0)
    return max(0, min(row - room // 2, len(lines) - room))


def _list(lobby: Lobby, renderer: PhraseRenderer, width: int, now: float) -> list[Line]:
    lines: list[Line] = []
    if lobby.host:
        return [(None, spans) for spans in _awaiting(lobby, renderer, width, now)]
    for at, (number, offer) in enumerate(zip(lobby.numbers, lobby.offers, strict=True)):
        lines.append((at, _offer(number, offer, lobby.at == at, renderer, width)))
    if not lobby.offers:
        lines += [(None, spans) for spans in _nothing(lobby, renderer, width, now)]
    if lobby.about:
        told = say(
            "Also searching for their unfinished table: {nicks}", nicks=", ".join(lobby.about)
        )
        lines += [(None, spans) for spans in renderer.wrapped(width, told, style="minor")]
    lines.append((None, []))
    for number, name in enumerate(entries(lobby), len(lobby.offers)):
        text = _ENTRIES[name].filled(table=lobby.left or "", n=lobby.most_bots)
        style = "chosen" if lobby.at == number else ""
        lines.append((number, [("key", f"{KEYS[name]}  "), (style, renderer.text(text))]))
    return lines


def _offer(
    number: int, offer: Offer, here: bool, renderer: PhraseRenderer, width: int
) -> list[Span]:
    known = {
        Known.NEW: (say("new to you"), "minor"),
        Known.MET: (say("met {day}", day=offer.since), "good"),
        Known.STRANGER: (say("another {nick}!", nick=Quoted(offer.nick)), "warn"),
    }[offer.known]
    free = say("{n} of {seats} free", n=offer.free, seats=offer.seats)
    free = say("watch") if offer.is_watched else free
    where = [("minor", f"  {offer.where}")] if width >= 90 else []
    return [
        ("key", f"{number}  "),
        ("chosen" if here else "head", _column(offer.table, 20, renderer).rstrip()),
        ("", " " * (20 - width_of(_column(offer.table, 20, renderer).rstrip()))),
        ("", _column(offer.nick, 12, renderer)),
        (known[1], _column(renderer.text(known[0]), 15, renderer)),
        ("", f"{renderer.safe(offer.rules)}, "),
        ("warn", f"{renderer.text(say('locked'))}, " if offer.locked else ""),
        ("", renderer.text(free)),
        *where,
    ]


def _column(text: str, width: int, renderer: PhraseRenderer) -> str:
    """Pad or cut text to a column of this width, with at least one space after it."""
    short = clipped(renderer.safe(text), width - 1, renderer.look.frame.dots)
    return short + " " * (width - width_of(short))


def _awaiting(
    lobby: Lobby, renderer: PhraseRenderer, width: int, now: float
) -> Iterator[list[Span]]:
    """Say for whom this player waits, to play again."""
    waited = 0 if lobby.since is None else int(max(0.0, now - lobby.since))
    told = say(
        "Waiting for {nick} to open the table again: {n} s.", nick=Quoted(lobby.host), n=waited
    )
    yield from renderer.wrapped(width, told, style="head")
    yield []
    kept = say("You sit down by yourself as soon as it is open.")
    yield from renderer.wrapped(width, kept, style="minor")


def _nothing(
    lobby: Lobby, renderer: PhraseRenderer, width: int, now: float
) -> Iterator[list[Span]]:
    waited = 0 if lobby.since is None else int(max(0.0, now - lobby.since))
    yield renderer.spans(say("Searching for tables ({n} s).", n=waited), "head")
    if waited >= SOON:
        yield []
        yield from renderer.wrapped(width, *_BLOCKED, style="minor")


def _form(lobby: Lobby, renderer: PhraseRenderer, width: int, now: float) -> list[Line]:
    form = lobby.form
    widest = max(width_of(label(name, renderer)) for name in ROWS) + 2
    lines: list[Line] = []
    for number, name in enumerate(ROWS):
        here = number == form.at
        text = label(name, renderer)
        value = shown(form, lobby, name, renderer)
        style = "chosen" if here else "head" if name == "open" else ""
        arrows = ("< ", " >") if here and name not in ("name", "open", "passphrase") else ("  ", "")
        spans: list[Span] = [("minor" if name in REST else "", text)]
        if name == "open":
            spans = [(style, text)]
        gap = " " * max(1, widest - width_of(text))
        mark = "key" if arrows[0].strip() else ""  # without colours keys are underlined
        spans += [("", gap), (mark, arrows[0]), (style, value), (mark, arrows[1])]
        lines.append((number, spans))
    return lines


def label(name: str, renderer: PhraseRenderer) -> str:
    text = renderer.text(_LABELS.get(name) or option_words.LABELS[name])
    return text[:1].upper() + text[1:]


def shown(form: Form, lobby: Lobby, name: str, renderer: PhraseRenderer) -> str:
    """Describe a line's value."""
    match name:
        case "name":
            return renderer.safe(form.name or lobby.proposed)
        case "preset":
            return form.preset
        case "hands":
            return str(form.hands) if form.hands else renderer.text(say("a match"))
        case "bots":
            return str(form.bots)
        case "bots_play":
            return renderer.text(_BOTS_PLAY[form.bots_play])
        case "passphrase":
            return dots(form.passphrase, renderer) or renderer.text(say("(none)"))
        case "watch":
            return renderer.text(_WATCH[form.watch])
        case "asks":
            return renderer.text(say("yes") if form.asks else say("no"))
        case "away":
            return renderer.text(ANSWERS[str(form.value("away"))][0])
        case "open":
            return ""
    return renderer.text(option_words.value_word(preset(form.preset), name, form.value(name)))


def dots(secret: str, renderer: PhraseRenderer) -> str:
    """Mask a passphrase."""
    return renderer.look.frame.full * len(secret)


def explained(form: Form, renderer: PhraseRenderer) -> list[Span]:
    """Explain in one line the entry at the cursor."""
    name = ROWS[form.at]
    if name == "away":
        return renderer.spans(ANSWERS[str(form.value("away"))][1], "minor")
    if name == "preset":
        told = say("{game} You can change each option below.", game=GAMES[form.preset])
        return renderer.spans(told, "minor")
    if name == "tokens" and form.is_playable:
        return renderer.spans(first_tokens(form.rules), "minor")
    if name == "bots_play" and form.preset in BID_LIKE_CLUB and form.bots_play in _SEARCHING:
        return renderer.spans(_LIKE_CLUB, "minor")
    if name in _EXPLAINED:
        return renderer.spans(_EXPLAINED[name], "minor")
    return renderer.spans(said(preset(form.preset), name, form.value(name)), "minor")


def _address(lobby: Lobby, renderer: PhraseRenderer, width: int, now: float) -> list[Line]:
    typed: list[Span] = [("key", "> "), ("", renderer.safe(lobby.address)), ("chosen", " ")]
    told = say(
        "Type the table code (as in S4N24-72JU2) or the HOST:PORT that the other screen shows. "
        "If the table needs a passphrase, type it after a space."
    )
    return [(None, typed), (None, []), *((None, s) for s in renderer.wrapped(width, told))]


def _secret(lobby: Lobby, renderer: PhraseRenderer, width: int, now: float) -> list[Line]:
    table = lobby.offers[lobby.at].table if lobby.at < len(lobby.offers) else ""
    if lobby.retry is not None:
        where = f"{lobby.retry[0]}:{lobby.retry[1]}"
        table = next((offer.table for offer in lobby.offers if offer.where == where), where)
    told = say("{table} needs a passphrase:", table=table)
    typed: list[Span] = [("key", "> "), ("", dots(lobby.secret, renderer)), ("chosen", " ")]
    return [(None, renderer.spans(told)), (None, typed)]


def _help(lobby: Lobby, renderer: PhraseRenderer, width: int, now: float) -> list[Line]:
    return [(None, line) for line in renderer.wrapped(width, *_HELP)]


def _settings(lobby: Lobby, renderer: PhraseRenderer, width: int, now: float) -> list[Line]:
    return settings_view.lines(lobby.settings_form, lobby.settings, renderer)


_LINES = {
    Mode.LIST: _list,
    Mode.FORM: _form,
    Mode.ADDRESS: _address,
    Mode.SECRET: _secret,
    Mode.SETTINGS: _settings,
    Mode.HELP: _help,
}


def _told(lobby: Lobby, renderer: PhraseRenderer, width: int) -> list[list[Span]]:
    """Return the lines of a message, or of what explains the entry at the cursor."""
    message: Phrase | None = lobby.note or lobby.busy
    if message is not None:
        return renderer.wrapped(width, message, style="warn" if lobby.note else "head")
    if lobby.mode is Mode.FORM:
        return wrapped(explained(lobby.form, renderer), width)
    about = settings_view.explained(lobby.settings_form)
    if lobby.mode is not Mode.SETTINGS or about is None:
        return []
    style = "warn" if lobby.settings_form.note is not None else "minor"
    return renderer.wrapped(width, about, style=style)


def _draw_footer(
    lobby: Lobby, renderer: PhraseRenderer, canvas: Canvas, told: list[list[Span]], foot: int
) -> None:
    """Draw what is going on in ``foot`` lines, with where this node listens, and the keys."""
    width, y = canvas.width, canvas.height - 1 - foot
    shown = [line for line in told if line][:foot]
    canvas.lines(2, y, shown, width - 4)
    own: list[list[Span]] = []
    for phrase in lobby.own:  # a sentence for which there is no room is left out, and not cut
        lines = renderer.wrapped(max(1, width - 4), phrase, style="minor")
        if len(shown) + len(own) + len(lines) <= foot:
            own += lines
    canvas.lines(2, y + foot - len(own), own, width - 4)
    keys = (
        say("Esc lobby  q quit")
        if lobby.host
        else say("Enter join  o open  a address  b bots  w watch  s settings  ? help  q quit")
        if lobby.mode is Mode.LIST
        else say("Up/Down PgUp/PgDn choose   Left/Right change   Enter open   Esc back")
        if lobby.mode is Mode.FORM and ROWS[lobby.form.at] in OPENING_ROWS
        else say("Up/Down PgUp/PgDn choose   Left/Right or Enter change   Esc back")
        if lobby.mode is Mode.FORM
        else say("Up/Down PgUp/PgDn choose   Left/Right change   Esc back")
        if lobby.mode is Mode.SETTINGS
        else say("Enter continues, Esc goes back")
    )
    canvas.spans(2, canvas.height - 1, renderer.spans(keys, "key"), width - 4)
