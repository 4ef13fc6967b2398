"""The table's public state: what follows from the log alone."""
