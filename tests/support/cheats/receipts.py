"""The cheats' catalogue: receipts, and second entries. A receipt is signed for one head and carries
a claim or none; who claims what is not open, or signs two for one place, has convicted itself."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from p2p304.log.entry import Receipt, Signed, Unverified, sign_entry, sign_receipt
from p2p304.log.faults import Refused
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import legal
from p2p304.wire.bodies import body_value
from p2p304.wire.effects import Send
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import Chance, Game, Outcome, fork
from tests.support.table import simnet

Lies = dict[int, tuple[Receipt | Unverified, ...]]
"""What each of the others is told, by player."""


class FalseReceipt:
    """One way to lie on receipts; the docstring says what is tried."""

    check: ClassVar[str]

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        """What is told instead of the honest receipt, or None if there is no chance here."""
        raise NotImplementedError


def saying(at: Chance, honest: Receipt, claim: str | None, head: bytes | None = None) -> Receipt:
    """The honest receipt with another claim, or another head, well signed."""
    return sign_receipt(
        at.table.me.key, honest.table, honest.seq, head or honest.head, honest.author, claim
    )


def others(at: Chance) -> list[int]:
    return [n for n in range(len(at.net.tables)) if n != at.number]


def in_play(at: Chance) -> bool:
    hand = at.state.hand
    return hand is not None and hand.phase is Phase.PLAY and len(hand.tricks) == 2


class ClaimsBeforeThereIsAHand(FalseReceipt):
    """Calls Caps while seats are drawn."""

    check = "S03"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        if honest.seq != 2:
            return None
        return dict.fromkeys(others(at), (saying(at, honest, "caps"),))


class ClaimsAtTheAgreement(FalseReceipt):
    """Calls spoilt trumps at place 0."""

    check = "S03"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        if honest.seq:
            return None
        return dict.fromkeys(others(at), (saying(at, honest, "spoilt"),))


class ClaimsInTheBidding(FalseReceipt):
    """Calls spoilt trumps before there are trumps."""

    check = "S03"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        if at.state.hand is None or at.state.open_deal.dealt != 1:
            return None
        return dict.fromkeys(others(at), (saying(at, honest, "spoilt"),))


class ClaimsToAllButTheNextPlayer(FalseReceipt):
    """Claims behind the back of the player whose turn it is, who then acts out of turn in
    everybody else's eyes."""

    check = "L10"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        due = at.table.replica.due
        if not in_play(at) or due is None or due.player == at.number:
            return None
        told: Lies = dict.fromkeys(others(at), (saying(at, honest, "spoilt"),))
        return {**told, due.player: (honest,)}


class ClaimsToTheNextPlayerAlone(FalseReceipt):
    """Claims to the player whose turn it is, who then waits in vain."""

    check = "L10"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        due = at.table.replica.due
        if not in_play(at) or due is None or due.player == at.number:
            return None
        told: Lies = dict.fromkeys(others(at), (honest,))
        return {**told, due.player: (saying(at, honest, "spoilt"),)}


class ClaimsCapsHereAndSpoiltThere(FalseReceipt):
    """Makes one claim to one player and another to the next."""

    check = "L10"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        if not in_play(at):
            return None
        one, *rest = others(at)
        told: Lies = dict.fromkeys(rest, (saying(at, honest, "spoilt"),))
        return {**told, one: (saying(at, honest, "caps"),)}


class ThinksBetterOfIt(FalseReceipt):
    """Claims after it has said that it claims nothing."""

    check = "L10"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        if not in_play(at):
            return None
        return dict.fromkeys(others(at), (honest, saying(at, honest, "caps")))


class SawTwoHeads(FalseReceipt):
    """Says of two entries that it saw them at one place."""

    check = "L10"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        if honest.seq < 3:
            return None
        return dict.fromkeys(others(at), (honest, saying(at, honest, None, bytes(32))))


class DrawsTwice(FalseReceipt):
    """Signs a second draw, with the nonce that it would rather have had."""

    check = "L11"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        drawn = [
            e.entry
            for e in at.table.chain.entries
            if (e.entry.kind, e.entry.author) == ("draw", at.number)
        ]
        if not drawn:
            return None
        old = drawn[0]
        again = sign_entry(
            at.table.me.key,
            old.table,
            old.seq,
            old.prev,
            at.number,
            "draw",
            {"box": None, "nonce": bytes(32)},
        )
        return dict.fromkeys(others(at), (honest, again))


class WritesToEachSomethingElse(FalseReceipt):
    """Signs the entry that was accepted, and shows another one to each."""

    check = "L11"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        own = [e.entry for e in at.table.chain.entries if e.entry.author == at.number]
        if honest.seq < 12 or not own:
            return None
        last = own[-1]
        return {
            n: (
                sign_entry(
                    at.table.me.key,
                    last.table,
                    last.seq,
                    last.prev,
                    at.number,
                    last.kind,
                    {**last.body, "x": n},
                ),
            )
            for n in others(at)
        }


class SawAnotherEntryToOne(FalseReceipt):
    """Tells one player of an entry that nobody has, and the others of the one that is there."""

    check = "L10"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        if honest.seq < 5:
            return None
        one, *rest = others(at)
        told: Lies = dict.fromkeys(rest, (honest,))
        return {**told, one: (saying(at, honest, None, bytes(31) + b"1"),)}


