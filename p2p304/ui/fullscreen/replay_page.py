"""A replay on the full screen: a transcript's game, stepping forwards and back.

Responsible for the position in the game, the seat from which it is seen, and the keys that change
them. What is seen at a position is moments.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, Who, say
from p2p304.ui.common.key_map import Command, Keys
from p2p304.ui.common.settings import CONTROLS, Controls
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input import keys
from p2p304.ui.fullscreen.model.cards_then import is_whole
from p2p304.ui.fullscreen.model.judgement import Judgement
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.moments import NOTHING, Entry, Moment, Moments
from p2p304.ui.fullscreen.replay_search import (
    BREATH,
    FEW_ENTRIES,
    Advise,
    HintSearch,
    Lesson,
    Run,
    Teach,
    at_once,
)
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.narration.intents import Intent, Quit
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.terminal.frame import Page, Redraw, Screenful

NO_MOVE = (0, -1)
MOVE_SECONDS, TRICK_SECONDS = 1.0, 2.0
"""How long a move stays when the game plays by itself, and how long a trick."""
TEACHER = "t"


class ReplayPage(Page[Intent]):
    """A page over ``entries``; a false entry ends them with a ``Phrase`` in its place. ``advise``
    says what a hint would have been, ``teach`` what would have been better: they search, and
    ``run`` does so beside the screen. ``seat`` is the player from whose place one looks, by
    key. ``from_list``: it was opened from a list of tables, and leads back there."""

    def __init__(
        self,
        entries: Iterator[Entry | Phrase],
        look: Look,
        translate: Translate = untranslated,
        controls: Controls = CONTROLS,
        advise: Advise | None = None,
        own_key: bytes | None = None,
        teach: Teach | None = None,
        run: Run = at_once,
        from_list: bool = False,
    ) -> None:
        self.look, self.translate, self.controls = look, translate, controls
        self._game = Moments(entries, controls.keys, own_key)
        self._advise, self._teach, self._run = advise, teach, run
        self._search: Lesson | HintSearch | None = None
        self._taught = NO_MOVE
        self.at = 0
        self.seat: int | None = None
        self.shows_entries = False
        self._next_at: float | None = None
        self._more()
        self.ui = Ui(footer=_footer(controls.keys, from_list), has_values=controls.values == "on")

    @property
    def moments(self) -> list[Moment]:
        return self._game.taken

    @property
    def model(self) -> Model:
        return self.moments[self.at].model if self.moments else Model()

    def go_to_hand(self, number: int) -> bool:
        """Go to the beginning of a hand; returns False, and does not move, if there is no such
        hand."""
        before = self.at
        self.at = 0
        if _hand(self.model) < number:
            self._forward(lambda model: _hand(model) >= number)
        if _hand(self.model) == number:
            return True
        self.at = before
        return False

    # A page

    def press(self, key: str, now: float) -> tuple[Intent, ...]:
        runs, self._next_at = self._next_at is not None, None
        meant = self.controls.commands.get(key)
        if self._search is not None:
            runs, self._search, self.ui = False, None, replace(self.ui, note=None)
            if key in (TEACHER, "escape") or meant is Command.HINT:
                return ()
        if self.ui.pane is None and self._move(key):
            return ()
        if key in ("c-c", "c-d", "q") or (key == "escape" and self.ui.pane is None):
            return (Quit(),)
        if key == " " and self.ui.pane is None:
            self._next_at = None if runs else now + MOVE_SECONDS
        elif key == "." and self.ui.pane is None:
            self.shows_entries = not self.shows_entries
        elif key in ("s", "tab") and self.ui.pane is None:
            self._change_seat()
        elif key == TEACHER and self.ui.pane is None and self._teach is not None:
            last = self._taught if self._taught == self._place() else NO_MOVE
            self._search, self._next_at = Lesson(self.at, last), now
            self._tell_progress()
        elif meant is Command.HINT:
            self._ask_hint(now)
        else:
            self.ui, wanted = keys.press(self.model, self.ui, key, self.controls)
            self.ui = replace(self.ui, typed="", asking=None, note=None, queued=None)
            if self.ui.pane is Pane.MENU:  # the menu is a table's; the help lists a replay's keys
                self.ui = replace(self.ui, pane=Pane.HELP)
            return tuple(intent for intent in wanted if isinstance(intent, Quit | Redraw))
        return ()

    def click(self, x: int, y: int, now: float) -> tuple[Intent, ...]:
        return self.press("escape" if self.ui.pane else "right", now)

    def handle_timer(self, now: float) -> tuple[Intent, ...]:
        """Go on by itself, if it or a search does and the time has come."""
        if self._search is not None:
            self._search_on(self._search, now)
        elif self._next_at is not None and now >= self._next_at:
            before, tricks = self.at, len(self.model.done_tricks)
            self._move("right")
            whole = len(self.model.done_tricks) > tricks
            seconds = TRICK_SECONDS if whole else MOVE_SECONDS
            self._next_at = now + seconds if self.at != before else None
        return ()

    def next_timeout(self, now: float) -> float | None:
        return self._next_at

    def picture(self, width: int, height: int, now: float) -> Screenful:
        moment = self.moments[self.at] if self.moments else NOTHING
        ui = self.ui
        if not moment.sound:
            ui = replace(ui, note=moment.caption)
        elif self.shows_entries:
            ui = replace(ui, hint=moment.caption)
        model = self._seen_from(moment)
        if ui.pane is Pane.HANDS:
            model = self._with_hands(model)
        # The teacher names players also where it goes back to before they were seated.
        nicks = model.nicks or (self.moments[-1].model.nicks if self.moments else ())
        renderer = PhraseRenderer(self.look, self.translate, nicks, seat=model.seat)
        return render(model, ui, renderer, width, height, now, self.controls.keys)

    # Inside

    def _move(self, key: str) -> bool:
        """Move if the key is one that moves; returns whether it is."""
        tricks, number = len(self.model.done_tricks), self.model.number
        match key:
            case "right" | "enter":
                self._forward(lambda model: self._is_step)
            case "left" | "backspace":
                self._back(lambda model: self._is_step)
            case "pagedown":
                self._forward(lambda m: m.number != number or len(m.done_tricks) != tricks)
            case "pageup":
                self._back(lambda m: m.number != number or len(m.done_tricks) != tricks)
            case "down":
                self._forward(lambda model: model.number > number)
            case "up":
                self._back(lambda model: model.number < number)
            case "home":
                self.at = 0
            case "end":
                self._forward(lambda model: False)
            case _:
                return False
        self.ui = replace(self.ui, note=None)
        return True

    @property
    def _is_step(self) -> bool:
        moment = self.moments[self.at]
        return self.shows_entries or moment.is_move or not moment.sound

    def _change_seat(self) -> None:
        """Look from the next player's place; after the last from nobody's."""
        at, before = self.at, self.seat
        while at < len(self.moments) and not self.moments[at].model.nicks:
            at += 1  # the seats are drawn later: look ahead
            if at == len(self.moments):
                self._more()
        nicks = self.moments[at].model.nicks if at < len(self.moments) else ()
        after = 0 if before is None else before + 1
        self.seat = after if after < len(nicks) else None
        note = say("You see the game as a spectator.")
        if self.seat is not None:
            who = Who(self.seat) if self.model.nicks else nicks[self.seat]
            note = say("You see the game from the place of {who}.", who=who)
        self.ui = replace(self.ui, note=note)

    def _seen_from(self, moment: Moment) -> Model:
        """The table as it was for the player at ``seat``, as far as that player's cards were shown
        later in the hand, or are this player's own and can still be read."""
        model, own = moment.model, moment.own_view
        if self.seat is None or self.seat >= len(model.nicks):
            return model
        if model.ended:
            last = model.ended[-1]
            held = self._game.own_cards(self.at, self.seat, last.number)
            model = replace(model, ended=(*model.ended[:-1], replace(last, own=held)))
        # From the first cards on, before anybody has acted.
        is_dealt = model.stage in (Stage.DEALING, Stage.PLAYING)
        if own is not None and own.seat == self.seat and is_dealt:
            return replace(model, seat=self.seat, view=own, hand=own.hand, stage=Stage.PLAYING)
        if model.hand is None or model.stage is not Stage.PLAYING:
            return replace(model, seat=self.seat)
        return replace(model, seat=self.seat, view=self._game.view(self.at, self.seat))

    def _with_hands(self, model: Model) -> Model:
        """The table with the hand that is played here as the last one, for the list of all hands:
        their cards as far as they were shown in it, also later."""
        if model.hand is None or model.stage is not Stage.PLAYING:
            return model
        self._game.final(self.at)  # takes the entries up to its end
        ended = self._game.ended(model.number)
        if ended is None:
            return model
        own = self._game.own_cards(len(self.moments) - 1, self.seat, model.number)
        return replace(model, ended=(*model.ended, replace(ended, own=own)))

    def _ask_hint(self, now: float) -> None:
        """Look for what a hint would have been for the player whose turn it is here."""
        hand = self.model.hand
        told = say("Thinking … Esc stops.")
        if self._advise is None or hand is None or hand.turn is None or hand.phase is Phase.COUNT:
            told = say("There is nothing to choose here.")
        elif self.seat not in (None, hand.turn):
            told = say(
                "It is the turn of {who}. Hints are for the player from whose place you look: "
                "press s to change it.",
                who=Who(hand.turn),
            )
        else:
            self._search, self._next_at = HintSearch(), now
        self.ui = replace(self.ui, pane=None, note=told)

    def _search_on(self, search: Lesson | HintSearch, now: float) -> None:
        """Go on with a search: it takes a few entries at a time, or asks and waits, so that keys
        are read meanwhile."""
        self._next_at = now + BREATH
        if not self._game.has_whole_hand(self.at, FEW_ENTRIES):
            return
        if isinstance(search, Lesson):
            self._look_on(search)
            return
        question = self._hint_question()
        if isinstance(question, Phrase):
            self._take_hint(search, question)
        else:
            self._next_at = None
            self._run(question, lambda told: self._take_hint(search, told))

    def _hint_question(self) -> Callable[[], Phrase] | Phrase:
        """What finds the hint for this moment, or why there is none."""
        model, hand, advise = self.model, self.model.hand, self._advise
        if hand is None or hand.turn is None or advise is None:
            return say("There is nothing to choose here.")
        if self._game.ended(model.number) is None:
            return say("There are no hints until the hand is over.")
        who, view = Who(hand.turn), self._game.view(self.at, hand.turn)
        # Which cards came first nobody can see later; this player's own view tells.
        is_early = hand.phase in (Phase.BID4, Phase.TRUMP4)
        if not is_whole(view) or (is_early and view is not self.moments[self.at].own_view):
            return say("There is no hint: not all cards of {who} are known.", who=who)
        seen = replace(model, seat=hand.turn, view=view)

        def told() -> Phrase:
            return say("For {who}: {hint}", who=who, hint=advise(view, seen))

        return told

    def _take_hint(self, search: HintSearch, told: Phrase) -> None:
        if self._search is search:
            self._search, self._next_at, self.ui = None, None, replace(self.ui, note=told)

    def _look_on(self, lesson: Lesson) -> None:
        """Let the teacher look at one more move; where there is none it goes back to where it
        began."""
        while (question := self._teacher_question(lesson)) is None:
            if self.at + 1 >= len(self.moments) and not self._more():
                self.at, self._search, self._next_at = lesson.began, None, None
                self.ui = replace(self.ui, note=lesson.found_none)
                return
            self.at += 1
            if not self._game.has_whole_hand(self.at, 0):
                return
        self._next_at = None
        self._run(question, lambda found: self._take_judgement(lesson, found))

    def _teacher_question(self, lesson: Lesson) -> Callable[[], Judgement | None] | None:
        """What judges the choice that was made from here, by the player from whose place one looks;
        None if there is none, or the teacher has looked at it. It is silent on a hand that is not
        over."""
        model, hand, teach = self.model, self.model.hand, self._teach
        if hand is None or teach is None or self._place() == lesson.last:
            return None
        if hand.turn is not None and self.seat not in (None, hand.turn):
            return None
        final, number = self._game.final(self.at), model.number
        ended = self._game.ended(number)
        if ended is None or (hand.turn is None and hand is not final):
            return None
        lesson.last = self._place()
        views = {len(view.hand.history): view for view in self._game.own_views(number)}
        return lambda: teach(final, hand, views, ended.result)

    def _take_judgement(self, lesson: Lesson, found: Judgement | None) -> None:
        """The teacher stops at a move that could have been better, and else goes on."""
        if self._search is not lesson:
            return  # a key has stopped it
        self._next_at = 0.0
        if found is None or self.seat not in (None, found.seat):
            return
        self._taught = lesson.last
        if found.why is not None:
            lesson.unjudged[found.seat, found.why] += 1
        if found.told is None:
            self._tell_progress()
            return
        self._search, self._next_at, self.ui = None, None, replace(self.ui, note=found.told)

    def _place(self) -> tuple[int, int]:
        """The hand, and how many actions of it are done."""
        hand = self.model.hand
        return NO_MOVE if hand is None else (self.model.number, len(hand.history))

    def _tell_progress(self) -> None:
        number = self.model.hand_number(self.model.number)
        told = say("The teacher looks at hand {n} … Any key stops.", n=number)
        self.ui = replace(self.ui, note=told)

    def _forward(self, until: Callable[[Model], bool]) -> None:
        """Go forward, at least one entry, until the model is as wanted or the entries end."""
        while self.at + 1 < len(self.moments) or self._more():
            self.at += 1
            if until(self.model):
                return

    def _back(self, until: Callable[[Model], bool]) -> None:
        while self.at > 0:
            self.at -= 1
            if until(self.model):
                return

    def _more(self) -> bool:
        """Take one more entry; returns False if there is none."""
        known, found = self._game.own_seat, self._game.more()
        if known is None:
            self.seat = self.seat if self._game.own_seat is None else self._game.own_seat
        return found


def _hand(model: Model) -> int:
    """Return the number of the hand at this moment; a hand that is dealt again keeps it."""
    return model.hand_number(model.number)


def _footer(names: Keys, from_list: bool) -> Phrase:
    told = say("Left/Right move  Up/Down hand  Space run  s seat  {hint} hint  t teacher  q quit")
    if from_list:
        told = say(
            "Left/Right move  Up/Down hand  Space run  s seat  {hint} hint  t teacher  q back"
        )
    return told.filled(hint=names[Command.HINT])
