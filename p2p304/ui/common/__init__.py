"""What full screen and text mode share: words, settings, themes, translation."""
