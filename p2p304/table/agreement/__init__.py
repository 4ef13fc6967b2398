"""What all players sign before the first card."""
