"""Text mode: lines in, lines out."""
