"""Messages for protocol/messages: to a player at a table, at a gathering, and to a spectator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from p2p304.log.transcript import MAGIC, encode_block
from p2p304.wire.framing import FrameKind
from scripts.vectors.index import write_rows
from scripts.vectors.messages import gathering, spectators
from tests.support.hostile.foreign_words import GOOD_WORDS, NO_WORDS
from tests.support.hostile.nuisances import NUISANCES
from tests.support.table import bidding_game


def messages(folder: Path) -> None:
    """Single messages, each refused by its check, naming nobody; and good ones."""
    folder.mkdir(exist_ok=True)
    net = bidding_game.game()
    table = net.tables[0]
    blocks = b"".join(encode_block(table.chain.block(seq)) for seq in range(table.chain.next_seq))
    (folder / "context.304").write_bytes(MAGIC + blocks)
    index: list[dict[str, Any]] = []
    for nuisance in NUISANCES:
        for kind, payload in nuisance().messages(net.tables[2])[:1]:
            if nuisance.check and nuisance.check != "W14":
                (folder / f"{nuisance.__name__}.bin").write_bytes(bytes([kind]) + payload)
                index.append(
                    {
                        "file": f"{nuisance.__name__}.bin",
                        "check": nuisance.check,
                        "without": nuisance.without,
                        "to": "player",
                        "comment": nuisance.__doc__,
                    }
                )
    for word in NO_WORDS:
        payload = word().payload(net.tables[2])
        (folder / f"{word.__name__}.bin").write_bytes(bytes([word.kind]) + payload)
        of_gathering = word.kind is FrameKind.LOBBY
        index.append(
            {
                "file": f"{word.__name__}.bin",
                "check": word.check,
                "without": False,
                **(gathering.context("visitor", payload) if of_gathering else {"to": "player"}),
                "comment": word.__doc__,
            }
        )
    for name, (kind, payload, says) in GOOD_WORDS.items():
        (folder / f"{name}.bin").write_bytes(bytes([kind]) + payload)
        good = {"file": f"{name}.bin", "check": None, "without": False, "to": "player"}
        index.append({**good, "comment": says})
    for payload, told in spectators.blocks(
        encode_block(table.chain.block(table.chain.next_seq - 1))
    ):
        (folder / told["file"]).write_bytes(bytes([FrameKind.BLOCK]) + payload)
        index.append(told)
    (folder / gathering.LIST).write_bytes(bytes([FrameKind.LOBBY]) + gathering.the_list())
    for payload, row in gathering.messages():
        (folder / row["file"]).write_bytes(bytes([FrameKind.LOBBY]) + payload)
        index.append(row)
    write_rows(folder, index)
