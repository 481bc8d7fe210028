"""How objects show what they are: short texts of values and calls, and HTML for notebooks."""
