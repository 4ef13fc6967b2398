"""Keys in the lobby: how a key changes it, and which intents follow.

Responsible for that mapping, which is pure: (lobby, key) to (lobby, intents). Every key is handled
at every moment, even if nothing follows.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import say
from p2p304.ui.common.key_map import CLEAR
from p2p304.ui.fullscreen.lobby import settings_form
from p2p304.ui.fullscreen.lobby.address_code import read_address
from p2p304.ui.fullscreen.lobby.cursor import cursor_after
from p2p304.ui.fullscreen.lobby.intents import (
    AskNetwork,
    GoOn,
    Join,
    JoinAddress,
    Learn,
    LobbyIntent,
    OpenTable,
    ShowHistory,
    Watch,
)
from p2p304.ui.fullscreen.lobby.model import (
    BOTS_PLAY,
    MOST_ADDRESS,
    MOST_HANDS,
    MOST_NAME,
    MOST_SECRET,
    OPENING_ROWS,
    OPTIONS,
    PRESET_NAMES,
    ROWS,
    WATCH,
    Form,
    Lobby,
    Mode,
)
from p2p304.ui.fullscreen.lobby.settings_form import SettingsForm
from p2p304.ui.narration.intents import Intent, Quit, ToLobby
from p2p304.ui.terminal.frame import Redraw

NO_ADDRESS = say(
    "That is not a table code or an address. "
    "Type a code such as S4N24-72JU2, or HOST:PORT, as in 192.0.2.7:40304."
)
Answer = tuple[Lobby, tuple[Intent | LobbyIntent, ...]]
KEYS = {
    "back": "r",
    "open": "o",
    "address": "a",
    "bots": "b",
    "learn": "l",
    "watch": "w",
    "history": "h",
    "settings": "s",
    "leave": "q",
}
"""The entries below the tables found, each with its key."""


def press(lobby: Lobby, key: str) -> Answer:
    """Return the lobby after a key, and its intents."""
    if key == "c-l":
        return lobby, (Redraw(),)
    if key in ("c-c", "c-d"):
        return lobby, (Quit(),)
    if lobby.host and key == "q":
        return lobby, (Quit(),)
    if lobby.busy is not None:
        return lobby, (ToLobby(),) if key == "escape" else ()
    lobby = replace(lobby, note=None)
    if lobby.mode is Mode.SETTINGS:
        return _in_settings(lobby, key)
    if lobby.mode in (Mode.FORM, Mode.ADDRESS, Mode.SECRET):
        if key == "backspace":
            return _written(lobby, None), ()
        if key == CLEAR:
            return _written(lobby, ""), ()
        if len(key) == 1 and key.isprintable():
            return _written(lobby, key), ()
    match lobby.mode:
        case Mode.LIST:
            return _in_list(lobby, key)
        case Mode.FORM:
            return _in_form(lobby, key)
        case Mode.ADDRESS:
            return _in_address(lobby, key)
        case Mode.SECRET:
            return _in_secret(lobby, key)
    return replace(lobby, mode=Mode.LIST), ()


def paste(lobby: Lobby, text: str) -> Lobby:
    """Put pasted text into the line being typed: an address, or the table's name. While a table is
    joined or waited for, it is passed over, as keys are."""
    if lobby.busy is not None:
        return lobby
    line = "".join(c for c in (text.splitlines() or [""])[0] if c.isprintable())
    if lobby.mode in (Mode.LIST, Mode.HELP):
        lobby = replace(lobby, mode=Mode.ADDRESS, note=None)
    return _written(lobby, line) if line else lobby


def _written(lobby: Lobby, typed: str | None) -> Lobby:
    """Add text to the line being typed, if there is one; None deletes its last character, and no
    text the whole line."""

    def line(text: str, most: int) -> str:
        return text[:-1] if typed is None else (text + typed)[:most] if typed else ""

    form = lobby.form
    if lobby.mode is Mode.ADDRESS:
        return replace(lobby, address=line(lobby.address, MOST_ADDRESS))
    if lobby.mode is Mode.SECRET:
        return replace(lobby, secret=line(lobby.secret, MOST_SECRET))
    if ROWS[form.at] == "name":
        form = replace(form, name=line(form.name, MOST_NAME))
    elif ROWS[form.at] == "passphrase":
        form = replace(form, passphrase=line(form.passphrase, MOST_SECRET))
    return replace(lobby, form=form)


def rows(lobby: Lobby) -> int:
    """Return how many lines the cursor runs over in the list."""
    return len(lobby.offers) + len(entries(lobby))


def entries(lobby: Lobby) -> tuple[str, ...]:
    """Return the names of the lines below the tables found."""
    return tuple(name for name in KEYS if name != "back" or lobby.left)


def _in_list(lobby: Lobby, key: str) -> Answer:
    at = cursor_after(lobby.at, rows(lobby), key)
    if at is not None and key != "tab":
        return replace(lobby, at=at), ()
    match key:
        case "enter":
            return _chosen(lobby, lobby.at)
        case ":":
            return _entry(lobby, "address")
        case "n":
            asking = say("Asking the computers of your network …")
            return replace(lobby, busy=asking), (AskNetwork(),)
        case "w":
            return _watch(lobby)
        case "?":
            return replace(lobby, mode=Mode.HELP), ()
    for name in entries(lobby):
        if KEYS[name] == key:
            return _entry(lobby, name)
    if len(key) == 1 and key in "123456789" and int(key) in lobby.numbers:
        return replace(lobby, at=lobby.numbers.index(int(key))), ()  # Enter joins it
    return lobby, ()


def _watch(lobby: Lobby) -> Answer:
    """Watch the table at the cursor. At no table, watch the only one that can be watched, or ask
    for one."""
    watched = [at for at, offer in enumerate(lobby.offers) if offer.is_watched]
    if lobby.at < len(lobby.offers) and lobby.at not in watched:
        told = say(
            "{table}: the game has not begun. If this table admits spectators, it can be watched "
            "then."
        )
        return replace(lobby, note=told.filled(table=lobby.offers[lobby.at].table)), ()
    if lobby.at in watched or len(watched) == 1:
        at = lobby.at if lobby.at in watched else watched[0]
        return _look_on(replace(lobby, at=at), lobby.offers[at].where)
    if watched:
        told = say("Choose one of the tables marked “watch”, and press Enter.")
        return replace(lobby, at=watched[0], note=told), ()
    return _entry(lobby, "watch")


def _chosen(lobby: Lobby, at: int) -> Answer:
    """Join the chosen table, or do what the entry below the tables says."""
    if 0 <= at < len(lobby.offers):
        offer = lobby.offers[at]
        if offer.is_watched:
            return _look_on(replace(lobby, at=at), offer.where)
        if offer.free <= 0:
            return replace(lobby, at=at, note=say("That table is full. Choose another one.")), ()
        if offer.locked:
            return replace(lobby, at=at, mode=Mode.SECRET, secret=lobby.passphrase), ()
        busy = say("Joining {table} …", table=offer.table)
        return replace(lobby, at=at, busy=busy), (Join(offer),)
    below = entries(lobby)
    return _entry(lobby, below[min(at - len(lobby.offers), len(below) - 1)])


def _entry(lobby: Lobby, name: str) -> Answer:
    match name:
        case "back":
            return replace(lobby, busy=say("Resuming …")), (GoOn(),)
        case "open":
            return replace(lobby, mode=Mode.FORM), ()
        case "address" | "watch":
            return replace(lobby, mode=Mode.ADDRESS, watches=name == "watch"), ()
        case "history":
            return replace(lobby, busy=say("Verifying your tables …")), (ShowHistory(),)
        case "learn":
            return lobby, (Learn(),)
        case "settings":
            return replace(lobby, mode=Mode.SETTINGS, settings_form=SettingsForm(lobby.me)), ()
        case "bots":
            return _open(replace(lobby, form=replace(lobby.form, bots=lobby.most_bots)))
    return lobby, (Quit(),)


def _in_settings(lobby: Lobby, key: str) -> Answer:
    answer = settings_form.press(lobby.settings_form, lobby.me, lobby.settings, key)
    if answer is None:
        return replace(lobby, mode=Mode.LIST), ()
    form, wanted = answer
    return replace(lobby, settings_form=form), wanted


def _open(lobby: Lobby) -> Answer:
    form = lobby.form
    if not form.is_playable:
        return replace(
            lobby, note=say("These options do not work together. Change one of them.")
        ), ()
    name = form.name.strip() or lobby.proposed
    lock = form.passphrase or None
    wish = OpenTable(
        name[:MOST_NAME],
        form.rules,
        form.hands,
        form.bots,
        lock,
        form.asks,
        form.watch,
        form.bots_play,
    )
    return replace(lobby, busy=say("Opening {table} …", table=wish.name)), (wish,)


def _in_address(lobby: Lobby, key: str) -> Answer:
    match key:
        case "escape":
            return replace(lobby, mode=Mode.LIST), ()
        case "enter" if lobby.watches:
            return _look_on(lobby, lobby.address)
        case "enter":
            return _dial(lobby)
    return lobby, ()


def _look_on(lobby: Lobby, where: str) -> Answer:
    found = read_address(where)
    if found is None:
        return replace(lobby, note=NO_ADDRESS), ()
    return replace(lobby, busy=say("Connecting to watch {table} …", table=where.strip())), (
        Watch(*found),
    )


def _in_secret(lobby: Lobby, key: str) -> Answer:
    """Handle keys while the passphrase of a locked table is typed, without echo."""
    match key:
        case "escape":
            return replace(lobby, mode=Mode.LIST, secret="", retry=None), ()
        case "enter" if lobby.secret and lobby.retry is not None:
            (host, port), secret = lobby.retry, lobby.secret
            busy = say("Joining {table} …", table=f"{host}:{port}")
            return replace(lobby, mode=Mode.LIST, secret="", retry=None, busy=busy), (
                JoinAddress(host, port, secret),
            )
        case "enter" if lobby.secret and lobby.at < len(lobby.offers):
            offer, secret = lobby.offers[lobby.at], lobby.secret
            busy = say("Joining {table} …", table=offer.table)
            return replace(lobby, mode=Mode.LIST, secret="", busy=busy), (Join(offer, secret),)
    return lobby, ()


def _dial(lobby: Lobby) -> Answer:
    """Dial ``HOST:PORT`` or a code; text after a space is the passphrase."""
    found, secret = read_address(lobby.address), None
    if found is None:
        place, _, rest = lobby.address.strip().partition(" ")
        found, secret = read_address(place), rest.strip() or None
    if found is None:
        return replace(lobby, note=NO_ADDRESS), ()
    busy = say("Joining {table} …", table=f"{found[0]}:{found[1]}")
    return replace(lobby, busy=busy), (JoinAddress(*found, secret),)


def _in_form(lobby: Lobby, key: str) -> Answer:
    form, row = lobby.form, ROWS[lobby.form.at]
    match key:
        case "escape":
            return replace(lobby, mode=Mode.LIST), ()
        case "left" | "right":
            return replace(lobby, form=_turned(lobby, row, 1 if key == "right" else -1)), ()
        case "enter" if row in OPENING_ROWS:
            return _open(lobby)
        case "enter":
            return replace(lobby, form=_turned(lobby, row, 1)), ()
    at = cursor_after(form.at, len(ROWS), key)
    return lobby if at is None else replace(lobby, form=replace(form, at=at)), ()


def _turned(lobby: Lobby, row: str, step: int) -> Form:
    """Choose the next value of a line of the form."""
    form = lobby.form
    match row:
        case "preset":
            at = (PRESET_NAMES.index(form.preset) + step) % len(PRESET_NAMES)
            return replace(form, preset=PRESET_NAMES[at], changed={})
        case "hands":
            return replace(form, hands=(form.hands + step) % (MOST_HANDS + 1))
        case "bots":
            return replace(form, bots=(form.bots + step) % (lobby.most_bots + 1))
        case "bots_play":
            at = BOTS_PLAY.index(form.bots_play) + step
            return replace(form, bots_play=BOTS_PLAY[at % len(BOTS_PLAY)])
        case "watch":
            return replace(form, watch=WATCH[(WATCH.index(form.watch) + step) % len(WATCH)])
        case "asks":
            return replace(form, asks=not form.asks)
    return form.turned(row, step) if row in OPTIONS else form
