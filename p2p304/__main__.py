"""``python -m p2p304`` is ``p2p304``."""

from p2p304.cli import main

if __name__ == "__main__":
    main()
