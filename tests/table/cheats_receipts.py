"""The cheats' catalogue: receipts. A receipt is signed for one head and carries a claim or none;
who claims what is not open, or signs two for one place, has convicted itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from cheating import Chance, Game, Outcome, fork

from p2p304.log.entry import Receipt, Signed, sign_receipt
from p2p304.log.faults import Refused
from p2p304.rules.phase import Phase
from p2p304.wire.framing import FrameKind

Lies = dict[int, tuple[Receipt, ...]]
"""What each of the others is told, by player."""


class FalseReceipt:
    """One way to lie on receipts; the docstring says what is tried."""

    check: ClassVar[str]

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        """What is told instead of the honest receipt, or None if there is no chance here."""
        raise NotImplementedError


def saying(at: Chance, honest: Receipt, claim: str | None, head: bytes | None = None) -> Receipt:
    """The honest receipt with another claim, or another head, well signed."""
    return sign_receipt(at.table.me.key, honest.table, honest.seq, head or honest.head,
                        honest.author, claim)  # fmt: skip


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
        due = at.table.due
        if not in_play(at) or due is None or due.player == at.number:
            return None
        told: Lies = dict.fromkeys(others(at), (saying(at, honest, "spoilt"),))
        return {**told, due.player: (honest,)}


class ClaimsToTheNextPlayerAlone(FalseReceipt):
    """Claims to the player whose turn it is, who then waits in vain."""

    check = "L10"

    def lie(self, at: Chance, honest: Receipt) -> Lies | None:
        due = at.table.due
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


FALSE_RECEIPTS: list[type[FalseReceipt]] = FalseReceipt.__subclasses__()


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
        setattr(table, "_own_receipt", watching(number, table._own_receipt))  # noqa: B010
    net.run(seconds=600, until=lambda: not left)
    return done


def _tell(at: Chance, seq: int, lies: Lies) -> Outcome:
    """Fork; the liar gives these receipts and does nothing else."""
    twin = fork(at.net)
    liar = twin.tables[at.number]
    liar.stopped = Refused("S01", "this node only lies")
    liar._events.clear()
    twin.collect(at.number)
    for target, receipts in lies.items():
        for each in receipts:
            twin._queue(at.number, target, FrameKind.RECEIPT, each.encode())
    twin.run(seconds=20, until=lambda: all(t.stopped is not None for t in twin.tables))
    return Outcome(twin, at.number, seq)


__all__ = ["FALSE_RECEIPTS", "FalseReceipt", "told_falsely"]
