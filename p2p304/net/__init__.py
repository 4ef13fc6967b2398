"""Sockets, TLS and mDNS: thin shells that drive a machine without I/O."""
