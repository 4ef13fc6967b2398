"""What a thief finds on a player's disk opens one hand: none before it, and none after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from p2p304.crypto.group import Element, base
from p2p304.log.transcript import read_blocks
from p2p304.table.exchange.journal_records import read_journal
from p2p304.table.node.node import Node
from p2p304.table.player.keyring import SECRETS, ErasedSecrets, NotSecrets, Secrets
from p2p304.table.state.events import TableOver
from p2p304.wire.effects import Effect, Persist
from tests.support.table import simnet
from tests.support.table.crashes import World

HANDS, THIEF = 2, 1
TABLE = bytes(range(32))


class Watched(World):
    """Every record of secrets that player THIEF's disk ever held, and its journal at that time."""

    def __post_init__(self) -> None:
        self.records: list[bytes] = []
        self.journals: list[list[bytes]] = []
        super().__post_init__()

    def carry_out(self, number: int, node: Node, effect: Effect) -> None:
        super().carry_out(number, node, effect)
        if number == THIEF and isinstance(effect, Persist) and effect.name == SECRETS:
            self.records.append(effect.data)
            self.journals.append(list(self.disks[number].latest()))


@pytest.fixture(scope="module")
def played() -> Watched:
    """A table of two hands (a void one does not count), at its end."""
    world = Watched(hands=HANDS)
    world.run(120)
    assert world.finished
    return world


def published(world: Watched) -> set[Element]:
    """Every key that the player has published, of every hand."""
    entries = [block.entry.entry for block in read_blocks(world.disks[THIEF].transcript)]
    node = world.nodes[THIEF]
    assert node is not None and node.table is not None
    mine = [entry for entry in entries if entry.author == node.table.me.player]
    published = (entry.body.get("key") for entry in mine)
    return {Element(key) for key in published if isinstance(key, bytes)}


@dataclass(slots=True)
class Guessing(Secrets):
    """Goes on from stolen secrets with fresh bytes that it guesses."""

    guess: bytes = b""

    def fresh_bytes(self) -> bytes:
        return self.guess


def opened_by(record: bytes, table: bytes, keys: set[Element]) -> set[Element]:
    """The keys among these whose secrets derive from a record as the program derives them."""
    found: set[Element] = set()
    stolen = Secrets.parse(record, table)
    for guess in (b"", bytes(32)):
        secrets = Guessing(stolen.seed, table, stolen.number, stolen.box, guess=guess)
        for number in range(stolen.number, stolen.number + 4):
            secrets.renew(number)
            some = [secrets.hand_key(number, relocks) for relocks in range(6)]
            found |= {base(x) for x in (*some, secrets.inspection_key(number))} & keys
    return found


def test_each_record_opens_the_keys_of_one_hand_only(played: Watched) -> None:
    table = read_journal(played.disks[THIEF].latest()).begin.terms.table
    keys = published(played)
    by_record = [opened_by(record, table, keys) for record in played.records[:-1]]
    assert by_record[0] == set(), "a copy from before the first card opens nothing"
    assert all(by_record[1:]) and set.union(*by_record) == keys
    for one, opens in enumerate(by_record):
        assert all(not opens & other for other in by_record[one + 1 :])


def test_the_record_of_the_next_hand_is_there_before_anything_is_written_in_it(
    played: Watched,
) -> None:
    """So a stop never leaves an entry whose secrets are gone. The last record erases them all."""
    numbers = []
    for record, journal in zip(played.records[:-1], played.journals[:-1], strict=True):
        table = read_journal(journal).begin.terms.table if journal else None
        if table is not None:
            numbers.append(Secrets.parse(record, table).number)
    assert numbers == sorted(numbers) and numbers[-1] >= HANDS
    assert played.records[-1] == b"" and not played.disks[THIEF].secrets


