"""Call rules: which calls of libraries captured code may make. A graph holds what such a call returned and does not make it
again, so the call may only compute, from what it cannot change: what known.py lists, with arguments that are immutable or
made by captured code. Arrays from outside are passed as views that cannot be written, and what a library is to call back
is called as captured code calls it. All other calls are refused before they happen: they run in Python between graphs, in
every call.
"""

from __future__ import annotations

import builtins
import collections
import datetime
import enum
import functools
import math
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.calls import known
from emberjit.capture.calls.callbacks import called_back
from emberjit.capture.calls.plain_values import plain_arguments, takes_stand_ins
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import defines, in_class
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.guards.attributes import get_attribute
from emberjit.capture.guards.mutation import is_created, is_external, refused
from emberjit.capture.guards.objects import guard_object, is_array, observe, observe_all
from emberjit.capture.guards.record import guard_digits, guard_instance_check, guard_names, guard_operands, read_elements
from emberjit.capture.session.errors import RunInPython
from emberjit.capture.session.session import current_session
from emberjit.capture.session.walk import walk
from emberjit.capture.state import deferred_strings
from emberjit.values import tree
from emberjit.values.cells import CellMarker

# Methods of Tensors that Python values come from.
_READING = frozenset(["asnumpy", "numpy", "item", "tolist", "tobytes", "__array__", "__dlpack__", "__float__", "__int__"])
_TENSOR_MUTATORS = frozenset(["set_data", "_replace", "assign_value", "set_dtype", "init_data"])
ACTING_METHODS = _TENSOR_MUTATORS | {"register_hook"}  # of Tensors
_OWN = ("emberjit", "mindspore")
_OWN_ACTING = (
    *("emberjit.context", "emberjit.generator", "emberjit.train", "emberjit.dataset", "emberjit.runtime"),
    *("emberjit.initializer", "emberjit.capture.jit.explain"),
)
_OWN_METHODS = frozenset(  # that act, of Tensors and Cells
    ["register_hook", "register_forward_hook", "register_forward_pre_hook", "register_backward_hook"]
    + ["register_backward_pre_hook", "from_numpy", "explain", "save"]
)
# By special methods, which are followed, or by identity, these look at any value.
_LOOKING = frozenset(["builtins", "operator", "math", "itertools", "functools", "heapq", "bisect", "abc", "typing"])
_LOOKING |= {"collections", "dataclasses"}

_SEQUENCES = (list, collections.deque)
# What only moves items of these, and looks at none.
_MOVING = frozenset(["append", "appendleft", "pop", "popleft", "insert", "rotate", "reverse", "clear"])
_SHOWING = {id(function): function for function in (ascii, format, repr, str, deferred_strings.fill)}
_TEMPLATES = frozenset(["mod", "__mod__", "format"])  # methods of what text is made by
_ITEMS = {("operator", "getitem"), ("builtins", "len"), ("builtins", "iter")}

# Functions that give the address of what inherits all of these methods.
_ADDRESSING = {
    **dict.fromkeys(("repr", "ascii"), ("__repr__",)),
    "format": ("__format__", "__str__", "__repr__"),
    "hash": ("__hash__",),
}
_DEBUGGERS = ("bdb", "pdb")
_READING_FRAMES = frozenset([("sys", "_getframe"), ("inspect", "currentframe"), ("inspect", "stack")])
_WRAPPING = {("functools", "wraps"): 0, ("functools", "update_wrapper"): 1}  # by position what they take attributes of
DEBUGGER_CALLS = frozenset(["breakpoint", "set_trace"])  # names by which code calls a debugger

_Call = tuple[Any, tuple[Any, ...], dict[str, Any]]
_Prepared = tuple[Any, tuple[Any, ...], dict[str, Any], bool]


class SeesFrames(RunInPython):
    """A debugger is called, which inspects the frames that lead to it: all of these are for Python."""


