"""Text mode: append-only lines in, append-only lines out.

Responsible for what a player is shown at every moment and for what a typed line does. It works the
same on a terminal, through a pipe and for a screen reader. It prints nothing and knows no network:
frontends/text/player.py passes events in and lines out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from shutil import get_terminal_size

from p2p304.rules.core.actions import Action, Caps, Claim
from p2p304.rules.core.phrases import Arg, Phrase, Place, Quoted, Who, say
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play import claims
from p2p304.rules.state.hand import Phase
from p2p304.table.state import events, gathering_events
from p2p304.table.state.events import Event
from p2p304.ui.common import input_parser
from p2p304.ui.common.remarks import REMARKS
from p2p304.ui.common.text_width import width_of
from p2p304.ui.common.wording import CANNOT_SIT, hand_line, seat_meant
from p2p304.ui.guidance.card_values import rank_values, value_phrases
from p2p304.ui.guidance.choice_phrases import broken_rule, cut_meant, describe, timeout_phrase
from p2p304.ui.guidance.gathering_phrases import (
    OTHERS_COME,
    asked_for_seat,
    if_somebody_leaves,
    table_codes,
)
from p2p304.ui.guidance.help import about_seats, help_phrases
from p2p304.ui.guidance.status import contract, due, hint_refusal
from p2p304.ui.narration.accounts import games, standing
from p2p304.ui.narration.gathering import DRAWN
from p2p304.ui.narration.intents import (
    ANYWHERE,
    UNCUT,
    AskHint,
    Chat,
    ConfirmCode,
    CutPack,
    Do,
    Part,
    Quit,
    Ready,
    Sit,
    ToLobby,
)
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import untranslated
from p2p304.ui.narration.reducer import Chosen, GotReady
from p2p304.ui.questions.leaving import may_leave_bots, other_answer, own_bots, warning
from p2p304.ui.text.narrator import LONGEST_LINE, Narrator

BETWEEN = "   "
"""What stands between two choices of a line, and before whose turn it is."""
_READ_ALOUD = say("Everyone reads the code aloud. Type 'same' if all codes are the same.")


@dataclass(frozen=True, slots=True)
class Show:
    """Only lines for the player: nothing happens at the table. ``refused``: what was typed is no
    choice, and no question either."""

    lines: tuple[str, ...]
    refused: bool = False


TypedIntent = (
    Sit | Chat | Do | Ready | CutPack | Part | Quit | ToLobby | ConfirmCode | AskHint | Show
)


class TextScreen:
    """One player's screen in text mode; ``nick`` is the player's own nickname; ``confirms``:
    spoilt trumps are called after a question, as Caps is always."""

    def __init__(
        self, nick: str, translate: Callable[[str], str] = untranslated, confirms: bool = True
    ) -> None:
        self._confirms = confirms
        self._warned = ""
        """The last line, if it was a word to leave, and what that means was told."""
        self.teller = Narrator(nick, translate)
        self.teller.model = replace(self.model, claims=True)
        self._before_choice = self.model
        self._has_just_told_cards = False
        self._knows_request = False
        """Whether this visitor was told how long the request for a seat stands."""
        self.asked_claim: Claim | None = None
        """The call of Caps or spoilt trumps about which the player is asked."""

    @property
    def model(self) -> Model:
        return self.teller.model

    # What is shown

    def show(self, event: Event) -> list[str]:
        """Return the lines for one event."""
        before, was_offered = self.model.view, self.model.cut_until is not None
        lines = self.teller.lines(event)
        match event:
            case gathering_events.Gathering(waits=waits) if not self._knows_request and any(
                wait.reason is gathering_events.WaitReason.NO_ANSWER for wait in waits
            ):
                self._knows_request = True
                lines += [self._text(phrase) for phrase in asked_for_seat(self.model)]
            case events.HandOver():
                self.asked_claim = None
            case events.Acted(hand=hand) if lines and hand.turn not in (None, self.model.seat):
                lines[-1] += BETWEEN + self._text(due(self.model))
            case events.Seated() if self.model.seat is not None:
                lines.append(self._text(say("Your seat: {seat}.", seat=Place(self.model.seat))))
                lines += [self._text(phrase) for phrase in about_seats(self.model)]
                if self.model.people:
                    lines.append(self._text(_READ_ALOUD))
            case events.HandSeen(view=view) if before is None or before.cards != view.cards:
                lines += self._my_cards()
                if view.hand.turn not in (None, view.seat):
                    lines.append(self._text(due(self.model)))
            case events.YourTurn():
                lines += self._my_turn([] if self._has_just_told_cards else self._my_cards())
            case events.NextHand():
                lines.append(self._text(due(self.model)))
            case events.CutChosen() if was_offered and self.model.deal_next is not None:
                lines.append(self._text(due(self.model)))
            case events.CutOffered(seconds=seconds):
                lines += self._cut_choices(round(seconds))
        if lines:
            self._has_just_told_cards = isinstance(event, events.HandSeen)
        return lines

    def _text(self, phrase: Phrase) -> str:
        return self.teller.text(phrase)

    def _my_turn(self, cards: list[str]) -> list[str]:
        lines = [*self.table_lines(), *cards, self._text(due(self.model))]
        timer = self.model.hand.options.timer if self.model.hand is not None else None
        if isinstance(timer, int):
            told = say("You have {n} seconds.", n=timer)
            then = "" if self.model.view is None else self._text(timeout_phrase(self.model.view))
            lines.append(f"{self._text(told)} {then}".rstrip())
        return [*lines, *self._numbered(self.model.options)]

    def _cut_choices(self, seconds: int) -> list[str]:
        told = say("You have {n} seconds; then the pack is not cut.", n=seconds)
        return [self._text(due(self.model)), self._text(told), *self._numbered((UNCUT, ANYWHERE))]

    def _numbered(self, choices: Sequence[Action | CutPack]) -> list[str]:
        """Return the choices with their numbers. A line ends between two choices, not inside
        one."""
        room, lines = min(LONGEST_LINE, get_terminal_size().columns) - 1, list[str]()
        for number, choice in enumerate(choices, 1):
            text = f"{number}) {self._text(describe(choice, self.model))}"
            if lines and width_of(lines[-1]) + len(BETWEEN) + width_of(text) <= room:
                lines[-1] += BETWEEN + text
            else:
                lines.append(f"  {text}")
        return [*lines, "  " + self._text(say("(number or word; ? for help)"))]

    def _my_cards(self) -> list[str]:
        view = self.model.view
        if view is None:
            return [self._text(say("You hold no cards yet."))]
        cards = hand_line(view.cards, view.hand.options.pack, self.teller.renderer.translate)
        lines = [self._text(say("Your hand: {cards}", cards=cards))]
        if view.indicator is not None:
            told = say("Your indicator, face down: {card}", card=view.indicator)
            lines.append(self._text(told))
        return lines

    def chosen(self, action: Action) -> None:
        """Note an own action that is sent to the table."""
        self._before_choice = self.model
        self.teller.lines(Chosen(action))

    def refused(self) -> None:
        """Reopen the choice, because the chosen action may not be done."""
        self.teller.model = self._before_choice

    def table_lines(self) -> list[str]:
        """Return the contract, the tokens, whose turn it is, and the trick."""
        played_for = self._text(contract(self.model)).removesuffix(".")
        # Two sentences, also where they are spoken.
        lines = [f"{played_for}. {self._tokens()[0]}", *self.room_lines()]
        hand = self.model.hand
        if hand is None:
            return lines
        if hand.turn is not None and not self.model.is_my_turn:
            lines.append(self._text(due(self.model)))
        if hand.trick is not None and hand.phase is Phase.PLAY:
            plays = self._plays(hand.trick)
            told = say("Trick {n}, in order: {plays}", n=len(hand.tricks), plays=plays)
            lines.append(self._text(told))
        return lines

    def room_lines(self) -> list[str]:
        """Return, while the table gathers, how others come, and what follows if somebody leaves."""
        codes, leaves = table_codes(self.model), if_somebody_leaves(self.model)
        lines = [self._text(OTHERS_COME), *(f"  {code}" for code in codes)] if codes else []
        is_told = leaves is not None and self.model.stage is Stage.GATHERING
        return [*lines, self._text(leaves)] if is_told and leaves is not None else lines

    def _values(self) -> list[str]:
        """Return what the cards are worth, and what the bid still needs."""
        hand = self.model.hand
        if hand is None:
            return [self._text(say("No hand is being played."))]
        told = " ".join(self._text(phrase) for phrase in value_phrases(self.model))
        return [rank_values(hand), *([told] if told else [])]

    def _tokens(self) -> list[str]:
        match = self.model.match
        if match is None:
            return [self._text(say("The match has not begun."))]
        told = [standing(match, self.model.seat), *games(match, self.model.seat)]
        return [self._text(phrase) for phrase in told]

    def _plays(self, trick: Trick) -> tuple[Phrase, ...]:
        """Return the cards of a trick in the order in which they were played."""
        found, seen = [], self.model.known_down(trick)
        for play in trick.plays:
            card: Arg = play.card or say("a card face down")
            if play.seat in seen:
                card = say("{card} face down", card=seen[play.seat])
            found.append(say("{who} {card}", who=Who(play.seat), card=card))
        return tuple(found)

    def last_trick(self) -> list[str]:
        trick = self.model.last_trick
        if trick is None or trick.winner is None:
            return [self._text(say("No trick has been completed in this hand."))]
        plays, won = self._plays(trick), Who(trick.winner)
        told = say("The last trick, in order: {plays}; {who} won it.", plays=plays, who=won)
        return [self._text(told)]

    def earlier_tricks(self) -> list[str]:
        """Return all completed tricks of the hand, where the rules let everybody look at them."""
        hand, tricks = self.model.hand, self.model.done_tricks
        if hand is not None and not hand.options.memory:
            told = say("At this table you can look at the last trick only: type 'last'.")
            return [self._text(told)]
        if not tricks:
            return self.last_trick()
        return [
            self._text(
                say(
                    "Trick {n}, in order: {plays}; {who} won it.",
                    n=number,
                    plays=self._plays(trick),
                    who=Who(trick.winner),
                )
            )
            for number, trick in enumerate(tricks, 1)
            if trick.winner is not None
        ]

    # What is typed

    def leaving_lines(self) -> tuple[str, ...]:
        """Say what it means to leave now, where bots of this player would leave others behind."""
        over = self.model.stage in (Stage.GATHERING, Stage.OVER) or self.model.stopped is not None
        if over or not self.model.has_people or own_bots(self.model) == 0:
            return ()
        may_stay = may_leave_bots(self.model)
        told = (warning(self.model), *((other_answer(self.model),) if may_stay else ()))
        return tuple(self._text(phrase) for phrase in told)

    def _leave(self, word: str, before: str, bots_stay: bool = False) -> Quit | ToLobby | Show:
        """Leave; first say what that means, unless the same ``word`` was typed just ``before``."""
        told = self.leaving_lines()
        stay = bool(told) and bots_stay and may_leave_bots(self.model)
        if not told or stay or before == word:
            return ToLobby() if word == "lobby" else Quit(stay)
        self._warned = word
        return Show((*told, self._text(say("Type '{word}' once more to leave.", word=word))))

    def typed(self, line: str) -> TypedIntent:
        """Return what a line means now; never raises."""
        line = line.strip()
        line = f"say {line[1:]}" if line.startswith("/") else line  # as on the full screen
        first, _, rest = line.partition(" ")
        word = line.lower()
        claim, self.asked_claim = self.asked_claim, None
        warned, self._warned = self._warned, ""
        if claim is not None and word in ("y", "yes"):
            return Do(claim)
        if claim is not None and word in ("n", "no"):
            return Show((self._text(say("You have not called it.")),))
        match first.lower():
            case "":
                return self._enter()
            case "q" | "quit" | "exit" | "leave" if not rest or rest.strip() == "bots":
                return self._leave("quit", warned, bool(rest))
            case "lobby" if not rest:
                return self._leave("lobby", warned)
            case "part" if not rest:
                return Part()
            case "same" if not rest and self.model.code:
                return ConfirmCode()
            case "hint" | "i" if not rest:
                refused = hint_refusal(self.model)
                return AskHint() if refused is None else Show((self._text(refused),))
            case "say" if rest:
                said = rest.strip()
                return Chat(REMARKS[said].text if said in REMARKS else said)
            case "seat" if rest and not self.model.code:
                return self._seat(rest)
        asked = self._asked(word)
        if asked is not None:
            return Show(tuple(asked))
        cut = None if self.model.cut_until is None else cut_meant(word)
        if cut is not None:
            return cut
        view, options = self.model.view, self.model.options
        call = None if view is None else input_parser.claim(word, view.seat)
        if call is not None:
            return self._called(call)
        action: Action | None = None
        if view is not None and options:
            action = input_parser.choice(word, options, view.hand.options)
        if action is None:
            return Show((self._text(self._not_understood(word)),), refused=True)
        return Do(action)

    def _called(self, call: Claim) -> TypedIntent:
        """Ask before a call of Caps or spoilt trumps; one that is not open the table refuses."""
        is_caps = isinstance(call, Caps)
        is_open = self.model.may_claim(claims.CAPS if is_caps else claims.SPOILT)
        asks = bool(call.order) if isinstance(call, Caps) else self._confirms
        if not is_open or not asks:
            return Do(call)
        self.asked_claim = call
        question = say("{what}: are you sure?", what=describe(call, self.model))
        if isinstance(call, Caps):
            question = say("Call Caps with {cards}?", cards=call.order)
        told = say("{question} A wrong call costs tokens. Type y or n.", question=question)
        return Show((self._text(told),))

    def _seat(self, word: str) -> TypedIntent:
        """Return the seat that a word names, or why it names none."""
        model = self.model
        seat = seat_meant(word, gathering_events.Members(model.nicks, model.places, model.at))
        if seat is not None and model.at:
            return Sit(seat)
        return Show((self._text(CANNOT_SIT if model.at else DRAWN),))

    def _enter(self) -> TypedIntent:
        if self.model.cut_until is not None:
            return UNCUT
        if self.model.deal_next is not None:
            self.teller.lines(GotReady())
            return Ready()
        return Show(tuple(self._my_turn(self._my_cards())) if self.model.is_my_turn else ())

    def _asked(self, word: str) -> list[str] | None:
        """Answer a question that concerns no other player."""
        match word:
            case "?" | "help" | "h":
                return [self._text(phrase) for phrase in help_phrases(self.model)]
            case "last" | "l":
                return self.last_trick()
            case "tricks":
                return self.earlier_tricks()
            case "hand" | "cards":
                return self._my_cards()
            case "bid" | "bids":
                return [self._text(contract(self.model))]
            case "table" | "trick":
                return self.table_lines()
            case "points" | "worth":
                return self._values()
            case "tokens" | "score":
                return self._tokens()
            case "code":
                if not self.model.code:
                    return [self._text(say("There is no spoken code yet.")), *self.room_lines()]
                told = say("Spoken code {code}: say it aloud and compare.", code=self.model.code)
                return [self._text(told)]
        return None

    def _not_understood(self, word: str) -> Phrase:
        if self.model.cut_until is not None:
            return due(self.model)
        if not self.model.is_my_turn or self.model.view is None:
            return say("It is not your turn. Type ? to see what you can do.")
        question = input_parser.which(word, self.model.options)
        if question is not None:
            return question
        broken = input_parser.broken(word, self.model.view)
        if broken is not None:
            return broken_rule(broken)
        shown = "".join(c for c in word if c.isprintable())[:20]
        return say("“{word}” is not one of your choices. Type ? for help.", word=Quoted(shown))
