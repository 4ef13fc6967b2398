"""The games that were played: a summary of each, and figures over many."""
