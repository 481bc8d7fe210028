"""Methods of Tensor: those that are declared, and what Python's and NumPy's protocols call."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.index import NAMES
from emberjit.publish.registry import function
from emberjit.tensors import attributes, copies, numpy_protocol


def __iter__(self: Any) -> Any:
    if self.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return (self[i] for i in range(self.shape[0]))


_PROTOCOLS: dict[str, Any] = {
    "__array_function__": numpy_protocol.array_function,
    "__array_priority__": 1000,
    "__array_ufunc__": numpy_protocol.array_ufunc,
    "__copy__": copies.shallow,
    "__deepcopy__": copies.deep,
    "__iter__": __iter__,
    "__reduce__": copies.reduce,
}
for _name, _value in {**_PROTOCOLS, **attributes.TENSOR}.items():
    core.set_attribute(core.Tensor, _name, _value)
for _name, _value in attributes.PARAMETER.items():
    core.set_attribute(core.Parameter, _name, _value)
for _name in NAMES["Tensor"]:
    core.set_attribute(core.Tensor, _name, function("Tensor", _name))
