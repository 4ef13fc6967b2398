"""The largest honest body of every kind for a game's options, in bytes that prove nothing.

Sizes are upper bounds: no honest entry of such a game is larger. A field that is not sized here
is filled to the limit of its form, so that a new field cannot be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from p2p304.crypto import shuffle
from p2p304.crypto import statements as crypto_statements
from p2p304.crypto.group import G
from p2p304.rules.variants.absence import PLAY_OUT
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.agreement.continuation import Continuation
from p2p304.table.agreement.limits import MAX_HANDS, WATCH
from p2p304.table.agreement.terms import Player, Terms
from p2p304.table.proofs import statements
from p2p304.table.proofs.required import ProofKind
from p2p304.table.state.deal import Slot
from p2p304.wire import bodies
from p2p304.wire.bodies import BY_KIND, Body
from p2p304.wire.forms import Form, forms_of
from tests.support.table.largest_rows import largest_rows

LONGEST_NAME = chr(0x1F0A1) * 32
"""32 characters of four bytes each."""
KNOWS = crypto_statements.proof_bytes(statements.knowledge(G))
INSPECTION = crypto_statements.proof_bytes(statements.inspection(Slot(G, G), G, G, G))


def largest_terms(options: Options) -> Terms:
    """Terms with the longest names and everything that may stand in them."""
    players = tuple(Player(bytes([n]) * 32, LONGEST_NAME, bytes(32)) for n in range(options.seats))
    amounts = (10**6,) * options.accounts
    after = Continuation(bytes(32), bytes(32), 0, amounts, amounts, amounts)
    watch = max(WATCH, key=len)
    return Terms(LONGEST_NAME, options, MAX_HANDS, players, watch, after)


def owed_proofs(options: Options) -> dict[str, tuple[bytes, ...]]:
    """By kind of entry the largest proofs about unseen cards that it can owe together."""
    size: dict[ProofKind, int] = {}
    for each in largest_rows(options):
        size[each.row] = max(size.get(each.row, 0), crypto_statements.proof_bytes(each.statement))

    def of(*rows: ProofKind) -> tuple[bytes, ...]:
        return tuple(bytes(size[row]) for row in rows if row in size)

    plays = (of(ProofKind.FOLLOW, ProofKind.CUT), of(ProofKind.LEAD), of(ProofKind.EXHAUSTED))
    return {
        "closed": of(ProofKind.STUCK),
        "play": max(plays, key=lambda owed: sum(map(len, owed))),
        "down": of(ProofKind.FOLLOW, ProofKind.DOWN),
        "ask": of(ProofKind.FOLLOW),
        "announce": of(ProofKind.NO_TRUMPS),
        "count": of(ProofKind.SPOILT),
    }


def largest_bodies(options: Options) -> dict[str, Body]:
    """The largest honest body of every kind that this game can have, by kind."""
    pack, hand, seats = len(options.pack.cards), options.hand_size, options.seats
    batch = max(options.batches) * (seats - 1)
    shown = min(seats - 1, bodies.MAX_SEATS)
    shares = {"shares": seats - 1 if options.away == PLAY_OUT else 0}
    owed = {kind: {"owed": proofs} for kind, proofs in owed_proofs(options).items()}
    sizes: dict[str, dict[str, Any]] = {
        "agreement": {"terms": largest_terms(options).to_value(), "assents": seats},
        "shuffle": {"knows": KNOWS, "deck": pack, "proof": shuffle.proof_bytes(pack), **shares},
        "unlock": {"cards": batch},
        "relock": {"joined": 2, "cards": hand, "proof": shuffle.proof_bytes(hand), **shares},
        "redeal": {"cards": options.batches[0]},
        "closed": {"knows": KNOWS, **owed["closed"], **shares},
        "play": owed["play"],
        "down": owed["down"],
        "ask": owed["ask"],
        "inspect": {"proof": INSPECTION},
        "announce": {"shown": shown, **owed["announce"]},
        "count": {"cards": hand, "proofs": hand, **owed["count"]},
        "caps": {"order": hand, "slots": hand, "down": hand, "seen": pack - hand, "proofs": hand},
        "stand_in": {"parts": max(batch, hand, shown)},
    }
    return {body.KIND: _filled(body, sizes.get(body.KIND, {})) for body in BY_KIND.values()}


def _filled(body: type[Body], sizes: dict[str, Any]) -> Body:
    """A body whose lists and bytes have these sizes; other fields are as large as they may be."""
    forms = forms_of(body)
    given = {each.name: _sized(forms[each.name], sizes.get(each.name)) for each in fields(body)}
    return body(**given)


def _sized(form: Form[Any], size: Any) -> Any:
    if isinstance(size, dict | tuple):
        return size
    schema = form.schema
    if "anyOf" in schema:
        (schema,) = (each for each in schema["anyOf"] if each["type"] != "null")
    match schema["type"]:
        case "bytes":
            return bytes(schema["maxLength"] if size is None else size)
        case "string":
            return "J" * schema["maxLength"]
        case "integer":
            return schema["maximum"]
        case "array":
            count = schema["maxItems"] if size is None else size
            return tuple(_sized(Form(form.read, schema["items"]), None) for _ in range(count))
    raise TypeError(f"no largest value is known of {schema['type']}")


def every_game() -> Iterator[tuple[str, Options]]:
    """Every preset by its name, then every combination of the options on which sizes depend."""
    for name in PRESETS:
        yield name, preset(name)
    for options in _dealt():
        for open_trump in ("on", "off"):
            for exhausted in ("on", "off"):
                for spoilt in ("anyone", "off"):
                    for away in ("wait", "playout"):
                        wanted = {
                            "open_trump": open_trump,
                            "exhausted": exhausted,
                            "spoilt": spoilt,
                            "away": away,
                        }
                        try:
                            yield f"{_place(options)} {wanted}", options.override(wanted)
                        except OptionsError:
                            continue


def _dealt() -> Iterator[Options]:
    """Every way to deal a pack that options allow, as games with little else in them."""
    plain = {
        "caps": "off",
        "pcc": "off",
        "ask_partner": "off",
        "spoilt": "off",
        "open_trump": "off",
        "double": "off",
        "match": "session",
    }
    for seats in (2, 3, 4, 6, 8):
        for partner in ("across", "none", "called"):
            for pack in (24, 32, 36, "36-threes", 40):
                for deal in ("4+4", "3+1", "4+2", "all_first"):
                    for stock in ("none", "draw", "exchange"):
                        for hidden in ("face_down", "ask_reveal"):
                            wanted = {
                                "seats": seats,
                                "partner": partner,
                                "pack": pack,
                                "deal": deal,
                                "stock": stock,
                                "hidden": hidden,
                            }
                            try:
                                yield preset("pagat").override({**plain, **wanted})
                            except OptionsError:
                                continue


def _place(options: Options) -> str:
    return f"{options.seats} seats, {options.pack_name}, {options.deal}, {options.hidden}"
