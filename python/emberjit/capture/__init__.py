"""Capture: Python functions become graphs, which later calls run while their guards hold."""
