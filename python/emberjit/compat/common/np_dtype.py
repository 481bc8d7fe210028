"""NumPy's dtypes of what NumPy itself does not have."""

from __future__ import annotations

from typing import Any

np_dtype_valid = True  # that bfloat16 is to be had, if ml_dtypes is installed


def __getattr__(name: str) -> Any:
    if name != "bfloat16":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    import ml_dtypes  # type: ignore[import-not-found]
    import numpy as np

    return np.dtype(ml_dtypes.bfloat16)
