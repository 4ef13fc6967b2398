"""The public state of a hand, and of a match."""
