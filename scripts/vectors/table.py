"""Makes protocol/messages.schema.json and derived.json, and in protocol/ the folders transcripts,
evidence, messages, certificates, continued, several and handshakes.

Every transcript has one fault, named by the check and the layer that must catch it; `index.json`
says which. Those named after a check are written by the cheat of the catalogue that trips it.
Evidence files come from the same cheats; messages are refused by a node that has just read
`messages/context.304` (``without``: but for player 2's last receipt).

Without arguments it makes everything, in two to four minutes, and says what it is at. The parts
named below take seconds each. `cheat NAME` plays one cheat of the catalogue, and writes its
transcript alone if that is the vector of its check.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from p2p304.crypto.group import Q, base, encode_scalar
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PartingPlace, say
from p2p304.log.chain import Chain
from p2p304.log.entry import link_of, parse_entry, sign_entry, sign_receipt
from p2p304.log.evidence import Evidence, of_broken_part, of_fork, of_split, of_two_words
from p2p304.log.transcript import MAGIC, RawBlock, encode_block, encode_last, read_blocks
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.certificate import Certificate
from p2p304.table.agreement.bot_mark import BOT_MARK_FORM, bot_mark
from p2p304.table.agreement.terms import parse_terms
from p2p304.table.evidence.evidence_file import EvidenceFile, of_contradiction, parse_evidence_file
from p2p304.table.evidence.share_complaint import complain
from p2p304.table.proofs.checks import check_shares, parse_element
from p2p304.wire.bodies import Shuffle, body_value, schema
from p2p304.wire.canonical import Value
from p2p304.wire.framing import FrameKind
from scripts.vectors.derived import derived
from scripts.vectors.evidence.edge_cases import more_evidence
from scripts.vectors.index import Vector, write
from scripts.vectors.messages import gathering, spectators
from scripts.vectors.messages.handshakes import rows
from scripts.vectors.related_files.continued import continued, first_block
from scripts.vectors.related_files.several import several
from scripts.vectors.transcripts.caught_cheats import Caught, caught, vector, write_cheat
from scripts.vectors.transcripts.forged import SEED, first, flipped, forged
from scripts.vectors.transcripts.hard_games import hard_transcripts
from scripts.vectors.transcripts.neighbouring_checks import neighbouring_checks
from scripts.vectors.transcripts.sound_games import sound_transcripts
from scripts.vectors.transcripts.two_faults import two_faults
from tests.support.cheats.agreement import ENDING, FALSE_ENDS, parts
from tests.support.cheats.receipts import FALSE_RECEIPTS, over_a_claim, told_falsely
from tests.support.hostile import false_words, word_rows
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.hostile.false_boxes import FALSE_BOXES, sharing, with_false_box
from tests.support.hostile.foreign_words import GOOD_WORDS, NO_WORDS
from tests.support.hostile.nuisances import NUISANCES
from tests.support.paths import PROTOCOL, TRANSCRIPTS
from tests.support.table import bidding_game, simnet
from tests.support.table.leaving_games import MOMENTS, left

BEGUN = time.monotonic()


def vectors() -> dict[str, Vector]:
    """File name to (bytes, verdict, check, comment)."""
    net = simnet.make(SEED)
    net.run()
    whole = net.transcripts[0]
    blocks = list(read_blocks(whole))
    shuffle, unlock, play = (first(blocks, k) for k in ("shuffle", "unlock", "play"))
    bodies = {n: blocks[n].entry.entry.body for n in (shuffle, unlock, play)}
    swapped = list(bodies[shuffle]["deck"])  # type: ignore[arg-type]
    swapped[0], swapped[1] = swapped[1], swapped[0]
    names = ["JS", "9S"]
    other = names[bodies[play]["card"] == names[0]]
    missing = raw_block(RawBlock(blocks[6].entry, blocks[6].receipts[:2]))
    turned = raw_block(RawBlock(blocks[6].entry, blocks[6].receipts[::-1]))
    start = MAGIC + b"".join(map(raw_block, blocks[:6]))
    byte = bytearray(MAGIC + b"".join(map(raw_block, blocks[:8])))
    byte[-1] ^= 1
    return {
        "good.304": (whole, "sound", None, "a whole hand"),
        "unfinished.304": (start, "sound", None, "a sound beginning"),
        "magic.304": (b"p2p305" + whole[6:400], "unreadable", None, "file: another format"),
        "broken-off.304": (start[:-9], "unreadable", None, "file: half a block"),
        "signature.304": (bytes(byte), "not sound", "L07", "log: one bit of the last receipt"),
        "receipt-missing.304": (start + missing, "not sound", "L06", "log: one receipt missing"),
        "receipt-order.304": (start + turned, "not sound", "L12", "log: receipts turned round"),
        "entry-missing.304": (
            start + raw_block(blocks[7]),
            "not sound",
            "L04",
            "log: a place left out",
        ),
        "pledge.304": (
            forged(blocks, 1, {"nonce": bytes(32)}),
            "not sound",
            "A04",
            "draw: another nonce",
        ),
        "body.304": (forged(blocks, 1, {"x": 1}), "not sound", "W04", "wire: a field too many"),
        "turn.304": (
            forged(blocks, shuffle, {"at": 0}, "cut"),
            "not sound",
            "S02",
            "phase: a cut too soon",
        ),
        "identity.304": (
            forged(blocks, shuffle, {"key": bytes(32)}),
            "not sound",
            "D01",
            "crypto: the identity as a key",
        ),
        "shuffle.304": (
            forged(blocks, shuffle, {"deck": swapped}),
            "not sound",
            "D05",
            "crypto: two cards exchanged after the proof",
        ),
        "unlock.304": (
            forged(blocks, unlock, {"proof": flipped(bodies[unlock]["proof"])}),
            "not sound",
            "D07",
            "crypto: one bit of a proof",
        ),
        "card.304": (
            forged(blocks, play, {"card": other}),
            "not sound",
            "P02",
            "crypto: another card than lay there",
        ),
        "bid.304": (
            forged(blocks, first(blocks, "say"), {"word": "150"}),
            "not sound",
            "G01",
            "rules: a bid under 160",
        ),
    }


def of_place_0(blocks: list[RawBlock]) -> dict[str, Vector]:
    """Agreements that are none."""
    body = blocks[0].entry.entry.body
    terms: dict[str, Value] = dict(body["terms"])  # type: ignore[arg-type]
    assents = body["assents"]
    rules = {**terms["rules"], "deal": "by mail"}  # type: ignore[dict-item]
    one, two, *others = terms["players"]  # type: ignore[misc, str-unpack]
    mark = BOT_MARK_FORM.write(bot_mark(SigningKey.from_seed(bytes(32)), one["key"]))  # type: ignore[index, call-overload, arg-type]
    marked: list[Value] = [one, {**two, "bot": mark}, *others]  # type: ignore[dict-item]
    lies: dict[str, tuple[dict[str, Value], str]] = {
        "A01": ({"terms": {**terms, "stake": 100}}, "a field too many in the terms"),
        "A02": ({"terms": {**terms, "rules": rules}}, "rules that do not exist"),
        "A08": ({"terms": {**terms, "players": marked}}, "a bot's mark signed for another key"),
        "A03": ({"assents": [*assents[1:], assents[0]]}, "assents exchanged"),  # type: ignore[misc, index]
    }
    found = {
        f"{check}.304": (forged(blocks, 0, change), "not sound", check, f"agreement: {comment}")
        for check, (change, comment) in lies.items()
    }
    return found | _of_options(blocks, terms)


def _of_options(blocks: list[RawBlock], terms: dict[str, Value]) -> dict[str, Vector]:
    """Terms at the limits of *The agreement, entry 0*, and options that a program could let pass or
    refuse by another check."""

    def of(rules: dict[str, Value], more: dict[str, Value]) -> bytes:
        changed: Value = {**terms, **more, "rules": {**terms["rules"], **rules}}  # type: ignore[dict-item]
        return forged(blocks, 0, {"terms": changed})

    lies: dict[str, tuple[bytes, str, str]] = {
        "hands-10001": (of({}, {"hands": 10_001}), "A01", "more hands than 10,000"),
        "preset-unknown": (of({"preset": "by mail"}, {}), "A02", "a preset that does not exist"),
        "options-together": (
            of({"away": "playout", "open_trump": "off"}, {}),
            "A02",
            "two values that do not go together",
        ),
        "options-and-watch": (
            of({"tokens": 101}, {"watch": "later"}),
            "A02",
            "a value that does not exist comes before a `watch` that does not",
        ),
    }
    return {
        f"{name}.304": (data, "not sound", check, f"agreement: {comment}")
        for name, (data, check, comment) in lies.items()
    }


def of_names(blocks: list[RawBlock]) -> dict[str, Vector]:
    """Agreements that all have signed, with names that programs with other tables of Unicode than
    14.0 judge differently."""
    keys = simnet.signing_keys(SEED, 4)
    terms = parse_terms(dict(blocks[0].entry.entry.body["terms"]))  # type: ignore[arg-type]
    names = {
        "name-new": ("\U0001f6dd \u0dc1\u0dca\u200d\u0dbb\u0dd3", None, "a character new in 14.0"),
        "name-unassigned": ("Friday\U00013439", "A01", "a character that 14.0 does not assign"),
        "name-marks": (
            f"\U00011700{3 * chr(0x1171E)}",
            "A01",
            "three marks in a row that are no marks (Mn) in later versions",
        ),
    }
    return {
        f"{file}.304": (
            MAGIC + first_block(replace(terms, name=name), keys),
            "sound" if check is None else "not sound",
            check,
            f"agreement: a name with {comment}",
        )
        for file, (name, check, comment) in names.items()
    }


def of_the_log(blocks: list[RawBlock]) -> dict[str, Vector]:
    """Blocks that do not belong where they stand."""
    keys = simnet.signing_keys(SEED, 4)
    at = 6
    start = MAGIC + b"".join(map(raw_block, blocks[:at]))
    entry = blocks[at].entry.entry
    author = keys[entry.author]

    def block(
        table: bytes = entry.table,
        prev: bytes = entry.prev,
        who: int = entry.author,
        key: Any = author,
    ) -> RawBlock:
        false = sign_entry(key, table, at, prev, who, entry.kind, entry.body)
        return RawBlock(false, ())

    claiming = [
        sign_receipt(keys[r.author], r.table, r.seq, r.head, r.author, "caps")
        for r in blocks[at].receipts
    ]
    own = sign_receipt(author, entry.table, at, blocks[at].receipts[0].head, entry.author, None)
    twice = (*blocks[at].receipts, claiming[1])
    lies = {
        "L01": (block(table=bytes(32)), "an entry of another table"),
        "L02": (block(who=7), "an entry by a fifth player"),
        "L03": (block(key=keys[(entry.author + 1) % 4]), "signed by another player"),
        "L05": (block(prev=bytes(32)), "it follows another entry"),
        "L09": (RawBlock(blocks[at].entry, (own,)), "a receipt for its author's own entry"),
        "L10": (RawBlock(blocks[at].entry, twice), "two receipts of one player, one with a claim"),
        "S03": (RawBlock(blocks[at].entry, tuple(claiming)), "a claim before there is a hand"),
    }
    return {
        f"{check}.304": (start + raw_block(false), "not sound", check, f"log: {comment}")
        for check, (false, comment) in lies.items()
    }


def of_the_end() -> dict[str, Vector]:
    """Tables that all but one have ended."""
    keys, absent, dealt, shuffling = simnet.signing_keys(SEED, 4), 2, 14, 7

    def block(away: str, at: int | None = dealt, without: int = absent) -> bytes:
        """Everything up to the place ``at``, None for the whole table, and the parts for it."""
        net = simnet.make(SEED, rules=preset("pagat").override({"away": away}))
        net.run(until=lambda: at is not None and net.tables[0].chain.next_seq > at)
        chain = net.tables[0].chain
        at = chain.next_seq if at is None else at
        where = PartingPlace(chain.table, at, chain.entries[at - 1].link, absent)
        parts = [(n, say(keys[n], "part", where, n).sig) for n in range(4) if n != without]
        start = b"".join(encode_block(chain.block(seq)) for seq in range(at - 1))
        return MAGIC + start + encode_last(chain.entries[at - 1].raw, tuple(parts))

    whole = block("playout", shuffling)
    last = list(read_blocks(whole))[-1]
    start = whole[: -len(encode_last(last.entry.raw, last.parts or ()))]
    return {
        "ended.304": (whole, "sound", None, "ended before a card was unlocked: no hand had begun"),
        "lost.304": (
            block("replace"),
            "sound",
            None,
            "ended by all but one, whose side has lost the hand",
        ),
        "E02.304": (
            start + encode_last(last.entry.raw, (last.parts or ())[:2]),
            "not sound",
            "E02",
            "end: somebody's part is missing",
        ),
        "fifth-player-part.304": (
            start + encode_last(last.entry.raw, (*(last.parts or ())[:2], (7, bytes(64)))),
            "not sound",
            "E02",
            "end: a part of a player who does not sit here",
        ),
        "E03.304": (block("wait"), "not sound", "E03", "end: the rules are to wait"),
        "parted-at-the-end.304": (
            block("replace", at=None),
            "sound",
            None,
            "the parts replace the receipts for the entry that ends the table: no hand is lost",
        ),
        "parted-at-the-end-playout.304": (
            block("playout", at=None),
            "sound",
            None,
            "the same with away=playout: no hand is played out",
        ),
        "parted-at-the-end-wait.304": (
            block("wait", at=None),
            "not sound",
            "E03",
            "end: the table is over, and the rules are to wait",
        ),
        "part.304": (
            block("replace", without=1),
            "not sound",
            "L03",
            "end: parts for another absentee",
        ),
    }


def over_another() -> Vector:
    """Who plays although another's claim has taken the floor, and everybody receipts it."""
    ignored = over_a_claim()
    chain, tables = ignored.net.tables[0].chain, ignored.net.tables
    blocks = [
        RawBlock(parse_entry(chain.entries[seq].raw), chain.block(seq).receipts)
        for seq in range(chain.next_seq)
    ]
    entry, head = parse_entry(ignored.entry), link_of(ignored.entry)
    receipts = tuple(
        sign_receipt(tables[n].me.key, chain.table, chain.next_seq, head, n, None)
        for n in ((ignored.player + step) % 4 for step in range(1, 4))
    )
    data = MAGIC + b"".join(map(raw_block, [*blocks, RawBlock(entry, receipts)]))
    return data, "not sound", "S04", "log: played over another's claim; nobody is named"


