"""``python -m p2p304`` is ``p2p304``.

Responsible for the name of the command alone; the command line is cli/main.py's.
"""

from p2p304.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
