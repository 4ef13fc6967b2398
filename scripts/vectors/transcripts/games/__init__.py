"""Games that protocol/transcripts/ records: whole ones, spoilt trumps, and hard moments."""
