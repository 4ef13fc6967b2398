"""The catalogue of transcripts that were damaged, or put together from true pieces: the audit
refuses them at that block and names nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from p2p304.log.entry import Receipt
from p2p304.log.transcript import MAGIC, RawBlock
from p2p304.wire.canonical import Value, encode
from tests.support.cheats.harness import corrupt

Blocks = list[RawBlock]


class Damage:
    """One way to spoil a transcript at block ``at``; ``check`` refuses that block."""

    check: ClassVar[str]
    at: ClassVar[int] = 6

    def spoil(self, blocks: Blocks) -> Blocks:
        raise NotImplementedError


def raw_block(block: RawBlock) -> bytes:
    receipts: list[Value] = [
        {"author": r.author, "claim": r.claim, "sig": r.sig} for r in block.receipts
    ]
    body = encode({"entry": block.entry.raw, "receipts": receipts})
    return len(body).to_bytes(4, "big") + body


def spoilt(kind: type[Damage], blocks: Blocks) -> bytes:
    """The file: a few blocks, one of them damaged."""
    return MAGIC + b"".join(map(raw_block, kind().spoil(blocks[: kind.at + 3])))


def receipted(blocks: Blocks, at: int, receipts: tuple[Receipt, ...]) -> Blocks:
    return [*blocks[:at], replace(blocks[at], receipts=receipts), *blocks[at + 1 :]]


class PlaceLeftOut(Damage):
    """The block after the next."""

    check = "L04"

    def spoil(self, blocks: Blocks) -> Blocks:
        return [*blocks[: self.at], *blocks[self.at + 1 :]]


class PlaceTwice(Damage):
    """A block once more."""

    check = "L04"

    def spoil(self, blocks: Blocks) -> Blocks:
        return [*blocks[: self.at], blocks[self.at - 1], *blocks[self.at :]]


class ReceiptLeftOut(Damage):
    """A block with two receipts."""

    check = "L06"

    def spoil(self, blocks: Blocks) -> Blocks:
        return receipted(blocks, self.at, blocks[self.at].receipts[:2])


class ReceiptsLeftOut(Damage):
    """A block that nobody has seen."""

    check = "L06"

    def spoil(self, blocks: Blocks) -> Blocks:
        return receipted(blocks, self.at, ())


class ReceiptOfAnotherPlace(Damage):
    """A block with a receipt that was given for the one before."""

    check = "L07"

    def spoil(self, blocks: Blocks) -> Blocks:
        (one, *rest), before = blocks[self.at].receipts, blocks[self.at - 1].receipts
        old = next((r for r in before if r.author == one.author), None)
        return receipted(blocks, self.at, (replace(one, sig=(old or rest[0]).sig), *rest))


class ReceiptSpoilt(Damage):
    """One bit of a receipt."""

    check = "L07"

    def spoil(self, blocks: Blocks) -> Blocks:
        one, *rest = blocks[self.at].receipts
        return receipted(blocks, self.at, (replace(one, sig=corrupt(one.sig)), *rest))


class ReceiptWithAClaim(Damage):
    """A claim put into a receipt that had none, and would have been open."""

    check = "L07"

    def spoil(self, blocks: Blocks) -> Blocks:
        one, *rest = blocks[self.at].receipts
        return receipted(blocks, self.at, (replace(one, claim="caps"), *rest))


class ReceiptInANeighboursName(Damage):
    """Two receipts under each other's names."""

    check = "L07"

    def spoil(self, blocks: Blocks) -> Blocks:
        one, two, last = blocks[self.at].receipts
        swapped = replace(one, author=two.author), replace(two, author=one.author)
        return receipted(blocks, self.at, (swapped[1], swapped[0], last))


class ReceiptsTurnedRound(Damage):
    """Receipts in another order than that of the seats."""

    check = "L12"

    def spoil(self, blocks: Blocks) -> Blocks:
        return receipted(blocks, self.at, blocks[self.at].receipts[::-1])


class ReceiptTwice(Damage):
    """One receipt written down twice."""

    check = "L12"

    def spoil(self, blocks: Blocks) -> Blocks:
        one, *rest = blocks[self.at].receipts
        return receipted(blocks, self.at, (one, one, *rest))


DAMAGES: list[type[Damage]] = Damage.__subclasses__()
