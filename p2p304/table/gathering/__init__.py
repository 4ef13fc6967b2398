"""From a founder and guests to an agreement that all have signed."""