def of_playing_out() -> dict[str, Vector]:
    """A hand played to its end without its trump maker, who had cards to look at; and two ways in
    which that player could come into it again."""
    net = left(MOMENTS["announce"])
    net.run()
    whole, chain = net.transcripts[0], net.tables[0].chain
    gone = chain.without
    if gone is None:
        raise LookupError("nobody has left this table")
    blocks = list(read_blocks(whole))
    start = b"".join(encode_block(chain.block(seq)) for seq in range(gone.seq))
    key, first = net.tables[gone.absent].me.key, blocks[gone.seq]
    entry = first.entry.entry
    seen = sign_receipt(key, entry.table, gone.seq, link_of(first.entry.raw), gone.absent, None)
    receipted = raw_block(RawBlock(first.entry, (*first.receipts, seen)))
    own = sign_entry(key, entry.table, gone.seq, entry.prev, gone.absent, "say", {"word": "pass"})
    spoken = raw_block(RawBlock(own, ()))
    at = gone.seq + 3
    again = PartingPlace(chain.table, at + 1, link_of(blocks[at].entry.raw), gone.absent)
    parts = [(n, say(net.tables[n].me.key, "part", again, n).sig) for n, _ in gone.parts]
    twice = b"".join(encode_block(chain.block(seq)) for seq in range(at))
    twice += encode_last(blocks[at].entry.raw, tuple(parts))
    last = chain.next_seq - 1
    end = PartingPlace(chain.table, last + 1, chain.head, (gone.absent + 1) % 4)
    second = [(n, say(t.me.key, "part", end, n).sig) for n, t in enumerate(net.tables)]
    second = [part for part in second if part[0] != end.absent]
    ended_twice = whole[: -len(encode_block(chain.block(last)))]
    ended_twice += encode_last(blocks[last].entry.raw, tuple(second))
    return {
        "played-out.304": (whole, "sound", None, "a hand played out without its trump maker"),
        "parted-twice.304": (
            MAGIC + twice,
            "not sound",
            "E03",
            "playing out: all others part once more",
        ),
        "parted-twice-at-the-end.304": (
            ended_twice,
            "not sound",
            "E03",
            "playing out: all others part once more, after the entry that ends the table",
        ),
        "absent-receipt.304": (
            MAGIC + start + receipted,
            "not sound",
            "L09",
            "playing out: a receipt of who is gone",
        ),
        "absent-entry.304": (
            MAGIC + start + spoken,
            "not sound",
            "S01",
            "playing out: an entry of who is gone",
        ),
    }


