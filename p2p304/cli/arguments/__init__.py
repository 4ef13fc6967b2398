"""The words of a command: how options are declared, and how what was typed becomes their values."""
