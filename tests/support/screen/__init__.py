"""Screens through a terminal emulator, compared with stored text."""
