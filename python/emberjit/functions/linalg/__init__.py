"""Products, norms and decompositions of matrices, and linear systems."""
