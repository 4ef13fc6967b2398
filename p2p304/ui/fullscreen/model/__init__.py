"""Events to the model: all that one player's screen shows, as data."""
