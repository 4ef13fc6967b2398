"""What is not loaded before it is needed: it decides how soon a command answers, a bot sits and the
lobby opens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LATE = (
    "prompt_toolkit",
    "spake2",
    "cryptography.x509",
    "p2p304.frontends.fullscreen.fullscreen",
    "p2p304.frontends.hints",
)
TABLE = ("asyncio", "zeroconf", "ifaddr", "p2p304.table.agreement.terms", "p2p304.app.session")
CARDS = ("ctypes", "p2p304.crypto.group")
FILES = ("cryptography", "platformdirs", "p2p304.storage.data_folder")
RULES = ("p2p304.rules",)
WIRE = ("msgpack", "p2p304.wire")
NEVER: dict[str, tuple[str, ...]] = {
    "--help": (*LATE, *TABLE, *CARDS, *FILES, *RULES, *WIRE),
    "play --help": (*LATE, *TABLE, *CARDS, *FILES, *RULES, *WIRE),
    "--complete play --r": (*LATE, *TABLE, *CARDS, *FILES, *RULES, *WIRE),
    "--version": (*LATE, *TABLE, *FILES, *RULES),
    "rules pagat": (*LATE, *TABLE, *CARDS, *FILES),
    "id": (*LATE, *TABLE, *CARDS, "p2p304.rules.play", "p2p304.rules.variants"),
    "score nothing": (*LATE, *TABLE, *CARDS, "cryptography"),
    "fairness nothing": (*LATE, "asyncio", "zeroconf", "p2p304.app.session", "scipy.stats"),
    "audit nothing": (*LATE, "scipy", "asyncio", "zeroconf", "p2p304.app.session"),
}
"""What these commands do without."""
TELL = "import sys, atexit; atexit.register(lambda: print('', *sys.modules, sep='\\n'))\n"


def loaded(program: str, *words: str) -> list[str]:
    """The modules that a program has loaded when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", TELL + program, *words], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout.splitlines()


def test_the_command_line_loads_no_screen_and_no_passphrase() -> None:
    told = loaded("import p2p304.cli.main, p2p304.frontends.bot, p2p304.frontends.text.player")
    assert "p2p304.app.session" in told
    assert [name for name in LATE if name in told] == []


def test_a_silent_bot_loads_nothing_of_the_screen() -> None:
    told = loaded("import p2p304.cli.main, p2p304.frontends.bot")
    assert "p2p304.app.session" in told
    assert [name for name in told if name.startswith("p2p304.ui")] == []


@pytest.mark.parametrize("command", NEVER)
def test_a_command_loads_only_what_it_needs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2P304_HOME", str(tmp_path))
    told = loaded("from p2p304.__main__ import main; main()", *command.split())
    assert "p2p304.cli.main" in told
    assert [name for name in NEVER[command] if name in told] == []
