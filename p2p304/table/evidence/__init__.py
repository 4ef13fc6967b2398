"""Proven faults: the file that convinces, and what a fault costs."""
