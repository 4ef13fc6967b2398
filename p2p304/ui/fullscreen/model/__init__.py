"""What the full screen adds to a table: panes, places of the seats, intents."""