def prepared(function: Callable[..., Any], args: Args, kwargs: Kwargs) -> _Prepared:
    """A call as captured code may make it: function and arguments, and whether it takes stand-ins (plain_values.py).

    Raises:
        CaptureError: it may do more than compute, or reads elements which no guard can hold.
    """
    receiver = None if isinstance(function, (type, CellMarker)) else getattr(function, "__self__", None)
    if receiver is not None and isinstance(receiver, core.Tensor):
        _check_tensor(receiver, function.__name__)
        return function, args, kwargs, True
    bound = receiver is not None and not isinstance(receiver, types.ModuleType)
    module, name = _place(function)
    guard_operands((receiver, *args, *kwargs.values()))
    if (function is isinstance or function is issubclass) and args:
        guard_instance_check(args[0], args[1:])
    if id(function) in _SHOWING or (name in _TEMPLATES and any(isinstance(value, str) for value in (receiver, *args[:1]))):
        _check_shown(args)
    root = module.partition(".")[0].lstrip("_")
    if root in _OWN:
        acts = module.startswith(_OWN_ACTING) or name in _OWN_METHODS
        if acts and not isinstance(function, CellMarker):
            raise _unknown(function, name)
        for value in (*args, *kwargs.values()):
            if isinstance(value, (list, dict, tuple)):
                observe_all(value)
        return function, args, kwargs, True
    if function is builtins.breakpoint or root in _DEBUGGERS:
        raise SeesFrames(f"{name}() stops in Python, not in a graph: leave fullgraph=True away to debug.")
    if (root, name) in _READING_FRAMES:
        raise SeesFrames(f"{name}() looks at frames, which only Python has: do it outside.")
    if function is format and args[1:] and args[1] and isinstance(args[0], (datetime.date, datetime.time)):
        raise _unknown(function, "format")  # the time zone's, and in the locale's words
    if (root, name) in _WRAPPING:
        for attribute in (*functools.WRAPPER_ASSIGNMENTS, "__dict__"):
            get_attribute((*args, *kwargs.values())[_WRAPPING[root, name]], attribute, None)
    moves = root != "numpy" and takes_stand_ins(function, root, name, args)
    if root == "numpy":
        function, args, kwargs = _numpy_call(function, name, args, kwargs)
    elif isinstance(function, type):
        _check_class(function, args, kwargs)
    elif isinstance(function, types.MethodType) and not _is_own_method(function):
        _check_function(function.__func__, root, name, (receiver, *args), kwargs)
    elif bound:
        _check_method(function, name, receiver)
        _check_values((*args, *kwargs.values()))
    elif hasattr(function, "__objclass__") and args:
        _check_method(function, name, args[0])
    else:
        _check_function(function, root, name, args, kwargs)
    method = bound or (not isinstance(function, type) and hasattr(function, "__objclass__"))
    args, kwargs = _with_callbacks(
        "builtins" if method else root, name, *plain_arguments(function, root, moves, args, kwargs)
    )
    return function, args, kwargs, moves


def _place(function: Callable[..., Any]) -> tuple[str, str]:
    """The module and the name of what is called, as it was defined."""
    if isinstance(function, types.MethodType) and not isinstance(function.__func__, types.BuiltinFunctionType):
        return _place(function.__func__)
    if isinstance(function, types.FunctionType):
        return str(function.__globals__.get("__name__", "")), function.__code__.co_name
    if isinstance(function, type):
        return str(function.__module__), function.__name__
    if isinstance(function, CellMarker):
        return _module_of_calls(function), ""
    name = getattr(function, "__name__", "") or ""
    receiver = getattr(function, "__self__", None)
    if receiver is not None and not isinstance(receiver, types.ModuleType):
        return str((receiver if isinstance(receiver, type) else type(receiver)).__module__), name
    if isinstance(function, types.BuiltinFunctionType):
        return str(function.__module__ or "builtins"), name
    owner = getattr(function, "__objclass__", None)
    return (_module_of_calls(function) if owner is None else str(owner.__module__)), name


def _module_of_calls(value: Any) -> str:
    """The module of what calls of an object run."""
    called = in_class(type(value), "__call__")
    return str(called.__globals__.get("__name__", "") if isinstance(called, types.FunctionType) else type(value).__module__)


def _is_own_method(method: types.MethodType) -> bool:
    """Whether a class of a library has a function as its method."""
    owner = method.__self__
    bases = [
        base for base in (owner if isinstance(owner, type) else type(owner)).__mro__ if not written_by_user(base.__module__)
    ]
    members = [vars(base).get(method.__func__.__name__) for base in bases]
    return any(getattr(one, "__func__", one) is method.__func__ for one in members)


def _check_shown(values: tuple[Any, ...]) -> None:
    """What text of values depends on: names of classes, and what NumPy is told."""
    for value in walk(values, _shown_parts):
        guard_digits(value)
        if type(value) in tree.LEAVES:
            continue
        guard_names(value)
        if is_array(value):
            raise core.CaptureError("an array becomes text, which depends on np.set_printoptions: do it outside.")


def _check_tensor(tensor: core.Tensor, name: str) -> None:
    session = current_session()
    if name == "register_hook" and (
        not core.is_captured(tensor) or (session is not None and any(tensor is other for other in session.inputs))
    ):
        raise refused("a Tensor's hooks")
    if name in _READING:
        read_elements(tensor)
    elif name in _TENSOR_MUTATORS and not core.is_captured(tensor) and not isinstance(tensor, core.Parameter):
        raise refused("a Tensor")


