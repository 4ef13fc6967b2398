"""Message catalogues and pictures."""
