"""Cards, seats, tricks, actions and phrases: the vocabulary of the rules."""
