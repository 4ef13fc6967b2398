"""Lessons: stacked hands at a table of this computer alone, on the table's own screens."""
