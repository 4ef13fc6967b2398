"""Finds tables and peers by mDNS."""
