"""How captured code calls, and how one call of a jitted function is captured."""