def evidence(caught: Caught) -> dict[str, Vector]:
    """Evidence files: false entries, a fork, split receipts, and some that prove nothing."""
    outcome, comment = caught["P09"]
    false = outcome.net.evidence[outcome.honest[0]]
    case = parse_evidence_file(false)
    table = outcome.net.tables[outcome.honest[0]]
    kept, player = table.chain.entries[2], table.chain.entries[2].entry.author
    key = outcome.net.tables[player].me.key
    twin = sign_entry(
        key,
        table.chain.table,
        2,
        kept.entry.prev,
        player,
        "draw",
        {"box": None, "box_knows": None, "nonce": bytes(32)},
    )
    fork = of_contradiction(table.chain, of_fork(kept.raw, twin.raw)).encode()
    split = [
        sign_receipt(key, table.chain.table, 3, head, player, None).encode()
        for head in (table.chain.entries[3].link, bytes(32))
    ]
    apart = of_contradiction(table.chain, of_split(*split)).encode()
    true = EvidenceFile("false", table.chain.entries[-1].raw, b"", b"").first
    last = len(encode_block(table.chain.block(table.chain.next_seq - 1)))
    accepted = EvidenceFile("false", true, b"", case.transcript[:-last]).encode()
    lied = told_falsely(lambda: simnet.make_closed(3))
    claims = next(lied[kind] for kind in FALSE_RECEIPTS if kind.check == "S03")
    claim = claims.net.evidence[claims.honest[0]]
    told = parse_evidence_file(claim)
    liar = claims.net.tables[claims.liar]
    mild = sign_receipt(
        liar.me.key, liar.chain.table, claims.seq, link_of(told.second), claims.liar, None
    ).encode()
    honest = EvidenceFile(told.kind, mild, told.second, told.transcript).encode()
    bent = false[:12] + b"\x00" + false[13:]
    same = of_contradiction(table.chain, of_fork(kept.raw, table.chain.entries[4].raw)).encode()
    return {
        "false.evidence": (false, "proven", "P09", comment),
        "fork.evidence": (fork, "proven", "L11", "two draws of one player for one place"),
        "split.evidence": (apart, "proven", "L10", "two receipts of one player for one place"),
        "claim.evidence": (claim, "proven", "S03", "a claim on a receipt where none is open"),
        "claimless.evidence": (honest, "nothing", "E01", "a receipt that claims nothing"),
        "accepted.evidence": (accepted, "nothing", "E01", "an entry that every check accepts"),
        **boxes(),
        **broken_words(),
        "one-entry.evidence": (
            of_contradiction(table.chain, Evidence("fork", kept.raw, kept.raw)).encode(),
            "nothing",
            "E01",
            "an honest entry, twice",
        ),
        "log.evidence": (false[:-1] + bytes([false[-1] ^ 1]), "nothing", "L07", "its log is bent"),
        "beginning.evidence": (b"p2p305" + false[6:], "nothing", "W03", "another beginning"),
        "places.evidence": (same, "nothing", "E01", "two entries for different places"),
        "head.evidence": (bent, "nothing", "W03", "its head is broken"),
        "second.evidence": (
            replace(case, second=case.first).encode(),
            "nothing",
            "W03",
            "a second message where none is due",
        ),
        "first-claim.evidence": (
            claim_at_once(table.chain, outcome.net.tables[1].me.key),
            "proven",
            "S03",
            "a claim on a receipt for the agreement; the log is empty",
        ),
    }


