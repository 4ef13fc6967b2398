"""Players that choose from a view and know nothing else."""