def test_no_journal_holds_a_seed(played: Watched) -> None:
    table = read_journal(played.disks[THIEF].latest()).begin.terms.table
    whole = b"".join(played.disks[THIEF].latest())
    for record in played.records[:-1]:
        secrets = Secrets.parse(record, table)
        assert secrets.seed not in whole and (not secrets.box or secrets.box not in whole)


def test_the_secrets_are_gone_at_the_end_although_somebody_never_says_that_it_saw_it() -> None:
    net = simnet.make(3)
    kept: dict[int, bytes] = {}
    for number, table in enumerate(net.tables):
        effects = table.effects

        def watched(number: int = number, effects: Any = effects) -> list[Effect]:
            drained: list[Effect] = effects()
            for effect in drained:
                if isinstance(effect, Persist) and effect.name == SECRETS:
                    kept[number] = effect.data
            return drained

        table.effects = watched  # type: ignore[method-assign]
    net.run()
    net.tables[0]._catch_up.finished_peers.clear()
    for number in (0, 1, 3):
        net.collect(number)
        assert net.tables[number].is_finished and not net.tables[0].has_everybody_finished
        assert kept[number] == b"" and net.tables[number].me.secrets.is_erased
        assert [e for e in net.told[number] if isinstance(e, TableOver)]


def test_two_tables_never_share_a_secret_though_they_begin_with_the_same_seed() -> None:
    one, two = Secrets(bytes(32), TABLE), Secrets(bytes(32), TABLE[::-1])
    assert one.nonce == two.nonce, "the identifier depends on it"
    assert one.box_key != two.box_key
    assert one.hand(0).bytes(32) != two.hand(0).bytes(32)
    for secrets in (one, two):
        secrets.renew(1)
    assert one.hand(1).bytes(32) != two.hand(1).bytes(32)


def test_secrets_of_no_table_give_no_key() -> None:
    with pytest.raises(LookupError, match="table"):
        Secrets(bytes(32)).deck_key(0)


def test_a_step_cannot_be_undone() -> None:
    secrets = Secrets(bytes(32), TABLE)
    before, box = secrets.seed, secrets.box_key
    secrets.renew(1)
    assert secrets.seed != before and secrets.box_key == box
    secrets.renew(0)
    assert secrets.number == 1
    for number in (0, 2):
        with pytest.raises(ErasedSecrets):
            secrets.hand(number)
    with pytest.raises(ErasedSecrets):
        _ = secrets.nonce
    secrets.erase()
    with pytest.raises(ErasedSecrets):
        secrets.hand(1)
    with pytest.raises(ErasedSecrets):
        _ = secrets.box_key


def test_another_record_than_one_of_this_table_is_refused() -> None:
    secrets = Secrets(bytes(32), TABLE)
    secrets.renew(3)
    record = secrets.record()
    back = Secrets.parse(record, TABLE)
    assert (back.seed, back.box, back.number) == (secrets.seed, secrets.box, 3)
    with pytest.raises(NotSecrets):
        Secrets.parse(record, TABLE[::-1])
    for at in range(len(record)):
        spoilt = bytes([*record[:at], record[at] ^ 1, *record[at + 1 :]])
        with pytest.raises(NotSecrets) as error:
            Secrets.parse(spoilt, TABLE)
        assert secrets.seed.hex() not in str(error.value)


@pytest.mark.parametrize("record", [None, b"", "another hand"])
def test_a_journal_without_the_secrets_that_it_needs_is_told(record: bytes | str | None) -> None:
    """In the middle of a table; nothing of it is played with other keys than were published."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Secrets, "fresh_bytes", lambda secrets: b"")
        world = World()
        world.run(0.05)
    memory = read_journal(world.disks[0].latest())
    own = next(reversed(world.disks[0].secrets.values()))
    if record == "another hand":
        other = Secrets.parse(own, memory.begin.terms.table)
        other.renew(other.number + 1)
        record = other.record()
    assert not isinstance(record, str)
    with pytest.raises(NotSecrets):
        Node.resume(world.identities[0], memory, record, 0.0)
