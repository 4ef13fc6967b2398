"""The second verifier knows the options, presets and checks of the program.

It needs node alone: none of the verifier's packages, which test_verifier.py needs to compare
verdicts.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from scripts.vectors.spec_tables.presets import presets
from tests.support.paths import PROTOCOL

VERIFIER = PROTOCOL / "verifier"
OPTIONS = VERIFIER / "rules" / "options.mjs"
TELL = f"""
import {{ readFileSync }} from "node:fs";
import {{ VALUES, PRESETS, checkOptions }} from {json.dumps(OPTIONS.as_uri())};
const maps = JSON.parse(readFileSync(0, "utf8"));
const refuses = (map) => {{ try {{ checkOptions(map); return false; }} catch {{ return true; }} }};
const refused = {{}};
for (const [preset, map] of Object.entries(maps)) {{
  refused[preset] = {{}};
  for (const [name, values] of Object.entries(VALUES)) {{
    const not = values.filter((value) => refuses({{ ...map, [name]: value }}));
    if (not.length) refused[preset][name] = not;
  }}
}}
console.log(JSON.stringify({{ values: VALUES, presets: PRESETS, refused }}));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is missing")
def test_it_takes_and_refuses_the_options_that_the_program_does() -> None:
    known = presets()
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", TELL],
        input=json.dumps(known["presets"]),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    told: dict[str, Any] = json.loads(done.stdout)
    tokens = known["values"]["tokens"]
    values = {**known["values"], "tokens": list(range(tokens["from"], tokens["to"] + 1))}
    timer = values["timer"]
    values["timer"] = [timer["or"], *range(timer["from"], timer["to"] + 1)]
    assert told["values"] == values, f"{OPTIONS.name} lacks a value, or has another"
    assert told["presets"] == list(known["presets"])
    assert told["refused"] == known["refused"], f"{OPTIONS.name} refuses other combinations"


@pytest.mark.parametrize("folder", ["transcripts", "evidence"])
def test_it_has_every_check_that_refuses_a_file(folder: str) -> None:
    index = json.loads((PROTOCOL / folder / "index.json").read_text())
    checks = {row["check"] for row in index if row["check"]}
    sources = "".join(path.read_text("utf-8") for path in sorted(VERIFIER.rglob("*.mjs")))
    assert len(checks) > 5
    missing = [check for check in sorted(checks) if f'"{check}"' not in sources]
    assert not missing, f"teach protocol/verifier these checks: {missing}"
