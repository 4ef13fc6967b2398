"""The table: players at their places, the trick before them, the indicator.

Responsible for drawing these into a rectangle of cells. It shows what the model holds and counts
nothing of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.rules.core import actions as acts
from p2p304.rules.core.notation import bid_phrase
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.seats import Seat
from p2p304.rules.state.hand import Hand, Phase
from p2p304.ui.common.open_seat import EmptySeat, held
from p2p304.ui.common.text_width import clipped
from p2p304.ui.common.theme import PARTNER
from p2p304.ui.common.wording import partners
from p2p304.ui.fullscreen.model.seat_layout import Edge, SeatPlace, places_of
from p2p304.ui.fullscreen.view import waiting_room
from p2p304.ui.narration.accounts import has_sides
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.play import tenths
from p2p304.ui.terminal import card_art
from p2p304.ui.terminal.canvas import LEAST_NAME, Box, Canvas, Span, spans_width, wrapped

FLANK = 22
"""The most columns at the left and right edge that the cards of a trick leave to the plates."""
LEAST_FLANK = 18
"""What they leave in the smallest window."""
BESIDE = LEAST_FLANK - 2
"""Columns for long text there, so that it never touches the card that is played."""
_SIDES = (Edge.LEFT, Edge.RIGHT)
AFTER_OWN = 22
"""Columns kept beside the own name for what comes and goes there, so that the name stays put."""


@dataclass(frozen=True, slots=True)
class TableView:
    """Draws one model's table."""

    model: Model
    renderer: PhraseRenderer
    canvas: Canvas
    box: Box

    def draw(self, with_code: bool = True) -> None:
        """Draw the players and their cards, and before there are any the spoken code, unless it
        stands elsewhere (not ``with_code``)."""
        if self.model.stage is Stage.GATHERING:
            waiting_room.draw(self.model, self.renderer, self.canvas, self.box)
            return
        size, places = self._size(), places_of(self.model)
        at = {seat: self._card_place(spot, size) for seat, spot in places.items()}
        rooms = [Box(x, y, size.w, size.h) for x, y in at.values()]
        for seat, spot in places.items():
            self._plate(seat, spot, rooms)
            self._trick_card(seat, spot, size)
        sides = [at[seat][1] for seat, spot in places.items() if spot.edge in _SIDES]
        if self.model.hand is None and with_code:
            self._code(min(sides, default=self.box.y + self.box.h // 2))
        self._suit_led()

    def _size(self) -> card_art.Size:
        """Return the size at which three cards fit above each other between the top plate and the
        own one."""
        return card_art.size_for(3, self.box.w - 2 * LEAST_FLANK, self.box.h - 3, 3)

    # Plates

    def _plate(self, seat: Seat, spot: SeatPlace, rooms: Sequence[Box]) -> None:
        """Draw a player's plate: the name in the first line, which nothing moves, and what comes
        and goes below or after it. ``rooms`` are the places of all cards of a trick."""
        box = self.box
        match spot.edge:
            case Edge.TOP:
                width = box.w // spot.of
                name, *rest = self._plate_lines(seat, spot, width - 2)
                self.canvas.centre(box.x + spot.at * width, box.y, width, name)
                for line in rest:
                    self.canvas.centre(box.x + spot.at * width, box.y + 1, width, line)
            case Edge.BOTTOM:
                name, *rest = self._plate_lines(seat, spot, box.w - 2 - AFTER_OWN)
                wide = spans_width(name)
                x = box.x + max(0, min((box.w - wide) // 2, box.w - wide - AFTER_OWN))
                for line in (name, *rest):
                    x = self.canvas.spans(x, box.y + box.h - 1, line, box.x + box.w - x)
            case Edge.LEFT | Edge.RIGHT:
                _, y = self._card_place(spot, self._size())
                room = self._room(spot.edge, y - 1, rooms)
                lines = self._plate_lines(seat, spot, room)
                for row, line in enumerate(lines[: max(3, (box.h - 3) // spot.of)], y - 1):
                    ends = int(row >= y)  # the name has a column of its own at each end
                    most = self._room(spot.edge, row, rooms) + 2 - 2 * ends
                    x = box.x + ends
                    if spot.edge is Edge.RIGHT:
                        x = box.x + box.w - ends - min(most, spans_width(line))
                    self.canvas.spans(x, row, line, most)

    def _room(self, edge: Edge, row: int, rooms: Sequence[Box]) -> int:
        """Return the columns from this edge to where a card of the trick may lie in the row, but
        for one at each end."""
        left, right = self.box.x, self.box.x + self.box.w
        if edge is Edge.LEFT:
            ends = [room.x for room in rooms if room.y <= row < room.y + room.h]
            return min([left + self.box.w // 2, *ends]) - left - 2
        ends = [room.x + room.w for room in rooms if room.y <= row < room.y + room.h]
        return right - max([left + (self.box.w + 1) // 2, *ends]) - 2

    def _flank_row(self, spot: SeatPlace) -> int:
        """Return the middle line of a place at the left or right."""
        room = self.box.h - 3
        return self.box.y + 2 + (2 * spot.at + 1) * room // (2 * spot.of)

    def _plate_lines(self, seat: Seat, spot: SeatPlace, room: int) -> list[list[Span]]:
        edge = spot.edge
        name = self._name(seat, edge, room)
        backs, said = self._backs(seat), self._said(seat)
        maker = self.model.hand is not None and self.model.hand.maker == seat
        star: list[Span] = [("good", self.renderer.safe("★"))] if maker else []
        said = _row(star, said)
        deals: list[Span] = [("key", "(D)")] if self.model.dealer == seat else []
        gone = self._gone() if self._is_empty(seat) else []
        if (gone or self.model.open_hands) and edge in _SIDES:
            shown = [_ends_with_a_card(line) for line in wrapped(backs, BESIDE)]
            rest = [*shown, _row(gone, deals), said]
            return [name, *(line for line in rest if line)]
        if edge is Edge.BOTTOM:
            return [name, _row(gone, deals, backs, said)]
        if edge is Edge.TOP:
            fewer = [_row(star, self._said(seat, last)) for last in (2, 1)]
            lines = [_row(gone, deals, backs, told) for told in (said, *fewer, star)]
            return [name, next((line for line in lines if spans_width(line) <= room), lines[-1])]
        return [name, _row(deals, backs), said]

    def _name(self, seat: Seat, edge: Edge, room: int) -> list[Span]:
        """Return the name with what always follows it, in ``room`` columns and one at each end; a
        long name is cut, and nothing else."""
        model, renderer, rest = self.model, self.renderer, self._beside_name(seat, edge)
        turn = model.hand is not None and model.hand.turn == seat
        style = "turn" if turn else "good" if self._is_partner(seat) else "head"
        most = max(LEAST_NAME, room - spans_width(rest))
        nick = clipped(renderer.name(seat), most, renderer.look.frame.dots)
        return [(style, f" {nick} "), *rest, *([("", " ")] if rest else [])]

    def _beside_name(self, seat: Seat, edge: Edge) -> list[Span]:
        """Return what follows a name for the whole match: the sign of a partner, and the seat."""
        model, renderer = self.model, self.renderer
        spans: list[Span] = []
        if self._is_partner(seat):
            spans.append(("good", PARTNER))
        if seat == model.seat:
            spans.append(("dim", f"({renderer.text(say('you'))})"))
        elif model.seats > 4 or (model.seat is None and edge in (Edge.TOP, Edge.BOTTOM)):
            spans += [("", " ")] if spans else []
            spans.append(("dim", renderer.place(seat)))
        return spans

    def _is_partner(self, seat: Seat) -> bool:
        """Whether this is a partner of the player at this screen, for the whole match."""
        model = self.model
        return (
            model.seat is not None
            and has_sides(model)
            and seat in partners(model.seat, model.seats)
        )

    def _is_empty(self, seat: Seat) -> bool:
        """Whether the hand is played out without this seat's player."""
        return self.model.emptied is not None and self.model.emptied.seat == seat

    def _gone(self) -> list[Span]:
        return [("warn", self.renderer.say("(absent)"))]

    def _backs(self, seat: Seat) -> list[Span]:
        hand = self.model.hand
        if hand is None or hand.phase is Phase.OVER or seat == self.model.seat:
            return []
        if seat not in hand.playing:
            return [("dim", self.renderer.say("sits out"))]
        if self.model.open_hands:
            return self.renderer.spans(say("{cards}", cards=self.model.open_hands[seat]))
        emptied = self.model.emptied
        if emptied is not None and emptied.seat == seat and emptied.shown:
            return self._open_cards(emptied, hand)
        spans: list[Span] = [("back", self.renderer.look.frame.back * hand.cards_left(seat))]
        if hand.maker == seat and hand.indicator_down:
            spans += [
                ("", " "),
                ("frame", "["),
                ("back", self.renderer.look.frame.back),
                ("frame", "]"),
            ]
        return spans

    def _open_cards(self, emptied: EmptySeat, hand: Hand) -> list[Span]:
        """Return the open cards of an empty seat, those not yet open, and its indicator in
        brackets."""
        spans = self.renderer.spans(say("{cards}", cards=tuple(held(emptied.cards))))
        unseen = hand.cards_left(emptied.seat) - len(emptied.cards)
        if unseen > 0:
            spans += [("", " "), ("back", self.renderer.look.frame.back * unseen)]
        if emptied.indicator is None:
            return spans
        lying = self.renderer.card(emptied.indicator)
        return [*spans, ("", " " if spans else ""), ("frame", "["), lying, ("frame", "]")]

    def _said(self, seat: Seat, last: int = 3) -> list[Span]:
        """Return the ``last`` bids of this seat as they were made, or the trump maker's
        contract."""
        hand = self.model.hand
        if hand is None:
            return self._readying(seat)
        if hand.maker == seat and not hand.phase.value.startswith("bid"):
            return self.renderer.spans(
                say("plays {bid}", bid=bid_phrase(hand.bid, tenths(hand))), "good"
            )
        if hand.phase.value.startswith(("bid", "trump")):
            return self._spoken(hand, seat, last)
        return []

    def _spoken(self, hand: Hand, seat: Seat, last: int) -> list[Span]:
        said = [self._word(action, hand) for action in hand.history if action.seat == seat]
        texts = [self.renderer.text(phrase) for phrase in said if phrase is not None]
        if not texts:
            return []
        return [("minor", clipped(" ".join(texts[-last:]), BESIDE, self.renderer.look.frame.dots))]

    @staticmethod
    def _word(action: acts.Action, hand: Hand) -> Phrase | None:
        match action:
            case acts.Bid(amount=acts.PCC):
                return say("PCC")
            case acts.Bid(amount=amount):
                return say("{bid}", bid=bid_phrase(amount, tenths(hand)))
            case acts.Pass():
                return say("pass")
            case acts.Ask():
                return say("ask?")
        return None

    def _readying(self, seat: Seat) -> list[Span]:
        if self.model.stage is not Stage.DEALING or self.model.awaits_deal:
            return []
        done = any(
            ("who", arg) in step.what.args
            for step in self.model.proof_log[-12:]
            for name, arg in step.what.args
            if name == "who" and getattr(arg, "seat", None) == seat
        )
        return [("dim", self.renderer.look.frame.tick if done else "")]

    # The trick

    def _trick_card(self, seat: Seat, spot: SeatPlace, size: card_art.Size) -> None:
        trick = self.model.shown_trick
        x, y = self._card_place(spot, size)
        play = trick.by(seat) if trick is not None else None
        if play is None:
            self._empty(seat, x, y, size)
            return
        won = trick is not None and trick.winner == seat
        known = self.model.known_down(trick).get(seat) if trick is not None else None
        card_art.draw(
            self.canvas,
            self.renderer.look,
            x,
            y,
            size,
            play.card or known,
            style="face-dim" if known is not None else "",
            edge="face-won" if won else "face-back" if known is not None else "face-edge",
            down="" if known is None else self.renderer.say("down"),
        )
        if won:
            self.canvas.put(x + size.w - 1, y, "*" if self.renderer.look.ascii else "★", "face-won")

    def _empty(self, seat: Seat, x: int, y: int, size: card_art.Size) -> None:
        hand = self.model.hand
        if hand is None or hand.phase is not Phase.PLAY or hand.turn != seat:
            return
        sign = self.renderer.look.frame.awaited
        self.canvas.put(x + (size.w - len(sign) + 1) // 2, y + size.h // 2, sign, "turn")

    def _card_place(self, spot: SeatPlace, size: card_art.Size) -> tuple[int, int]:
        """Return the upper left cell of a seat's card in the trick."""
        box, centre = self.box, self.box.x + self.box.w // 2
        match spot.edge:
            case Edge.BOTTOM:
                return centre - size.w // 2, box.y + box.h - 1 - size.h
            case Edge.TOP:
                gap = 3 if box.w >= 60 else 1
                middle = (spot.at + 0.5 - spot.of / 2) * (size.w + gap)
                return centre - size.w // 2 + round(middle), box.y + 2
        y = self._flank_row(spot) - size.h // 2
        if spot.of > 1:  # below the cards at the top, and not under them
            y = max(y, box.y + 2 + size.h * (1 + spot.at))
        flank = max(LEAST_FLANK, min(FLANK, centre - box.x - size.w // 2 - size.w - 1))
        away = size.w + (5 if size is card_art.SMALL else 7)
        if spot.edge is Edge.LEFT:
            return max(box.x + flank, centre - size.w // 2 - away), y
        return min(box.x + box.w - flank - size.w, centre - size.w // 2 + away), y

    def _code(self, sides: int) -> None:
        """Draw the spoken code, below the names at the top and above those at the ``sides``."""
        y = self.box.y + 2
        free = Box(self.box.x, y, self.box.w, max(2, sides - 1 - y))
        waiting_room.draw_code(self.model, self.renderer, self.canvas, free)

    def _suit_led(self) -> None:
        """Draw the suit led, between the cards."""
        trick = self.model.shown_trick
        if trick is None or trick.led is None or trick.winner is not None:
            return
        row = self._flank_row(SeatPlace(Edge.LEFT, 0, 1))
        look = self.renderer.look
        led = look.suit_style(trick.led), look.suit(trick.led)
        self.canvas.centre(self.box.x, row, self.box.w, [led])


def _row(*parts: list[Span]) -> list[Span]:
    """Return the parts that there are, with a space before each."""
    return [span for part in parts if part for span in (("", " "), *part)][1:]


def _ends_with_a_card(line: list[Span]) -> list[Span]:
    """Return a wrapped line without the space at its end."""
    return line[:-1] if line and line[-1][1] == " " else line
