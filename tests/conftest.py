"""How the tests are run: tests of a file that shares something costly, or of which only one can
run, stay together."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from p2p304.crypto import group
from tests.support.remembered import remembering

# How long an example takes depends on what else the machine does.
settings.register_profile("p2p304", deadline=None)
settings.load_profile("p2p304")

# A shell without job control starts what is in the background with SIGINT ignored, and every
# process that a test starts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TOGETHER = (
    "tests/table/test_catalogue.py",  # the games of all cheats are played once
    "tests/table/test_receipts.py",  # so are these
    "tests/lab/test_lab.py",  # one lab at a time
)


class Together(LoadScopeScheduling):
    """Every test is work of its own for whichever process is free, but for those files."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return file if file in TOGETHER else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return Together(config, log)


@pytest.fixture(scope="session", autouse=True)
def arithmetic_once() -> Iterator[None]:
    """What several players of a test compute alike is computed once."""
    with remembering(group._engine):
        yield
