"""Makes transcripts that are judged together with others: protocol/continued/ and several/."""
