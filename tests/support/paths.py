"""Where things lie in the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "p2p304"
PROTOCOL = ROOT / "protocol"
TRANSCRIPTS = PROTOCOL / "transcripts"
