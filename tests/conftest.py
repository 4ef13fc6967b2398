"""How the tests are run: which are slow, in which order they start, and what is computed once."""

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from functools import cache

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from p2p304.crypto import group
from tests.support.remembered import Steps, remembering

# How long an example takes depends on what else the machine does.
settings.register_profile("p2p304", deadline=None)
settings.load_profile("p2p304")

# Hundreds of interpreters are started, which would each compile the program anew.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.dont_write_bytecode = False

# A shell without job control starts what is in the background with SIGINT ignored, and every
# process that a test starts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Modules and tests live as long as the run: a search for garbage among them finds none.
gc.disable()
MANY_OBJECTS = 50_000
"""Objects between two searches for garbage among the youngest."""

WAITING = ("tests/processes/", "tests/lab/")
"""Files and folders that mostly wait for programs. Only one worker at a time runs them, so that the
others keep the cores busy."""
SLOW = (
    "tests/processes/test_returning.py",
    "tests/processes/test_screen.py",
    "tests/processes/test_cheating_processes.py",
    "tests/lab/",
    "tests/processes/",
    "tests/table/test_catalogue.py",
    "tests/test_exit_statuses.py",
    "tests/offline/archives/test_cluster.py",
    "tests/net/mdns/test_discovery.py",
    "tests/app/test_loading.py",
    "tests/app/test_language.py",
    "tests/table/test_whole_hands.py",
    "tests/ui/fullscreen/test_bot_labels.py",
    "tests/table/exchange/test_recovery.py",
    "tests/table/node/test_overdue.py",
    "tests/table/gathering/test_gathering_liars.py",
    "tests/table/test_every_preset.py",
    "tests/table/proofs/test_independence.py",
    "tests/table/transition/test_leaving_gains.py",
    "tests/table/absence/test_giving_up.py",
    "tests/table/node/test_crash_points.py",
    "tests/table/player/test_minimal_shuffle.py",
    "tests/table/player/test_prepared_deals.py",
    "tests/table/node/test_ready.py",
    "tests/table/test_equivocations.py",
    "tests/table/transition/test_playing_out.py",
    "tests/table/absence/test_parting.py",
    "tests/table/transition/test_playout_pays.py",
    "tests/table/test_nuisances.py",
    "tests/table/node/test_spectators.py",
    "tests/offline/test_pages.py",
    "tests/offline/fairness/test_uniformity.py",
    "tests/offline/fairness/test_fairness_report.py",
    "tests/rules/caps/test_against_twin.py",
    "tests/table/evidence/test_held_up_hands.py",
    "tests/ui/fullscreen/test_presets.py",
    "tests/puzzles/test_collection.py",
    "tests/test_tables.py",
    "tests/test_verifier.py",
    "tests/test_verifier_browser.py",
    "tests/table/transition/test_receipt_claims.py",
    "tests/table/transition/test_recorded_tables.py",
    "tests/table/test_every_message.py",
    "tests/table/proofs/test_hiding_game.py",
    "tests/rules/play/test_caps_judgement.py",
    "tests/rules/state/test_replayed.py",
    "tests/ui/common/test_translation.py",
    "tests/table/player/test_caps_search.py",
    "tests/ui/fullscreen/test_screens.py",
    "tests/rules/play/test_violations.py",
    "tests/table/absence/test_parting_liars.py",
    "tests/table/absence/test_parting_splits.py",
    "tests/table/transition/test_successor.py",
    "tests/table/proofs/test_required.py",
    "tests/table/player/test_forward_secrecy.py",
    "tests/table/test_largest_messages.py",
    "tests/offline/test_audit.py",
    "tests/crypto/test_vectors_crypto.py",
    "tests/table/test_mutations.py",
    "tests/net/links/test_mesh.py",
    "tests/table/transition/test_seat_retaken.py",
    "tests/table/proofs/test_distinguishing.py",
    "tests/table/evidence/test_left_draws.py",
    "tests/rules/play/test_perft.py",
    "tests/rules/worlds/test_world_play.py",
    "tests/bots/",
    "tests/table/agreement/test_drawing_seats.py",
    "tests/table/player/test_entry_writer.py",
    "tests/table/player/test_preparation.py",
    "tests/table/node/test_forgotten_places.py",
    "tests/frontends/test_own_cards_kept.py",
    "tests/offline/test_audited.py",
    "tests/ui/guidance/test_card_values.py",
    "tests/crypto/engines/test_group.py",
    "tests/table/player/test_own_cards.py",
    "tests/table/transition/test_settlement.py",
    "tests/net/links/test_dials_given_up.py",
    "tests/offline/history/test_history.py",
    "tests/offline/test_hand_records.py",
    "tests/rules/records/test_from_hand.py",
    "tests/storage/test_journal.py",
    "tests/crypto/test_shuffle.py",
    "tests/table/node/test_cut.py",
    "tests/ui/guidance/test_prompts.py",
    "tests/ui/narration/test_accounts.py",
    "tests/app/test_noting_leavers.py",
    "tests/app/test_staying.py",
    "tests/ui/common/test_input_parser.py",
    "tests/test_verifier_rules.py",
    "tests/table/gathering/test_gathering.py",
    "tests/test_order_of_checks.py",
    "tests/test_protocol_folder.py",
    "tests/test_api.py",
    "tests/table/proofs/test_unreadable.py",
)
"""Files and folders that take more than two seconds of one core, or that start programs, in the
order in which workers start them: those that wait for programs, then the longest. The rest fills
gaps."""

RECORDED = (
    "tests/offline/fairness/test_fairness_report.py",
    "tests/offline/test_audited.py",
    "tests/offline/test_hand_records.py",
    "tests/table/transition/test_recorded_tables.py",
    "tests/test_tables.py",
)
"""Files that replay the tables of protocol/transcripts: one worker runs all of them, and does the
arithmetic of each table once."""


@cache
def place_of_file(file: str) -> int:
    return next((n for n, slow in enumerate(SLOW) if file.startswith(slow)), len(SLOW))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        return place_of_file(item.nodeid.split("::")[0])

    for item in items:
        if place(item) < len(SLOW):
            item.add_marker(pytest.mark.slow)
    if hasattr(config, "workerinput"):  # one process runs files in the order of its arguments
        items.sort(key=place)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage from now on, and never among what was collected."""
    result = yield
    gc.freeze()
    gc.set_threshold(MANY_OBJECTS)
    gc.enable()
    return result


class ByFile(LoadScopeScheduling):
    """The tests of a file stay together and share what it computes once; only one lab can run."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return RECORDED[0] if file in RECORDED else file

    def _assign_work_unit(self, node: WorkerController) -> None:
        others = (files for each, files in self.assigned_work.items() if each is not node)
        is_waiting = any(
            file.startswith(WAITING) and not all(tests.values())
            for files in others
            for file, tests in files.items()
        )
        for file in self.workqueue:
            if file.startswith(WAITING) is not is_waiting:
                self.workqueue.move_to_end(file, last=False)
                break
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return ByFile(config, log)


@pytest.fixture(scope="session", autouse=True)
def arithmetic_once() -> Iterator[Steps]:
    """What several players of a test compute alike is computed once."""
    with remembering(group._engine) as steps:
        yield steps


@pytest.fixture(autouse=True)
def steps_anew(arithmetic_once: Steps) -> Iterator[None]:
    """No step is remembered from one test to the next."""
    yield
    arithmetic_once.forget()
