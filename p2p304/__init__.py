"""p2p304: the card game 304 on a local network, dealt by its own players."""

__version__ = "0.1.0"
PROTOCOL_VERSION = 1
USUAL_PORT = 40304
"""The TCP port of every node that can have it: one number to open in a firewall."""
