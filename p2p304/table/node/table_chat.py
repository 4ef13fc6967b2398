"""When a node's player may chat, and whose chat it is shown (SPEC.md, "Chat").

Responsible for this node's own messages and for those that it takes from the others; the form of a
message and the limit on their number are table/exchange/chat.py's.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import say
from p2p304.table.exchange.chat import ChatLimit, chat_bytes, parse_chat
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.wire.effects import Outbox
from p2p304.wire.framing import FrameKind


class TableChat:
    """The chat at one node; ``out`` takes what is sent and shown."""

    def __init__(self, out: Outbox[Event]) -> None:
        self._out, self._limit = out, ChatLimit()

    def send(
        self, text: str, nick: str, others: Iterable[bytes], table: TableMachine | None
    ) -> None:
        """Send a chat message to the others. Raises NotNow while a hand is being played, and for
        text that cannot be shown."""
        if not may_chat(table):
            raise NotNow(say("You can chat only between hands."))
        try:
            raw = chat_bytes(text)
        except ValueError as error:
            raise NotNow(say("This message has no visible characters.")) from error
        for key in others:
            self._out.send_to(key, FrameKind.TALK, raw)
        self._out.emit(events.ChatMessage(nick, raw.decode()))

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that a message may change here, for the error boundary."""
        return (self, self._limit)

    def receive(
        self, author: bytes, nick: str, payload: bytes, table: TableMachine | None, now: float
    ) -> None:
        """Show a message of another player, if one is shown now; raises Refused W09, at any
        time."""
        text = parse_chat(payload)
        if _is_heard(author, table) and self._limit.take(author, now):
            self._out.emit(events.ChatMessage(nick, text))


def may_chat(table: TableMachine | None) -> bool:
    """Whether a player may chat: not all have asked for the next deal yet, or the rules allow chat
    at any time. All have asked once all have signed the cut."""
    state = None if table is None else table.state
    if table is None or state is None or state.terms.rules.chat == "open":
        return True
    if state.deal is None:
        return state.hand is None
    is_cut = state.deal.cut is not None and table.chain.is_settled
    return not state.deal.has_begun and not is_cut


def _is_heard(author: bytes, table: TableMachine | None) -> bool:
    """Whether a chat message of this player is heard. It may have been sent before the last
    signature under the cut arrived there, and so comes a little late; but nothing is shown of a
    player for whom all others have unlocked, because that player can see cards."""
    if may_chat(table) or table is None or table.state is None or table.state.deal is None:
        return may_chat(table)
    deal = table.state.deal
    seat = table.replica.seat_of(table.terms.keys.index(author))
    return not deal.dealt and set(deal.unlockers[deal.unlocked :]) - {seat} != set()
