"""Who plays or looks on: full screen, text, bot, spectator, replay, demonstration."""
