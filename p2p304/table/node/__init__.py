"""One node without I/O: gathering, then a table, with its clocks and records."""
