"""What a founder may choose beside the rules.

Responsible for these bounds alone, so that the command line knows them without loading the table;
terms.py has what they bound.
"""

from typing import Final

MAX_HANDS: Final = 10_000
WATCH: Final = ("now", "trick", "hand")
"""When spectators see what is settled: at once, after the trick, or after the hand."""
