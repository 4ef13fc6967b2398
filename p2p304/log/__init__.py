"""Entries, their chain, receipts and evidence of forks. Knows no rule of the game."""
