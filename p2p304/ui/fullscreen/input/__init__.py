"""Converts keys to intents."""
