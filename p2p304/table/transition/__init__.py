"""From one public state to the next: verify an entry, then apply it."""
