"""Naive twins: the same rules and proofs once more, slow and plain."""
