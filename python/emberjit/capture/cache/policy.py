"""How entries are stored and looked for: a call that finds no graph looks into the folder of context.compile_cache() before
it captures, and what it captures is stored there (gate.py says when). Nothing of this is an error of the program's:
EMBERJIT_TRACE=1 tells of it, and explain()["cache"]."""

from __future__ import annotations

import collections
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit import context
from emberjit.capture.cache import files
from emberjit.capture.cache.describe import PLAIN, Describer, Undescribed, digest
from emberjit.capture.cache.entries import Stale, document_of, restored
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.version import __version__

_DAMAGED = (files.Refused, ValueError, LookupError, TypeError, RuntimeError, OSError)  # what reading a file may raise
_REMEMBERED = 32  # events of one function


def _key(jitted: core.Jit, function: Callable[..., Any], structure: str) -> str:
    """What a graph depends on, but for what it finds: the function, how it is jitted and called, and who captures it."""
    plain = files.plain_function(function)
    code = plain.__code__ if isinstance(plain, types.FunctionType) else type(plain).__qualname__
    libraries = [getattr(sys.modules.get(name), "__version__", None) for name in ("numpy", "scipy")]
    made_by = (__version__, sys.version, core.isa(), context.load_elimination(), core.has_lapack(), libraries)
    options = repr(jitted.__dict__.get("options")), repr(jitted.__dict__.get("dynamic"))
    return digest((repr(made_by), options, Describer({}).describe(code), structure))


_FOLDER = os.path.join(os.path.dirname(core.__file__), "")


def _library() -> list[list[Any]]:
    """What says that the library is the same: of each of its modules that is imported, size and time of its file."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "emberjit"]
    paths = sorted(path for path in (getattr(module, "__file__", None) for module in modules) if path)
    return [[path.removeprefix(_FOLDER), *_file_state(path)] for path in paths]


def _file_state(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def _tell(jitted: core.Jit, event: str, why: object) -> None:
    line = f"{event}: {why}".encode("utf-8", "backslashreplace").decode()
    core.trace(f"[cache f={getattr(jitted, '__name__', '')} {line}]")
    jitted.__dict__.setdefault("cache", collections.deque(maxlen=_REMEMBERED)).append(line)


def _known(jitted: core.Jit, constants: list[Any]) -> set[str]:
    """The files whose entries a function has in this process for these constants among its arguments. Others that are taken
    for these are captured anew."""
    served = tuple(hash(value) if type(value) in PLAIN else id(value) for value in constants)
    known: set[str] = jitted.__dict__.setdefault("cache_files", {}).setdefault(served, set())
    return known


def find(where: files.Folder, jitted: core.Jit, function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
    """An entry that another process has stored and that serves this call; None if there is none."""
    structure, constants, plain, _ = core.call_of(jitted, args, kwargs)
    if not plain:
        return None
    try:
        known = _known(jitted, constants)
        for file, data in where.read(_key(jitted, function, structure), known):
            entry = _from_file(where, file, data, jitted, function, args, kwargs, constants)
            if entry is not None:
                known.add(file)
                return entry
    except (files.Refused, Undescribed) as error:
        _tell(jitted, "refused", error)
    return None


def _from_file(
    where: files.Folder, path: str, data: bytes, jitted: core.Jit, function: Callable[..., Any], *call: Any
) -> Any:
    try:
        parts = files.unpacked(data)
        if not core.are_unchanged(os.fsencode(_FOLDER), parts[0]["library"]):
            raise files.Refused("it is of another build of the library")
    except _DAMAGED as error:
        _tell(jitted, "refused", f"{path}: {error}")
        where.remove(path)
        return None
    args, kwargs, constants = call
    try:
        entry = restored(parts, jitted, function, args, kwargs, constants)
    except Stale as changed:
        _tell(jitted, "stale", changed)
        return None
    where.use(path)
    _tell(jitted, "hit", path)
    return entry


def store(where: files.Folder, jitted: core.Jit, function: Callable[..., Any], entry: Any, capture: dict[str, Any]) -> None:
    """Stores an entry that core.add_entry has made of what a capture found."""
    try:
        document, code, text = document_of(function, entry, {**capture, "names": jitted.__dict__["guard_names"]})
        document["library"] = _library()
        data = files.packed(document, code, text)
        file = where.write(_key(jitted, function, document["structure"]), data)
        _known(jitted, capture["constants"]).add(file)
        _tell(jitted, "stored", file)
    except (*_DAMAGED, Undescribed) as error:
        _tell(jitted, "not stored", error)
