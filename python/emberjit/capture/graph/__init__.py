"""Nodes made of control flow: conditions, loops, errors, and the calls of graphs of their own."""
