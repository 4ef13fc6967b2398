"""What an entry must prove of cards that others cannot see, and the numbered checks."""
