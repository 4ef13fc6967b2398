"""How many cores the tests of many files have."""

import os

import pytest


@pytest.fixture(autouse=True)
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are read in this process: beside threads that another test has left, a fresh
    interpreter would start for each core, which costs more than the small files of tests."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


@pytest.fixture
def two_cores(one_core: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are read by two processes."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
