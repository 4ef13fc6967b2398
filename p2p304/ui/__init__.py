"""What a person sees and types. Knows events and views, never keys."""
