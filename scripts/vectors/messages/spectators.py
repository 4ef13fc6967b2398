"""Frames BLOCK for protocol/messages, to a spectator who has all of context.304 but its last
block."""

from __future__ import annotations

from typing import Any

from scripts.vectors.transcripts.signed_blocks import flipped


def blocks(last: bytes) -> list[tuple[bytes, dict[str, Any]]]:
    """Payload and row of each; ``last`` is the block that is due, with its length."""
    return [
        _row("BlockOfTheNextPlace", last, "the block as it stands in the file, with its length"),
        _row("BlockWithABentReceipt", flipped(last, -1), "a receipt that is bent", "L07"),
        _row("BlockWithoutItsLength", last[4:], "the map of the block alone", is_read=False),
    ]


def _row(
    name: str, payload: bytes, comment: str, check: str | None = None, is_read: bool = True
) -> tuple[bytes, dict[str, Any]]:
    told = {"file": f"{name}.bin", "check": check, "without": False, "to": "spectator"}
    return payload, {**told, **({} if is_read else {"unreadable": True}), "comment": comment}
