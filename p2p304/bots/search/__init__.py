"""A bot that tries every legal card in many deals that fit what it has seen."""
