"""Our own vectors: each gets its verdict, from the layer that it names, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2p304.crypto import dleq, inequality, shuffle, statements
from p2p304.crypto import group as g
from p2p304.crypto.sealing import is_disclosed, unseal, unseal_with
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Hidden,
    NoneAmong,
    Statement,
    encode_statement,
    relations,
)
from scripts.vectors import crypto as vectors_crypto
from tests.support.paths import ROOT


def element(text: str) -> g.Element:
    return g.decode_element_or_identity(bytes.fromhex(text))


def elements(texts: list[str]) -> tuple[g.Element, ...]:
    return tuple(map(element, texts))


def read_statement(data: dict[str, Any]) -> Statement:
    match data:
        case {"relations": rows}:
            return relations(
                *(
                    (element(row["image"]), [(name, element(A)) for name, A in row["terms"]])
                    for row in rows
                )
            )
        case {"all": parts}:
            return All(tuple(map(read_statement, parts)))
        case {"any": branches}:
            return AnyOf(tuple(map(read_statement, branches)))
        case _:
            raise ValueError("no such statement")


def scalars_decode(proof: bytes, count: int) -> None:
    if len(proof) != 32 * count:
        raise ValueError("another length")
    for at in range(0, len(proof), 32):
        g.decode_scalar(proof[at : at + 32])


# For each file: what stands before the argument, layer by layer, and the verdict ------------

Layers = tuple[Callable[[], object], Callable[[], object], Callable[[], bool]]


def dleq_layers(vector: dict[str, Any], proof: bytes, context: bytes) -> Layers:
    A, B = element(vector["A"]), element(vector["B"])
    Cs, Ds = elements(vector["C"]), elements(vector["D"])
    return (
        lambda: dleq._check_shape(A, B, Cs, Ds, context),
        lambda: scalars_decode(proof, 2),
        lambda: dleq.verify_dleq(A, B, Cs, Ds, proof, context),
    )


def statement_layers(vector: dict[str, Any], proof: bytes, context: bytes) -> Layers:
    statement = read_statement(vector["statement"])
    return (
        lambda: encode_statement(statement),
        lambda: scalars_decode(proof, statements.scalar_count(statement)),
        lambda: statements.verify(statement, proof, context),
    )


def none_among_layers(vector: dict[str, Any], proof: bytes, context: bytes) -> Layers:
    branches = tuple(
        NoneAmong(
            tuple(
                Hidden(element(h["key"]), element(h["times"]), h["plus"] and element(h["plus"]))
                for h in hidden
            ),
            tuple(map(g.HashedElement, elements(vector["elements"]))),
        )
        for hidden in vector.get("branches", [vector.get("hidden")])
    )
    statement = AnyOf(branches) if "branches" in vector else branches[0]
    split = 32 * inequality.published_count(statement)

    def decode() -> None:
        for at in range(0, split, 32):
            g.decode_element(proof[at : at + 32])
        scalars_decode(proof[split:], statements.scalar_count(statement))

    return (
        lambda: encode_statement(statement),
        decode,
        lambda: statements.verify(statement, proof, context),
    )


def shuffle_layers(vector: dict[str, Any], proof: bytes, context: bytes) -> Layers:
    base, image = element(vector["base"]), element(vector["image"])
    statement = shuffle.ShuffleStatement(base, image, elements(vector["X"]), elements(vector["Y"]))

    def look() -> None:
        fault = statement.fault()
        if fault is not None:
            raise ValueError(fault)

    return (
        look,
        lambda: shuffle._decode(proof, len(statement.X)),
        lambda: shuffle.verify_shuffle(statement, proof, context),
    )


READERS: dict[str, Callable[[dict[str, Any], bytes, bytes], Layers]] = {
    "dleq": dleq_layers,
    "statements": statement_layers,
    "none-among": none_among_layers,
    "shuffle": shuffle_layers,
}


def refusing_layer(layers: Layers) -> str | None:
    """The first layer that refuses, or None."""
    look, decode, verdict = layers
    for name, layer in (("statement", look), ("decode", decode)):
        try:
            layer()
        except ValueError:
            return name
    return None if verdict() else "argument"


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", READERS)
def test_every_vector_gets_its_verdict(name: str, vectors: Any) -> None:
    found = vectors(name)["vectors"]
    assert {vector["expect"] for vector in found} == {"ok", "refused"}
    for vector in found:
        proof, context = bytes.fromhex(vector["proof"]), bytes.fromhex(vector["context"])
        layers = READERS[name](vector, proof, context)
        assert layers[2]() == (vector["expect"] == "ok"), vector["name"]
        assert refusing_layer(layers) == vector.get("layer"), vector["name"]


def test_the_files_are_what_the_script_writes() -> None:
    written = vectors_crypto.texts()
    assert set(written) == {*READERS, "rng", "signatures", "sealed", "passphrase"}
    for name, text in written.items():
        assert (ROOT / f"protocol/vectors/crypto/{name}.json").read_text(encoding="utf-8") == text


def test_boxes_are_opened_with_e_and_with_z_alike(vectors: Any) -> None:
    found = vectors("sealed")["vectors"]
    assert {vector["expect"] for vector in found} == {"ok", "refused"}
    for vector in found:
        E, R, Z = (g.decode_element(bytes.fromhex(vector[name])) for name in ("receiver", "R", "Z"))
        box, about = bytes.fromhex(vector["box"]), bytes.fromhex(vector["about"])
        proof, context = bytes.fromhex(vector["proof"]), bytes.fromhex(vector["context"])
        shown = is_disclosed(Z, E, R, proof, context)
        try:
            opened = g.encode_scalar(unseal_with(Z, E, R, box, about)).hex()
        except g.GroupError:
            opened = None
        assert (shown and opened is not None) == (vector["expect"] == "ok"), vector["name"]
        if vector["expect"] == "ok":
            e = g.decode_scalar(bytes.fromhex(vector["e"]))
            mine = g.encode_scalar(unseal(e, R, box, about)).hex()
            assert vector["scalar"] == opened == mine


def test_every_vector_has_a_name_of_its_own(vectors: Any) -> None:
    for name in (*READERS, "sealed", "passphrase"):
        names = [vector["name"] for vector in vectors(name)["vectors"]]
        assert len(set(names)) == len(names)
