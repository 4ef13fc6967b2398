"""What players send each other before there is a table, and what a node keeps of it."""
