"""The audit on a Dask cluster of this computer: the same verdicts, from bytes that were sent."""

from __future__ import annotations

import gc
import shutil
import sys
from pathlib import Path

import pytest

from p2p304.offline.archives.cluster import INSTALL, NO_TLS
from tests.support.paths import TRANSCRIPTS
from tests.support.programs import run_here

NAMES = ("unfinished.304", "pledge.304", "broken-off.304", "P09.304")


@pytest.mark.filterwarnings("default")
def test_a_cluster_says_what_this_computer_says(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    for name in NAMES:
        shutil.copy(TRANSCRIPTS / name, tmp_path)
    alone = run_here("audit", str(tmp_path), "--jobs", "1")
    assert alone[0] == 2 and "P09" in alone[1]
    with distributed.LocalCluster(
        n_workers=0,
        threads_per_worker=1,
        processes=False,  # the worker is a thread, which is soon there; its bytes go over TCP
        host="127.0.0.1",
        protocol="tcp",
        dashboard_address=None,
    ) as cluster:
        assert cluster.scheduler_address.startswith("tcp://127.0.0.1:")
        state = str(tmp_path / "state")
        words = ("audit", str(tmp_path), "--scheduler", cluster.scheduler_address)
        status, said, errors = run_here(*words)
        assert (status, said) == (1, "") and "has no workers" in errors
        cluster.scale(1)
        cluster.wait_for_workers(1, timeout=60)
        assert run_here(*words, "--state", state) == alone
        assert run_here("audit", str(tmp_path), "--state", state) == alone
    gc.collect()  # here, where a warning of Dask's is none of ours


def test_an_address_that_is_none_is_refused_at_once() -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    for address in ("nonsense", "tcp://", "127.0.0.1:8786", "tcp://a:b"):
        status, said, errors = run_here("audit", "game.304", "--scheduler", address)
        assert (status, said) == (1, "") and "an address such as tcp://192.168.1.7:8786" in errors


def test_tls_without_certificates_is_refused_at_once() -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    status, said, errors = run_here("audit", "game.304", "--scheduler", "tls://127.0.0.1:1")
    assert (status, said) == (1, "") and errors.strip() == NO_TLS


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    status, said, errors = run_here("audit", "game.304", "--scheduler", "tcp://127.0.0.1:8786")
    assert (status, said) == (1, "") and errors.strip() == INSTALL


@pytest.mark.parametrize(
    "words",
    [
        "--evidence --state x",
        "--evidence --jobs 2",
        "--evidence --scheduler tcp://a:1",
        "--jobs 2 --scheduler tcp://a:1",
    ],
)
def test_options_that_do_not_go_together_are_refused(words: str) -> None:
    status, said, errors = run_here("audit", "game.304", *words.split())
    assert (status, said) == (2, "") and "does not go with" in errors
