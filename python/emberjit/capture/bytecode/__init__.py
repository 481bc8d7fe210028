"""Capture by CPython's bytecode."""
