"""A deal with every card known, as sets of bits: how it follows from a view, and its play."""
