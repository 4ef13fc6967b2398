"""The ways to play or watch: bots, a demonstration, a tournament, and what both screens share."""
