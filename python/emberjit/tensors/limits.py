"""The least and the largest finite numbers of dtypes."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core

_FLOATS = {
    core.float16: 65504.0,
    core.bfloat16: 3.3895313892515355e38,
    core.float32: 3.4028234663852886e38,
    core.float64: 1.7976931348623157e308,
}
_SIGNED = {core.int8: 8, core.int16: 16, core.int32: 32, core.int64: 64}
_UNSIGNED = {core.bool_: 1, core.uint8: 8, core.uint16: 16, core.uint32: 32, core.uint64: 64}


def most(dtype: core.dtype) -> Any:
    """The largest finite number of a real dtype."""
    if dtype in _FLOATS:
        return _FLOATS[dtype]
    return 2 ** (_SIGNED[dtype] - 1) - 1 if dtype in _SIGNED else 2 ** _UNSIGNED[dtype] - 1


def least(dtype: core.dtype) -> Any:
    """The least finite number of a real dtype."""
    return -_FLOATS[dtype] if dtype in _FLOATS else -(2 ** (_SIGNED[dtype] - 1)) if dtype in _SIGNED else 0
