"""Datasets that read rows: from Python, and from files of known formats."""
