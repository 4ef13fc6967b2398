"""The cheats' catalogue: players who lie in an entry or a receipt."""
