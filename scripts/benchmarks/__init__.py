"""Figures of time and size, measured on this machine."""
