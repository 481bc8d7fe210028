"""Call rules: which functions of libraries captured code may call, and what replaces Python's builtins in it."""
