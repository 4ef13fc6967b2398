"""Makes what a player reads outside the log: protocol/messages/, words/, certificates/ and
handshakes/."""
