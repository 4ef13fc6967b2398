"""The keys of a seat: each for its own purpose and hand, found again by what was published, and
silent about everything else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.crypto.group import Element, Q, base, mul
from p2p304.log.faults import Unexplained
from p2p304.rules.variants.presets import preset
from p2p304.table.player.keyring import Member, NotSecrets, Secrets, named_card
from p2p304.table.player.secrets_lifetime import SecretsLifetime
from p2p304.table.proofs.statements import Binding
from p2p304.table.state import deal as dealing
from p2p304.table.state.deal import SeatSlots, Slot
from p2p304.table.transition.replica import Replica
from p2p304.wire.canonical import decode
from p2p304.wire.effects import Outbox, Persist
from tests.support.table import simnet

TABLE = bytes(range(32))
DEAL = dealing.begin(TABLE, 1, 0, preset("pagat"))
CARDS = DEAL.pack.cards


def made(number: int = 1) -> Secrets:
    secrets = Secrets(bytes(32), TABLE)
    secrets.renew(number)
    return secrets


def under(secret: int, element: Element) -> Slot:
    return Slot(base(secret), mul(pow(secret, -1, Q), element))


def test_every_purpose_has_a_key_of_its_own() -> None:
    secrets = made()
    keys = [
        secrets.deck_key(1),
        secrets.first_lock(1),
        secrets.inspection_key(1),
        secrets.box_key,
        *(secrets.hand_key(1, relocks) for relocks in range(1, 4)),
        secrets.shares_of(1, base(2)).scalar(),
        secrets.shares_of(1, base(3)).scalar(),
    ]
    assert len(set(keys)) == len(keys)
    assert secrets.hand_key(1, 0) == secrets.deck_key(1)
    orders = {secrets.order(1, relocks, 8) for relocks in range(4)}
    assert len(orders) == 4 and all(sorted(order) == list(range(8)) for order in orders)
    assert sorted(secrets.overhand(1, 32)) == list(range(32))


def test_no_two_proofs_share_their_randomness() -> None:
    secrets, at = made(), Binding(TABLE, 1, 9, bytes(32), 2)
    places = [at, replace(at, seq=10), replace(at, seat=3), replace(at, prev=b"\x01" * 32)]
    found = {secrets.fresh(each, what).bytes(32) for each in places for what in (b"play", b"key")}
    assert len(found) == 8


def test_a_slot_is_read_with_the_key_of_any_reordering_so_far_and_with_no_later_one() -> None:
    secrets = made()
    card = CARDS[5]
    for relocks in range(3):
        slot = under(secrets.hand_key(1, relocks), DEAL.element(card))
        for now in range(3):
            held = SeatSlots(hand=(slot,), relocks=now)
            fresh = Secrets(secrets.seed, TABLE, 1)  # it has read no card yet
            if now < relocks:
                with pytest.raises(Unexplained, match="D16"):
                    fresh.read(DEAL, held, slot)
            else:
                assert fresh.read(DEAL, held, slot) is card
                assert secrets.key_of(slot, 1, now) == secrets.hand_key(1, relocks)
    keys = secrets.by_key(1, 2)
    assert keys == {
        base(secret): secret
        for secret in (*(secrets.hand_key(1, n) for n in range(3)), secrets.inspection_key(1))
    }


def test_what_is_no_card_is_told_and_blames_nobody() -> None:
    secrets = made()
    slot = under(secrets.deck_key(1), base(99))
    for forged in (slot, Slot(base(7), DEAL.element(CARDS[0]))):
        with pytest.raises(Unexplained, match="D16") as caught:
            secrets.read(DEAL, SeatSlots(hand=(forged,)), forged)
        assert caught.value.finding.player is None
    assert secrets.read(DEAL, SeatSlots(), replace(slot, card=CARDS[3])) is CARDS[3]
    assert named_card(DEAL, DEAL.element(CARDS[2])) is CARDS[2]


def test_a_card_that_was_read_is_forgotten_with_its_hand() -> None:
    secrets = made()
    slot = under(secrets.deck_key(1), DEAL.element(CARDS[0]))
    assert secrets.read(DEAL, SeatSlots(), slot) is CARDS[0]
    secrets.renew(2)
    with pytest.raises(LookupError):
        secrets.read(DEAL, SeatSlots(), slot)
    assert "seed" not in repr(secrets) and "_read" not in repr(secrets)


def lifetime(secrets: Secrets) -> tuple[SecretsLifetime, Outbox[object]]:
    table = simnet.make(1).tables[0]
    out: Outbox[object] = Outbox()
    member = Member(table.me.key, 0, secrets)
    return SecretsLifetime(member, Replica(table.terms), out), out


def test_secrets_that_do_not_belong_to_the_last_hand_are_not_played_with() -> None:
    early, _ = lifetime(Secrets(bytes(32), TABLE))
    early.check(0)
    for secrets, last in ((Secrets.erased(TABLE), 0), (made(1), 0), (made(0), 1)):
        with pytest.raises(NotSecrets):
            lifetime(secrets)[0].check(last)


def test_the_record_is_written_when_it_changes_and_erased_when_a_fault_stops_the_table() -> None:
    kept, out = lifetime(Secrets(bytes(32), TABLE))
    kept.update(is_stopped=False)
    assert out.effects() == []
    kept.update(is_stopped=True)
    assert [e.data for e in out.effects() if isinstance(e, Persist)] == [b""]
    kept.update(is_stopped=True)
    assert out.effects() == []


def test_a_record_has_the_version_that_older_programs_wrote() -> None:
    record = decode(made().record())
    assert isinstance(record, dict) and (record["v"], record["t"]) == (1, "secrets")
