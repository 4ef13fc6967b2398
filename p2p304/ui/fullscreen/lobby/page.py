"""The lobby as a page: takes what the network finds, and returns what the player wants.

Responsible for passing keys, clicks and time to the pure parts (keys.py, view.py), as table_page.py
does for the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.settings import Settings
from p2p304.ui.common.theme import Look
from p2p304.ui.common.wording import table_name
from p2p304.ui.fullscreen.lobby import keys
from p2p304.ui.fullscreen.lobby.intents import LobbyIntent
from p2p304.ui.fullscreen.lobby.model import Form, Lobby, Mode
from p2p304.ui.fullscreen.lobby.offer import Offer
from p2p304.ui.fullscreen.lobby.view import draw
from p2p304.ui.narration.intents import Intent
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.terminal.frame import Page, Screenful

MOST_ASKED = 4
"""Addresses that have answered and are told."""
GONE = say("That table is gone. Choose another one.")


class LobbyPage(Page[Intent | LobbyIntent]):
    """The lobby of player ``me``. A table opened here is as ``form`` says, unless the player
    changes that. ``passphrase`` stands ready where a table needs one."""

    def __init__(
        self,
        me: str,
        look: Look,
        translate: Translate = untranslated,
        form: Form | None = None,
        passphrase: str = "",
    ) -> None:
        self.lobby = Lobby(me, form=form or Form(""), passphrase=passphrase)
        self.set_appearance(look, translate, Settings())
        self._picture: Screenful | None = None
        self._has_chosen = False
        """Whether the player has pressed a key: then the cursor stays where it is."""

    def set_appearance(self, look: Look, translate: Translate, settings: Settings) -> None:
        """Draw with this look and language from now on."""
        self.renderer = PhraseRenderer(look, translate)
        proposed = table_name(self.lobby.me, untranslated if look.ascii else translate)
        self.lobby = replace(self.lobby, settings=settings, proposed=proposed)

    # What the network tells

    def begun(self, own: tuple[Phrase, ...], now: float) -> None:
        """Note that the search has begun, with this node's own sentences on where."""
        self.lobby = replace(self.lobby, own=own, since=now)

    def propose_lessons(self) -> None:
        """Put the cursor on the lessons: this player has not played yet."""
        if self.lobby.at == 0 and not self.lobby.offers:
            self.lobby = replace(self.lobby, at=keys.entries(self.lobby).index("learn"))

    def can_go_on(self, left: Phrase) -> None:
        """Offer first to resume the table that was left."""
        self.lobby = replace(self.lobby, left=left)

    def found(self, offers: tuple[Offer, ...], about: tuple[str, ...] = ()) -> None:
        """Set the tables found; the cursor stays on its table."""
        before = self.lobby
        asked = before.mode is Mode.SECRET and before.retry is None
        if asked and before.offers[before.at].key not in {offer.key for offer in offers}:
            before = replace(before, mode=Mode.LIST, secret="", note=GONE)
        after = before.with_offers(offers)
        at = before.at - len(before.offers) + len(offers)
        if before.at < len(before.offers):
            key = before.offers[before.at].key
            at = next((n for n, offer in enumerate(after.offers) if offer.key == key), 0)
        elif not before.offers and (before.at == 0 or not self._has_chosen):
            at = 0
        self.lobby = replace(after, about=about, at=at)

    def failed(self, why: Phrase) -> None:
        """Show that an attempt has failed, and open the lobby again."""
        self.lobby = replace(self.lobby, note=why, busy=None, host="")

    def asked(self, found: Sequence[str], port: int) -> None:
        """Propose the first address of a table, and tell the others."""
        if not found:
            what = say("No computer of your network has a table at TCP port {port}.")
            self.failed(what.filled(port=str(port)))
            return
        places = [f"{address}:{port}" for address in found[:MOST_ASKED]]
        listed = ", ".join(places)
        told = say("There is a table at {addresses}. Enter tries this one.", addresses=listed)
        self.lobby = replace(
            self.lobby, mode=Mode.ADDRESS, address=places[0], watches=False, note=told, busy=None
        )

    def cannot_ask(self) -> None:
        """Show that nobody can be asked, because the system does not tell this node's networks."""
        self.failed(
            say(
                "This computer does not tell its addresses, so its network cannot be asked. Press "
                "a and type the table code that the other screen shows."
            )
        )

    def joining(self, table: str) -> None:
        """Show that a table is being joined."""
        self.lobby = replace(self.lobby, busy=say("Joining {table} …", table=table))

    def awaiting_rematch(self, host: str, now: float) -> None:
        """Show that the table is joined again as soon as ``host`` has opened it."""
        busy = say("Press Esc to stop waiting and go to the lobby.")
        self.lobby = replace(self.lobby, host=host, since=now, busy=busy)

    def ask_rules(self, form: Form) -> None:
        """Show the form of a table that is opened once more."""
        self.lobby = replace(self.lobby, mode=Mode.FORM, form=form)

    def ask_passphrase(self, where: tuple[str, int]) -> None:
        """Ask for the passphrase of the locked table at this address."""
        secret = self.lobby.passphrase
        self.lobby = replace(self.lobby, mode=Mode.SECRET, retry=where, secret=secret)

    # A page

    def press(self, key: str, now: float) -> tuple[Intent | LobbyIntent, ...]:
        self._has_chosen = True
        self.lobby, wanted = keys.press(self.lobby, key)
        return wanted

    def paste(self, text: str, now: float) -> tuple[Intent | LobbyIntent, ...]:
        self.lobby = keys.paste(self.lobby, text)
        return ()

    def click(self, x: int, y: int, now: float) -> tuple[Intent | LobbyIntent, ...]:
        """Handle a click: the first one selects, a click on what is selected executes it."""
        hits = self._picture.hits if self._picture is not None else ()
        hit = next((hit for hit in hits if hit.box.holds(x, y)), None)
        if hit is None:
            return ()
        if self.lobby.mode is Mode.FORM:
            here = self.lobby.form.at == hit.index
            self.lobby = replace(self.lobby, form=replace(self.lobby.form, at=hit.index))
        elif self.lobby.mode is Mode.SETTINGS:
            setup = self.lobby.settings_form
            here = setup.at == hit.index
            self.lobby = replace(self.lobby, settings_form=replace(setup, at=hit.index))
        else:
            here = self.lobby.at == hit.index
            self.lobby = replace(self.lobby, at=hit.index)
        return self.press("enter", now) if here else ()

    def next_timeout(self, now: float) -> float | None:
        """Return when the seconds of looking must be redrawn, while nothing else is shown."""
        is_empty = not self.lobby.offers or bool(self.lobby.host)
        looking = self.lobby.mode is Mode.LIST and is_empty
        return now + 1.0 if looking and self.lobby.since is not None else None

    def picture(self, width: int, height: int, now: float) -> Screenful:
        self._picture = draw(self.lobby, self.renderer, width, height, now)
        return self._picture
