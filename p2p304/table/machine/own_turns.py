"""The turns of this node's player: when it must write an entry, and which one.

Responsible for asking the player, for what a program does by itself or when the time is up, and for
signing an own entry once for every place. Proofs are table/player/entry_writer.py's, also where
table/player/preparation.py has them made while the player thinks; verifying and committing an own
entry is entries.py's, as for every other entry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from p2p304.log.entry import Entry, Unverified, sign_entry
from p2p304.rules.core.actions import Action, Pass
from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import say
from p2p304.rules.play.default_choice import timeout_choice
from p2p304.rules.play.view import check, legal
from p2p304.table.exchange.receipts import TablePart
from p2p304.table.machine.table_waits import TableWaits
from p2p304.table.machine.turn_timer import AGAIN, HintSearch, TimeoutHint, TurnClock
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.player.own_cards import own_view
from p2p304.table.player.preparation import Preparation
from p2p304.table.proofs.statements import Binding
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.actions import Step
from p2p304.table.transition.phases import Duty
from p2p304.wire.bodies import Body, Cut, body_value

AHEAD = frozenset({"shuffle", "unlock", "relock"})
"""The kinds of entries that are made as soon as the entry before them is known. A hand is dealt
with them, one after the other, and nobody chooses anything in between."""
CUT_TIME = 6
"""Seconds in which a person may cut the pack, unless the front end gives more. Nobody has to cut:
after them the pack is left as it is."""
NOT_YOUR_TURN = say("You can't do that now: it is not your turn.")


@dataclass(eq=False, repr=False)
class OwnTurns(TablePart):
    """The turns of one player. If ``is_patient``, this node signs the cut only once the player has
    asked for the deal, because a person wants to see the last hand; and the player is asked where
    to cut."""

    _waits: TableWaits
    is_patient: bool
    ready_for: int = 1
    """The last hand that the player has allowed to deal."""
    _asked_deal: int = 1
    """The last hand for which the player was asked to ask for the deal."""
    _cut: tuple[int, Cut] | None = None
    """The hand for which the player has chosen its cut, and the cut."""
    asked_for: int | None = None
    """The place for which the player was asked last."""
    last_written: int = -1
    """The last place for which this node has signed an entry."""
    _preparation: Preparation | None = None
    _signed_elsewhere: bool = False
    """Whether the player has been told that the same identity signs on another machine."""

    def __post_init__(self) -> None:
        timer = self._replica.terms.rules.timer
        self.clock = TurnClock(timer if isinstance(timer, int) else None)
        self.cut_clock = TurnClock(CUT_TIME)
        self.hint = TimeoutHint()
        """Chooses for a player whose time is up; without it chance does."""

    @property
    def due(self) -> Duty | None:
        """The floor if this player must write here and has not yet, else None. An own entry that
        was refused (D17) is not written again."""
        return self._next_due if self._replica.chain.is_settled else None

    @property
    def _next_due(self) -> Duty | None:
        """The same, also while receipts for the last entry are missing. A claim on one of them may
        still take the floor."""
        seq, due = self._replica.chain.next_seq, self._replica.due
        mine = due is not None and due.player == self._me.player and seq > self.last_written
        goes_on = self._fault_handler.stopped is None
        free = self._waits.recovery is None and not self._replica.is_blocked(seq)
        return due if mine and goes_on and free else None

    def chosen(self, action: Action) -> Body:
        """Return the body of the player's choice. Raises RuleBroken if the rules forbid it, and
        NotNow if it is not this player's turn to choose."""
        due, state = self.due, self._replica.state
        if due is None or due.by_itself or state is None:
            raise NotNow(NOT_YOUR_TURN)
        check(own_view(state, due.seat, self._me.secrets), action)
        self.drop_if_passed()
        body = None if self._preparation is None else self._preparation.body(action)
        if body is None:
            self.drop()  # so that no thread goes on to prepare beside the choice itself
            body = self.writer(due).chosen(action)
        return body

    @property
    def preparation(self) -> Preparation | None:
        """The entries to prepare, once the player has been asked to choose, or None. It is the same
        until the place is passed. Its `run` needs nothing else and may run elsewhere."""
        self.drop_if_passed()
        due, chain = self.due, self._replica.chain
        has_asked = self.asked_for == chain.next_seq
        if due is None or due.by_itself or due.kinds == ("cut",) or not has_asked:
            return None
        if self._preparation is None:
            self._preparation = Preparation(self.writer(due), self._blank())
        return self._preparation

    def prepare_ahead(self) -> None:
        """Make the entry of the deal that this player writes next, while the receipts for the last
        entry travel. It is signed and sent once they are here. Call this when everything due was
        sent."""
        self.drop_if_passed()
        due = self._next_due
        if due is not None and due.kinds[0] in AHEAD and self._preparation is None:
            self._preparation = Preparation(self.writer(due), self._blank(), due.kinds[0])
            self._preparation.run()

    def _blank(self) -> Entry:
        """Return an entry for the next place, without kind, body and signature."""
        chain = self._replica.chain
        table, seq = chain.table_at(chain.next_seq), chain.next_seq
        return Entry(table, seq, chain.head, self._me.player, "", {}, b"")

    def drop_if_passed(self) -> None:
        """Drop what is prepared unless this player still chooses, or writes next, at exactly this
        place."""
        prepared = self._preparation
        if prepared is None:
            return
        due = self.due if prepared.kind is None else self._next_due
        here = None if due is None or self._replica.state is None else self.writer(due)
        made = prepared.writer
        if here is None or here.state is not made.state or here.at != made.at:
            self.drop()

    def drop(self) -> None:
        """Drop what is prepared."""
        if self._preparation is not None:
            self._preparation.drop()
            self._preparation = None

    def foreseen(self, entry: Entry) -> Step | None:
        """Return what follows from an entry if it was prepared, and judged then, at the present
        state; else None."""
        prepared = self._preparation
        if prepared is None or prepared.writer.state is not self._replica.state:
            return None
        return prepared.step(entry)

    def cut(self, at: int | None) -> None:
        """Choose where to cut: ``at`` cards go from the top to the bottom; 0 leaves the pack as it
        is, and None lets chance choose. Raises NotNow if this player may not cut now, or not
        there."""
        due, state = self.due, self._replica.state
        if due is None or due.kinds != ("cut",) or state is None or self._chosen_cut is not None:
            raise NotNow(NOT_YOUR_TURN)
        cards = len(state.open_deal.deck)
        if at is not None and not 0 <= at < cards:
            raise NotNow(say("You can cut off 1 to {n} cards.", n=cards - 1))
        self._cut = state.number, self.writer(due).cut() if at is None else Cut(at)
        if not self.has_asked_for_deal:
            self._out.emit(events.CutChosen())

    @property
    def _chosen_cut(self) -> Cut | None:
        """The cut that the player has chosen for this hand, and that is not written yet."""
        state = self._replica.state
        if self._cut is None or state is None or self._cut[0] != state.number:
            return None
        return self._cut[1]

    @property
    def has_asked_for_deal(self) -> bool:
        """Whether this node may sign the cut: its player has asked for this hand, or need not. A
        signature from before a restart counts too."""
        state, chain = self._replica.state, self._replica.chain
        if not self.is_patient or state is None or state.number <= self.ready_for:
            return True
        is_cut = state.deal is not None and state.deal.cut is not None
        return is_cut and self._me.player not in chain.missing()

    def must_hold_receipt(self) -> bool:
        """Whether the last entry is the cut of a hand for which the player has not asked yet. The
        receipt says that it has, so that no card is unlocked before everybody has asked."""
        deal = None if self._replica.state is None else self._replica.state.deal
        is_cut = deal is not None and deal.cut is not None and not deal.has_begun
        return is_cut and not self.has_asked_for_deal

    def ask_about_deal(self) -> None:
        """Tell the player once that the next deal waits for it, when the last hand is over."""
        state = self._replica.state
        if state is None or state.deal is None or state.deal.has_begun or self.has_asked_for_deal:
            return
        stops = self._fault_handler.stopped is not None or self._waits.recovery is not None
        if state.number > self._asked_deal and not stops:
            self._asked_deal = state.number
            self._out.emit(events.NextHand(state.number))

    def next_body(self, now: float) -> Body | None:
        """Return what the program must write by itself now, or None. A player who must choose is
        asked once."""
        due, state = self.due, self._replica.state
        if due is None or state is None:
            return None
        if due.kinds == ("cut",) and self.is_patient:
            if self._chosen_cut is not None:
                return self._chosen_cut if self.has_asked_for_deal else None
            seconds = self.cut_clock.seconds or CUT_TIME
            self._ask(events.CutOffered(len(state.open_deal.deck), seconds))
            self.cut_clock.start(self._replica.chain.next_seq, now)
            return None
        if self._pending_claim.must_wait:
            return None
        claim = self._pending_claim.take(state, due)
        if claim is not None:
            return self.writer(due).chosen(claim)
        if due.by_itself:
            self.drop_if_passed()
            kind, prepared = due.kinds[0], self._preparation
            body = None if prepared is None else prepared.body(kind)
            return body or self.writer(due).by_itself(kind)
        self._ask(events.YourTurn(own_view(state, due.seat, self._me.secrets)))
        self.clock.start(self._replica.chain.next_seq, now)
        return None

    def _ask(self, event: Event) -> None:
        if self.asked_for != self._replica.chain.next_seq:
            self.asked_for = self._replica.chain.next_seq
            self._out.emit(event)

    def has_cut_time_passed(self, now: float) -> bool:
        """Whether the player has not used the time to cut; True only once."""
        seq = self._replica.chain.next_seq
        is_up = self.cut_clock.take_timeout(seq, now)
        return is_up and self.due is not None and self._chosen_cut is None

    @property
    def _asks_hint(self) -> bool:
        return self._replica.terms.rules.timeout == "hint"

    @property
    def hint_at(self) -> float:
        """When the search for the hint of this turn must begin."""
        seq = self._replica.chain.next_seq
        at = self.hint.begins_at(seq, self.clock.until) if self._asks_hint else math.inf
        return at if at < math.inf and self.clock.is_at(seq) and self.due else math.inf

    def hint_search(self, now: float) -> HintSearch | None:
        """Return the search for a hint that will be needed soon, once; passing needs none. It needs
        nothing else and may run elsewhere; ``hint`` takes what it finds."""
        self.hint.runs_elsewhere = True
        seq, state, due = self._replica.chain.next_seq, self._replica.state, self.due
        if now < self.hint_at or due is None or state is None:
            return None
        view = own_view(state, due.seat, self._me.secrets)
        search = self.hint.begin(seq, view)
        return None if isinstance(timeout_choice(view), Pass) else search

    def timeout_action(self, now: float) -> Action | None:
        """Return what is done for a player whose time is up, once (``timeout``): pass; else what
        the hint says, or what is certain (`timeout_choice`), or anything allowed by chance. A hint
        that is not found yet is waited for."""
        seq, state, due = self._replica.chain.next_seq, self._replica.state, self.due
        if now < self.clock.until:
            return None
        if due is None or state is None or not self.clock.is_at(seq):
            self.clock.take_timeout(seq, now)
            return None
        view = own_view(state, due.seat, self._me.secrets)
        choices, certain = legal(view), timeout_choice(view)
        uses_hint = self._asks_hint and not isinstance(certain, Pass)
        if uses_hint and self.hint.is_awaited(seq):
            self.clock.until = now + AGAIN
            return None
        self.clock.take_timeout(seq, now)
        if uses_hint:
            chosen = self.hint.action(seq, view)
            if chosen in choices:
                return chosen
        if certain is not None:
            return certain
        chance = self._me.secrets.hand(state.number).child(b"timeout", seq.to_bytes(8, "big"))
        return choices[chance.below(len(choices))]

    def writer(self, due: Duty) -> EntryWriter:
        state, chain = self._replica.state, self._replica.chain
        if state is None:
            raise LookupError("the table has not begun")
        at = Binding(state.table, state.number, chain.next_seq, chain.head, due.seat)
        return EntryWriter(state, due.seat, self._me.secrets, at)

    def sign(self, kind: str, body: Body) -> Unverified:
        """Sign an own entry for the next place; LookupError if one was signed already."""
        chain, me = self._replica.chain, self._me
        seq = chain.next_seq
        if seq <= self.last_written:
            raise LookupError("an entry for this place was written already")
        self.last_written = seq
        table, value = chain.table_at(seq), body_value(body)
        return sign_entry(me.key, table, seq, chain.head, me.player, kind, value)

    def report_signed_elsewhere(self) -> None:
        """Report once that this node has not written an own entry or receipt: the same identity
        signs on another machine. After a restart it may be this node's own, lost with its journal,
        so nothing is reported then."""
        if self._waits.recovery is None and not self._signed_elsewhere:
            self._signed_elsewhere = True
            self._out.emit(events.SignedElsewhere())

    def ask_again(self) -> None:
        """Ask the player again, with the whole time of a turn."""
        self.asked_for = None
        self.clock.reset()
        self.hint.reset()
        self.cut_clock.reset()

    def go_back(self, seq: int) -> None:
        """Write again from this place on: the log goes on there without the absent player."""
        self.last_written = seq - 1
        self.ask_again()
