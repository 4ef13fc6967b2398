"""Tests of what a player is told of the moment."""
