"""What the scripts share: `scripts/venv.sh` sets up once for every state of the requirements."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import PROTOCOL

PROJECT = PROTOCOL.parent
NEEDED = ("pyproject.toml", "scripts/venv.sh", "scripts/requirements.txt")
DEV = "scripts/requirements-dev.txt"
UV = '#!/bin/sh\necho "$@" >> uv.log\n'


def set_up(project: Path, kind: str) -> int:
    """Source venv.sh with an uv that installs nothing; return how often it was asked to."""
    done = subprocess.run(
        ["bash", "-c", f". scripts/venv.sh {kind}"],
        cwd=project,
        env={"PATH": f"{project}/bin:/usr/bin:/bin"},
        timeout=60,
        check=True,
    )
    log = project / "uv.log"
    asked = log.read_text().count("--require-hashes") if log.exists() else 0
    log.unlink(missing_ok=True)
    assert done.returncode == 0
    return asked


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
def test_an_installation_for_developers_serves_players_too(tmp_path: Path) -> None:
    for name in (*NEEDED, DEV):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(PROJECT / name, tmp_path / name)
    for name, text in (("bin/uv", UV), (".venv/bin/python", "#!/bin/sh\n")):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    assert [set_up(tmp_path, kind) for kind in ("run", "run", "dev", "dev")] == [1, 0, 1, 0]
    for old in (tmp_path / ".venv").glob(".installed-run-*"):
        old.unlink()
    assert set_up(tmp_path, "run") == 0
    (tmp_path / DEV).write_text("changed")
    assert [set_up(tmp_path, kind) for kind in ("run", "dev")] == [1, 1]
