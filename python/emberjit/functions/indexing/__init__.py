"""Elements by position and by condition, read and written; and indices themselves."""
