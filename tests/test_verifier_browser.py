"""The page of the second verifier in a real browser (protocol/verifier/page/browser.test.mjs)."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.offline.fairness.account import accounts
from p2p304.offline.fairness.counts import collections
from p2p304.offline.fairness.page import page
from p2p304.rules.variants.presets import preset
from tests.support.paths import PACKAGE, PROTOCOL
from tests.support.simulated_deals import hands, table
from tests.support.table.two_courses import two_courses

VERIFIER = PROTOCOL / "verifier"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)


def _wide_fairness() -> str:
    """The page of `p2p304 fairness --html` for eight players with the longest names."""
    rules = preset("eight-32")
    found = replace(table(rules, hands(rules, 80, 1)), nicks=("W" * 24,) * 8)
    return page(accounts(collections([found])), ["W" * 60])


@pytest.mark.skipif(
    BROWSER is None
    or shutil.which("node") is None
    or not (VERIFIER / "node_modules" / "playwright-core").is_dir(),
    reason="Chromium, node or the verifier's packages are missing: run scripts/test",
)
def test_the_pages_in_chromium(tmp_path: Path) -> None:
    fairness = tmp_path / "fairness.html"
    fairness.write_text(_wide_fairness(), "utf-8")
    done = subprocess.run(
        ["node", "--test", VERIFIER / "page" / "browser.test.mjs"],
        capture_output=True,
        text=True,
        timeout=180,
        env={
            **os.environ,
            "CHROMIUM": BROWSER or "",
            "PAGE": str(PACKAGE / "offline" / "verifier.html"),
            "FAIRNESS": str(fairness),
            "CONTRADICTING": "|".join(map(str, two_courses(tmp_path))),
        },
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr
