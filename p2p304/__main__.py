"""``python -m p2p304`` is ``p2p304``.

Responsible for the name of the command, and for Ctrl-C until the command line is there; the command
line is cli/main.py's.
"""

import signal


def main() -> None:
    """Run the command line. Ctrl-C while it is imported ends the process as the system does, and
    not with a traceback; afterwards cli/main.py tells it."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:  # a shell may have it ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from p2p304.cli.main import main as run_command_line

    signal.signal(signal.SIGINT, usual)
    run_command_line()


if __name__ == "__main__":
    main()
