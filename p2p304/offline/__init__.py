"""Commands that work on files: audit, score, fairness, hand records."""
