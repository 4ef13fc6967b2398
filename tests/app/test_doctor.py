"""`p2p304 doctor` says what is so, and names a remedy for what is wrong."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest

from p2p304.app import doctor
from p2p304.app.config import NodeConfig
from p2p304.net.mdns.discovery import Discovery
from p2p304.storage.data_folder import DataFolder

LOOPBACK = NodeConfig("127.0.0.1", 0, ("127.0.0.1",))


def examined(store: DataFolder, place: NodeConfig = LOOPBACK) -> tuple[int, str]:
    lines: list[str] = []
    status = asyncio.run(doctor.examine(store, place, 0.3, lines.append))
    return status, "\n".join(lines)


def test_it_says_where_it_listens_and_what_it_hears(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tables of tests that run beside this one are announced on loopback too.
    apart = partial(Discovery, service="_p2p304doctor._tcp.local.")
    monkeypatch.setattr(doctor, "Discovery", apart)
    _, told = examined(DataFolder(tmp_path))
    assert "Listening on 127.0.0.1, TCP port" in told
    assert "Searching for tables on 127.0.0.1" in told
    assert "does not receive its own mDNS" not in told
    assert "Tables found: none" in told


def test_an_identity_that_others_can_read_is_told_with_the_remedy(tmp_path: Path) -> None:
    store = DataFolder(tmp_path)
    store.identity()
    (tmp_path / "identity").chmod(0o644)
    told = [item for item in doctor.about_files(store) if item.remedy]
    assert len(told) == 1 and "chmod 600" in told[0].sentence


def test_a_name_tells_a_vpn_from_a_network() -> None:
    assert doctor.is_virtual("docker0") and doctor.is_virtual("wg0")
    assert not doctor.is_virtual("eth0") and not doctor.is_virtual("wlan0")


def test_a_program_reads_the_findings_as_json(tmp_path: Path) -> None:
    lines: list[str] = []
    home = DataFolder(tmp_path)
    status = asyncio.run(doctor.examine(home, LOOPBACK, 0.1, lines.append, True))
    found = json.loads("\n".join(lines))
    assert {frozenset(item) for item in found} == {frozenset({"sentence", "remedy"})}
    assert status == int(any(item["remedy"] for item in found))
