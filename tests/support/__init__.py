"""Helpers of the tests and of scripts/."""
