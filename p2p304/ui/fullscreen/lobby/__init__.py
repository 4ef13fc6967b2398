"""The lobby: tables found, a form to open one, a line for an address; as pure as the table."""
