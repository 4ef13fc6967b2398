"""Character cells, and the thin application on prompt_toolkit."""
