"""Entries made and judged before they are due: those that a player may choose, while the player
thinks, and the next one of the deal, while the receipts for the entry before travel.

Responsible for which choices are prepared and in which order, and for dropping them (SPEC.md,
"Prepared entries"). Writing is entry_writer.py's and judging step.py's, exactly as without
preparation; when a turn is prepared is table/machine/own_turns.py's to say, and in which thread
app/background_work.py's. A signature is never prepared: what is dropped was never signed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, cycle, islice
from typing import Final

from p2p304.log.entry import Entry
from p2p304.rules.core.actions import Action, Play, Reveal
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import legal
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.player.own_cards import own_view
from p2p304.table.transition.actions import Step
from p2p304.table.transition.step import step
from p2p304.wire.bodies import Body, body_value

MOST: Final = 24
"""The most entries that are made for one turn: more than two for each card of a hand of ten."""


@dataclass(frozen=True, slots=True, repr=False)
class Prepared:
    """A body with its proofs, the entry with it, without a signature, and what follows from it."""

    body: Body
    entry: Entry
    step: Step


class Preparation:
    """The entries prepared for one place. `run` can run in any thread; all else is the node's."""

    def __init__(self, writer: EntryWriter, blank: Entry, kind: str | None = None) -> None:
        """``blank``: an entry at this place by this player, without kind, body and signature.
        ``kind``: the kind of entry that the program writes here by itself; None if the player
        chooses."""
        self.writer = writer
        self._blank, self.kind = blank, kind
        self._prepared: dict[Action | str, Prepared] = {}
        self._is_dropped = False
        self.is_begun = False

    def run(self) -> None:
        """Prepare one choice after the other until all are prepared, or `drop` is called."""
        with suppress(Exception):  # the choice itself meets the same, and reports it
            for choice in self._choices():
                if self._is_dropped:
                    break
                by_itself, chosen = self.writer.by_itself, self.writer.chosen
                body = by_itself(choice) if isinstance(choice, str) else chosen(choice)
                entry = replace(self._blank, kind=body.KIND, body=body_value(body))
                self._prepared[choice] = Prepared(body, entry, step(self.writer.state, entry))
        if self._is_dropped:
            self._prepared.clear()

    def drop(self) -> None:
        """Forget what is prepared, and prepare no more."""
        self._is_dropped = True
        self._prepared.clear()

    def body(self, choice: Action | str) -> Body | None:
        """Return the prepared body of this choice, or of this kind of entry; None if there is
        none."""
        prepared = self._prepared.get(choice)
        return None if prepared is None else prepared.body

    def step(self, signed: Entry) -> Step | None:
        """Return what follows from this entry if it is a prepared one with a signature, else
        None."""
        unsigned = replace(signed, sig=self._blank.sig)
        made = tuple(self._prepared.values())  # a copy: the thread may still add to them
        found = (each.step for each in made if each.entry == unsigned)
        return next(found, None)

    def _choices(self) -> Iterator[Action | str]:
        """Yield the kind of entry that the program writes by itself, or else the choices that need
        proofs: the cards of the hand, by the public number of their places, then asking for trumps.

        The cards begin anew until they are as many as the hand has, or twice as many, so that the
        work does not tell how many of them may be played. A trump maker whose indicator lies face
        down prepares nothing: which cards it may play, and what it proves, depends on trumps.
        """
        if self.kind is not None:
            yield self.kind
            return
        writer = self.writer
        held = writer.held
        if held.indicator is not None:
            return
        read = partial(writer.secrets.read, writer.state.open_deal, held)
        by_place: dict[int, list[Action]] = {}
        asks: list[Action] = []
        for action in legal(own_view(writer.state, writer.seat, writer.secrets)):
            match action:
                case Play(card=Card() as card):
                    by_place.setdefault(held.place_of(card, read), []).append(action)
                case Reveal():
                    asks.append(action)
        plays = [action for place in sorted(by_place) for action in by_place[place]]
        cards = sum(slot is not None for slot in held.hand)
        work = -(-len(plays) // cards) * cards if plays else 0
        yield from islice(chain(islice(cycle(plays), work), asks), MOST)
