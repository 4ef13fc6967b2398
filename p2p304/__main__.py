"""``python -m p2p304`` is ``p2p304``.

Responsible for what is said if the program cannot even be loaded.
"""

import sys

from p2p304.crypto.errors import NoEngine


def main() -> None:
    """Run the command line."""
    try:
        from p2p304.cli import main as run
    except NoEngine as error:
        sys.exit(str(error))
    run()


if __name__ == "__main__":
    main()
