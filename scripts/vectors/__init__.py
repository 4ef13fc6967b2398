"""Writers of the files in protocol/."""
