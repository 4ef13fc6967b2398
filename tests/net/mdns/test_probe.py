"""One question to every machine that speaks mDNS, and who answers; on loopback alone."""

from __future__ import annotations

import pytest
from zeroconf._protocol.incoming import DNSIncoming

from p2p304.net.errors import NetError
from p2p304.net.mdns import probe
from tests.support.loopback import run


def test_the_question_is_which_services_there_are() -> None:
    asked = DNSIncoming(probe.QUESTION)
    assert asked.valid and asked.is_query() and asked.id == asked.flags == 0
    assert asked.num_questions == 1 and asked.answers() == []
    assert asked.num_authorities == asked.num_additionals == 0
    question = asked.questions[0]
    assert (question.name, question.type, question.class_, question.unique) == (
        "_services._dns-sd._udp.local.",
        12,
        1,
        False,
    )


def test_a_machine_hears_itself_at_every_address_also_of_one_interface() -> None:
    async def main() -> None:
        heard = await probe.hear(["127.0.3.8", "127.0.3.9"], 0.5)
        assert {"127.0.3.8", "127.0.3.9"} <= set(heard) and heard == sorted(heard)
        assert "127.0.3.9" not in await probe.hear(["127.0.3.8"], 0.1)

    run(main())


def test_an_address_that_is_not_ours_is_told_in_one_sentence() -> None:
    async def main() -> None:
        with pytest.raises(NetError, match=r"^Cannot search for tables \(mDNS, UDP port 5353\): "):
            await probe.hear(["198.51.100.7"], 0)

    run(main())


def test_a_flood_of_answers_is_bounded() -> None:
    collector = probe._AnswerCollector()
    for number in range(2 * probe.MOST):
        collector.datagram_received(b"", (f"10.0.{number // 256}.{number % 256}", 5353))
    assert len(collector.heard) == probe.MOST
