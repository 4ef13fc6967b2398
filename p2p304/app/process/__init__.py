"""The process of a command: it runs until it is done or told to end, and ends with a status."""
