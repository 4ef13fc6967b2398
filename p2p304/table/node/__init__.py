"""One node without I/O: gathering, then a table, with links, chat, spectators and absences."""
