"""Cases of the rules as hand records, by family: what scripts/dev vectors-rules writes down."""
