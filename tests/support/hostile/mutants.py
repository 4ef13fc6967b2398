"""Transcripts and evidence files with something wrong, for two programs to judge: most are signed
anew with the players' keys, as cheats would write them. Nothing here says who is right."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from p2p304.log.absence_vote import PART, READY, STAY, PartingPlace, say
from p2p304.log.entry import Entry, Receipt, Unverified, link_of, sign_entry, sign_receipt
from p2p304.log.transcript import MAGIC, encode_last, read_blocks
from p2p304.rules.variants.options import PLAYABLE
from p2p304.table.agreement.terms import assent, digest
from p2p304.table.evidence.evidence_file import EvidenceFile
from p2p304.wire.canonical import Value, encode
from tests.support.hostile import mutations
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.hostile.fresh_games import Game

WORDS = (
    *("pass", "ask", "pcc", "halfcourt", "fullcourt", "double", "keep", "partner JS", "partner 9H"),
    *("150", "160", "165", "170", "200", "205", "210", "240", "250", "255", "260", "300", "304"),
    *("310", "330", "460", "500", "590", "900", "0160", "9999", "foo"),
)
CARDS = ("JS", "9H", "AD", "TC", "7S", "8H", "3S", "2D", "6C", "XX", "10S")
CLAIMS = (None, "caps", "spoilt")


@dataclass(frozen=True)
class Mutant:
    """A file made of the first ``place`` blocks of a game and other bytes behind them."""

    what: str
    place: int
    rest: bytes


class Spoiler:
    """Makes mutants of one game."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.rng = game, random.Random(f"{game.name} {seed}")
        self.keys = game.keys
        self.raw = _framed_blocks(game.transcript)
        self.blocks = list(read_blocks(game.transcript))
        self.bodies = [block.entry.entry.body for block in self.blocks]

    def mutant(self) -> Mutant:
        kinds: list[tuple[int, Callable[[], Mutant]]] = [
            (8, self.changed_field),
            (6, self.other_move),
            (4, self.foreign_body),
            (4, self.claimed),
            (3, self.receipts_spoilt),
            (3, self.bytes_spoilt),
            (3, self.parted),
            (3, self.terms_changed),
            (1, self.old_signature),
            (1, self.blocks_moved),
        ]
        weights = [weight for weight, _ in kinds]
        return self.rng.choices([make for _, make in kinds], weights)[0]()

    def whole(self, mutant: Mutant) -> bytes:
        return MAGIC + b"".join(self.raw[: mutant.place]) + mutant.rest

    # Entries signed anew ------------------------------------------------------------------------

    def place(self, first: int = 0) -> int:
        return self.rng.randrange(min(first, len(self.blocks) - 1), len(self.blocks))

    def changed_field(self) -> Mutant:
        """One field of one entry, its author's signature and all receipts fit."""
        at = self.place()
        change = self.rng.choice(list(mutations.changes(self.entry(at), 8)))
        return self.anew(f"{change.path}", at, change.entry)

    def other_move(self) -> Mutant:
        """Another thing that the author, or somebody else, might say here."""
        at, rng = self.place(len(self.keys) + 1), self.rng
        entry = self.entry(at)
        body: dict[str, Value] = dict(entry.body)
        kind = entry.kind
        if kind == "say" or rng.random() < 0.2:
            kind, body = "say", {"word": rng.choice(WORDS)}
        elif kind in {"indicator", "down"} and rng.random() < 0.7:
            body["slot"] = rng.randrange(-1, 11)
        elif kind == "play" and rng.random() < 0.7:
            field = rng.choice(("slot", "card"))
            body[field] = rng.randrange(-1, 11) if field == "slot" else rng.choice(CARDS)
        else:
            kind, body = rng.choice(self.simple_moves())
        author = entry.author if rng.random() < 0.8 else rng.randrange(len(self.keys) + 1)
        return self.anew(f"{kind} {body}", at, replace(entry, author=author, kind=kind, body=body))

    def simple_moves(self) -> list[tuple[str, dict[str, Value]]]:
        rng, junk = self.rng, bytes(64)
        slots: list[Value] = [rng.randrange(-1, 9), rng.randrange(-1, 9)]
        named: list[Value] = [rng.choice(CARDS) for _ in range(rng.randrange(1, 4))]
        return [
            ("ask", {"owed": []}),
            ("spoilt", {}),
            ("cut", {"at": rng.randrange(40)}),
            ("exchange", {"slots": slots}),
            ("marriage", {"proofs": [junk], "slots": slots, "suit": rng.choice("SHDCX")}),
            ("marriage", {"proofs": [], "slots": slots, "suit": rng.choice("SHDC")}),
            ("indicator", {"slot": rng.randrange(0, 9)}),
            ("down", {"slot": rng.randrange(-1, 9), "owed": []}),
            ("open", {"card": rng.choice(CARDS), "proof": junk}),
            ("redeal", {"cards": named, "proof": junk}),
            ("count", {"cards": [], "proofs": [], "owed": []}),
            ("count", {"cards": named, "proofs": [junk], "owed": []}),
            ("count", {"cards": [], "proofs": [], "owed": [junk]}),
            ("stand_in", {"parts": [bytes(32)], "proof": junk}),
            (
                "caps",
                {
                    "order": named,
                    "slots": list(range(len(named))),
                    "down": [],
                    "seen": [],
                    "proofs": [junk],
                    "seen_proof": None,
                },
            ),
            (
                "announce",
                {
                    "cut": rng.randrange(2),
                    "shown": [],
                    "shown_proof": None,
                    "own": None,
                    "own_proof": None,
                    "indicator": None,
                    "indicator_proof": None,
                    "owed": [],
                },
            ),
        ]

    def foreign_body(self) -> Mutant:
        """The body of another entry of this game."""
        at, other = self.place(), self.place()
        entry = self.entry(at)
        there = self.entry(other)
        author = self.rng.choice((entry.author, there.author))
        return self.anew(
            f"body of {other}", at, replace(entry, author=author, kind=there.kind, body=there.body)
        )

    def old_signature(self) -> Mutant:
        at = self.place()
        change = self.rng.choice(list(mutations.changes(self.entry(at), 8)))
        raw = encode({**change.entry.unsigned(), "sig": self.entry(at).sig})
        return self.told(f"{change.path}, old signature", at, raw, self.blocks[at].receipts)

    # Receipts and parts -------------------------------------------------------------------------

    def claimed(self) -> Mutant:
        """Some receipts claim something; the next entry may be the claim."""
        at, rng = self.place(), self.rng
        receipts = tuple(
            self.receipt(at, r.author, rng.choice(CLAIMS) if rng.random() < 0.5 else r.claim)
            for r in self.blocks[at].receipts
        )
        first = raw_block(replace(self.blocks[at], receipts=receipts, parts=None))
        what = f"claims {[r.claim for r in receipts]}"
        if rng.random() < 0.4 or at + 1 >= len(self.blocks):
            return Mutant(what, at, first + b"".join(self.raw[at + 1 :]))
        entry = self.entry(at + 1)
        kind, body = rng.choice((("spoilt", {}), (entry.kind, entry.body)))
        author = rng.choice([entry.author, *(r.author for r in receipts if r.claim)])
        anew = self.anew(what, at + 1, replace(entry, author=author, kind=kind, body=body))
        return Mutant(f"{what}, then {kind} of {author}", at, first + anew.rest)

    def receipts_spoilt(self) -> Mutant:
        at, rng = self.place(), self.rng
        receipts = list(self.blocks[at].receipts)
        if not receipts:
            return self.blocks_moved()
        n = rng.randrange(len(receipts))
        one, other = receipts[n], rng.randrange(len(self.keys))
        author = rng.randrange(8)
        damages: dict[str, list[Receipt]] = {
            "missing": receipts[:n] + receipts[n + 1 :],
            "none": [],
            "twice": [*receipts, one],
            "twice, otherwise": [*receipts, self.receipt(at, one.author, "caps")],
            "turned round": receipts[::-1],
            "of another": [*receipts[:n], self.receipt(at, other, None), *receipts[n + 1 :]],
            "one more": [*receipts, self.receipt(at, other, None)],
            "of nobody": [*receipts[:n], replace(one, author=author), *receipts[n + 1 :]],
            "flipped": [
                *receipts[:n],
                replace(one, sig=_flipped(one.sig, rng)),
                *receipts[n + 1 :],
            ],
        }
        what = rng.choice(sorted(damages))
        block = raw_block(replace(self.blocks[at], receipts=tuple(damages[what]), parts=None))
        return Mutant(f"receipts {what}", at, block + b"".join(self.raw[at + 1 :]))

    def parted(self) -> Mutant:
        """All but one part here, or nearly so; what follows is dropped or kept."""
        at, rng = self.place(), self.rng
        entry = self.entry(at)
        count, head = len(self.keys), link_of(self.blocks[at].entry.raw)
        absent = rng.randrange(count)
        where = PartingPlace(entry.table, at + 1, head, absent)
        false = replace_place(where, rng) if rng.random() < 0.3 else where
        parts = [(n, say(self.keys[n], PART, false, n).sig) for n in range(count) if n != absent]
        what = rng.choice(("whole", "whole", "short", "turned", "twice", "more"))
        if what == "short":
            parts.pop()
        elif what == "turned":
            parts.reverse()
        elif what == "twice":
            parts[0] = parts[-1]
        elif what == "more":
            parts.append((absent, say(self.keys[absent], PART, where, absent).sig))
        rest = b"".join(self.raw[at + 1 :]) if rng.random() < 0.3 else b""
        raw = self.blocks[at].entry.raw
        return Mutant(f"parts {what} {false is where}", at, encode_last(raw, tuple(parts)) + rest)

    # The agreement ------------------------------------------------------------------------------

    def terms_changed(self) -> Mutant:
        """Other terms, to which all have given their assent."""
        entry, rng = self.entry(0), self.rng
        body: Any = entry.body
        terms = dict(body["terms"])
        rules = dict(terms["rules"])
        what = rng.choice(("rules", "rules", "field", "players", "after", "watch", "assents"))
        if what == "rules":
            name = rng.choice(sorted(rules))
            rules[name] = rng.choice((*PLAYABLE.get(name, ("pagat",)), None, 7, "x", True))
            terms["rules"] = rules
            what = f"rules {name}={rules[name]}"
        elif what == "field":
            path, changed = rng.choice(list(mutations.changed(terms, 1)))
            terms = changed if isinstance(changed, dict) else terms
            what = f"terms {path}"
        elif what == "players":
            players = [dict(player) for player in terms["players"]]
            n = rng.randrange(len(players))
            players[n]["nick"] = rng.choice(NAMES)
            terms["players"] = players
        elif what == "after":
            terms["after"] = self.after(rules, rng)
            rules["seating"] = rng.choice(("chosen", "random"))
            terms["rules"] = rules
        elif what == "watch":
            terms["watch"] = rng.choice(("now", "trick", "hand", "off", None))
        table = table_of(terms)
        assents: list[Value] = [assent(key, table) for key in self.keys]
        if what == "assents":
            n = rng.randrange(len(assents))
            assents[n] = rng.choice((assents[0], bytes(64)))
        body = {"terms": terms, "assents": assents}
        return self.anew(what, 0, replace(entry, table=table, body=body))

    def after(self, rules: dict[str, Any], rng: random.Random) -> dict[str, Value]:
        count = 2 if rules["partner"] == "across" else rules["seats"]
        after: dict[str, Value] = {
            name: [rng.choice((0, 3, 11)) for _ in range(count)]
            for name in ("tokens", "cards", "games")
        }
        after.update(table=bytes(32), end=bytes(32), dealer=rng.randrange(len(self.keys)))
        if rng.random() < 0.5:
            name = rng.choice(sorted(after))
            values: list[Value] = [None, -1, 8, bytes(31), [1], [2_000_000] * count, "x"]
            after[name] = rng.choice(values)
        return after

    # Bytes and blocks ---------------------------------------------------------------------------

    def bytes_spoilt(self) -> Mutant:
        """Bytes of one block changed, left out or put in, whatever they mean."""
        at, rng = self.place(), self.rng
        data = bytearray(self.raw[at])
        for _ in range(rng.choice((1, 1, 1, 3))):
            where = rng.randrange(len(data))
            what = rng.choice(("flip", "flip", "set", "cut", "put"))
            if what == "flip":
                data[where] ^= 1 << rng.randrange(8)
            elif what == "set":
                data[where] = rng.choice((0, 0x7F, 0x80, 0xC0, 0xFF))
            elif what == "cut":
                del data[where : where + rng.choice((1, 1, 32))]
            else:
                data[where:where] = bytes(rng.choice((1, 32)))
            if len(data) < 8:
                break
        if rng.random() < 0.5:
            data[:4] = (len(data) - 4).to_bytes(4, "big")
        return Mutant("bytes", at, bytes(data) + b"".join(self.raw[at + 1 : at + 2]))

    def blocks_moved(self) -> Mutant:
        at, rng = self.place(), self.rng
        other = self.place()
        what = rng.choice(("left out", "twice", "another", "cut off"))
        rest = {
            "left out": b"".join(self.raw[at + 1 : at + 3]),
            "twice": self.raw[at] * 2,
            "another": self.raw[other],
            "cut off": self.raw[at][: rng.randrange(len(self.raw[at]))],
        }[what]
        return Mutant(f"block {what}", at, rest)

    # Evidence -----------------------------------------------------------------------------------

    def evidence(self) -> tuple[str, bytes]:
        """An evidence file that proves something, or nearly so."""
        rng = self.rng
        kind = rng.choice(("false", "false", "claim", "fork", "split", "part", "part"))
        what, found = getattr(self, f"_{kind}_evidence")()
        data = found.encode()
        damage = rng.random()
        if damage < 0.1:
            what, data = f"{what}, other kind", replace(found, kind=rng.choice(KINDS)).encode()
        elif damage < 0.2:
            turned = replace(found, first=found.second, second=found.first)
            what, data = f"{what}, turned", turned.encode()
        elif damage < 0.3:
            at = rng.randrange(12 + len(found.first) + len(found.second))
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
            what = f"{what}, byte {at}"
        return f"evidence {kind}: {what}", data

    def _before(self, place: int) -> bytes:
        return MAGIC + b"".join(self.raw[:place])

    def _false_evidence(self) -> tuple[str, EvidenceFile]:
        make = self.rng.choice((self.changed_field, self.other_move, self.foreign_body))
        mutant = make()
        (block,) = read_blocks(MAGIC + mutant.rest)
        place = mutant.place if self.rng.random() < 0.9 else self.place()
        return mutant.what, EvidenceFile("false", block.entry.raw, b"", self._before(place))

    def _claim_evidence(self) -> tuple[str, EvidenceFile]:
        at, author = self.place(), self.rng.randrange(len(self.keys))
        claim = self.rng.choice(CLAIMS)
        receipt = self.receipt(at, author, claim)
        place = at if self.rng.random() < 0.9 else self.place()
        entry = self.blocks[at].entry.raw
        what = f"{claim} of {author} for {at}"
        return what, EvidenceFile("claim", receipt.encode(), entry, self._before(place))

    def _other_entry(self, at: int) -> bytes:
        rng, entry = self.rng, self.entry(at)
        author = entry.author if rng.random() < 0.8 else rng.randrange(len(self.keys))
        body: dict[str, Value] = {"at": rng.randrange(9)}
        table = entry.table if rng.random() < 0.9 else bytes(32)
        return self.signed(replace(entry, author=author, kind="cut", body=body, table=table)).raw

    def _until(self, at: int) -> bytes:
        return self._before(self.rng.choice((at, at + 1, len(self.raw), 1, self.place())))

    def _fork_evidence(self) -> tuple[str, EvidenceFile]:
        at = self.place()
        first = self.blocks[at].entry.raw
        second = self.rng.choice((self._other_entry(at), self._other_entry(self.place()), first))
        return f"at {at}", EvidenceFile("fork", first, second, self._until(at))

    def _split_evidence(self) -> tuple[str, EvidenceFile]:
        at, rng = self.place(), self.rng
        one, other = (
            self.receipt(
                at if rng.random() < 0.8 else self.place(),
                rng.randrange(2),
                rng.choice(CLAIMS),
                bytes([rng.randrange(2)]) * 32 if rng.random() < 0.5 else None,
            )
            for _ in range(2)
        )
        return f"at {at}", EvidenceFile("split", one.encode(), other.encode(), self._until(at))

    def _part_evidence(self) -> tuple[str, EvidenceFile]:
        rng, at = self.rng, self.place()

        def word() -> bytes:
            place = at if rng.random() < 0.6 else self.place()
            head = link_of(self.blocks[at].entry.raw) if rng.random() < 0.8 else bytes(32)
            step = rng.choice((PART, PART, READY, STAY))
            where = PartingPlace(self.entry(at).table, place + 1, head, rng.choice((0, 0, 1)))
            author = rng.choice((2, 2, 2, 1)) % len(self.keys)
            readies = (bytes(64),) * (len(self.keys) - 1) if step == PART else ()
            return say(
                self.keys[author], step, where, author, rng.choice((0, 0, 1)), readies
            ).encode()

        first, second = word(), word()
        if rng.random() < 0.3:
            second = self.receipt(self.place(), 2 % len(self.keys), None).encode()
        elif rng.random() < 0.3:
            second = self.blocks[self.place()].entry.raw
        elif rng.random() < 0.7:
            first, second = sorted((first, second))
        return f"at {at}", EvidenceFile("part", first, second, self._until(at))

    # --------------------------------------------------------------------------------------------

    def entry(self, at: int) -> Entry:
        return self.blocks[at].entry.entry

    def signed(self, entry: Entry) -> Unverified:
        key = self.keys[entry.author % len(self.keys)]
        return sign_entry(
            key, entry.table, entry.seq, entry.prev, entry.author, entry.kind, entry.body
        )

    def anew(self, what: str, at: int, entry: Entry) -> Mutant:
        """The entry signed by its author, with everybody's receipts."""
        raw = self.signed(entry).raw
        head, count = link_of(raw), len(self.keys)
        order = [(entry.author + n) % count for n in range(1, count)]
        present = {r.author for r in self.blocks[at].receipts} | {self.entry(at).author}
        receipts = tuple(
            sign_receipt(self.keys[n], entry.table, entry.seq, head, n, None)
            for n in order
            if n in present or not self.blocks[at].receipts
        )
        return self.told(what, at, raw, receipts)

    def told(self, what: str, at: int, raw: bytes, receipts: tuple[Receipt, ...]) -> Mutant:
        items: list[Value] = [
            {"author": r.author, "claim": r.claim, "sig": r.sig} for r in receipts
        ]
        body = encode({"entry": raw, "receipts": items})
        return Mutant(f"{self.entry(at).kind} at {at}: {what}", at, framed(body))

    def receipt(
        self, at: int, author: int, claim: str | None, head: bytes | None = None
    ) -> Receipt:
        entry = self.entry(at)
        link = link_of(self.blocks[at].entry.raw) if head is None else head
        return sign_receipt(self.keys[author], entry.table, entry.seq, link, author, claim)


KINDS = ("false", "claim", "fork", "split", "part", "box")
NAMES = (
    *("Asha", "a  b", " a", "a:b", "අ\u200dක", "ක්\u200dෂ", "a\u0301\u0301\u0301", "é", "\u200b"),
    *("x" * 32, "x" * 33, "", "ﬁ", "．", "a\u2028b", "😀", "\ue000", "தமிழ்", "ab\u0301 \u0301"),
)


def replace_place(where: PartingPlace, rng: random.Random) -> PartingPlace:
    return rng.choice(
        (
            replace(where, seq=where.seq + 1),
            replace(where, head=bytes(32)),
            replace(where, absent=(where.absent + 1) % 2),
        )
    )


def table_of(terms: dict[str, Value]) -> bytes:
    return digest(b"p2p304 table", encode(terms))


def framed(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def _flipped(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def _framed_blocks(data: bytes) -> list[bytes]:
    blocks, at = [], len(MAGIC)
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        blocks.append(data[at:end])
        at = end
    return blocks
