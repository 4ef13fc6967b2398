"""Proven TLS links to peers: dialling, listening, handshake, limits."""
