"""The cheats' catalogue: keys shared among the others, and standing in for who is gone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from p2p304.crypto.dleq import prove_dleq
from p2p304.crypto.group import G, base, mul
from p2p304.table.state.key_shares import share
from p2p304.table.transition import absent_seat
from p2p304.wire import bodies
from p2p304.wire.bodies import Body, Closed, Draw, Relock, Say, Shuffle, StandIn
from tests.support.cheats.harness import Chance, Cheat, corrupt, other, swapped


class BoxKeyForNothing(Cheat):
    """Gives a key for sealed shares where no hand is played out."""

    kind, check = "draw", "D12"

    def lie(self, at: Chance, body: Draw) -> Body | None:
        if at.state.plays_out:
            return None
        return replace(body, box=base(2), box_knows=at.writer._knows(base(2), 2, b"box"))


class NoBoxKey(Cheat):
    """Gives no key for sealed shares, so that nobody can share with it."""

    kind, check = "draw", "D12"

    def lie(self, at: Chance, body: Draw) -> Body | None:
        return replace(body, box=None, box_knows=None) if at.state.plays_out else None


class BoxKeyThatIsNoElement(Cheat):
    """Gives bytes that encode no element for others to seal shares to."""

    kind, check = "draw", "D01"

    def lie(self, at: Chance, body: Draw) -> Body | None:
        return replace(body, box=b"\xff" * 32) if at.state.plays_out else None


class KeepsItsKey(Cheat):
    """Shuffles under a key that it shares with nobody."""

    kind, check = "shuffle", "D12"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        return replace(body, **NO_SHARES) if body.shares else None


class SharesForNothing(Cheat):
    """Sends shares where no hand is played out."""

    kind, check = "shuffle", "D12"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        return None if body.shares else replace(body, shares=(bytes(64),) * 3)


class SharesAnotherKey(Cheat):
    """Shares a key that it did not publish: those who stand in would unlock nothing."""

    kind, check = "shuffle", "D12"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        return replace(body, **of_another(at)) if body.shares else None


class OneShareTwice(Cheat):
    """Two others get the same share, and one point is missing."""

    kind, check = "shuffle", "D12"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        one, two, *rest = body.shares or (b"", b"")
        return replace(body, shares=(one, one, *rest)) if two else None


class ShareThatIsNothing(Cheat):
    """The identity stands for a share's point."""

    kind, check = "shuffle", "D01"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        if not body.shares:
            return None
        first, *rest = body.shares
        return replace(body, shares=(bytes(32) + first[32:], *rest))


class BoxThatIsNone(Cheat):
    """A sealed box that encodes no scalar: nobody could open or show it."""

    kind, check = "shuffle", "D12"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        if not body.shares:
            return None
        first, *rest = body.shares
        return replace(body, shares=(first[:32] + b"\xff" * 32, *rest))


class EphemeralKeyThatIsNoElement(Cheat):
    """Shares sealed under bytes that encode no element."""

    kind, check = "shuffle", "D01"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        return replace(body, ephemeral=b"\xff" * 32) if body.shares else None


class SharesTheOldHandKey(Cheat):
    """Re-orders its hand under a fresh key and shares another."""

    kind, check = "relock", "D12"

    def lie(self, at: Chance, body: Relock) -> Body | None:
        return replace(body, **of_another(at)) if body.shares else None


class KeepsTheInspectionKey(Cheat):
    """Chooses closed and shares no key to what it will be shown."""

    kind, check = "closed", "D12"

    def lie(self, at: Chance, body: Closed) -> Body | None:
        return replace(body, **NO_SHARES) if body.shares else None


class StandsInWithAnotherShare(Cheat):
    """Multiplies by a scalar of its own, so that other cards come out."""

    kind, check = "stand_in", "D14"

    def lie(self, at: Chance, body: StandIn) -> Body | None:
        opening = absent_seat.due(at.state)
        assert opening is not None
        parts = tuple(mul(7, locked) for locked in opening.locked)
        context, rng = at.writer._place(b"stand in")
        proof = prove_dleq(7, G, base(7), opening.locked, parts, context, rng)
        return StandIn(parts, proof)


class StandsInForOneCardLess(Cheat):
    """Leaves one of the absent one's cards locked."""

    kind, check = "stand_in", "D14"

    def lie(self, at: Chance, body: StandIn) -> Body | None:
        return replace(body, parts=body.parts[:-1]) if len(body.parts) > 1 else None


class StandsInAcross(Cheat):
    """Gives its parts in another order, so that two cards change places."""

    kind, check = "stand_in", "D14"

    def lie(self, at: Chance, body: StandIn) -> Body | None:
        return replace(body, parts=swapped(body.parts)) if len(body.parts) > 1 else None


class StandsInWithABrokenProof(Cheat):
    """The parts are right, one bit of the proof is not."""

    kind, check = "stand_in", "D14"

    def lie(self, at: Chance, body: StandIn) -> Body | None:
        return replace(body, proof=corrupt(body.proof))


class StandsInWithAnothersProof(Cheat):
    """Says again what another seat gave."""

    kind, check = "stand_in", "D14"

    def lie(self, at: Chance, body: StandIn) -> Body | None:
        before = at.before("stand_in")
        if not before or len(before[0]["parts"]) != len(body.parts):
            return None
        return StandIn(tuple(before[0]["parts"]), before[0]["proof"])


class StandsInWithNothing(Cheat):
    """The identity stands for a part."""

    kind, check = "stand_in", "D01"

    def lie(self, at: Chance, body: StandIn) -> Body | None:
        return replace(body, parts=(bytes(32), *body.parts[1:]))


class GoesOnInstead(Cheat):
    """Goes on with the game while the absent one's cards are still locked."""

    kind, check = "stand_in", "S02"

    def lie(self, at: Chance, body: StandIn) -> Body | None:
        return Say("pass")


class StandsInOutOfTurn(Cheat):
    """Stands in before another seat has."""

    kind, check, author = "stand_in", "S01", 1

    def lie(self, at: Chance, body: StandIn) -> Body | None:
        return body


class StandsInForSomebodyWhoIsHere(Cheat):
    """Stands in at a table from which nobody is gone."""

    kind, check = "play", "S02"

    def lie(self, at: Chance, body: bodies.Play) -> Body | None:
        return StandIn((other(G),), bytes(64)) if at.state.absent_hand is None else None


NO_SHARES: dict[str, Any] = {"shares": (), "ephemeral": None, "ephemeral_knows": None}


def of_another(at: Chance) -> dict[str, Any]:
    """Shares in their right form, of another key than this."""
    rng = at.table.me.secrets.hand(at.state.number).child(b"another key")
    x, r = rng.scalar(), rng.scalar()
    shares = share(base(x), x, r, at.state.boxes[1:], rng.child(b"cheat"))
    knows = at.writer._knows(base(r), r, b"ephemeral")
    return {"shares": shares, "ephemeral": base(r), "ephemeral_knows": knows}