class WritesTwoMoves(FalseReceipt):
    """Has the floor next: shows one move to one player and another to the others, both of which
    the rules allow."""

    check = "L11"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        due = at.table.replica.due
        mine = due is not None and due.player == at.number and not due.by_itself
        if not mine or at.state.hand is None or len(legal(at.table.view)) < 2:
            return None
        moves = [self.move(at, action) for action in legal(at.table.view)[:2]]
        one, *rest = others(at)
        told: Lies = dict.fromkeys(rest, (honest, moves[0]))
        return {**told, one: (honest, moves[1])}

    @staticmethod
    def move(at: Chance, action: Action) -> Unverified:
        chain, body = at.table.chain, at.writer.chosen(action)
        return sign_entry(
            at.table.me.key,
            chain.table,
            chain.next_seq,
            chain.head,
            at.number,
            body.KIND,
            body_value(body),
        )


class WritesAMoveToOneAndWaits(WritesTwoMoves):
    """The same, but one of the others hears nothing of either move."""

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        told = super().lie(at, honest)
        if told is None:
            return None
        return {**told, others(at)[-1]: (honest,)}


FALSE_RECEIPTS: list[type[FalseReceipt]] = [
    *FalseReceipt.__subclasses__(),
    *WritesTwoMoves.__subclasses__(),
]


def deliver_all(net: simnet.Net) -> None:
    """Everything on its way arrives, and nobody chooses anything."""
    while True:
        for number, table in enumerate(net.tables):
            for effect in table.effects():
                if isinstance(effect, Send):
                    net.send(number, effect)
        if not net.queue:
            return
        _, _, source, target, kind, payload = heapq.heappop(net.queue)
        net.tables[target].receive(net.keys[source], kind, payload, net.now)


def told_falsely(game: Game) -> dict[type[FalseReceipt], Outcome]:
    """Every lie at its first chance in the game."""
    net = game()
    left = [kind() for kind in FALSE_RECEIPTS]
    done: dict[type[FalseReceipt], Outcome] = {}

    def watching(number: int, honest: Callable[[Signed], Receipt]) -> Callable[[Signed], Receipt]:
        def receipt(signed: Signed) -> Receipt:
            true, at = honest(signed), Chance(net, number)
            for each in list(left):
                lies = each.lie(at, true)
                if lies is not None:
                    left.remove(each)
                    done[type(each)] = _tell(at, true.seq, lies)
            return true

        return receipt

    for number, table in enumerate(net.tables):
        setattr(table._receipts, "make", watching(number, table._receipts.make))  # noqa: B010
    net.run(seconds=600, until=lambda: not left)
    return done


def _tell(at: Chance, seq: int, lies: Lies) -> Outcome:
    """Fork; the liar gives these receipts and does nothing else."""
    twin = fork(at.net)
    liar = twin.tables[at.number]
    liar._fault_handler.stopped = Refused("S01", "this node only lies")
    liar.events()
    twin.collect(at.number)
    for target, receipts in lies.items():
        for each in receipts:
            kind = FrameKind.RECEIPT if isinstance(each, Receipt) else FrameKind.ENTRY
            raw = each.encode() if isinstance(each, Receipt) else each.raw
            twin._queue(at.number, target, kind, raw)
    twin.run(seconds=20, until=lambda: all(t.stopped is not None for t in twin.tables))
    return Outcome(twin, at.number, seq)


# Over a claim ----------------------------------------------------------------------------------


class PlaysOverAClaim:
    """Plays although another's claim has taken the floor; whether it was told of the claim nobody
    else can know."""

    check = "S04"


@dataclass(frozen=True)
class Ignored:
    """A table in play where ``claimant`` has the floor, and what ``player`` says all the same."""

    net: simnet.Net
    claimant: int
    player: int
    entry: bytes


def over_a_claim() -> Ignored:
    """In the first trick a player claims on its receipt, and another, whose turn it was, plays."""
    net = simnet.make_closed(3)
    net.run(
        until=lambda: (
            net.tables[0].state is not None
            and bool(net.tables[0].state.hand and net.tables[0].state.hand.trick)
        )
    )
    deliver_all(net)
    due, last = net.tables[0].replica.due, net.tables[0].chain.entries[-1]
    assert due is not None
    claimant = next(n for n in range(4) if n not in (due.player, last.entry.author))
    table = fork(net).tables[due.player]
    table.effects()
    table.act(net.choosers[due.player](table.view), net.now)
    (entry, *_) = [
        e.payload for e in table.effects() if isinstance(e, Send) and e.kind is FrameKind.ENTRY
    ]
    key, chain = net.tables[claimant].me.key, net.tables[0].chain
    claim = sign_receipt(key, chain.table, last.entry.seq, last.link, claimant, "spoilt")
    for each in net.tables:
        each.chain._receipts[-1][claimant] = claim
        each.replica.settle()
        each.events()
    return Ignored(net, claimant, due.player, entry)


__all__ = ["FALSE_RECEIPTS", "FalseReceipt", "PlaysOverAClaim", "over_a_claim", "told_falsely"]
