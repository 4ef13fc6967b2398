"""A player in text mode: the lobby in lines, and the table."""
