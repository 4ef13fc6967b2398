"""Commands that work on files: audit, score, history, statistics."""
