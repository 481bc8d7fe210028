"""Layers: Cells that a network is built of."""