def _check_function(function: Callable[..., Any], root: str, name: str, args: Args, kwargs: Kwargs) -> None:
    changed = known.CHANGES.get(root, {}).get(name)
    if changed is not None:
        first = args[changed] if changed < len(args) else None
        defined = isinstance(first, (types.FunctionType, type)) and not is_created(first)
        fixed = issubclass(type(first), known.IMMUTABLE) or core.is_captured(first)
        if defined or (is_external(first) and not fixed):
            raise refused(f"a {type(first).__name__}")
        return
    if root == "copy" and (len(args) > 1 or kwargs):
        raise refused("a memo")
    if root == "json" and kwargs.get("cls") is not None:
        raise _unknown(kwargs["cls"], kwargs["cls"].__name__)
    if root == "dataclasses":
        for value in args:
            observe(guard_object(getattr(value, "__dataclass_fields__", None)))
    if _lists(known.DEEP, root, name):
        return _check_values((*args, *kwargs.values()), deep=True)
    if not _lists(known.FUNCTIONS, root, name) or not isinstance(
        function, (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
    ):
        raise _unknown(function, name)
    variables = getattr(getattr(function, "__code__", None), "co_freevars", ())
    if root == "functools" and name == "wrapper" and "dispatch" not in variables:  # but of a cache
        raise _unknown(function, name)
    if root == "builtins" and args and _shows_address(name, args[0]):
        raise core.CaptureError(f"{name}() tells objects apart that each call makes anew, which a graph would not.")
    if args and (root, name) in _ITEMS and type(args[0]) in (*_SEQUENCES, dict, tuple):
        observe(args[0])
        args = args[1:]
    if root == "inspect" and any(defines(value, "stands_for") for value in args):
        raise _unknown(function, name)
    _check_values((*args, *kwargs.values()), deep=root not in _LOOKING)


def _shows_address(name: str, value: Any) -> bool:
    """Whether a function of Python's gives where an object is, which captured code has made."""
    if name == "hash" and isinstance(value, float) and math.isnan(value):
        return True
    if isinstance(value, core.Tensor):
        return name in ("id", "hash") and not core.is_outside(value)
    if name == "id":
        return (
            (type(value) in (list, dict) or not is_external(value))
            and type(value) not in tree.LEAVES
            and not isinstance(value, (type, types.ModuleType))
        )
    methods = _ADDRESSING.get(name, ())
    parts = (value,) if name == "hash" else walk(value, _shown_parts)
    return bool(methods) and any(_inherits(part, methods) and not is_external(part) for part in parts)


def _inherits(value: Any, methods: Iterable[str]) -> bool:
    """Whether these methods of an object are those of `object`."""
    return all(getattr(type(value), method, None) is getattr(object, method) for method in methods)


def _shown_parts(value: Any) -> Iterable[Any]:
    """What the text of a container shows too."""
    if type(value) is dict:
        return (*value.keys(), *value.values())
    return value if type(value) in (list, set, frozenset) or tree.is_tuple(value) else ()


def _check_class(cls: type, args: Sequence[Any], kwargs: Kwargs) -> None:
    """Whether instances may be made: methods of the user's are followed."""
    if isinstance(cls, enum.EnumMeta) and (len(args) > 1 or kwargs):
        raise _unknown(cls, cls.__name__)
    if not (issubclass(cls, BaseException) or _is_known(cls)):
        raise _unknown(cls, cls.__name__)
    if cls is type:
        raise core.CaptureError("a class is made, which cannot be captured into a graph: define it outside.")
    _check_values(args)


def _is_known(cls: type) -> bool:
    return cls in known.CLASSES or issubclass(cls, known.IMMUTABLE) or written_by_user(cls.__module__)


def _check_method(function: Callable[..., Any], name: str, receiver: Any) -> None:
    if isinstance(receiver, type) and name == "__subclasses__":
        raise _unknown(function, name)
    if type(receiver) in _SEQUENCES and name in _MOVING:
        observe(receiver)
    else:
        observe_all(receiver)
    if isinstance(receiver, type) and not hasattr(type, name):
        if not _is_known(receiver) or any(_lists(known.UNKNOWN, base.__name__, name) for base in receiver.__mro__):
            raise _unknown(function, name)
        return
    if getattr(function, "__objclass__", None) is object and _shows_address(name.strip("_"), receiver):
        raise _unknown(function, name)
    for base in type(receiver).__mro__:
        if _lists(known.UNKNOWN, base.__name__, name):
            break
        if issubclass(base, known.IMMUTABLE) and not (
            isinstance(function, types.MethodType) and written_by_user(base.__module__)
        ):
            return
        has = base in known.READS and hasattr(base, name)
        if name in known.READS.get(base, ()) or (has and not is_external(receiver)):
            return
        if has and base is not object:
            raise refused(f"a {type(receiver).__name__}")
    if is_external(receiver) or not defines(receiver, "__next__"):
        raise _unknown(function, name)


def _lists(table: dict[str, frozenset[str]], key: str, name: str) -> bool:
    names = table.get(key, ())
    return name in names or "*" in names


def _check_values(values: Iterable[Any], deep: bool = False) -> None:
    """Refuses objects from outside of whose classes nothing is known; `deep`: also those that say by their special methods
    what a function may see."""
    values = list(values)
    into_graph = any(isinstance(value, core.Tensor) for value in values)  # which makes Tensors of arrays itself
    for value in values:
        if type(value) in tree.LEAVES or (into_graph and is_array(value)):
            continue
        observe_all(value, deep)
        if not is_external(value) or issubclass(type(value), (*known.IMMUTABLE, type, core.Tensor, CellMarker)):
            continue
        if callable(value) or type(value) in known.READS:
            continue
        module = str(type(value).__module__)
        if module.partition(".")[0] in ("numpy", *_OWN) or (not deep and written_by_user(module)):
            continue
        if not deep and any(base in known.READS for base in type(value).__mro__ if base is not object):
            continue
        raise core.CaptureError(
            f"a {type(value).__name__} from outside is given to a library, which may do or see anything: pass what it is "
            "to give as an argument, or use an op."
        )


def _with_callbacks(root: str, name: str, args: Args, kwargs: Kwargs) -> tuple[Args, Kwargs]:
    places = known.CALLED_BACK.get((root, name))
    if places is None or (name == "iter" and len(args) < 2):
        return args, kwargs
    args = tuple(called_back(value) if at in places else value for at, value in enumerate(args))
    return args, {key: called_back(value) if key in places else value for key, value in kwargs.items()}


def _numpy_call(function: Callable[..., Any], name: str, args: Args, kwargs: Kwargs) -> _Call:
    """A call of NumPy, which can write none of the arrays from outside."""
    receiver = getattr(function, "__self__", None)
    method = receiver is not None and not isinstance(receiver, (types.ModuleType, type))
    listed = name in (known.NUMPY_METHODS if method or hasattr(function, "__objclass__") else known.NUMPY_FUNCTIONS)
    special = name.startswith("__") and name.endswith("__")
    ufunc = hasattr(function, "nin") and hasattr(function, "reduce")
    scalar = isinstance(function, type) and hasattr(function, "dtype") and hasattr(function, "nbytes")
    random = "random" in (_place(function)[0])
    if random or not (listed or special or ufunc or scalar):
        raise _unknown(function, name)
    values = (receiver, *args, *kwargs.values())
    for value in values:
        if isinstance(value, core.Tensor):
            read_elements(value)
        observe_all(value)
    if not any(is_external(value) and is_array(value) for value in values):
        return function, args, kwargs
    if method and is_array(receiver):
        function = getattr(_read_only(receiver), name)
    args = tuple(map(_read_only, args))
    kwargs = {key: _read_only(value) for key, value in kwargs.items()}
    into = kwargs.get("out")
    if any(is_external(value) for value in (into if isinstance(into, tuple) else (into,))):
        raise refused("an array")
    return functools.partial(_reading, function), args, kwargs


def _reading(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a function of NumPy gives, unless it writes."""
    try:
        return function(*args, **kwargs)
    except ValueError as error:
        if "read-only" in str(error) or "WRITEABLE" in str(error):
            raise refused("an array") from None
        raise


def _read_only(value: Any) -> Any:
    if isinstance(value, tuple):
        return value if not any(map(is_array, value)) else tuple(map(_read_only, value))
    if not is_array(value) or not is_external(value):
        return value
    if isinstance(in_class(type(value), "__array_finalize__"), types.FunctionType):
        raise core.CaptureError(f"an array of class {type(value).__name__} is used, which runs code when it is viewed.")
    if value.dtype.hasobject:
        raise refused("an array of objects")
    view = value.view()
    view.setflags(write=False)
    return view


def _unknown(function: Callable[..., Any], name: str) -> core.CaptureError:
    return core.CaptureError(
        f"{name or type(function).__name__}() of a library may do or give something else in each call, which a graph would "
        "not repeat: pass its result as an argument, or use an op."
    )
