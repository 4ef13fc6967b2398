"""How the tests are run: tests of a file that shares something costly, or of which only one can
run, stay together."""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

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
