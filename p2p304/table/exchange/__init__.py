"""What members send each other at a table, how it is refused, kept and caught up with."""
