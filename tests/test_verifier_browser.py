"""The page of the second verifier in a real browser (protocol/verifier/page/browser.test.mjs)."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from tests.support.paths import PACKAGE, PROTOCOL

VERIFIER = PROTOCOL / "verifier"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.mark.skipif(
    BROWSER is None
    or shutil.which("node") is None
    or not (VERIFIER / "node_modules" / "playwright-core").is_dir(),
    reason="Chromium, node or the verifier's packages are missing: run scripts/test",
)
def test_the_page_in_chromium() -> None:
    done = subprocess.run(
        ["node", "--test", VERIFIER / "page" / "browser.test.mjs"],
        capture_output=True,
        text=True,
        timeout=180,
        env={
            **os.environ,
            "CHROMIUM": BROWSER or "",
            "PAGE": str(PACKAGE / "offline" / "verifier.html"),
        },
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr
