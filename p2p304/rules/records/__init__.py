"""Hand records: read, settled by a referee who sees every card, explained."""
