"""Functions that choose by the types of their arguments, and their application to the items of sequences."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.record import guard_configuration
from emberjit.capture.session.errors import GraphError
from emberjit.capture.session.session import follow
from emberjit.checks import check_instance
from emberjit.options import take
from emberjit.primitives.primitive import Primitive
from emberjit.sparse import tensors as sparse

_SIZED = {
    "Int": ("Int8", "Int16", "Int32", "Int64"),
    "UInt": ("UInt8", "UInt16", "UInt32", "UInt64"),
    "Float": ("Float16", "Float32", "Float64", "BFloat16"),
    "Complex": ("Complex64", "Complex128"),
}
_SPARSE = ("RowTensor", "COOTensor", "CSRTensor")
_NUMBERS = frozenset({"Bool", *(name for names in _SIZED.values() for name in names)})
_NAMES = frozenset(
    {
        "Number",
        "Tensor",
        "Tuple",
        "List",
        "None",
        "Function",
        "String",
        "Slice",
        "Dictionary",
        "TypeType",
        *_SPARSE,
        *_SIZED,
        *_NUMBERS,
    }
)
_SPELLED = {
    "Tuple": "tuple_",
    "List": "list_",
    "None": "type_none",
    "String": "string_",
    "TypeType": "type_type",
    "Slice": "Slice",
    "Dictionary": "Dictionary",
    **{name: name for name in _SPARSE},
}


class _TypeName(str):
    """The name of a type in a registration; repr spells it as error messages do."""

    def __repr__(self) -> str:
        return "mindspore." + _SPELLED.get(self, self.lower())

    def covers(self, other: _TypeName) -> bool:
        """Whether values of the other type are of this one."""
        if self == other:
            return True
        if self == "Number":
            return other in _NUMBERS
        if self == "Tensor":
            return other.startswith("Tensor[")
        return other in _SIZED.get(self, ())


def _type_name(name: Any) -> _TypeName:
    if isinstance(name, core.dtype):
        return _TypeName(name)
    if not isinstance(name, str):
        raise TypeError(
            f"For 'MultitypeFuncGraph', register only support str or {core.dtype}, but got 'type_input': {name}."
        )
    outer, bracket, inner = name.partition("[")
    if outer in ("Tuple", "List"):
        return _TypeName(outer)
    if outer == "Tensor" and bracket and inner.endswith("]"):
        return _TypeName(f"Tensor[{_type_name(inner[:-1])}]")
    for number in _NUMBERS:
        if name.lower() == number.lower():
            return _TypeName(number)
    if name not in _NAMES:
        raise RuntimeError(f"Unsupported type name: {name}!")
    return _TypeName(name)


_BY_CLASS = {
    bool: "Bool",
    int: "Int64",
    float: "Float64",
    type(None): "None",
    str: "String",
    tuple: "Tuple",
    list: "List",
    dict: "Dictionary",
    slice: "Slice",
    **{getattr(sparse, name): name for name in _SPARSE},
    core.dtype: "TypeType",
    types.FunctionType: "Function",
    types.MethodType: "Function",
}


def _type_of(value: Any) -> _TypeName:
    if isinstance(value, core.Tensor):
        return _TypeName(f"Tensor[{value.dtype}]")
    if isinstance(value, core.Number):
        kind = str(core.current_capture().type_of(value))
        return _TypeName("Bool" if kind == "Bool" else f"{kind}64")
    for cls in type(value).__mro__:
        if cls in _BY_CLASS:
            return _TypeName(_BY_CLASS[cls])
    dtype = core.dtype_of(type(value))
    if dtype is not None:
        return _TypeName(dtype)
    if type(value).__name__ in _SPARSE:
        return _TypeName(type(value).__name__)
    if callable(value) and not isinstance(value, (type, types.BuiltinFunctionType)):
        return _TypeName("Function")
    raise NotImplementedError(f"The python type {type(value)} cannot be converted to MindSpore type.")


class MultitypeFuncGraph:
    """A function that calls, of those registered, the first that takes arguments of these types.

    A single registered function is called whatever the types.

    Args:
        name: its name.
        read_value: has no effect: functions that do not write a Parameter may always be given one.

    Examples:
        >>> add = ops.MultitypeFuncGraph("add")
        >>> @add.register("Number", "Number")
        ... def add_numbers(x, y):
        ...     return x + y
        >>> @add.register("Tensor", "Tensor")
        ... def add_tensors(x, y):
        ...     return ops.add(x, y)
        >>> print(add(1, 2), add(Tensor([1.0]), Tensor([2.0])))
        3 [3.]
    """

    _containers = ("entries",)

    def __init__(self, name: str, read_value: bool = False):
        take("MultitypeFuncGraph", "read_value", read_value)
        self.name = name
        self.entries: list[tuple[tuple[Any, ...], Callable[..., Any]]] = []

    def register(self, *type_names: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator that registers a function for these types.

        Args:
            type_names: a name or dtype for each argument: "Number", "Int", "UInt", "Float", "Bool" or a dtype;
                "Tensor" or "Tensor[Float32]", "RowTensor", "COOTensor", "CSRTensor"; "Tuple", "List", "Dictionary",
                "None", "Function", "String", "Slice".

        Raises:
            TypeError: neither str nor dtype.
            RuntimeError: a name that does not exist.
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.entries.append((tuple(_type_name(name) for name in type_names), function))
            return function

        return register

    def __call__(self, *args: Any) -> Any:
        """Calls the first function whose types fit.

        Raises:
            ValueError: none fits.
            TypeError: an argument is a NumPy array.
        """
        if any(type(arg).__module__ == "numpy" and type(arg).__name__ == "ndarray" for arg in args):
            raise TypeError("For 'MultitypeFuncGraph', the input can not be numpy.ndarray")
        guard_configuration(self)
        if len(self.entries) == 1:
            return follow(self.entries[0][1], *args)
        kinds = tuple(_type_of(arg) for arg in args)
        for signature, function in self.entries:
            if len(signature) == len(kinds) and all(w.covers(f) for w, f in zip(signature, kinds)):
                return follow(function, *args)
        raise ValueError(
            f"For 'MultitypeFuncGraph', cannot find fn match given args. Got (sigs, fn): {self.entries}, "
            f"and (dtype, args): {kinds}."
        )

    def __repr__(self) -> str:
        return f"MultitypeFuncGraph[{self.name}]"


class _Mapper(Primitive):
    """Applies a function to the items of sequences.

    Args:
        ops: the function; without it, the first argument of a call is the function.
        reverse: has no effect: the order of the applications cannot be seen.
    """

    _unequal: str

    def __init__(self, ops: MultitypeFuncGraph | None = None, reverse: bool = False):
        super().__init__()
        take("Map", "reverse", reverse)
        check_instance(self.name, "ops", ops, (MultitypeFuncGraph, type(None)))
        self.ops = ops

    def __call__(self, *args: Any) -> Any:
        function, operands = (args[0], args[1:]) if self.ops is None else (self.ops, args)
        return self._map(function, operands)

    def _map(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        raise NotImplementedError

    def _check_alike(self, operands: tuple[Any, ...]) -> None:
        """Refuses sequences of several kinds or lengths.

        Raises:
            GraphError: they differ.
            CaptureError: one is no sequence.
        """
        kind = next(cls for cls in (tuple, list, dict) if isinstance(operands[0], cls))
        names = [type(operand).__name__ for operand in operands]
        if not all(isinstance(operand, (tuple, list, dict)) for operand in operands):
            raise core.CaptureError(
                f"For '{self.name}', sequences together with other values cannot be captured into a graph: {names}."
            )
        if not all(isinstance(operand, kind) for operand in operands):
            raise GraphError(
                f"In a nonleaf situation, the types of arguments in {self.name} must be consistent, but the types of "
                f"arguments are inconsistent: {names}."
            )
        lengths = [len(operand) for operand in operands]
        for i, length in enumerate(lengths):
            if length != lengths[0]:
                raise GraphError(
                    self._unequal.format(kind.__name__) + f" \nThe length of the first element in {self.name} is "
                    f"{lengths[0]}, but the length of element {i + 1} in {self.name} is {length}."
                )


class HyperMap(_Mapper):
    """Applies a function to the leaves of nested sequences: to the first items of all, the second ones and so on.

    The results keep the nesting. Eagerly all sequences become tuples; in a graph lists stay lists, dicts are entered as
    well, and all operands must have the same structure.

    Args:
        ops: the function, a MultitypeFuncGraph; without it, the first argument of a call is the function.
        reverse: has no effect: the order of the applications cannot be seen.

    Inputs:
        args: the function, where the constructor has none; then the sequences, of one structure.

    Raises:
        RuntimeError: structures that differ, in a graph.

    Examples:
        >>> double = ops.HyperMap()(lambda x: x * 2, (1, (2, 3)))
        >>> print(double)
        (2, (4, 6))
    """

    _unequal = "The {}s in HyperMap should have the same length."

    def _map(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        first = operands[0]
        if core.current_capture() is None:
            if not isinstance(first, (tuple, list)):
                return function(*operands)
            return tuple(self._map(function, items) for items in zip(*operands))
        if not isinstance(first, (tuple, list, dict)):
            return follow(function, *operands)
        self._check_alike(operands)
        if isinstance(first, dict):
            return {key: self._map(function, tuple(operand[key] for operand in operands)) for key in first}
        results = [self._map(function, items) for items in zip(*operands)]
        return results if isinstance(first, list) else tuple(results)


class Map(_Mapper):
    """Applies a function to the items of sequences, which it does not enter further; the results are a tuple, or, of
    lists in a graph, a list.

    Args:
        ops: the function, a MultitypeFuncGraph; without it, the first argument of a call is the function.
        reverse: has no effect: the order of the applications cannot be seen.

    Inputs:
        args: the function, where the constructor has none; then the sequences, of one length.

    Raises:
        RuntimeError: lengths that differ, in a graph.

    Examples:
        >>> print(ops.Map()(lambda x, y: x + y, (1, 2), (10, 20)))
        (11, 22)
    """

    _unequal = "For 'Map', the length of {}s must be the same."

    def _map(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        if core.current_capture() is None or not isinstance(operands[0], (tuple, list, dict)):
            return tuple(map(function, *operands))
        self._check_alike(operands)
        results = [follow(function, *items) for items in zip(*operands)]
        return results if isinstance(operands[0], list) else tuple(results)
