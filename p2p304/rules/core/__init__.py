"""Cards, seats, tricks and actions: the words of the game."""
