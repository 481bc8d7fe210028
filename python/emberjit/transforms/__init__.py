"""Functions of functions: gradients, derivatives, vmap, recomputation, hooks on gradients."""
