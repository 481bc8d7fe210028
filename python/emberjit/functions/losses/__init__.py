"""Losses: of numbers and classes, with margins, of regions, of sequences that are not aligned."""
