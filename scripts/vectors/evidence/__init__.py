"""Makes protocol/evidence/: files that convict a player, and files that prove nothing."""
