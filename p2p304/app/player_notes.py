"""What a session notes about the players of its table: who they are, and where they are reached.

Responsible for remembering the players it meets and those who leave a table, for saying what it
remembers, and for looking for members without a link. Storing the notes is storage/data_folder.py's
and storage/unfinished.py's; which players leave a draw of seats is table/evidence/left_draws.py's.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p304.net.links.mesh import Mesh
from p2p304.net.mdns.discovery import fingerprint
from p2p304.net.mdns.rendezvous import Rendezvous
from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.rules.variants.absence import LeaverCause
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.game_files import Game
from p2p304.storage.unfinished import AddressBook, book, keep_book
from p2p304.table.node.node import Node
from p2p304.table.state import events

_NOTED = {
    LeaverCause.LEFT: say(
        "{nick} left during the first hand of this table. If that hand is not finished, you can't "
        "draw seats with {nick} for some hours: open a table with chosen seats."
    ),
    LeaverCause.LOST: say(
        "The connection to {nick} was lost during the first hand of this table. If that hand is "
        "not finished, you can't draw seats with {nick} for some hours: open a table with chosen "
        "seats."
    ),
    LeaverCause.LATE: say(
        "The table still waits for {nick}, who is connected. If its first hand is not finished, "
        "you can't draw seats with {nick} for some hours: open a table with chosen seats."
    ),
    LeaverCause.PARTED: say(
        "All others have agreed to continue without {nick} before the first hand was over. You "
        "can't draw seats with {nick} for some hours: open a table with chosen seats."
    ),
    LeaverCause.FAULT: say(
        "{nick} has stopped this table by a fault before the first hand was over. You can't draw "
        "seats with {nick} for some hours: open a table with chosen seats."
    ),
}
"""What is told of a player who is noted as an early leaver."""


class PlayerNotes:
    """The notes of one session. ``report`` tells the player a sentence."""

    def __init__(
        self, store: DataFolder, node: Node, mesh: Mesh, report: Callable[[Phrase], None]
    ) -> None:
        self._store, self._node, self._mesh, self._report = store, node, mesh, report

    def note_players(self, seated: events.Seated) -> None:
        """Remember every player; warn about a known nickname with another key."""
        for nick, key in zip(seated.nicks, seated.keys, strict=True):
            if key == self._node.key.public:
                continue
            met = self._store.meet(nick, key)
            if met.unfinished:
                self._report(
                    say(
                        "Tables that ended or stopped without {nick} before: {n}.",
                        nick=Quoted(nick),
                        n=met.unfinished,
                    )
                )
            if met.stranger:
                self._report(
                    say(
                        "WARNING: {nick} is not the {nick} whom you know: the identity is another "
                        "one ({fingerprint}). Ask this player who they are.",
                        nick=Quoted(nick),
                        fingerprint=fingerprint(key),
                    )
                )

    def note_unfinished(self, absent: str) -> None:
        """Remember, by key, that a player left this table unfinished."""
        table = self._node.table
        if table is not None:
            gone = [player.key for player in table.terms.players if player.nick == absent]
            self._store.note_unfinished(gone, table.terms.table)

    def note_missing(self) -> None:
        """Note which player left the table that this player gives up: the only missing one."""
        table = self._node.table
        begun = table is not None and table.state is not None and table.state.number > 0
        if table is None or not begun or self._node.is_finished or self._node.has_ended:
            return
        here = {self._node.key.public, *self._mesh.links}
        missing = [key for key in table.terms.keys if key not in here]
        if len(missing) == 1:  # with more, this node may itself have lost the network
            self._store.note_unfinished(missing, table.terms.table)

    def note_leavers(self, left: events.DrawLeft) -> None:
        """Remember a player who left before the first hand was over, and say so. A bot with an
        owner leaves this to its owner."""
        bot = self._node.meeting.guests.bot
        if bot is not None and bot.owner != self._node.key.public:
            return
        self._store.note_leaver(left.key, self._node.table_id or b"", left.cause)
        self._report(_NOTED[left.cause].filled(nick=Quoted(left.nick)))


class MemberAddresses:
    """The addresses of one node's table; ``game`` is a table that is resumed."""

    def __init__(self, node: Node, mesh: Mesh, rendezvous: Rendezvous, game: Game | None) -> None:
        self._node, self._mesh, self._rendezvous = node, mesh, rendezvous
        self._book = AddressBook() if game is None else book(game)

    @property
    def own_port(self) -> int:
        """The port on which this node listened last; 0 if it never did."""
        return self._book.port

    def last_of(self, player: bytes) -> tuple[str, int] | None:
        """Return the last address of a player, if it is known."""
        link, known = self._mesh.links.get(player), self._book.peers.get(player)
        if link is not None:
            return link.host, link.port
        return known[0] if known else None

    def dial_all(self) -> None:
        """Dial every member at all addresses that were noted, the last first."""
        for key, addresses in self._book.peers.items():
            for host, port in reversed(addresses):
                self._mesh.want(key, host, port)
        for key, host, port in self._node.meeting.addresses():
            self._mesh.want(key, host, port)

    def update(self, game: Game | None) -> None:
        """Note the members' addresses, and look for the members who are missing."""
        if game is None or self._node.is_finished:
            return
        members = [key for key in self._node.meeting.members if key != self._node.key.public]
        self._mesh.admit(members)
        links = {key: link for key, link in self._mesh.links.items() if key in members}
        changed = [self._book.note(key, link.host, link.port) for key, link in links.items()]
        if any(changed) or self._book.port != self._mesh.port:
            self._book.port = self._mesh.port
            keep_book(game, self._book)
        for key, link in links.items():
            # Whichever side dialled: after a loss both sides look for each other.
            self._mesh.want(key, link.host, link.port)
        self._rendezvous.missing([key for key in members if key not in links])
