"""Primitives: the base of their classes, and how a class is made of an op of the table or of an adapter."""
