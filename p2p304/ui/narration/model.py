"""The model: all that one player's screen shows of the table, as one frozen value.

Responsible for these values. How events change the model is reducer.py's; how it looks is
render.py's. It never holds a card that its player may not see, because the events carry none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play.claims import may_make
from p2p304.rules.play.review import Offence
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match, Result
from p2p304.rules.variants.absence import PLAY_OUT
from p2p304.table.agreement.bot_labels import LABEL
from p2p304.table.state.events import Waiting
from p2p304.ui.common.key_map import KEYS, Command, Keys
from p2p304.ui.common.open_seat import EmptySeat
from p2p304.ui.common.wording import hand_number

MOST_LINES = 400
"""Log lines and steps kept; the transcript holds everything."""


class Stage(Enum):
    """The stages of a table that the screen shows differently."""

    GATHERING = "gathering"
    DEALING = "dealing"
    PLAYING = "playing"
    BETWEEN = "between"
    OVER = "over"


class Tone(Enum):
    """The kind of a log line, for its colour."""

    PLAIN = "plain"
    HEAD = "head"
    MINOR = "minor"
    GOOD = "good"
    WARN = "warn"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Line:
    """A log line; ``trick`` is the trick of the running hand, from 0, of which it names cards.
    ``gathers``: it tells who comes and goes, which nobody needs once the first hand begins."""

    phrase: Phrase
    tone: Tone = Tone.PLAIN
    trick: int | None = None
    gathers: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the protocol: what happened, what it proved, and the milliseconds since the step
    before on this node's clock (None for the first)."""

    what: Phrase
    proved: Phrase
    took: int | None


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished hand, for the match sheet: its state, its result, and the tokens after it and
    ``before``; the seat that was played without its player, with that seat's open cards."""

    number: int
    hand: Hand | None
    result: Result
    match: Match
    offences: tuple[Offence, ...] = ()
    emptied: EmptySeat | None = None
    before: Match | None = None
    own: frozenset[Card] = frozenset()
    """All cards that this player has held in the hand."""
    last_view: View | None = None
    """What this player knew at its end."""
    views: tuple[View, ...] = ()
    """What this player knew whenever it had to choose."""
    taught: tuple[Phrase, ...] = ()
    """What the teacher said of this player's cards, if it was asked."""


@dataclass(frozen=True, slots=True)
class Room:
    """The gathering of a table: its name, its rules' preset, how others come (``where``: the
    founder's addresses and codes), whether this node keeps the list, and the option ``away``, empty
    where nobody but bots can come."""

    table: str
    rules: str
    where: tuple[str, ...]
    founder: bool
    away: str = ""


@dataclass(frozen=True, slots=True)
class WaitingVisitor:
    """A visitor who asks this player for a seat, with a sentence on who it is."""

    key: bytes
    told: Phrase


