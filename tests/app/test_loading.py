"""What is not loaded before it is needed: it decides how soon a bot sits and the lobby opens."""

from __future__ import annotations

import subprocess
import sys

LATE = (
    "prompt_toolkit",
    "spake2",
    "cryptography.x509",
    "p2p304.frontends.fullscreen",
    "p2p304.frontends.hints",
)


def test_the_command_line_loads_no_screen_and_no_passphrase() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, p2p304.cli; print('\\n'.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "p2p304.app.session" in told
    assert [name for name in LATE if name in told] == []
