"""Narration: public events as plain lines, as a spectator may see them.

Responsible for the sentences of the demo, the replay and text mode. A card that lies face down has
no name here, because the events carry none. Absence is absence.py's.
"""

from __future__ import annotations

from shutil import get_terminal_size

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action, Play
from p2p304.rules.core.seats import side_names
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.state.scoring import Match
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.ui.common.bidi import isolated
from p2p304.ui.common.bot_labels import bots_of, labelled
from p2p304.ui.common.seat_names import gathered, no_seat
from p2p304.ui.common.text_width import width_of
from p2p304.ui.common.wording import bid_word, card_word, seat_word, suit_word, tokens_word
from p2p304.ui.terminal.canvas import wrapped
from p2p304.ui.text.absence import AbsenceNarrator
from p2p304.ui.text.waiting import waits_lines

LONGEST_LINE = 80
LEAST_REMARK = 16
"""Columns of a line of talk with its speaker, and at least without."""


class Narrator:
    """Turns events into lines; ``me`` is the player's nickname, or None for a spectator."""

    def __init__(self, me: str | None = None) -> None:
        self.me = me
        self.nicks: tuple[str, ...] = ()
        self.match: Match | None = None
        self.code = ""
        self._shuffled: list[int] = []
        self._departure = AbsenceNarrator(self.name)

    def lines(self, event: Event) -> list[str]:
        """Return the lines about an event."""
        told = [isolated(line) for line in self._lines(event)]
        self._departure.note(event)
        return told

    def _lines(self, event: Event) -> list[str]:
        match event:
            case events.Seated():
                return self._seated(event)
            case events.HandBegan(number=number, dealer=dealer):
                self._shuffled = []
                return ["", f"Hand {number}. {self.name(dealer)} deals."]
            case events.Shuffled(seat=seat):
                return self._shuffle(seat)
            case events.WasCut(seat=seat, at=at):
                return [
                    f"{self.name(seat)} cuts at {at}." if at else f"{self.name(seat)} does not cut."
                ]
            case events.Dealt(batch=batch, cards=cards):
                return [f"{'Another ' if batch > 1 else ''}{cards} cards each are dealt."]
            case events.Acted(action=action, before=before, hand=hand):
                return self._acted(action, before, hand)
            case events.HandOver():
                return self._hand_over(event)
            case events.TableOver(match=match, winner=winner):
                return self._table_over(match, winner)
            case _:
                return self._about_the_table(event)

    def name(self, seat: int) -> str:
        """Name a player: nickname and seat."""
        if not self.nicks:
            return seat_word(seat)
        return f"{self.nicks[seat]} ({seat_word(seat, len(self.nicks))})"

    # The table

    def _seated(self, event: events.Seated) -> list[str]:
        self.nicks = labelled(event.nicks, event.owners)
        self.match, self.code = event.match, event.code
        places = ", ".join(f"{seat_word(s, len(self.nicks))} {n}" for s, n in enumerate(self.nicks))
        how = "drawn" if event.drawn else "chosen"
        return [
            f"The seats are {how}: {places}.",
            *map(_owner_line, bots_of(event.nicks, event.owners)),
            f"Table code: {self.code} (the same on every screen: say it aloud and compare).",
            f"{self.name(event.dealer)} {'was drawn to deal' if event.drawn else 'deals'} first.",
        ]

    def _shuffle(self, seat: int) -> list[str]:
        self._shuffled.append(seat)
        if len(self._shuffled) < len(self.nicks):
            return []
        everyone = ", ".join(self.nicks[s] for s in self._shuffled)
        return [f"Shuffled in turn, each with a proof that all verified: {everyone}."]

    def _about_the_table(self, event: Event) -> list[str]:
        match event:
            case events.Members():
                return [gathered(event)]
            case events.LeftOut(times=times):
                return [f"{times} more messages that were refused or repeated are not shown."]
            case events.Gathering():
                return waits_lines(event)
            case events.NoSeat():
                return [no_seat(event)]
            case events.Said(nick=nick, text=text):
                return _said(nick, text)
            case events.TurnedAway(sentence=sentence):
                return [sentence]
            case events.Fault():
                return [_fault(event)]
            case events.SignedElsewhere():
                return [
                    "Your identity has signed something at this table that this program did "
                    "not write: stop p2p304 on your other computer, because two programs that "
                    "sign different things end the table, and you pay for it."
                ]
        return self._departure.lines(event)

    # The hand

    def _acted(self, action: Action, before: Hand, hand: Hand) -> list[str]:
        line = self._did(action, before)
        return [line, *self._follows(action, before, hand)] if line else []

    def _did(self, action: Action, before: Hand) -> str:
        who = self.name(action.seat)
        match action:
            case acts.Bid(amount=amount):
                return f"{who} bids {bid_word(amount)}."
            case acts.Pass():
                return f"{who} passes."
            case acts.Ask(seat=seat):
                return f"{who} asks {self.name((seat + 2) % 4)} to bid."
            case acts.Redeal(cards=cards):
                shown = " ".join(card_word(card) for card in cards or ())
                return f"{who} shows {shown} and rejects the cards: less than 15 points."
            case acts.LayTrump():
                return f"{who} lays the trump indicator face down."
            case acts.Open(card=card) if card is not None:
                return (
                    f"{who} plays open trump and shows the indicator, {card_word(card)}: "
                    f"{suit_word(card.suit)} are trumps."
                )
            case acts.Closed():
                return f"{who} plays closed trump."
            case Play():
                return self._played(action, before)
            case acts.Announce():
                return self._announced(action, before)
            case acts.Caps(order=order):
                return f"{who} calls Caps: {' '.join(card_word(card) for card in order)}."
            case acts.Spoilt():
                return f"{who} declares spoilt trumps."
        return ""

    def _played(self, action: Play, before: Hand) -> str:
        who = self.name(action.seat)
        if action.down or action.card is None:
            what = (
                "cuts with the indicator, face down"
                if action.indicator
                else ("plays a card face down")
            )
            return f"  {who} {what}."
        verb = "plays" if before.trick else "leads"
        which = " (the indicator)" if action.indicator else ""
        return f"  {who} {verb} {card_word(action.card)}{which}."

    def _announced(self, action: acts.Announce, before: Hand) -> str:
        who, card = self.name(action.seat), action.indicator
        shown = ", ".join(f"{self.name(seat)}: {card_word(c)}" for seat, c in action.revealed)
        cutting = before.tricks[-1].has_indicator
        if card is None:
            return f"  {who} looks at the face-down cards: no trumps among them."
        trumps = f"the indicator is {card_word(card)}: {suit_word(card.suit)} are trumps"
        if not shown and not cutting:
            return f"  {who} shows the indicator: {trumps}."
        turned = f" Turned up: {shown}." if shown else ""
        return f"  {who} announces a cut; {trumps}.{turned}"

    def _follows(self, action: Action, before: Hand, hand: Hand) -> list[str]:
        """Describe what follows from an action: the bid won, the partner out, a trick won."""
        lines = []
        if before.phase in (Phase.BID4, Phase.BID8) and hand.phase is not before.phase:
            lines += self._bidding_over(before, hand)
        done = [trick for trick in hand.tricks if trick.winner is not None]
        was = [trick for trick in before.tricks if trick.winner is not None]
        if len(done) > len(was) and (winner := done[-1].winner) is not None:
            lines.append(f"  {self.name(winner)} wins trick {len(done)}.")
        return lines

    def _bidding_over(self, before: Hand, hand: Hand) -> list[str]:
        if hand.result is not None or hand.maker is None:
            return []
        if hand.phase is Phase.DECLARE:
            return [f"No bid with eight cards: {self.name(hand.maker)} plays {bid_word(hand.bid)}."]
        lines = [f"{self.name(hand.maker)} is the trump maker with {bid_word(hand.bid)}."]
        if hand.bid == PCC:
            partner = self.name((hand.maker + 2) % 4)
            lines.append(f"{partner} lays the cards aside and takes no part in the play.")
        return lines

    def _hand_over(self, event: events.HandOver) -> list[str]:
        result, self.match = event.result, event.match
        names = side_names(len(self.nicks) or 4)
        lines = [f"FOUND AT THE COUNT: {offence}." for offence in event.offences]
        lines.append(f"Hand {event.number} is over. {result.reason}")
        if not result.void:
            gain = max(range(2), key=lambda s: result.tokens[s])
            paid = max(abs(t) for t in result.tokens)
            lines.append(f"{names[gain]} gain {tokens_word(paid)} from {names[1 - gain]}.")
        return [*lines, self.tokens_line()]

    def tokens_line(self) -> str:
        """Tokens of both sides."""
        if self.match is None:
            return "The match has not begun."
        names = side_names(len(self.nicks) or 4)
        return f"Tokens: {names[0]} {self.match.tokens[0]}, {names[1]} {self.match.tokens[1]}."

    def _table_over(self, match: Match, winner: int | None) -> list[str]:
        names = side_names(len(self.nicks) or 4)
        if winner is None:
            return ["The agreed number of hands has been played."]
        return [f"{names[winner]} win the match: the other side has no tokens left."]


