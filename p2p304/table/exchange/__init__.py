"""The messages of members at a table: how they are refused, stored and caught up with."""
