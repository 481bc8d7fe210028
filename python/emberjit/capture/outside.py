"""What captured code reads from outside: globals, closures, attributes, items. A captured graph holds what was read as
constants, so every read becomes a guard that later calls check, and objects from outside must not be changed: a graph
cannot repeat that.
"""

from __future__ import annotations

import collections
import functools
import sys
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import state, tree

_SINGLE = (type(None), type(Ellipsis), type(NotImplemented))
_PLAIN = (
    *(bool, int, float, complex, str, bytes, *_SINGLE, type, core.Tensor, core.dtype),
    *(types.BuiltinFunctionType, types.ModuleType),
)
CONTAINERS = (list, dict, set, frozenset, bytearray, collections.deque)
_IMPLICIT = ("__getitem__", "__len__", "__iter__", "__contains__", "__add__", "__mul__", "__sub__", "__bool__", "__eq__")


# By name: functions and methods that change their first argument, or the object that they belong to.
_CHANGE = """
__setattr__ __delattr__ __setitem__ __delitem__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__
__imul__ __ior__ __ipow__ __irshift__ __isub__ __itruediv__ __ixor__ __init__ __setstate__ append appendleft extend
extendleft insert pop popleft popitem remove clear update setdefault add discard sort reverse rotate move_to_end
subtract intersection_update difference_update symmetric_difference_update fill put itemset partition resize setfield
setflags at copyto place putmask put_along_axis fill_diagonal setitem delitem iadd iand ifloordiv ilshift imatmul imod
imul ior ipow irshift isub itruediv ixor iconcat heappush heappop heapify heapreplace heappushpop insort insort_left
insort_right
"""
CHANGING = frozenset(_CHANGE.split())

_CHANGEABLE = (("os", "environ"), ("sys", "stdout"), ("sys", "stderr"), ("sys", "stdin"), ("sys", "argv"))
_LIBRARIES = frozenset(
    {"emberjit", "mindspore", "numpy", *getattr(sys, "stdlib_module_names", ("builtins",))} - {"contextlib"}
)


@functools.cache
def written_by_user(module: Any) -> bool:
    """Whether a module's name is not that of a library whose functions are called as they are."""
    package = str(module).partition(".")[0]
    return package not in _LIBRARIES and not package.startswith("namedtuple_")  # as collections names what it writes


def take(value: Any) -> Any:
    """Notes a value that comes from outside, and guards what is in it."""
    reads = state.current_reads()
    if reads is None or id(value) in reads.known:
        return value
    if isinstance(value, types.BuiltinMethodType):
        take(value.__self__)
    if isinstance(value, _PLAIN):
        return value
    if hasattr(type(value), "__next__"):
        raise core.CaptureError(f"a {type(value).__name__} from outside cannot be captured into a graph: pass a list.")
    reads.known[id(value)] = value
    if _versioned(value):
        state.guard_version(value)
    elif isinstance(value, types.MethodType):
        take(value.__self__)
    elif isinstance(value, types.FunctionType):
        pass
    elif isinstance(value, functools.partial):
        for item in (value.func, value.args, value.keywords):
            take(item)
    elif isinstance(value, tuple):
        for item in value:
            take(item)
    elif isinstance(value, CONTAINERS):
        reads.unseen[id(value)] = value
        if reads.engine == "ast":  # which does not know when it looks at a value
            look(value)
    elif any(isinstance(getattr(type(value), name, None), types.FunctionType) for name in _IMPLICIT):
        _take_all(reads, value)
    elif hasattr(value, "__dict__") and not isinstance(value, core.Jit):
        reads.guard("attribute", value, "__class__", type(value))
    else:
        _take_buffer(reads, value)
    return value


def look(value: Any) -> None:
    """Notes that captured code sees what is in a value."""
    reads = state.current_reads()
    if reads is None or not reads.unseen:
        return
    if isinstance(value, tuple):
        for item in value:
            look(item)
    elif isinstance(value, types.BuiltinMethodType) and value.__name__ not in CHANGING:
        look(value.__self__)
    elif reads.unseen.pop(id(value), None) is not None:
        if isinstance(value, collections.defaultdict):
            raise refused("a defaultdict, which looking up may change,")
        reads.guard_content(value)
        for item in core.content(value):
            take(item)


def _take_all(reads: state.Reads, value: Any) -> None:
    """An object whose methods Python calls by itself: they may read any of its attributes."""
    if hasattr(value, "__dict__"):
        reads.guard("attribute", value, "__class__", type(value))
        reads.guard_content(value.__dict__)
        for item in list(value.__dict__.values()):
            take(item)
            look(item)


def _take_buffer(reads: state.Reads, value: Any) -> None:
    try:
        content = memoryview(value).tobytes()
    except (TypeError, ValueError, BufferError):
        return
    reads.guard("buffer", value, None, content)


