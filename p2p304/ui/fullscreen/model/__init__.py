"""The model: all that one player's screen shows, as data, made from events."""
