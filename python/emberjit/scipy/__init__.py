"""Operations whose names and parameters are SciPy's."""

from emberjit.scipy import linalg

__all__ = ["linalg"]
