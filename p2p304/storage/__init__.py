"""The data folder: identity, known players, journals and transcripts."""
