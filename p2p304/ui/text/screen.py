"""Text mode: append-only lines in, append-only lines out.

Responsible for what a player is shown at every moment and for what a typed line does. It works the
same on a terminal, through a pipe and for a screen reader. It prints nothing and knows no network:
frontends/text.py passes events in and lines out.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand, Phase
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.ui.common import input_parser
from p2p304.ui.common.choices import in_order
from p2p304.ui.common.wording import bid_word, card_word, hand_line, seat_word, suit_word
from p2p304.ui.text import help
from p2p304.ui.text.narrator import Narrator


@dataclass(frozen=True, slots=True)
class Choose:
    """The player chose an action."""

    action: Action


@dataclass(frozen=True, slots=True)
class Say:
    """Only lines for the player: nothing happens at the table."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Again:
    """The line was not understood, or names what may not be done."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """The next deal may begin."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The player leaves."""


@dataclass(frozen=True, slots=True)
class SayAloud:
    """A remark to the others, between hands."""

    text: str


@dataclass(frozen=True, slots=True)
class Sit:
    """The player asks for another seat, named by this word."""

    word: str


Intent = Sit | SayAloud | Choose | Say | Again | Ready | Quit


class PlainScreen:
    """One player's screen in text mode; ``nick`` is the player's own nickname."""

    def __init__(self, nick: str) -> None:
        self.teller = Narrator(nick)
        self.view: View | None = None
        self.options: tuple[Action, ...] = ()
        self.hand: Hand | None = None
        self._waits_for_ready = False
        self._chose = False

    # What is shown

    def show(self, event: Event) -> list[str]:
        """Return the lines for one event."""
        lines = self.teller.lines(event)
        match event:
            case events.Acted(hand=hand, action=action):
                self.hand = hand
                lines = [*self._forget(action), *lines]
                lines = self._with_next(lines, hand)
            case events.HandBegan():
                self.view, self.hand, self.options = None, None, ()
            case events.HandSeen(view=view):
                self.view, self.hand = view, view.hand
                lines = [*lines, *self._my_cards(view)]
            case events.YourTurn(view=view):
                lines = [*lines, *self._my_turn(view)]
            case events.CapsDue(order=order):
                said = " ".join(card.name for card in order)
                lines = [*lines, f"You can call Caps now: type 'caps {said}'."]
            case events.NextHand(number=number):
                self._waits_for_ready = True
                lines = [*lines, f"Press Enter to deal hand {number}."]
        return lines

    def _my_turn(self, view: View) -> list[str]:
        self.view, self.hand, self.options = view, view.hand, in_order(view)
        lines = [*self.table_lines(), *self._my_cards(view)]
        place = seat_word(view.seat, view.hand.options.seats)
        lines.append(f"Your turn ({place}): {help.what_is_due(view)}")
        numbered = [f"{n}) {describe(a)}" for n, a in enumerate(self.options, 1)]
        self._chose = False
        if isinstance(view.hand.options.timer, int):
            lines.append(f"You have {view.hand.options.timer} seconds; then your program plays.")
        return [*lines, "  " + "   ".join(numbered), "  (number or word; ? for help)"]

    def _my_cards(self, view: View) -> list[str]:
        pack = view.hand.options.pack
        lines = [f"Your hand:  {hand_line(view.cards, pack)}"]
        if view.indicator is not None:
            lines.append(f"Your indicator, face down:  {card_word(view.indicator)}")
        return lines

    def _with_next(self, lines: list[str], hand: Hand) -> list[str]:
        """Append whose turn it is to the lines about an action."""
        if not lines or hand.turn is None:
            return lines
        return [*lines[:-1], f"{lines[-1]}   Next: {self.teller.name(hand.turn)}."]

    def _forget(self, action: Action) -> list[str]:
        """Forget the open choice after an own action, until the player is asked again. If nothing
        was chosen, the clock has acted."""
        if self.view is None or action.seat != self.view.seat:
            return []
        asked, self.options = bool(self.options), ()
        has_clock = isinstance(self.view.hand.options.timer, int)
        late = has_clock and asked and not self._chose
        return ["Your time has run out: your program plays for you."] if late else []

    def refused(self) -> None:
        """Reopen the choice, because the chosen action may not be done."""
        self._chose = False

    def table_lines(self) -> list[str]:
        """Return whose turn it is, the contract, the tokens, and the trick in fixed seats."""
        hand = self.hand
        if hand is None:
            return [self.teller.tokens_line()]
        lines = [f"{self.bid_line()}  {self.teller.tokens_line()}"]
        if hand.turn is not None and (self.view is None or hand.turn != self.view.seat):
            lines.append(f"It is {self.teller.name(hand.turn)}'s turn.")
        trick = hand.trick
        if trick is not None and hand.phase is Phase.PLAY:
            lines.append(f"Trick {len(hand.tricks)}:  {self._places(trick)}")
        return lines

    def bid_line(self) -> str:
        hand = self.hand
        if hand is None:
            return "No hand is being played."
        if hand.maker is None:
            high, bidder = hand.auction.high, hand.auction.bidder
            if bidder is None:
                return "No bid yet."
            return f"Highest bid: {bid_word(high)} by {self.teller.name(bidder)}."
        trump = f"trumps {suit_word(hand.trump)}" if hand.trump else "trumps closed"
        mine = self.view.trump if self.view is not None else None
        if hand.trump is None and mine is not None:
            trump = f"trumps closed (yours: {suit_word(mine)})"
        return f"{self.teller.name(hand.maker)} plays {bid_word(hand.bid)}, {trump}."

    def _places(self, trick: Trick) -> str:
        """Return the four seats, always in the same order; the player's own seat is marked."""
        mine = self.view.seat if self.view is not None else -1
        seats = self.hand.options.seats if self.hand is not None else 4
        parts = []
        for seat in range(seats):
            play = trick.by(seat)
            card = "--" if play is None else card_word(play.card) if play.card else "##"
            led = "*" if seat == trick.leader else ""
            name = seat_word(seat, seats) + (" (you)" if seat == mine else "")
            parts.append(f"{name} {card}{led}")
        return "   ".join(parts)

    def last_trick(self) -> list[str]:
        done = [t for t in self.hand.tricks if t.winner is not None] if self.hand else []
        if not done or done[-1].winner is None:
            return ["There is no last trick to look at."]
        last = done[-1]
        winner = self.teller.name(done[-1].winner)
        return [f"Last trick (## face down, * led):  {self._places(last)}   won by {winner}"]

    # What is typed

    def typed(self, line: str) -> Intent:
        """Return what a line means now; never raises."""
        word = line.strip().lower()
        if not word:
            return self._enter()
        if word in ("q", "quit", "exit", "leave"):
            return Quit()
        if word.startswith("say "):
            return SayAloud(line.strip()[4:].strip())
        if word.startswith("seat ") and not self.teller.nicks:
            return Sit(line.strip()[5:].strip())
        asked = self._asked(word)
        if asked is not None:
            return Say(tuple(asked))
        claim = input_parser.claim(word, self.view.seat) if self.view else None
        if claim is not None:
            return Choose(claim)
        action = input_parser.choice(word, self.options) if self.options else None
        if action is not None:
            self._chose = True
            return Choose(action)
        return Again(tuple(self._not_understood(word)))

    def _enter(self) -> Intent:
        if self._waits_for_ready:
            self._waits_for_ready = False
            return Ready()
        return Say(tuple(self._my_turn(self.view)) if self.options and self.view else ())

    def _asked(self, word: str) -> list[str] | None:
        """Answer a question that concerns no other player."""
        match word:
            case "?" | "help" | "h":
                return help.help_lines(self.view, self.options)
            case "last" | "l":
                return self.last_trick()
            case "hand" | "cards":
                return self._my_cards(self.view) if self.view else ["You hold no cards yet."]
            case "bid" | "bids":
                return [self.bid_line()]
            case "table" | "trick":
                return self.table_lines()
            case "tokens" | "score":
                return [self.teller.tokens_line()]
            case "code":
                return [f"Table code: {self.teller.code or 'not drawn yet'}."]
        return None

    def _not_understood(self, word: str) -> list[str]:
        if not self.options or self.view is None:
            return ["It is not your turn: type ? for what you can look at meanwhile."]
        why = input_parser.why_not(word, self.view)
        if why is not None:
            return [why]
        shown = "".join(c for c in word if c.isprintable())[:20]
        return [
            f"{shown!r} is none of your choices: type a number from 1 to "
            f"{len(self.options)}, or ? for help."
        ]


def describe(action: Action) -> str:
    """Describe an action as a choice."""
    match action:
        case acts.Bid(amount=amount):
            return bid_word(amount)
        case acts.Pass():
            return "pass"
        case acts.Ask():
            return "ask partner"
        case acts.Redeal():
            return "redeal (reject these cards)"
        case acts.LayTrump(card=card) if card is not None:
            return card_word(card)
        case Play(card=card, down=down, indicator=indicator) if card is not None:
            if indicator:
                return f"cut with {card_word(card)}" if down else f"{card_word(card)} (indicator)"
            return f"{card_word(card)} face down" if down else card_word(card)
        case _:
            return notation.word(action).split(" ")[0]
