"""A table as one player knows it, and its account in phrases, for both screens."""
