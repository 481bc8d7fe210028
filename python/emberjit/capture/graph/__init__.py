"""Control flow as nodes: conditions, loops, errors that the graph raises, and calls of subgraphs."""
