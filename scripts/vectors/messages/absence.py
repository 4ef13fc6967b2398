"""Words about an absent player for protocol/words, and ends of a table without that player for
protocol/certificates."""

from __future__ import annotations

from pathlib import Path

from p2p304.log.absence_vote import PartingPlace
from p2p304.log.transcript import MAGIC, encode_block
from p2p304.table.absence.certificate import Certificate
from scripts.vectors.index import write_rows
from scripts.vectors.transcripts.signed_blocks import SEED
from tests.support.cheats.agreement import ENDING, FALSE_ENDS, parts
from tests.support.hostile import false_words, word_rows
from tests.support.table import simnet


def words(folder: Path) -> None:
    """Words of parting, and the check by which a node that has read its context refuses each; null
    where no check refuses it."""
    folder.mkdir(exist_ok=True)
    for name in (word_rows.CONTEXT, word_rows.WAITING, word_rows.PARTED):
        chain = word_rows.game_of(name).tables[0].chain
        blocks = b"".join(encode_block(chain.block(seq)) for seq in range(chain.next_seq))
        (folder / name).write_bytes(MAGIC + blocks)
    (folder / word_rows.CERTIFICATE).write_bytes(word_rows.certificate().encode())
    index = []

    def write_word(name: str, payload: bytes, context: str, check: str | None, says: str) -> None:
        (folder / f"{name}.bin").write_bytes(payload)
        held = word_rows.CERTIFICATE if context == word_rows.PARTED else None
        index.append(
            {
                "file": f"{name}.bin",
                "context": context,
                "certificate": held,
                "check": check,
                "comment": says,
            }
        )

    net = false_words.game()
    for lie in false_words.FALSE_WORDS:
        if not lie.proven:
            ((_, payload),) = lie().messages(net)
            write_word(lie.__name__, payload, word_rows.CONTEXT, lie.check, str(lie.__doc__))
    for name, row in word_rows.word_rows().items():
        write_word(name, row.word.encode(), row.context, row.check, row.comment)
    write_rows(folder, index)


def certificates(folder: Path) -> None:
    """Ends of the table whose agreement is in terms.304, without its last player."""
    folder.mkdir(exist_ok=True)
    net = simnet.make(SEED, rules=ENDING)
    net.run(until=lambda: net.tables[0].chain.next_seq > 1)
    chain, keys = net.tables[0].chain, [each.me.key for each in net.tables]
    (folder / "terms.304").write_bytes(MAGIC + encode_block(chain.block(0)))
    where = PartingPlace(chain.table, 9, bytes(32), 3)
    true = Certificate(tuple(parts(keys, where))).encode()
    files: dict[str, tuple[bytes, str | None, str]] = {
        "good": (true, None, "all three who are present")
    }
    files |= {
        end.__name__: (end().raw(keys, where), end.check, str(end.__doc__)) for end in FALSE_ENDS
    }
    index = []
    for name, (raw, check, comment) in files.items():
        (folder / f"{name}.certificate").write_bytes(raw)
        index.append({"file": f"{name}.certificate", "check": check, "comment": comment})
    write_rows(folder, index)
