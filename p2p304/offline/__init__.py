"""Commands on files: audit, score, history, statistics."""
