"""How a founder and guests reach an agreement that all of them have signed."""
