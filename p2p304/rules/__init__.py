"""The game, for every preset. Knows nothing of cryptography, networks or screens."""
