"""Operations whose names and parameters are NumPy's."""

from __future__ import annotations

from emberjit.publish.index import NAMES as _NAMES
from emberjit.publish.modules import lazy as _lazy

_VALUES = (
    "NINF PINF bool_ float16 float32 float64 float_ inf int16 int32 int64 int8 int_ mgrid nan ogrid pi uint uint16 uint32 "
    "uint64 uint8"
)
_ELSEWHERE = dict.fromkeys(_VALUES.split(), "emberjit.functions.creation.numpy_values")
_ELSEWHERE |= {
    "apply_along_axis": "emberjit.functions.reductions.along_axes",
    "piecewise": "emberjit.functions.elementwise.piecewise",
}
__all__ = [*_NAMES["numpy"], *_ELSEWHERE]
__getattr__, __dir__ = _lazy("numpy", globals(), _ELSEWHERE)
