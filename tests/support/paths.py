"""Where things lie in the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "p2p304"
PROTOCOL = ROOT / "protocol"
TRANSCRIPTS = PROTOCOL / "transcripts"

DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "protocol/**/*.md")
    for path in ROOT.glob(pattern)
    if "node_modules" not in path.parts
)
