"""Work on many and large files: on several cores or computers, with progress and kept results."""
