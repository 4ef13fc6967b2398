"""Tests of the account of a table in words."""
