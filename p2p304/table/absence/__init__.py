"""The agreement to go on without an absent player: its words, their votes, its certificate."""
