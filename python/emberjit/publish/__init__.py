"""Public names: one declaration publishes a definition, an op of the table or a composition in Python, under all names
that it has: as a function of a module, method of Tensor, Primitive, Cell."""
