"""What may be done in a hand, what it does, and how the hand is settled."""
