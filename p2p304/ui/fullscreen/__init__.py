"""The full screen: a pure reducer, a pure renderer, keys to intents, and pages for the terminal."""
