"""Cases of the rules as hand records, by family: what scripts/vectors_rules.py writes down."""
