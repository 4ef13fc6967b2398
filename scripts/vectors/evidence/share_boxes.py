"""Evidence about sealed shares: false ones, and true ones that prove nothing."""

from __future__ import annotations

from p2p304.crypto.group import Q, base, encode_scalar
from p2p304.crypto.rng import Rng
from p2p304.log.entry import sign_entry
from p2p304.table.evidence.evidence_file import of_contradiction
from p2p304.table.evidence.share_complaint import complain
from p2p304.table.proofs.checks import check_shares, parse_element
from p2p304.wire.bodies import Shuffle, body_value
from p2p304.wire.canonical import Value
from scripts.vectors.index import Vector
from tests.support.hostile.false_boxes import FALSE_BOXES, sharing, with_false_box
from tests.support.table import simnet


def share_boxes() -> dict[str, Vector]:
    """A sealed share that is another than the one published, and one that is not."""
    outcome, seat = with_false_box(FALSE_BOXES[0])
    false = outcome.net.evidence[outcome.honest[0]]
    net, author, body = sharing()
    table = net.tables[author]
    entry = sign_entry(
        table.me.key,
        table.chain.table,
        table.chain.next_seq,
        table.chain.head,
        author,
        body.KIND,
        body_value(body),
    )
    state = table.state
    if state is None or not isinstance(body, Shuffle):
        raise LookupError("nobody shuffles here")
    shared = check_shares(parse_element(body.key), table.seat, body, len(body.shares))
    receiver = net.tables[state.player_on(seat)]
    if shared is None:
        raise LookupError("no key is shared here")
    word = complain(
        entry.raw,
        shared.ephemeral,
        seat,
        receiver.me.secrets.box_key,
        receiver.me.secrets.hand(state.number).child(b"complaint"),
    )
    true = of_contradiction(table.chain, word).encode()
    rng = Rng.from_seed(b"shares".ljust(32))
    one, two, three = secrets = [rng.scalar() for _ in range(3)]
    elsewhere, at_identity, of_one = (
        _box_elsewhere(net, author, state.player_on(seat), shares, key)
        for shares, key in (
            (secrets, base(sum(secrets) % Q)),
            ([one, two, Q - (one + two) % Q], bytes(32)),
            (secrets, base(three)),
        )
    )
    return {
        "box-at-identity.evidence": (
            at_identity,
            "nothing",
            "E01",
            "the same, with the identity as key, to which its shares sum",
        ),
        "box-of-one-share.evidence": (
            of_one,
            "nothing",
            "E01",
            "the same, with another key than the sum of its shares",
        ),
        "box-elsewhere.evidence": (
            elsewhere,
            "proven",
            "D13",
            "a false box in an entry that does not follow the log",
        ),
        "box.evidence": (false, "proven", "D13", "a sealed share that is not the one published"),
        "honest-box.evidence": (true, "nothing", "E01", "a sealed share as it was published"),
    }


def _box_elsewhere(
    net: simnet.Net, author: int, receiver: int, secrets: list[int], key: bytes
) -> bytes:
    """An entry for a far place, whose boxes hold other scalars than its shares are of."""
    table, me = net.tables[author], net.tables[receiver]
    state = me.state
    if state is None:
        raise LookupError("nobody shuffles here")
    rng = Rng.from_seed(bytes(32))
    r = rng.scalar()
    points = [base(s) for s in secrets]
    body: dict[str, Value] = {
        "key": key,
        "knows": bytes(64),
        "deck": [base(1)],
        "proof": bytes(64),
        "shares": [bytes(point) + encode_scalar(7) for point in points],
        "ephemeral": base(r),
        "ephemeral_knows": bytes(64),
    }
    chain = table.chain
    entry = sign_entry(table.me.key, chain.table, 999, bytes(32), author, "shuffle", body)
    word = complain(entry.raw, base(r), me.seat, me.me.secrets.box_key, rng.child(b"complaint"))
    return of_contradiction(chain, word).encode()
