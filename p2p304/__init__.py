"""p2p304: the card game 304 on a local network, dealt by its own players."""

__version__ = "0.1.0"
PROTOCOL_VERSION = 1