def claim_at_once(chain: Chain, key: SigningKey) -> bytes:
    """Player 1 claims Caps on its receipt for the agreement."""
    agreed = chain.entries[0]
    receipt = sign_receipt(key, chain.table, 0, agreed.link, 1, "caps")
    return EvidenceFile("claim", receipt.encode(), agreed.raw, MAGIC).encode()


def boxes() -> dict[str, Vector]:
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
        box_elsewhere(net, author, state.player_on(seat), shares, key)
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


def box_elsewhere(
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


def broken_words() -> dict[str, Vector]:
    """Words of parting whose author contradicts itself, and two that are honest together."""
    net = false_words.game()
    chain, at = net.tables[0].chain, false_words.where(net)
    part = false_words.word(net, "part", at).encode()
    late, early = (
        sign_receipt(net.tables[2].me.key, chain.table, seq, bytes(32), 2, None).encode()
        for seq in (at.seq + 7, at.seq - 1)
    )
    words = [false_words.word(net, step, at).encode() for step in ("ready", "stay")]
    files: dict[str, tuple[Evidence, str, str, str]] = {
        "part.evidence": (
            of_broken_part(part, late),
            "proven",
            "E06",
            "a part, and a receipt for a later place",
        ),
        "words.evidence": (
            of_two_words(*words),
            "proven",
            "E07",
            "ready and stay in the same round",
        ),
        "part-and-stay.evidence": (
            of_two_words(part, words[1]),
            "nothing",
            "E01",
            "a part and a stay; the ready that the part shows would prove it",
        ),
        "honest-part.evidence": (
            of_broken_part(part, early),
            "nothing",
            "E01",
            "a part, and a receipt for an earlier place",
        ),
    }
    return {
        name: (of_contradiction(chain, shown).encode(), expect, check, comment)
        for name, (shown, expect, check, comment) in files.items()
    }


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
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n")


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
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n")


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
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n")


def handshakes(folder: Path) -> None:
    """Handshakes with an honest dialer and an honest listener."""
    folder.mkdir(exist_ok=True)
    (folder / "index.json").write_text(json.dumps(rows(), indent=1) + "\n")


def tell(part: str) -> None:
    """Say what is being made, because the whole takes minutes."""
    sys.stderr.write(f"{time.monotonic() - BEGUN:4.0f} s  {part}\n")


def entry_schema() -> None:
    """The JSON Schema of every entry's body."""
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Bodies of p2p304's entries, by kind",
        "$comment": "'bytes' is MessagePack's binary type, lengths in bytes.",
        "definitions": schema(),
    }
    (PROTOCOL / "messages.schema.json").write_text(json.dumps(whole, indent=1) + "\n")


