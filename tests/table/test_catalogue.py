"""The cheats' catalogue: each is refused by every honest node at that very entry, by its
numbered check, naming its seat; all agree, and the evidence convinces by itself."""

from __future__ import annotations

import re

import pytest

from p2p304.offline.audit import judge
from p2p304.table.state import events
from tests.support.cheats.catalogue import CATALOGUE, CHEATS
from tests.support.cheats.games import GAMES
from tests.support.cheats.harness import Cheat, Outcome, outcomes
from tests.support.paths import ROOT

Results = dict[type[Cheat], Outcome]


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest) -> Results:
    """What came of the cheats whose tests were chosen: `-k NAME` plays no others."""
    own = [item for item in request.session.items if item.path == request.path]
    chosen = [cheat for cheat in CHEATS if any(f"[{cheat.__name__}]" in item.name for item in own)]
    return outcomes(chosen, GAMES.values())


def test_the_catalogue_is_large() -> None:
    assert len(CHEATS) > 200
    assert all(cheat.__module__ in {module.__name__ for module in CATALOGUE} for cheat in CHEATS)


def test_the_specification_counts_them_rightly() -> None:
    text = (ROOT / "SPEC.md").read_text(encoding="utf-8")
    told = re.search(r"`tests/support/cheats/\*\.py` hold more than (\d+) ways to cheat", text)
    assert told is not None and len(CHEATS) > int(told[1])


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_a_cheat_is_refused_by_all_and_named(cheat: type[Cheat], results: Results) -> None:
    assert cheat in results, "it gets no chance in any game of tests/support/cheats/games.py"
    outcome = results[cheat]
    net, liar = outcome.net, outcome.liar
    nick = net.tables[liar].terms.players[liar].nick
    for number in outcome.honest:
        table = net.tables[number]
        (fault,) = [f for f in outcome.faults(number) if f.nick]
        assert (fault.finding.check, fault.finding.player) == (cheat.check, liar)
        assert (fault.nick, fault.seq) == (nick, outcome.seq)
        assert table.stopped is not None and table.chain.next_seq == outcome.seq
    honest = [net.tables[number] for number in outcome.honest]
    assert len({table.chain.head for table in honest}) == 1
    assert len({net.evidence[number] for number in outcome.honest}) == 1


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_the_evidence_convinces_by_itself(cheat: type[Cheat], results: Results) -> None:
    outcome = results[cheat]
    verdict = judge(outcome.net.evidence[outcome.honest[0]])
    table = outcome.net.tables[outcome.honest[0]]
    assert verdict.finding.check == cheat.check
    assert verdict.at == outcome.seq
    assert verdict.guilty == table.terms.players[outcome.liar].nick
    assert table.state is not None
    if table.state.seating:
        assert verdict.seat == table.state.seat_of(outcome.liar)


def test_an_honest_table_has_no_faults() -> None:
    net = GAMES["closed 3"]()
    net.run()
    assert net.finished and not any(net.evidence)
    assert not [e for told in net.told for e in told if isinstance(e, events.Fault)]
