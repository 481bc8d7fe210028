"""Methods of Tensor: those that are declared, and what Python's and NumPy's protocols call."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.index import NAMES
from emberjit.publish.kinds import COMPLEXES
from emberjit.publish.registry import function
from emberjit.tensors import attributes, copies, numpy_protocol


def __iter__(self: core.Tensor) -> Any:
    if self.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return (self[i] for i in range(self.shape[0]))


def __round__(self: core.Tensor, ndigits: int | None = None) -> Any:
    return self.round(ndigits or 0)


def __format__(self: core.Tensor, spec: str) -> str:
    if not spec:
        return str(self)
    if self.size != 1:
        raise TypeError(
            f"For 'format', the Tensor must have one element for '{spec}' to apply to, but its shape is "
            f"{tuple(self.shape)}: format its elements, or str() of it."
        )
    return format(self.item(), spec)


def _matrices(x: core.Tensor, name: str) -> Any:
    if x.ndim < 2 or (name == "H" and x.ndim > 2):
        axes = "two axes" if name == "H" else "at least two axes"
        raise ValueError(f"For '{name}', the tensor must have {axes}, but its shape is {tuple(x.shape)}.")
    return core.ops.swapaxes(x, -2, -1)


def _adjoint(x: core.Tensor, name: str) -> Any:
    turned = _matrices(x, name)
    return core.ops.conj(turned) if x.dtype in COMPLEXES else turned


def _H(self: core.Tensor) -> Any:
    """A matrix transposed, and conjugated.

    Raises:
        ValueError: it has not two axes.

    Examples:
        >>> print(Tensor([[1 + 2j, 3.0], [4.0, 5.0]]).H)
        [[1.-2.j 4.-0.j]
         [3.-0.j 5.-0.j]]
    """
    return _adjoint(self, "H")


def _mH(self: core.Tensor) -> Any:
    """Matrices, of the last two axes, transposed, and conjugated.

    Raises:
        ValueError: it has fewer than two axes.

    Examples:
        >>> print(ops.ones((4, 2, 3)).mH.shape)
        (4, 3, 2)
    """
    return _adjoint(self, "mH")


def _mT(self: core.Tensor) -> Any:
    """Matrices, of the last two axes, transposed.

    Raises:
        ValueError: it has fewer than two axes.

    Examples:
        >>> print(ops.ones((4, 2, 3)).mT.shape)
        (4, 3, 2)
    """
    return _matrices(self, "mT")


_PROPERTIES = {"H": property(_H), "mH": property(_mH), "mT": property(_mT)}
# As MindSpore has them: `x -= y` gives another Tensor, and the methods take alpha.
_IN_PLACE = {
    **{"__iadd__": function("Tensor", "add"), "__isub__": function("Tensor", "sub")},
    **{f"__i{name}__": getattr(core.Tensor, f"__{name}__") for name in ("mul", "truediv", "floordiv", "mod")},
}
_PROTOCOLS: dict[str, Any] = {
    "__array_function__": numpy_protocol.array_function,
    "__array_priority__": 1000,
    "__array_ufunc__": numpy_protocol.array_ufunc,
    "__copy__": copies.shallow,
    "__deepcopy__": copies.deep,
    "__dir__": attributes.names,
    "__format__": __format__,
    "__iter__": __iter__,
    "__reduce__": copies.reduce,
    "__reduce_ex__": copies.reduce_ex,
    "__round__": __round__,
}
for _name, _value in {**_PROTOCOLS, **_IN_PLACE, **_PROPERTIES, **attributes.TENSOR}.items():
    core.set_attribute(core.Tensor, _name, _value)
for _name, _value in attributes.PARAMETER.items():
    core.set_attribute(core.Parameter, _name, _value)
for _name in attributes.UNKNOWN.split():
    core.set_attribute(core.Tensor, _name, attributes.Unknown(_name))
for _name in NAMES["Tensor"]:
    core.set_attribute(core.Tensor, _name, function("Tensor", _name))
