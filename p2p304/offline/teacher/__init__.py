"""What the teacher finds in games that are over: moves that cost tokens, and what evenings cost."""
