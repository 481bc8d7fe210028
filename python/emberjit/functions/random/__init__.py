"""Random numbers of distributions, random choices, dropout."""
