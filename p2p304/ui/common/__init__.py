"""Shared by full screen and text mode: wording, settings, themes, translation."""
