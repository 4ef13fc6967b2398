"""The cheats' catalogue: keys for sealed shares that are made from the keys of others.

A receiver who complains publishes the point that opens its box. A cheat who could use another
player's ephemeral key, or one made from it, would be shown the honest box as well.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from p2p304.crypto.group import Element, G, add, base
from p2p304.crypto.statements import Scalars
from p2p304.table.proofs.statements import knowledge
from p2p304.wire.bodies import Body, Closed, Draw, Relock, Shuffle
from tests.support.cheats.harness import Chance, Cheat
from tests.support.false_proofs import prove_unchecked


class BoxKeyOfAnother(Cheat):
    """Draws with another player's key for sealed shares, and that player's proof."""

    kind, check = "draw", "D15"

    def lie(self, at: Chance, body: Draw) -> Body | None:
        before = at.before("draw")
        if not body.box or not before:
            return None
        return replace(body, box=before[0]["box"], box_knows=before[0]["box_knows"])


class BoxKeyMadeFromAnothers(Cheat):
    """Draws with another player's key plus G, so that what opens one box would open another."""

    kind, check = "draw", "D15"

    def lie(self, at: Chance, body: Draw) -> Body | None:
        before = at.before("draw")
        if not body.box or not before:
            return None
        related = add(Element(before[0]["box"]), G)
        return replace(body, box=related, box_knows=pretended(at, related, b"box"))


class BoxKeyWithAProofOfAnotherPurpose(Cheat):
    """Proves to know the secret of its key, as is done for an ephemeral key."""

    kind, check = "draw", "D15"

    def lie(self, at: Chance, body: Draw) -> Body | None:
        if not body.box:
            return None
        e = at.table.me.secrets.box_key
        return replace(body, box_knows=at.writer._knows(Element(body.box), e, b"ephemeral"))


class BoxKeyWithoutProof(Cheat):
    """Draws with a key for sealed shares and does not prove to know its secret."""

    kind, check = "draw", "D12"

    def lie(self, at: Chance, body: Draw) -> Body | None:
        return replace(body, box_knows=None) if body.box else None


class CopiesAnEphemeralKey(Cheat):
    """Seals its shares under the ephemeral key of another player's shuffle, with its proof."""

    kind, check = "shuffle", "D15"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        before = at.before("shuffle")
        if not body.shares or not before:
            return None
        return replace(body, **sealed_like(before[0]))


class EphemeralKeyMadeFromAnothers(Cheat):
    """Seals its shares under another player's ephemeral key plus 5·G."""

    kind, check = "shuffle", "D15"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        before = at.before("shuffle")
        if not body.shares or not before:
            return None
        related = add(Element(before[0]["ephemeral"]), base(5))
        knows = pretended(at, related, b"ephemeral")
        return replace(body, ephemeral=related, ephemeral_knows=knows)


class EphemeralKeyIsABoxKey(Cheat):
    """Seals its shares under the very key of a receiver."""

    kind, check = "shuffle", "D15"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        if not body.shares:
            return None
        of_receiver = at.state.boxes[at.state.player_on((at.seat + 1) % at.state.seats)]
        knows = pretended(at, of_receiver, b"ephemeral")
        return replace(body, ephemeral=of_receiver, ephemeral_knows=knows)


class EphemeralKeyIsTheKeyShared(Cheat):
    """Seals its shares under the key that they are shares of, with the proof of that key."""

    kind, check = "shuffle", "D15"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        if not body.shares:
            return None
        return replace(body, ephemeral=body.key, ephemeral_knows=body.knows)


class EphemeralKeyWithoutProof(Cheat):
    """Seals its shares and does not prove to know the secret of the ephemeral key."""

    kind, check = "shuffle", "D12"

    def lie(self, at: Chance, body: Shuffle) -> Body | None:
        return replace(body, ephemeral_knows=None) if body.shares else None


class EphemeralKeyOfAnOwnEarlierEntry(Cheat):
    """Re-orders its hand with the ephemeral key and the proof of its own shuffle."""

    kind, check = "relock", "D15"

    def lie(self, at: Chance, body: Relock) -> Body | None:
        own = [
            entry.entry.body
            for entry in at.table.chain.entries
            if entry.entry.kind == "shuffle" and entry.entry.author == at.number
        ]
        return replace(body, **sealed_like(own[-1])) if body.shares else None


class CopiesAnEphemeralKeyOfAHand(Cheat):
    """Re-orders its hand with the ephemeral key under which another's new hand key is shared."""

    kind, check = "relock", "D15"

    def lie(self, at: Chance, body: Relock) -> Body | None:
        before = at.before("relock")
        return replace(body, **sealed_like(before[0])) if body.shares and before else None


class CopiesAnEphemeralKeyForInspection(Cheat):
    """Shares its inspection key under the ephemeral key of another player's hand."""

    kind, check = "closed", "D15"

    def lie(self, at: Chance, body: Closed) -> Body | None:
        return replace(body, **sealed_like(at.before("relock")[0])) if body.shares else None


def sealed_like(body: dict[str, Any]) -> dict[str, Any]:
    """The ephemeral key and the proof of an entry before."""
    return {name: body[name] for name in ("ephemeral", "ephemeral_knows")}


def pretended(at: Chance, key: Element, what: bytes) -> bytes:
    """The prover's algorithm, for a key whose secret the author does not know."""
    context, rng = at.writer._place(what)
    return prove_unchecked(knowledge(key), Scalars({"x": 5}), context, rng)
