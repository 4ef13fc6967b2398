"""One running node: connects settings, data folder, network and table."""
