"""The full-screen table: a pure reducer, a pure renderer, keys to intents, a thin application."""
