"""Finding tables and peers by mDNS."""
