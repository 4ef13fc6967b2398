"""A table at one node, without I/O: its entries, its turns, and the players it waits for."""
