"""The Python array API standard, version 2025.12, with its extensions linalg and fft, on emberjit's Tensors.

Arrays are Array, a thin class over Tensor, and not Tensors: Tensor is MindSpore's, and stays so. With __array_namespace__
SciPy and scikit-learn would no longer convert a Tensor to NumPy's array; it has neither to_device nor << and >>; x += y
binds another Tensor; an int beyond an integer dtype wraps; and what an op gives is a Tensor, so that no subclass would
stay one. An Array holds its Tensor (`x.tensor`, whose memory it shares and through which gradients flow); asarray(tensor)
makes one without a copy. Jitted functions take Arrays, and give Tensors, or Arrays that they make themselves,
`Array(y.tensor)`; an Array that a function of this package made is none that a graph can return, so such a call runs in
Python.

A function that is differentiated takes Tensors and gives them: grad(lambda t: xp.sum(xp.asarray(t) ** 2).tensor).

What the standard leaves undefined: dtypes of different kinds promote to the higher kind (bool, integer, real, complex), a
number of a higher kind than an array's takes its default dtype along; functions of floats refuse integers.
"""

from __future__ import annotations

import math

from emberjit.array_api import conversion, creation, elementwise, fft, linalg, manipulation, products, searching, statistics
from emberjit.array_api.array import VERSIONS, Array
from emberjit.array_api.conversion import *  # noqa: F403
from emberjit.array_api.creation import *  # noqa: F403
from emberjit.array_api.dtypes import can_cast, finfo, iinfo, isdtype
from emberjit.array_api.elementwise import *  # noqa: F403
from emberjit.array_api.info import __array_namespace_info__
from emberjit.array_api.manipulation import *  # noqa: F403
from emberjit.array_api.products import *  # noqa: F403
from emberjit.array_api.searching import *  # noqa: F403
from emberjit.array_api.statistics import *  # noqa: F403
from emberjit.dtype import bool_ as bool
from emberjit.dtype import complex64, complex128, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

__array_api_version__ = VERSIONS[-1]
e, inf, nan, newaxis, pi = math.e, math.inf, math.nan, None, math.pi

__all__ = [
    "Array",
    "__array_api_version__",
    "__array_namespace_info__",
    "bool",
    "can_cast",
    "complex64",
    "complex128",
    "e",
    "fft",
    "finfo",
    "float32",
    "float64",
    "iinfo",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "linalg",
    "nan",
    "newaxis",
    "pi",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]
__all__ += conversion.__all__
__all__ += creation.__all__
__all__ += elementwise.__all__
__all__ += manipulation.__all__
__all__ += products.__all__
__all__ += searching.__all__
__all__ += statistics.__all__