def transcripts_and_evidence() -> None:
    """Every transcript and evidence file; the cheats play most of the games for both."""
    tell("transcripts of the log")
    transcripts = vectors()
    raw = list(read_blocks(transcripts["good.304"][0]))
    transcripts |= of_place_0(raw) | of_names(raw) | of_the_log(raw) | {"S04.304": over_another()}
    transcripts |= of_the_end() | of_playing_out()
    tell("cheats of the catalogue")
    cheats = caught()
    told = {check for _, _, check, _ in transcripts.values()}
    for check, found in cheats.items():
        if check not in told:
            transcripts[f"{check}.304"] = vector(check, *found)
    tell("sound transcripts")
    sound = sound_transcripts() | hard_transcripts()
    write(TRANSCRIPTS, transcripts | sound | two_faults(raw) | neighbouring_checks(raw, sound))
    tell("evidence")
    made = evidence(cheats)
    write(PROTOCOL / "evidence", made | more_evidence(made))


PARTS: dict[str, Callable[[Path], None]] = {
    "messages": messages,
    "words": words,
    "certificates": certificates,
    "handshakes": handshakes,
    "continued": continued,
    "several": several,
    "derived": lambda folder: derived(folder.with_suffix(".json")),
}
"""Folder of protocol/ to what writes it alone; ``derived`` is a single file, made from the
transcripts that are there."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/dev vectors-table", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=", ".join(PARTS) + "; or cheat NAME ..."
    )
    wanted = parser.parse_args().parts
    if wanted[:1] == ["cheat"]:
        for name in wanted[1:]:
            try:
                sys.stdout.write(f"{write_cheat(TRANSCRIPTS, name)}\n")
            except LookupError as error:
                parser.error(str(error))
        return
    if wrong := [part for part in wanted if part not in PARTS]:
        parser.error(f"no part {wrong[0]}; the parts are {', '.join(PARTS)}")
    if not wanted:
        transcripts_and_evidence()
        entry_schema()
    for part in wanted or PARTS:
        tell(part)
        PARTS[part](PROTOCOL / part)


if __name__ == "__main__":
    main()
