"""The page of the second verifier: it is what its sources give."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.paths import PACKAGE, PROTOCOL

VERIFIER = PROTOCOL / "verifier"
PAGE = PACKAGE / "offline" / "verifier.html"


@pytest.mark.skipif(
    shutil.which("node") is None or not (VERIFIER / "node_modules" / "esbuild").is_dir(),
    reason="node or the verifier's packages are missing: run scripts/dev verifier",
)
def test_the_page_is_built_from_its_sources(tmp_path: Path) -> None:
    built = tmp_path / "verifier.html"
    subprocess.run(
        ["node", VERIFIER / "build.mjs", built], check=True, capture_output=True, timeout=60
    )
    assert built.read_bytes() == PAGE.read_bytes(), "run node protocol/verifier/build.mjs"


def test_the_page_is_small_and_asks_for_nothing() -> None:
    page = PAGE.read_text()
    assert len(page.encode()) < 400_000
    assert page.count("<!-- embedded file -->") == 1
    assert "default-src 'none'" in page
    for package in ("@noble/curves 1.9.7", "@noble/hashes 1.8.0"):
        assert package in page
    assert page.count("Permission is hereby granted, free of charge") >= 2


def test_every_check_of_a_file_has_its_own_sentence() -> None:
    """Checks of links and of forms (N, W) are told by their letter."""
    words = (VERIFIER / "page" / "lang" / "en.mjs").read_text()
    told = set(re.findall(r"\bcheck_([A-Z]\d\d)\b", words))
    checks = {one["check"] for one in json.loads((PROTOCOL / "checks.json").read_text())}
    of_files = {check for check in checks if check[0] not in "NW"}
    # A06 refuses an old agreement while players gather: no transcript begins so.
    assert of_files - told <= {"A06"}
    assert told <= checks
