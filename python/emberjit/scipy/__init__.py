"""Operations whose names and parameters are SciPy's."""

from emberjit.scipy import linalg, optimize

__all__ = ["linalg", "optimize"]
