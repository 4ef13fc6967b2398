"""Makes protocol/transcripts/: sound tables, and transcripts with one fault."""
