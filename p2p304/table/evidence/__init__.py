"""Faults of players: evidence, what a proven fault costs, and draws that a player left."""
