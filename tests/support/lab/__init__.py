"""Real processes on a LAN of network namespaces."""
