"""Call rules: which calls of libraries captured code may make. A graph holds what such a call returned and does not make it
again, so the call may only compute from its arguments. What reads or changes the world (clocks, files, random
numbers, the environment, queues, locks, logs), or mutates an external object, is refused before it happens: it runs
in Python between graphs, in every call.

What a library computes is known by the module that defines it; of other libraries' compiled code nothing is known.
"""

from __future__ import annotations

import builtins
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.guards.mutation import MUTATORS, is_external, refused
from emberjit.capture.guards.record import read_elements
from emberjit.capture.session.errors import RunInPython

_COMPUTE = """
abc array ast base64 binascii bisect builtins calendar cmath collections colorsys contextlib copy copyreg dataclasses
datetime decimal difflib emberjit enum fractions functools hashlib heapq html inspect ipaddress itertools json keyword
math mindspore ml_dtypes numbers numpy operator posixpath re reprlib statistics string struct textwrap types typing
typing_extensions unicodedata warnings weakref zlib _abc _bisect _collections _collections_abc _decimal _functools
_hashlib _heapq _json _operator _pydecimal _sre _string _struct _weakref _weakrefset
"""
_COMPUTING = frozenset(_COMPUTE.split())
_ACTING = {
    "builtins": "open input breakpoint exec eval compile help exit quit",
    "datetime": "now today utcnow",
    "emberjit": "set_context set_auto_parallel_context set_seed set_recursion_limit save_checkpoint load_checkpoint "
    "load_param_into_net create_dict_iterator create_tuple_iterator",
    "inspect": "currentframe getinnerframes getouterframes stack trace",
    "json": "dump load",
    "numpy": "save savez savez_compressed savetxt load loadtxt genfromtxt fromfile tofile memmap seterr setbufsize "
    "set_printoptions",
    "posixpath": "exists lexists isfile isdir islink ismount getsize getmtime getatime getctime realpath abspath "
    "expanduser expandvars samefile",
    "warnings": "warn warn_explicit simplefilter filterwarnings resetwarnings showwarning",
}
_ACTS = {module: frozenset(names.split()) for module, names in _ACTING.items()}

_ONLY_OF_CONTAINERS = frozenset(["add", "at", "update", "insert", "remove", "clear", "pop", "sort", "reverse"])

# Methods of Tensors that Python values come from.
_READING = frozenset(["asnumpy", "numpy", "item", "tolist", "tobytes", "__array__", "__dlpack__", "__float__", "__int__"])
_TENSOR_MUTATORS = frozenset(["set_data", "_replace", "assign_value", "set_dtype", "init_data"])


_DEBUGGERS = ("bdb", "pdb")
DEBUGGER_CALLS = frozenset(["breakpoint", "set_trace"])  # names by which code calls a debugger


class SeesFrames(RunInPython):
    """A debugger is called, which inspects the frames that lead to it: all of these are for Python."""


def check_call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuses a call that may do more than compute, or that reads elements which no guard can hold.

    Raises:
        CaptureError: see above.
    """
    name = getattr(function, "__name__", "") or ""
    receiver = getattr(function, "__self__", None)
    bound = receiver is not None and not isinstance(receiver, (types.ModuleType, type))
    if bound and isinstance(receiver, core.Tensor):
        return _check_tensor(receiver, name)
    module = _module(function, receiver if bound else None)
    root = module.partition(".")[0]
    if function is builtins.breakpoint or root in _DEBUGGERS:
        raise SeesFrames(f"{name}() stops in Python, not in a graph: leave fullgraph=True away to debug.")
    if isinstance(function, type) and written_by_user(module):
        return  # its methods are followed
    if module.startswith("numpy.random") or root not in _COMPUTING or name in _ACTS.get(root, ()):
        raise _refused(function, name)
    first = receiver if bound else args[0] if args else None
    if name in MUTATORS and is_external(first) and _mutates(function, name, first):
        raise refused(f"a {type(first).__name__}")
    if root == "numpy":
        _check_arrays(args, kwargs)


def _check_tensor(tensor: Any, name: str) -> None:
    if name in _READING:
        read_elements(tensor)
    elif name in _TENSOR_MUTATORS and not core.is_captured(tensor) and not isinstance(tensor, core.Parameter):
        raise refused("a Tensor")


def _check_arrays(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    for value in (*args, *kwargs.values()):
        if isinstance(value, core.Tensor):
            read_elements(value)
    into = kwargs.get("out")
    for value in into if isinstance(into, tuple) else (into,):
        if is_external(value):
            raise refused(f"a {type(value).__name__}")


def _mutates(function: Any, name: str, first: Any) -> bool:
    """Tells set.add from np.add, list.insert from np.insert."""
    plain = name not in _ONLY_OF_CONTAINERS or _module(function, None).partition(".")[0] != "numpy"
    return plain and not isinstance(first, (str, bytes, int, float, tuple, type(None)))


def _module(function: Any, receiver: Any) -> str:
    """Where a callable is defined."""
    if isinstance(function, types.MethodType):
        return _module(function.__func__, None)
    if isinstance(function, types.FunctionType):
        return str(function.__globals__.get("__name__", ""))
    if receiver is not None and not isinstance(function, types.MethodWrapperType):
        return str(type(receiver).__module__)
    owner = getattr(function, "__objclass__", None)
    if owner is not None:
        return str(owner.__module__)
    if isinstance(function, types.BuiltinMethodType) and isinstance(function.__self__, type):
        return str(function.__self__.__module__)
    if not isinstance(function, (types.BuiltinFunctionType, type)):
        called: Any = type(function).__call__
        return str(getattr(called, "__module__", None) or type(function).__module__)
    return str(function.__module__)


def _refused(function: Any, name: str) -> Exception:
    error: Exception = core.CaptureError(
        f"{name or type(function).__name__}() of a library may do or give something else in each call, which a graph would "
        "not repeat: pass its result as an argument, or use an op."
    )
    return error
