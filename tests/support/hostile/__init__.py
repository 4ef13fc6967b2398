"""Everybody else who means harm: strangers, neighbours, spoilt bytes."""
