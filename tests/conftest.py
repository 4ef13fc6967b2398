"""Helpers of the tests (the simulated network, naive twins) are imported by their names."""

import sys
from pathlib import Path

for folder in Path(__file__).parent.rglob("*"):
    if folder.is_dir() and str(folder) not in sys.path:
        sys.path.append(str(folder))
