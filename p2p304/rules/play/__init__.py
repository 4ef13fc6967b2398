"""The course of a hand: which actions a phase takes, what they do, and how the hand is settled."""
