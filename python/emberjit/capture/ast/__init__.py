"""Capture by the syntax tree."""
