"""Canonical bytes and frames. Knows nothing of what the bytes mean in the game."""
