"""Puzzles: positions of one hand with one right answer, on the screens of the table."""
