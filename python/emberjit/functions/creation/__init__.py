"""Tensors of numbers, of data and of other Tensors; their dtypes, and what is known of them."""
