"""Elements in order, positions in what is in order, and sets."""
