"""The release of MindSpore whose names and behaviour emberjit has, which programs ask for by its order among releases."""

__version__ = "2.10.0"
