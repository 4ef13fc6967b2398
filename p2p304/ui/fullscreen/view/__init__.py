"""Draws the model as rows of styled text, for any size of window."""
