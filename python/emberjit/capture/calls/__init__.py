"""Which calls captured code may make of libraries, and what stands in for Python's builtins."""