@dataclass(frozen=True, slots=True)
class Model:
    """One player's table (``me``: own nickname, None for a spectator; ``seat`` once known).

    ``chosen`` is the own action on its way: it alone names a card that lies face down.
    ``at`` is where everybody sits while they gather, if seats are chosen (``places`` of them).
    ``turn_at`` is when the turn began (seconds on this node's clock).
    ``number`` counts the deals. ``deal_next`` is the one that waits for this player to be ready,
    ``cut_until`` the time until which this player may cut the pack (None: not now), ``claims``
    whether Caps and spoilt trumps can be called at this table, ``caps_order`` the order with which
    Caps can be called now, where the table helps with that (``caps=assist``). ``shuffled`` is how
    many have shuffled for this hand, ``has_begun`` whether cards of it were unlocked, ``emptied``
    the seat without whose player it is played out. ``typed``: this is text mode; ``watches``: this
    is a spectator's screen; ``has_lobby``: the lobby led here, and leads on from here; ``keys``
    are those of the full screen.
    """

    me: str | None = None
    typed: bool = False
    watches: bool = False
    has_lobby: bool = True
    keys: Keys = field(default_factory=lambda: KEYS)
    room: Room | None = None
    stage: Stage = Stage.GATHERING
    nicks: tuple[str, ...] = ()
    at: tuple[int, ...] = ()
    places: int = 4
    seat: int | None = None
    code: str = ""
    number: int = 0
    dealer: int | None = None
    match: Match | None = None
    hand: Hand | None = None
    view: View | None = None
    options: tuple[Action, ...] = ()
    chosen: Action | None = None
    deal_next: int | None = None
    cut_until: float | None = None
    log: tuple[Line, ...] = ()
    proof_log: tuple[Step, ...] = ()
    step_at: float | None = None
    turn_at: float | None = None
    waiting: Waiting | None = None
    gone: frozenset[str] = frozenset()
    """Players who were told as gone, and are not back."""
    late: tuple[str, ...] = ()
    """Players who are connected, and so late that the others may go on without them."""
    absentee: str | None = None
    """The player who alone has been gone for so long that the others may go on, if there is one."""
    absent_since: float = 0.0
    """Since when the absentee has not been connected, or the late player has been waited for."""
    agreed: tuple[str, ...] = ()
    """Players who agree to go on without the absent one."""
    ended: tuple[Ended, ...] = ()
    stopped: Phrase | None = None
    outcome: Phrase | None = None
    """Who has won, once the table is over."""
    claims: bool = False
    caps_order: tuple[Card, ...] = ()
    knocks: tuple[WaitingVisitor, ...] = ()
    shuffled: int = 0
    has_begun: bool = False
    emptied: EmptySeat | None = None
    own: frozenset[Card] = frozenset()
    """All cards that this player has held in this hand."""
    own_views: tuple[View, ...] = ()
    """What this player knew whenever it had to choose in this hand."""
    own_down: tuple[tuple[int, Card], ...] = ()
    """The own cards that were played face down, each with the number of its trick from 0."""
    has_people: bool = True
    """Whether anybody sits here but this player and bots of the player's own."""
    owners: tuple[tuple[str, str], ...] = ()
    """The bots that a player at this table invited, each with that player."""
    people: tuple[str, ...] = ()
    """The other players who are no bots."""
    confirmed: tuple[str, ...] = ()
    """The players who have confirmed the spoken code, as their programs say."""
    spectators: tuple[tuple[str, str | None], ...] = ()
    """All who have watched, each with the player through whom (None: through this node)."""
    wants_again: tuple[str, ...] = ()
    """The players who wait for this one to open the finished table again."""
    is_replay: bool = False
    """Whether a recorded game is shown: then nothing that was public is kept back."""
    can_do_without: tuple[tuple[bytes, str], ...] = ()
    """Keys and nicknames of players whom this player can remove from the list while all gather."""
    open_hands: tuple[tuple[Card, ...], ...] = ()
    """Every seat's cards, where all hands are open (a puzzle)."""

    def way(self, pressed: Phrase, typed: Phrase) -> Phrase:
        """Return how a player reaches something: with the menu's key of the full screen, or by
        typing."""
        return typed if self.typed else pressed.filled(key=self.keys[Command.MENU])

    @property
    def may_go_to_lobby(self) -> bool:
        """Whether this player or spectator can go to the lobby from here."""
        return self.has_lobby and (self.me is not None or self.watches)

    @property
    def owner_of(self) -> dict[str, str]:
        """Return for each bot of a player at this table that player."""
        return dict(self.owners)

    @property
    def away(self) -> str:
        """What this table's rules do about an absent player; "" before the first cards."""
        hands = (self.hand, *(ended.hand for ended in reversed(self.ended)))
        return next((hand.options.away for hand in hands if hand is not None), "")

    @property
    def can_play_out(self) -> bool:
        """Whether this hand could be played out: it has begun and is not over."""
        on = self.stage in (Stage.DEALING, Stage.PLAYING)
        return on and self.away == PLAY_OUT and self.has_begun

    @property
    def awaits_deal(self) -> bool:
        """Whether the next pack is shuffled, and not everybody has asked for the deal."""
        shuffled = 0 < len(self.nicks) <= self.shuffled
        return self.stage is Stage.DEALING and self.number > 1 and shuffled and not self.has_begun

    @property
    def is_visitor(self) -> bool:
        """Whether this player has asked for a seat and is not at the table yet."""
        asks = self.stage is Stage.GATHERING and self.me is not None and not self.is_replay
        return asks and not self.nicks

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The others, but for bots, who have not confirmed the spoken code."""
        return tuple(nick for nick in self.people if nick not in self.confirmed)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats that can be chosen now."""
        gathering = self.stage is Stage.GATHERING and self.me is not None and bool(self.at)
        return tuple(s for s in range(self.places) if gathering and s not in self.at)

    @property
    def turn(self) -> tuple[int, int, int] | None:
        """The hand, the number of actions in it, and the player to act; None if nobody is. The
        hand itself is another object whenever the view is renewed."""
        hand = self.hand
        if hand is None or hand.turn is None:
            return None
        return self.number, len(hand.history), hand.turn

    @property
    def is_my_turn(self) -> bool:
        """Whether the table waits for this player to choose."""
        return bool(self.options)

    def may_claim(self, kind: str) -> bool:
        """Whether this seat may make a claim now; whether it should, the player must know."""
        if not self.claims or self.hand is None or self.seat is None:
            return False
        return may_make(self.hand, self.seat, kind)

    @property
    def is_asked(self) -> bool:
        """Whether the table waits for this player to choose or to cut."""
        return self.is_my_turn or self.cut_until is not None

    @property
    def turn_ends(self) -> float | None:
        """When the turn's clock runs out, if the rules have one (`timeout`), or the time to cut."""
        if self.cut_until is not None:
            return self.cut_until
        hand, begun = self.hand, self.turn_at
        is_on = self.stage is Stage.PLAYING and self.stopped is None and not self.is_replay
        if hand is None or hand.turn is None or begun is None or not is_on:
            return None
        timer = hand.options.timer
        return begun + timer if isinstance(timer, int) else None

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return len(self.nicks) if self.stage is not Stage.GATHERING else self.places

    @property
    def done_tricks(self) -> tuple[Trick, ...]:
        """The settled tricks of this hand."""
        tricks = self.hand.tricks if self.hand is not None else ()
        return tuple(trick for trick in tricks if trick.winner is not None)

    @property
    def shown_trick(self) -> Trick | None:
        """The trick on the table: the one being played, else the one just settled."""
        if self.hand is None or not self.hand.tricks:
            return None
        return self.hand.tricks[-1]

    @property
    def last_trick(self) -> Trick | None:
        return self.done_tricks[-1] if self.done_tricks else None

    def seen_down(self, trick: Trick) -> Mapping[int, Card]:
        """Return the other players' cards of a trick, by seat, that lie face down and that this
        player has inspected as trump maker. In a replay they stay hidden."""
        if self.view is None or self.hand is None or self.is_replay:
            return {}
        tricks, known = self.hand.tricks, self.view.known
        return {
            seat: card
            for number, seat, card in known
            if seat != self.view.seat and number < len(tricks) and tricks[number] == trick
        }

    def known_down(self, trick: Trick) -> Mapping[int, Card]:
        """Return the cards of a trick, by seat, that lie face down for the others and that this
        player knows: those of `seen_down`, and the own one."""
        tricks, known = () if self.hand is None else self.hand.tricks, dict(self.seen_down(trick))
        own = self.own_down
        if self.is_replay and self.view is not None:
            me = self.view.seat
            own = tuple((number, card) for number, seat, card in self.view.known if seat == me)
        for number, card in own:
            if self.seat is not None and number < len(tricks) and tricks[number] == trick:
                known[self.seat] = card
        down = {play.seat for play in trick.plays if play.card is None}
        return {seat: card for seat, card in known.items() if seat in down}

    @property
    def shown_log(self) -> tuple[Line, ...]:
        """The log as it may be shown now (``memory.off``): while a hand is played without memory,
        no card of a trick before the last completed one."""
        hand = self.hand
        if hand is None or hand.options.memory or self.is_replay or self.stage is not Stage.PLAYING:
            return self.log
        first = len(self.done_tricks) - 1
        return tuple(line for line in self.log if line.trick is None or line.trick >= first)

    @property
    def shown_tricks(self) -> tuple[Trick, ...]:
        """The completed tricks of this hand that may be looked at, the last one first."""
        done, hand = tuple(reversed(self.done_tricks)), self.hand
        return done if hand is not None and hand.options.memory else done[:1]

    @property
    def may_be_taught(self) -> bool:
        """Whether this player may ask what would have been better: the hand is over. The next one
        may be dealt ahead already, until all have asked for it."""
        waits = self.deal_next is not None or self.awaits_deal
        is_over = self.stage in (Stage.BETWEEN, Stage.OVER) or waits
        return is_over and bool(self.ended) and self.me is not None

    @property
    def gives_hints(self) -> bool:
        """Whether this player may get hints during a hand (``hints.off``)."""
        return not self.has_people or (self.hand is not None and self.hand.options.hints)

    def rings_after(self, before: Model, bell: str) -> bool:
        """Whether the terminal rings for what has changed since ``before``, with the setting
        ``bell``."""
        mine = self.is_my_turn and not before.is_my_turn
        deals = self.deal_next is not None and before.deal_next is None
        tricks = bell == "trick" and len(self.done_tricks) > len(before.done_tricks)
        return bell != "off" and (mine or deals or tricks)

    def hand_number(self, deal: int) -> int:
        """Return the number of the hand with this deal."""
        return hand_number(deal, (ended.number for ended in self.ended if ended.result.void))

    def named(self, *nicks: str) -> str:
        """Return players of this table, whom events name without a label, as all sentences name
        them: bots with their label."""
        labels = {nick.removesuffix(f" {LABEL}"): nick for nick in self.nicks}
        return ", ".join(labels.get(nick, nick) for nick in nicks)

    def nick(self, seat: int) -> str:
        return self.nicks[seat] if 0 <= seat < len(self.nicks) else ""
