"""A bot that keeps the list of a table that gathers: without whom it goes on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p304.frontends.bot import _go_on_without
from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import say
from p2p304.table.state.gathering_events import Gathering, GatherWait, WaitReason

ASHA = GatherWait("Asha", b"A" * 32, WaitReason.LACKS, ("Dilan",))
BANDU = GatherWait("Bandu", b"B" * 32, WaitReason.NOT_PLEDGED)
CHITRA = GatherWait("Chitra", b"C" * 32, WaitReason.LACKS, ("Dilan",))
LIAR = GatherWait("Dilan", b"D" * 32, WaitReason.TWO_PLEDGES)
FALSE = GatherWait("Eshan", b"E" * 32, WaitReason.FALSE)
DILAN = GatherWait("Dilan", b"D" * 32, WaitReason.LACKS, ("Asha", "Chitra"))


@pytest.mark.parametrize(
    ("waits", "stays", "gone"),
    [
        ((BANDU,), (), BANDU),
        ((ASHA, CHITRA), (), ASHA),
        ((ASHA, BANDU, CHITRA, DILAN), (), DILAN),
        ((BANDU, CHITRA), (), CHITRA),
        ((ASHA, CHITRA, DILAN), (DILAN,), ASHA),
        ((BANDU,), (BANDU,), None),
        ((ASHA, BANDU, FALSE, LIAR), (), LIAR),
        ((ASHA, BANDU, FALSE), (), FALSE),
    ],
)
def test_it_goes_on_without_the_player_that_lacks_most_links(
    waits: tuple[GatherWait, ...], stays: tuple[GatherWait, ...], gone: GatherWait | None
) -> None:
    removed: list[bytes] = []

    def go_on_without(key: bytes, now: float) -> None:
        if key in {wait.key for wait in stays}:
            raise NotNow(say("Not without that player."))
        removed.append(key)

    session = SimpleNamespace(
        node=SimpleNamespace(meeting=SimpleNamespace(go_on_without=go_on_without)),
        driver=SimpleNamespace(now=20.0, flush=lambda: None),
    )
    _go_on_without(cast(Any, session), Gathering(waits, 20, True))
    assert removed == ([] if gone is None else [gone.key])
