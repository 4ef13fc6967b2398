"""The teacher: what a choice was worth by what its player could know, and how that is said."""
