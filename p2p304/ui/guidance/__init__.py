"""What a player is told of the moment: the status, the choices, help, card values, the rules."""
