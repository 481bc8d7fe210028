"""What objects are, not where they lie: descriptions that are equal in each process in which the same program has made the
same.

A graph holds objects by identity. Of what cannot change, that says all, so here it is described with all that it consists
of: numbers, text, tuples, code, functions. What can change is described by its class alone, as a graph guards what it has
read of that; but what the library has made for itself, as the variables of a gradient's closure, is read unguarded, and
described whole.
"""

from __future__ import annotations

import collections
import enum
import functools
import io
import math
import types
from _blake2 import blake2b  # hashlib's, without the libraries that it loads besides
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import own_fields
from emberjit.capture.guards.record import is_configured

Description = tuple[Any, ...]

_DEEPEST = 64  # of what consists of each other
_LIBRARY = "emberjit"
_BOOKKEEPING = frozenset(
    ("__annotations__", "__annotations_cache__", "__doc__", "__module__", "__dict__", "__weakref__", "_abc_impl")
    + ("__static_attributes__", "__firstlineno__", "__parameters__", "__abstractmethods__", "__classcell__")
)
_CODE = (
    *("co_filename", "co_name", "co_qualname", "co_firstlineno", "co_flags", "co_argcount", "co_posonlyargcount"),
    *("co_kwonlyargcount", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_code", "co_linetable"),
    "co_exceptiontable",
)
_DESCRIPTORS = (
    *(types.MethodDescriptorType, types.ClassMethodDescriptorType, types.WrapperDescriptorType),
    *(types.GetSetDescriptorType, types.MemberDescriptorType),
)
_WRAPPERS = (staticmethod, classmethod)
PLAIN = frozenset((type(None), bool, int, str, bytes, float, complex, type(Ellipsis), type(NotImplemented)))


class Undescribed(Exception):
    """A value of which no other process can tell whether it has the same."""


class Describer:
    """Describes the objects of one entry, those that have a number, by id, by that where they are parts of others. What is
    described does not change meanwhile."""

    def __init__(self, numbers: Mapping[int, int]) -> None:
        self.numbers = numbers
        self.by_class: dict[type, _Describe] = {}
        self.codes: dict[int, Description] = {}
        self.classes: dict[int, Description] = {}
        self.depth = 0
        self.open: dict[int, int] = {}  # what is being described, by id, at which depth
        self.alive: list[Any] = []

    def describe(self, value: Any, whole: bool = False) -> Description:
        """What a value is; `whole`: with all that it consists of, though that may change.

        Raises:
            Undescribed: nobody can tell.
        """
        if type(value) in PLAIN:
            return plain(value)
        if self.depth and id(value) in self.numbers:
            return "object", str(self.numbers[id(value)])
        return self.itself(value, whole)

    def itself(self, value: Any, whole: bool = False) -> Description:
        """What a value is, though it has a number."""
        if id(value) in self.open:
            return "within", str(self.depth - self.open[id(value)])
        if self.depth >= _DEEPEST:
            raise Undescribed("what consists of too much")
        self.open[id(value)] = self.depth
        self.depth += 1
        try:
            return self._described(value, whole)
        finally:
            self.depth -= 1
            del self.open[id(value)]

    def _described(self, value: Any, whole: bool) -> Description:
        cls = type(value)
        if cls not in self.by_class:
            self.by_class[cls] = _describer_of(cls)
        return self.by_class[cls](self, value, whole)

    def _all(self, values: Iterable[Any], whole: bool) -> Description:
        return tuple(self.describe(value, whole) for value in values)

    def _container_of(self, value: Any) -> Description:
        return "container", self._class(type(value), False)

    def _tuple(self, value: Any, whole: bool) -> Description:
        return self._class(type(value), whole), self._all(value, whole)

    def _set(self, value: Any, whole: bool) -> Description:
        if type(value) is not frozenset and not whole:
            return self._container_of(value)
        return type(value).__qualname__, tuple(sorted(map(repr, self._all(value, whole))))

    def _container(self, value: Any, whole: bool) -> Description:
        if not whole or type(value) not in (list, dict):
            return self._container_of(value)
        parts = value if type(value) is list else [part for item in value.items() for part in item]
        return type(value).__qualname__, self._all(parts, whole)

    def _parts(self, value: Any, whole: bool) -> Description:
        return type(value).__qualname__, self._all((value.start, value.stop, value.step), whole)

    def _code(self, code: types.CodeType, whole: bool = False) -> Description:
        known = self.codes.get(id(code))
        if known is None:
            self.alive.append(code)
            parts = [getattr(code, name) for name in _CODE]
            known = self.codes[id(code)] = "code", digest((repr(parts), self._all(code.co_consts, True)))
        return known

    def _function(self, function: types.FunctionType, whole: bool) -> Description:
        module = function.__globals__.get("__name__")
        keywords = function.__kwdefaults__ or {}
        cells = () if written_by_user(module) and not whole else function.__closure__ or ()
        return (
            *("function", str(module), function.__qualname__, self._code(function.__code__)),
            self.describe(function.__defaults__),
            self._all([part for name in sorted(keywords) for part in (name, keywords[name])], False),
            self._all(cells, True),
        )

    def _builtin(self, value: Any, whole: bool) -> Description:
        owner = value.__self__
        described = ("module", owner.__name__) if isinstance(owner, types.ModuleType) else self.describe(owner)
        return "builtin", str(value.__module__), value.__qualname__, described

    def _descriptor(self, value: Any, whole: bool) -> Description:
        return "descriptor", self._class(value.__objclass__, False), value.__name__

    def _method(self, value: Any, whole: bool) -> Description:
        return "method", self.describe(value.__func__, whole), self.describe(value.__self__, whole)

    def _partial(self, value: Any, whole: bool) -> Description:
        parts = (value.func, value.args, *(part for item in value.keywords.items() for part in item))
        return "partial", self._all(parts, True)

    def _property(self, value: Any, whole: bool) -> Description:
        return "property", self._all((value.fget, value.fset, value.fdel), whole)

    def _wrapper(self, value: Any, whole: bool) -> Description:
        return type(value).__qualname__, self.describe(value.__func__, whole)

    def _cell(self, cell: Any, whole: bool) -> Description:
        if not whole:
            return ("cell",)
        try:
            return "cell", self.describe(cell.cell_contents, whole)
        except ValueError:
            return ("empty cell",)

    def _class(self, cls: type, whole: bool) -> Description:
        return "class", cls.__module__, cls.__qualname__

    def _module(self, module: types.ModuleType, whole: bool) -> Description:
        return "module", module.__name__

    def _dtype(self, dtype: core.dtype, whole: bool) -> Description:
        return "dtype", str(dtype)

    def _op(self, op: Any, whole: bool) -> Description:
        return "op", repr(op)

    def _library_function(self, function: Any, whole: bool) -> Description:
        return "op function", str(function.__module__), function.__qualname__

    def _jit(self, jitted: core.Jit, whole: bool) -> Description:
        fields = jitted.__dict__
        return "jit", repr(fields.get("options")), self.describe(fields.get("__wrapped__"), whole)

    def _tensor(self, tensor: core.Tensor, whole: bool) -> Description:
        if core.hooks_of(tensor):
            raise Undescribed("a Tensor with hooks")
        name = tensor.name if isinstance(tensor, core.Parameter) else ""
        layout = str(tensor.dtype), repr(tuple(tensor.shape)), repr(tensor.stride())
        return "tensor", self._class(type(tensor), False), *layout, str(name)

    def _member(self, member: Any, whole: bool) -> Description:
        return "member", self._class(type(member), False), member.name, self.describe(member.value)

    def _of_numpy(self, value: Any, whole: bool) -> Description:
        import numpy as np

        if isinstance(value, np.ufunc):
            return "ufunc", value.__name__
        if isinstance(value, np.dtype):
            return "NumPy's dtype", str(value)
        if type(value) is np.ndarray and value.dtype != object:
            return "array", str(value.dtype), repr(value.shape)
        if isinstance(value, np.generic) and value.dtype != object:
            return "number", str(value.dtype), value.tobytes().hex()
        raise Undescribed(f"a numpy.{type(value).__qualname__}")

    def _instance(self, value: Any, whole: bool) -> Description:
        cls: Any = type(value)
        described = ("instance", self._class(cls, False), *_content(value))
        if written_by_user(cls.__module__):
            _check_base(cls)
            return described
        if is_configured(value) or isinstance(value, io.TextIOBase):
            return described
        fields = own_fields(value)
        if not (cls.__module__.partition(".")[0] == _LIBRARY and isinstance(fields, dict)):
            raise Undescribed(f"a {cls.__module__}.{cls.__qualname__}")
        return *described, self._all([part for item in fields.items() for part in item], True)

    def namespaces(self, cls: type) -> Description:
        """How a class, with those it derives from, behaves."""
        self.depth += 1
        try:
            return tuple(self._namespace(base) for base in cls.__mro__ if core.can_change(base))
        finally:
            self.depth -= 1

    def _namespace(self, cls: type) -> Description:
        known = self.classes.get(id(cls))
        if known is None:
            of_member = self.describe if written_by_user(cls.__module__) else self._shipped
            members = [(name, of_member(value)) for name, value in vars(cls).items() if name not in _BOOKKEEPING]
            known = self.classes[id(cls)] = (self._class(cls, False), digest(tuple(members)))
        return known

    def _shipped(self, value: Any) -> Description:
        """What a class of a library has, whose files are known to be the same: whether it is from there."""
        if type(value) in PLAIN:
            return plain(value)
        while isinstance(value, _WRAPPERS):
            value = value.__func__
        parts = (value.fget, value.fset, value.fdel) if isinstance(value, property) else (value,)
        codes = [part.__code__ for part in parts if isinstance(part, types.FunctionType)]
        return type(value).__qualname__, *((code.co_filename, code.co_firstlineno, code.co_qualname) for code in codes)


_CONTENTS: dict[type, Callable[[Any], Any]] = {
    int: int.__index__,
    float: float.__float__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    complex: complex.__complex__,
}
_MADE_BY_PYTHON = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_KNOWN_BASES = {object, *_CONTENTS, list, dict, set, frozenset, tuple, bytearray, core.Tensor, core.Parameter}
_KNOWN_BASES |= {collections.OrderedDict, collections.defaultdict, collections.deque}

_Describe = Callable[[Describer, Any, bool], Description]
_BY_CLASS: list[tuple[Any, _Describe]] = [
    (enum.Enum, Describer._member),
    (core.Tensor, Describer._tensor),
    (tuple, Describer._tuple),
    ((set, frozenset), Describer._set),
    ((list, dict, bytearray), Describer._container),
    ((slice, range), Describer._parts),
    (types.CodeType, Describer._code),
    (types.FunctionType, Describer._function),
    (types.BuiltinFunctionType, Describer._builtin),
    (_DESCRIPTORS, Describer._descriptor),
    (types.MethodType, Describer._method),
    (functools.partial, Describer._partial),
    ((property, types.DynamicClassAttribute), Describer._property),
    (_WRAPPERS, Describer._wrapper),
    (types.CellType, Describer._cell),
    (type, Describer._class),
    (types.ModuleType, Describer._module),
    (core.dtype, Describer._dtype),
    (core.Op, Describer._op),
    (core.Function, Describer._library_function),
    (core.Jit, Describer._jit),
]


def _describer_of(cls: type) -> _Describe:
    other = Describer._of_numpy if cls.__module__ == "numpy" else Describer._instance
    return next((describe for kinds, describe in _BY_CLASS if issubclass(cls, kinds)), other)


def _content(value: Any) -> Description:
    """What an instance of a subclass of numbers, text or bytes is as one of these."""
    for kind, content in _CONTENTS.items():
        if isinstance(value, kind):
            return plain(content(value))
    return ()


def _check_base(cls: type) -> None:
    """Refuses a class of the program's that has what nobody sees from a class in C."""
    for base in cls.__mro__:
        if not base.__flags__ & _MADE_BY_PYTHON and base not in _KNOWN_BASES:
            raise Undescribed(f"a {cls.__qualname__}, which is a {base.__qualname__}")


def plain(value: Any) -> Description:
    """A number, text, bytes, or a constant of Python's own."""
    if type(value) is float:
        return "float", _bits(value)
    if type(value) is complex:
        return "complex", _bits(value.real), _bits(value.imag)
    return type(value).__name__, repr(value)


def _bits(value: float) -> str:
    if not math.isnan(value):
        return value.hex()
    import struct

    return struct.pack("<d", value).hex()


def digest(description: Description) -> str:
    """The same for equal descriptions, and else for none."""
    return blake2b(core.document_bytes(description), digest_size=16).hexdigest()
