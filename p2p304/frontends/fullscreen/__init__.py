"""The full screen: the lobby, a table, a table that is watched, and the tables that were played."""
