"""The group, the proofs and the signatures. Knows nothing of cards' play or of networks."""
