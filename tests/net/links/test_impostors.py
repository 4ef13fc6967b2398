"""Nobody passes for another: every impostor of the catalogue, and the vectors made of them."""

from __future__ import annotations

import json
import socket
from dataclasses import replace

import pytest

from p2p304.net.links.handshake import HandshakeRefused, Peer, too_slow
from tests.support.hostile.false_dialers import FALSE_DIALERS, FalseDialer, heard
from tests.support.hostile.impostors import (
    BANDU,
    CERT,
    IMPOSTORS,
    Impostor,
    SaysNothing,
    answer,
    dialer,
    greeting,
    hello_to,
    listener,
    meet,
    told,
)
from tests.support.loopback import BRISK, node, run, until
from tests.support.paths import PROTOCOL

VECTORS = PROTOCOL / "handshakes" / "index.json"


def test_bandu_himself_is_taken() -> None:
    asha, bandu = dialer(), listener()
    hello = answer(asha, greeting(bandu))
    assert asha.receive(answer(bandu, hello)).peer == Peer(BANDU.public, "Bandu", 5304)


@pytest.mark.parametrize("impostor", IMPOSTORS, ids=lambda each: each.__name__)
def test_an_impostor_is_refused_by_its_check(impostor: type[Impostor]) -> None:
    asha = dialer(impostor.cert)
    with pytest.raises(HandshakeRefused) as refused:
        meet(asha, *told(impostor))
    assert refused.value.check == impostor.check


@pytest.mark.parametrize("false", FALSE_DIALERS, ids=lambda each: each.__name__)
def test_a_false_dialer_is_refused_by_its_check(false: type[FalseDialer]) -> None:
    assert heard(false().hello(greeting(listener())), false.admits)[0] == false.check


def test_who_says_nothing_is_refused_as_too_slow() -> None:
    """N07 over a real connection."""
    assert too_slow().check == SaysNothing.check

    async def main() -> None:
        async with node(0, replace(BRISK, handshake=0.1)) as good:
            with socket.create_connection(good.at):
                await until(lambda: good.troubles)
            assert too_slow().sentence in good.troubles[0]

    run(main())


def test_every_vector_of_the_handshake_ends_as_it_says() -> None:
    vectors = json.loads(VECTORS.read_text())
    assert {v["check"] for v in vectors} >= {"N01", "N02", "N03", "N04", "N05", "N06", "N09"}
    assert {v["reader"]["role"] for v in vectors} == {"dialer", "listener"}
    for vector in vectors:
        if vector["reader"]["role"] == "listener":
            check, answered = heard(bytes.fromhex(vector["hello"]), vector["reader"]["admits"])
            assert check == vector["check"]
            assert vector["answer"] == (None if answered is None else answered.hex())
            continue
        cert = bytes.fromhex(vector["cert"])
        asha = dialer(cert)
        greets, answers = bytes.fromhex(vector["greeting"]), vector["answer"]
        hello = hello_to(greets, cert)
        assert vector["hello"] == (None if hello is None else hello.hex())
        said = (greets, None if answers is None else bytes.fromhex(answers))
        if vector["check"] is None:
            assert cert == CERT and meet(asha, *said) is not None
            continue
        with pytest.raises(HandshakeRefused, match=f"^{vector['check']}: "):
            meet(asha, *said)
