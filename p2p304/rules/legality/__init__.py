"""What may be said and played: bids, plays as everybody sees them, plays from the own cards."""
