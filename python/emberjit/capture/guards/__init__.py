"""Guards: what captured code reads of external state (globals, closures, attributes, containers, elements of Tensors) the
graph takes for constant. Each read adds a guard to the session; later calls check it (python/src/guards/guards.h).
"""
