"""The lobby in text mode: name, unfinished tables, tables found, a table to open, the settings, and
what follows a table that is over.

Responsible for asking for these in lines. What a table gives back is player.py's.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace

from p2p304.app.config import NewTable, NodeConfig, ResumeTarget, waits_for_people
from p2p304.app.network_phrases import found_table, left_table, searching
from p2p304.frontends.appearance import change_settings, read_appearance
from p2p304.frontends.lobby import NextTable
from p2p304.frontends.text import spectator
from p2p304.frontends.text.lessons import take_lessons
from p2p304.frontends.text.typed_lines import TypedLines
from p2p304.net.errors import NetError
from p2p304.net.links.connect import where
from p2p304.net.mdns.discovery import Discovery, Found
from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.rules.variants.house_rules import HouseRules
from p2p304.rules.variants.options import OptionsError
from p2p304.rules.variants.page import game_in_words
from p2p304.storage.data_folder import DataFolder, name_from_login
from p2p304.storage.unfinished import resumable_tables
from p2p304.table.agreement.limits import MAX_HANDS, WATCH
from p2p304.ui.common.wording import ASK_NAME, NO_NAME
from p2p304.ui.fullscreen.lobby.address_code import read_address
from p2p304.ui.fullscreen.lobby.intents import OpenTable
from p2p304.ui.fullscreen.lobby.model import BOTS_PLAY
from p2p304.ui.narration.intents import Again, Quit, ToLobby
from p2p304.ui.narration.model import Model
from p2p304.ui.questions import leaving
from p2p304.ui.questions.end_choices import choices
from p2p304.ui.text.narrator import Narrator
from p2p304.ui.text.settings_dialogue import SettingsDialogue
from p2p304.wire.names import is_name

Chosen = str | NewTable | ResumeTarget | NextTable
"""A table to join, open or resume."""
SEARCH_FIRST = 2.0
"""Seconds to search before the first list."""
_OFFER = say(
    "Type a number to join, a table code or HOST:PORT, 'open' (or 'open NAME timer=45') for a "
    "new table, 'bots' to play with bots, Enter to search again, 'more' for more, 'quit' to leave."
)
_MORE = (
    say(
        "open NAME WORD=VALUE ...: open a table. The words are rules, hands, bots (3, or "
        "3:strong), passphrase, ask, spectators, and every option of the rules (p2p304 rules)."
    ),
    say("watch, then a number, a code or HOST:PORT: watch a table that admits spectators."),
    say("learn: lessons with stacked cards, beginning with a guided first hand."),
    say("history: the tables that you have played."),
    say("settings: your name, the language, the bell and more."),
    say("resume: continue your unfinished table."),
)


class TextLobby:
    """The lobby of one program; ``name`` is the player's name, ``config`` how the next table is
    played (a passphrase, which bots)."""

    def __init__(
        self, store: DataFolder, config: NodeConfig, lines: TypedLines, out: Callable[[str], None]
    ) -> None:
        self.store, self.config, self.lines, self.out = store, config, lines, out
        self.appearance, self.name = read_appearance(store.home), ""

    def tell(self, phrase: Phrase) -> None:
        self.out(Narrator(None, self.appearance.translate).text(phrase))

    async def ask_name(self) -> str | None:
        """Ask for the player's name at the first start; Enter takes the name of the login."""
        suggested = name_from_login()
        self.tell(ASK_NAME)
        if suggested:
            self.tell(say("Press Enter to be called {nick}.", nick=Quoted(suggested)))
        while (line := await self.lines.next()) is not None:
            name = " ".join(line.split()) or suggested
            if is_name(name):
                return name
            self.tell(NO_NAME)
        return suggested or None

    async def offer_return(self) -> ResumeTarget | None:
        """Ask whether to resume a table that is not over."""
        left = resumable_tables(self.store)
        if not left:
            return None
        told = left_table(left[0], self.store.identity().public)
        self.tell(say("You have an unfinished table: {table}.", table=told))
        self.tell(say("Press Enter to resume it, or type 'new' for another table."))
        answer = (await self._line("new")).lower()
        return ResumeTarget(left[0]) if answer in ("", "resume", "r", "y", "yes") else None

    async def choose(self) -> Chosen | None:
        """List the tables found, and ask what to do; None if the player leaves."""
        discovery = self.config.discovery
        await discovery.start()
        try:
            discovery.look()
            self.tell(say("Searching for tables ..."))
            await asyncio.sleep(SEARCH_FIRST)
            while True:
                records = list(discovery.found.values())
                found = [f for f in records if f.announcement.free > 0]
                found += [f for f in records if f.announcement.is_watched]
                self._offer(found, discovery)
                line = await self._line("quit")
                if line.lower() in ("q", "quit"):
                    return None
                chosen = await self._answer(line, found)
                if chosen is not None:
                    return chosen
        finally:
            await discovery.close()

    async def _line(self, without: str) -> str:
        """Return the next typed line, or ``without`` where there are no more."""
        line = await self.lines.next()
        return without if line is None else line.strip()

    def _offer(self, found: list[Found], discovery: Discovery) -> None:
        for number, item in enumerate(found, 1):
            self.tell(say("{n}) {table}", n=number, table=found_table(item)))
        if not found:
            self.tell(say("No tables found yet. {where}", where=searching(discovery)))
        self.tell(_OFFER)
        for left in resumable_tables(self.store)[:1]:
            told = left_table(left, self.store.identity().public)
            self.tell(
                say("Type 'resume' to go back to your unfinished table: {table}.", table=told)
            )

    async def _answer(self, line: str, found: list[Found]) -> Chosen | None:
        """Do what a line in the lobby says; returns the table to sit down at, if it names one."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "":
                return None
            case "o" | "open":
                return await self._open(rest.split())
            case "b" | "bots" if not rest:
                seats = self.config.opening.rules.seats
                return replace(self.config.opening, bots=seats - 1)
            case "w" | "watch" if rest:
                await self._watch(_where(rest.strip(), found))
            case "h" | "history" if not rest:
                self._show_history()
            case "l" | "learn" if not rest:
                await take_lessons(self.store, self.lines, self.out)
            case "s" | "settings" if not rest:
                await self.change_settings()
            case "r" | "resume" if not rest:
                left = resumable_tables(self.store)
                if left:
                    return ResumeTarget(left[0])
                self.tell(say("You have no unfinished table."))
            case "more" | "?" | "help" if not rest:
                for phrase in _MORE:
                    self.tell(phrase)
            case number if number.isdecimal() and _is_watched(number, found):
                await self._watch(_where(number, found))
            case _:
                where = _where(line, found)
                if where is None:
                    told = say("That is no table and no word of the lobby. 'more' lists the words.")
                    self.tell(told)
                return where
        return None

    async def _open(self, words: list[str]) -> NewTable | None:
        """Return the table to open, or tell what is wrong; ask what happens if a player leaves."""
        try:
            opened, self.config = described(self.config, words)
        except OptionsError as error:
            self.tell(error.phrase)
            return None
        if "away" in opened.all_changed or not waits_for_people(opened.rules, opened.bots):
            return opened
        return replace(opened, away=await self._ask_away(opened))

    async def _ask_away(self, opened: NewTable) -> str:
        values = leaving.possible(opened.rules)
        self.tell(say("{question}:", question=leaving.QUESTION))
        for number, value in enumerate(values, 1):
            word, sentence = leaving.ANSWERS[value]
            self.tell(say("{n}) {word}. {sentence}", n=number, word=word, sentence=sentence))
        while True:
            self.tell(say("Type a number, or press Enter for the first."))
            line = await self._line("")
            if not line or (line.isdecimal() and 1 <= int(line[:6]) <= len(values)):
                return values[int(line[:6] or 1) - 1]

    async def _watch(self, where: str | None) -> None:
        """Watch a table until it is over or the player types a line."""
        if where is None:
            self.tell(say("That is no table: type a number of the list, a code or HOST:PORT."))
            return
        self.tell(say("Press Enter to stop watching."))
        watching = asyncio.create_task(
            spectator.watch(where, None, self.out, self.appearance.translate, self.name)
        )
        typing = asyncio.create_task(self.lines.next())
        await asyncio.wait((watching, typing), return_when=asyncio.FIRST_COMPLETED)
        is_over = watching.done()
        for task in (watching, typing):
            task.cancel()
        ended, line = await asyncio.gather(watching, typing, return_exceptions=True)
        if is_over and isinstance(line, str):
            self.lines.put_back(line)  # it was typed too late to end the watching
        if isinstance(ended, NetError):
            self.tell(ended.phrase)

    def _show_history(self) -> None:
        from p2p304.offline.history.history_report import history

        history(self.store, False, self.out, self.appearance.translate)

    async def change_settings(self) -> None:
        """List the settings, and change those that the player chooses."""
        dialogue: SettingsDialogue | None = SettingsDialogue()
        while dialogue is not None:
            for phrase in dialogue.lines(self.name, self.appearance.settings):
                self.tell(phrase)
            dialogue, changed = dialogue.typed(await self._line(""))
            if changed is None:
                continue
            if changed.name is not None:
                self.name = self.store.nick(changed.name)
            failed = change_settings(self.store.home, changed.values)
            if failed is not None:
                self.tell(failed)
            if any(place == ("", "language") for place, _ in changed.values):
                os.environ.pop("P2P304_LANGUAGE", None)  # what was chosen last counts
            self.appearance = read_appearance(self.store.home)

    async def ask_what_next(self, model: Model) -> Again | ToLobby | Quit:
        """Ask what follows the end of a table."""
        offered = choices(model)
        self.tell(say("What next?"))
        for number, choice in enumerate(offered, 1):
            self.tell(say("{n}) {word}", n=number, word=choice.name))
        while True:
            self.tell(say("Type a number."))
            line = (await self._line("quit")).lower()
            if line.isdecimal() and 1 <= int(line[:6]) <= len(offered):
                return offered[int(line[:6]) - 1].does
            if line in ("q", "quit"):
                return Quit()
            if line in ("lobby", "x"):
                return ToLobby()

    async def ask_rules(self, wanted: OpenTable) -> OpenTable | None:
        """Ask which rules are changed before a table is opened once more; None: the player goes
        to the lobby instead."""
        old = wanted.rules
        usual = HouseRules(old.preset).options.to_data()
        changed = {k: v for k, v in old.to_data().items() if v != usual[k]}
        told = say("The rules until now: {rules}", rules=game_in_words(old, with_names=True))
        self.tell(told)
        told = say(
            "Type what changes, as timer=45 or rules=bank. Enter keeps the rules; 'lobby' goes "
            "back to the lobby."
        )
        while True:
            self.tell(told)
            words = (await self._line("lobby")).split()
            if [word.lower() for word in words] == ["lobby"]:
                return None
            new = NewTable(wanted.name, old.preset, wanted.hands, False, wanted.bots, None, changed)
            try:
                opened, config = described(
                    replace(self.config, opening=new, bots_play=wanted.bots_play), words
                )
            except OptionsError as error:
                self.tell(error.phrase)
                continue
            return replace(
                wanted,
                rules=opened.rules,
                hands=opened.hands,
                bots=opened.bots,
                bots_play=config.bots_play,
            )

    async def ask_passphrase(self) -> str | None:
        """Ask for the passphrase of a locked table; None: another table is chosen."""
        self.tell(say("Type the passphrase, or press Enter to choose another table."))
        return await self._line("") or None


def _is_watched(word: str, found: list[Found]) -> bool:
    """Whether a number of the list names a table that can only be watched."""
    at = int(word[:6]) - 1
    return 0 <= at < len(found) and found[at].announcement.is_watched


def _where(word: str, found: list[Found]) -> str | None:
    """Return HOST:PORT for a number of the list, a table code or an address."""
    if word.isdecimal():
        at = int(word[:6]) - 1
        return f"{found[at].host}:{found[at].port}" if 0 <= at < len(found) else None
    address = read_address(word)
    return None if address is None else where(*address)


def described(config: NodeConfig, words: list[str]) -> tuple[NewTable, NodeConfig]:
    """Return the table to open as ``NAME WORD=VALUE ...`` says, over what was given before. Raises
    OptionsError."""
    new = config.opening
    name = " ".join(word for word in words if "=" not in word) or new.name
    settings = [word for word in words if "=" in word]
    about = {word.partition("=")[0]: word.partition("=")[2] for word in settings}
    rest = [word for word in settings if word.partition("=")[0] not in ABOUT_TABLE]
    preset, before = about.get("rules", new.preset), {} if "rules" in about else new.changed
    rules = HouseRules(preset, before).with_settings(rest, ABOUT_TABLE)
    seats = rules.options.seats
    about["bots"], _, level = about.get("bots", str(min(new.bots, seats - 1))).partition(":")
    opened = replace(
        new,
        name=name,
        preset=preset,
        changed=rules.changed,
        chosen=new.chosen and "seating" not in rules.changed,
        away=None if "away" in rules.changed else new.away,
        hands=_number(about, "hands", new.hands, MAX_HANDS),
        bots=_number(about, "bots", 0, seats - 1),
    )
    opened.rules  # noqa: B018  now, and not when others join
    asks = _one_of(about, "ask", "yes" if config.asks else "no", ("yes", "no"))
    return opened, replace(
        config,
        passphrase=about.get("passphrase", config.passphrase) or None,
        asks=asks == "yes",
        watch=_one_of(about, "spectators", config.watch, ("", *WATCH)),
        bots_play=_one_of({"bots": level} if level else {}, "bots", config.bots_play, BOTS_PLAY),
    )


ABOUT_TABLE = ("rules", "hands", "bots", "passphrase", "ask", "spectators")
"""Words that are no options of the rules."""


def _number(about: dict[str, str], word: str, usual: int, most: int) -> int:
    text = about.get(word, str(usual))
    if not text.isdecimal() or len(text) > 5 or int(text) > most:
        told = say("{word} must be a number from 0 to {most}.", word=Quoted(word), most=most)
        raise OptionsError(told)
    return int(text)


def _one_of(about: dict[str, str], word: str, usual: str, words: tuple[str, ...]) -> str:
    text = about.get(word, usual)
    if text not in words:
        known = Quoted(", ".join(filter(None, words)))
        raise OptionsError(say("{word} must be one of {words}.", word=Quoted(word), words=known))
    return text
