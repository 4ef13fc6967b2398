"""Model to rows of styled text, for any size of window."""
