"""The data folder of a player who names none.

Responsible for that path alone, so that a command that only reads settings loads no more. What is
in the folder is data_folder.py's.
"""

from __future__ import annotations

import os
from pathlib import Path

HOME_VARIABLE = "P2P304_HOME"


def usual_home() -> Path:
    """Return the environment's P2P304_HOME, or else the platform's data folder. It need not
    exist."""
    given = os.environ.get(HOME_VARIABLE)
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_data_dir("p2p304", False))
