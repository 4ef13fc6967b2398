"""What is held against a player: proven faults and their price, and draws that were left."""
