"""The game among peers, without I/O: bytes and actions in, bytes and events out."""