def _owner_line(bots: tuple[str, list[str]]) -> str:
    owner, nicks = bots
    names = ", ".join(nicks)
    return f"{owner} has brought these bots: {names}." if owner else f"Bots: {names}."


def _fault(fault: events.Fault) -> str:
    """Describe a refusal, or what is proven against a player."""
    finding, nick = fault.finding, fault.nick
    if nick is None:
        return f"A message was refused: {finding.sentence} (check {finding.check})."
    stops = "The table stops; the evidence is kept."
    if finding.check in events.TWO_FOR_A_PLACE:
        what = "two different things for one place"
    elif finding.check in events.TWO_THAT_EXCLUDE:
        what = "two things that exclude each other"
    else:
        return (
            f"CHEATING PROVEN against {nick}: {finding.sentence} (check {finding.check}). {stops}"
        )
    return (
        f"Proven: {nick} signed {what} (check {finding.check}), by cheating, with one identity "
        f"on two computers, or after putting back a backup. {stops}"
    )


def _said(nick: str, text: str) -> list[str]:
    """Wrap a remark here and not in the terminal. Every line begins with its speaker, so that none
    looks like a line of the program's own."""
    before = f"{nick} says: "
    room = min(LONGEST_LINE, get_terminal_size().columns) - 1 - width_of(before)
    lines = wrapped([("", text)], max(LEAST_REMARK, room))
    return [before + "".join(part for _, part in line) for line in lines]