def attribute(owner: Any, name: str) -> Any:
    """owner.name, guarded where it may change between calls."""
    reads = state.current_reads()
    if isinstance(owner, (types.ModuleType, type)):
        from_user = written_by_user(owner.__name__ if isinstance(owner, types.ModuleType) else owner.__module__)
    else:
        from_user = reads is not None and id(owner) in reads.known
    if reads is not None and id(owner) in reads.made:
        value = state.call_library(getattr, owner, name)
        if name in _fields(owner) or getattr(type(owner), name, owner) is not value:
            return value
        reads.guard("attribute", type(owner), name, value)
        return take(value)
    if reads is not None and isinstance(owner, types.ModuleType) and (owner.__name__, name) in _CHANGEABLE:
        raise core.CaptureError(f"{owner.__name__}.{name} may be something else in each call: read it outside.")
    if reads is None or not from_user:
        return _tensor_attribute(reads, owner, name) if isinstance(owner, core.Parameter) else getattr(owner, name)
    found, fields = getattr(type(owner), name, None), _fields(owner)
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType) and name not in fields:
        reads.guard("attribute", type(owner), name, found)
        return state.call(found.fget, owner)
    fallback = _fallback(owner) if name not in fields and not hasattr(type(owner), name) else None
    if fallback is not None:
        reads.guard("attribute", type(owner), "__getattr__", fallback)
        if isinstance(fields, dict):
            reads.guard("absent", fields, name, None)
        return state.call(fallback, owner, name)
    value = getattr(owner, name)
    if isinstance(value, (types.MethodType, types.BuiltinMethodType)) and name not in fields:
        if getattr(value, "__self__", None) is owner and isinstance(found, types.FunctionType):
            reads.guard("attribute", type(owner), name, found)
            if hasattr(owner, "__dict__") and not isinstance(owner, type) and not _versioned(owner):
                reads.guard("absent", owner.__dict__, name, None)
        return value
    if _versioned(owner):
        if found is not None:
            reads.guard("attribute", type(owner), name, found)
    elif core.same(value, getattr(owner, name)):
        reads.guard("attribute", owner, name, value)
    return take(value)


def has(owner: Any, name: str) -> bool:
    """hasattr, guarded like what it asks for."""
    if hasattr(owner, name):
        attribute(owner, name)
        return True
    reads = state.current_reads()
    if reads is not None and id(owner) in reads.known and not _versioned(owner) and hasattr(owner, "__dict__"):
        reads.guard("absent", owner.__dict__, name, None)
    return False


def _versioned(value: Any) -> bool:
    """Whether an object counts its changes."""
    return hasattr(type(value), "_version")


def _fields(owner: Any) -> Any:
    """What is in an object itself, found without calling a __getattr__ of the user's."""
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return ()


def _fallback(owner: Any) -> Any:
    """A __getattr__ of the user's, or None."""
    found = getattr(type(owner), "__getattr__", None)
    return found if isinstance(found, types.FunctionType) and written_by_user(found.__module__) else None


def _tensor_attribute(reads: state.Reads | None, owner: Any, name: str) -> Any:
    value = getattr(owner, name)
    if reads is not None and name in ("name", "requires_grad"):
        reads.guard("attribute", owner, name, value)
    return value


def variable(name: str, cells: dict[str, Any], global_names: dict[str, Any]) -> Any:
    """The value of a name that is not local. A KeyError lets Python look among its builtins."""
    reads = state.current_reads()
    if name in cells:
        try:
            value = cells[name].cell_contents
        except ValueError:
            raise NameError(f"cannot access free variable '{name}' where it is not associated with a value") from None
        if reads is not None:
            reads.guard("cell", cells[name], None, value)
        return take(value)
    if name not in global_names:
        if reads is not None:
            reads.guard("absent", global_names, name, None)
        raise KeyError(name)
    value = global_names[name]
    if reads is not None:
        reads.guard("item", global_names, name, value)
    return take(value)


def target(owner: Any, what: str) -> Any:
    """The object of an assignment to an attribute or item, refused if it exists outside."""
    reads = state.current_reads()
    if reads is None or id(owner) in reads.made or (what == "[]" and id(owner) not in reads.known):
        return owner
    raise refused(f"{'an item' if what == '[]' else 'attribute ' + repr(what)} of a {_named(owner)}")


def refused(what: str) -> Exception:
    """The error for a change of something from outside."""
    error: Exception = core.CaptureError(
        f"{what} from outside the captured function is changed, which a graph cannot repeat in every call: return the "
        "value and store it outside, or make it a Parameter."
    )
    return error


def _named(owner: Any) -> str:
    return type(owner).__name__ if not isinstance(owner, (type, types.ModuleType)) else owner.__name__


def augmented(owner: Any, value: Any) -> Any:
    """The right side of `owner += value`, which changes some objects in place."""
    reads = state.current_reads()
    if reads is not None and id(owner) in reads.known and hasattr(owner, "__iadd__"):
        raise refused(f"a {type(owner).__name__}")
    return value


def check_unchanged(reads: state.Reads) -> None:
    """Refuses a capture after which something from outside is not as it was read."""
    changed = reads.changed()
    if changed is not None:
        raise refused(f"a {_named(changed)}")


def check_result(reads: state.Reads, value: Any) -> None:
    """Refuses results that each call would have to make anew, but a graph cannot."""
    for leaf in tree.result_leaves(value):
        if isinstance(leaf, (*_PLAIN, core.Number, slice, range)) or id(leaf) in reads.known:
            continue
        function = isinstance(leaf, types.FunctionType) or "__code__" in _fields(leaf)
        kind = "function" if function else type(leaf).__name__
        raise core.CaptureError(
            f"a captured function returns a {kind} that it made, which a graph cannot make anew in every "
            "call: return Tensors, numbers, and tuples, lists and dicts of them."
        )
