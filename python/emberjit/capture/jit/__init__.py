"""The jit transform, its options, and what a jitted function tells."""
