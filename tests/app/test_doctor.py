"""`p2p304 doctor` says what is so, and names a remedy for what is wrong."""

from __future__ import annotations

import asyncio
import json
import socket
from functools import partial
from pathlib import Path

import pytest

from p2p304 import USUAL_PORT
from p2p304.app import doctor
from p2p304.app.config import NodeConfig
from p2p304.net.firewall_lines import firewall_lines
from p2p304.net.mdns.discovery import Discovery
from p2p304.storage.data_folder import DataFolder
from p2p304.ui.common.translation import translation
from tests.support.paths import ROOT
from tests.support.unwritable import unwritable

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
    assert "No table is announced." in told


def test_without_a_network_it_says_so_and_nothing_about_firewalls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "own_interfaces", list)
    status, told = examined(DataFolder(tmp_path), NodeConfig("", 0))
    assert status == 1 and "no network connection" in told and "press b" in told
    assert "5353" not in told and "Listening" not in told


def test_an_identity_that_others_can_read_is_told_with_the_remedy(tmp_path: Path) -> None:
    store = DataFolder(tmp_path)
    store.identity()
    (tmp_path / "identity").chmod(0o644)
    told = [item for item in doctor.about_files(store) if item.remedy]
    assert len(told) == 1 and "chmod 600" in str(told[0].sentence)


def test_a_folder_that_cannot_be_written_or_made_is_told_and_the_rest_examined() -> None:
    with unwritable(lambda home: DataFolder(home).identity()) as home:
        told = [item for item in doctor.about_files(DataFolder(home)) if item.remedy]
        assert [str(item.sentence) for item in told] == [
            f"The data folder {home} cannot be written to (permission denied). Choose another one "
            "with --home."
        ]
        status, lines = examined(DataFolder(home.parent / "missing"))
    assert status == 1 and "missing cannot be used (permission denied)" in lines
    assert "Listening on 127.0.0.1, TCP port" in lines


def test_a_name_tells_a_vpn_from_a_network() -> None:
    assert doctor.is_virtual("docker0") and doctor.is_virtual("wg0")
    assert not doctor.is_virtual("eth0") and not doctor.is_virtual("wlan0")


@pytest.mark.parametrize(
    ("platform", "programs", "lines"),
    [
        ("linux", {"ufw"}, ["ufw allow 40304/tcp", "ufw allow 5353/udp"]),
        ("linux", {"firewall-cmd"}, ["--add-port=40304/tcp --add-service=mdns", "--reload"]),
        ("linux", set(), ["ufw allow 40304", "ufw allow 5353", "--add-port=40304", "--reload"]),
        ("win32", set(), ["TCP -LocalPort 40304", "UDP -LocalPort 5353"]),
        ("darwin", set(), ["--add '/my python'", "--unblockapp '/my python'"]),
    ],
)
def test_each_system_has_its_lines(platform: str, programs: set[str], lines: list[str]) -> None:
    found = firewall_lines(platform, programs.__contains__, 40304, "/my python")
    assert len(found) == len(lines)
    assert all(part in line for part, line in zip(lines, found, strict=True))


def test_the_page_has_the_same_lines() -> None:
    page = (ROOT / "docs" / "when-they-do-not-find-each-other.md").read_text(encoding="utf-8")
    for platform in ("linux", "darwin"):
        for line in firewall_lines(platform, lambda _: False, USUAL_PORT, "PYTHON"):
            assert f"`{line}`" in page or "unblockapp" in line
    first = firewall_lines("win32", lambda _: False, USUAL_PORT, "")[0]
    assert f"`{first}`" in page and "-Protocol UDP -LocalPort 5353" in page


def test_the_usual_port_is_used_if_it_is_free_and_another_is_shown() -> None:
    usual = NodeConfig("127.0.0.77", None, ("127.0.0.1",))
    free, _ = asyncio.run(listening_at(usual))
    assert free == USUAL_PORT
    with socket.create_server(("127.0.0.77", USUAL_PORT)):
        other, told = asyncio.run(listening_at(usual))
        assert other != USUAL_PORT and f"TCP port {USUAL_PORT} is in use" in told
    assert usual.ports(7) == [7, USUAL_PORT, 0]
    assert NodeConfig(port=0).ports() == [0] and NodeConfig(port=9).ports(7) == [9]


async def listening_at(place: NodeConfig) -> tuple[int, str]:
    told = "\n".join(str(item.sentence) for item in await doctor._examine_listening(place))
    return int(told.split("TCP port ")[-1].split(".")[0]), told


def test_a_program_reads_the_findings_as_json(tmp_path: Path) -> None:
    lines: list[str] = []
    home = DataFolder(tmp_path)
    status = asyncio.run(doctor.examine(home, LOOPBACK, 0.1, lines.append, True))
    found = json.loads("\n".join(lines))
    assert {frozenset(item) for item in found} == {frozenset({"sentence", "remedy", "lines"})}
    assert status == int(any(item["remedy"] for item in found))


def test_a_person_reads_the_findings_in_the_own_language(tmp_path: Path) -> None:
    lines: list[str] = []
    speak = translation("si")
    asyncio.run(doctor.examine(DataFolder(tmp_path), LOOPBACK, 0.1, lines.append, False, speak))
    told = "\n".join(lines)
    assert "ගණනය කිරීම්" in told and "Data folder" not in told
