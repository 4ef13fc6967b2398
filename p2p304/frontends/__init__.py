"""The ways to play or watch: full screen, text, bot, spectator, replay, demonstration."""
