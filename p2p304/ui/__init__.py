"""The user interface: what a person sees and types. Knows events and views, never secret keys."""
