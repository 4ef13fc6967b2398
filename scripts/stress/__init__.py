"""Long tests: crashes, faults, attacks, fuzzing."""
