"""A player's data folder as a simulated table left it."""

from __future__ import annotations

import os
from pathlib import Path

from p2p304.storage.data_folder import IDENTITY_LABEL, DataFolder
from p2p304.table.exchange.journal_records import read_journal
from tests.support.table.crashes import World


def data_folder(world: World, number: int, tmp_path: Path) -> DataFolder:
    """This player's folder, as it was when the computer stopped; to be closed."""
    home = tmp_path / f"home{number}"
    home.mkdir(0o700)
    seed = bytes([world.seed, number]) * 16
    (home / "identity").write_text(f"{IDENTITY_LABEL} {seed.hex()}\n")
    os.chmod(home / "identity", 0o600)
    store = DataFolder(home)
    assert store.identity().public == world.identities[number].public
    records = world.disks[number].latest()
    game = store.game(read_journal(records).begin.terms.table.hex())
    for record in records:
        game.persist("journal", record)
    own = world.disks[number].secrets.get(next(reversed(world.disks[number].records)))
    if own is not None:
        game.persist("secrets", own)
    game.persist("cards", world.disks[number].cards)
    return store
