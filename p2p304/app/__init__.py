"""One running node: settings, store, network and table put together."""
