"""Keys to intents."""
