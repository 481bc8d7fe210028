"""Values: nested tuples, lists and dicts, what has been made of a function before, what marks Cells, what
describes arguments."""
