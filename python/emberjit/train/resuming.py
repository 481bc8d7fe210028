"""A training run in one file, from which it resumes bit for bit."""

from __future__ import annotations

import json
import os
import random
import types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.generator import Generator, get_rng_state, set_rng_state
from emberjit.nn.cell import Cell
from emberjit.train.serialization import load_checkpoint, save_checkpoint

_WITHOUT_STATE = (type, types.ModuleType, types.FunctionType, types.MethodType, core.Tensor)


def save_training(file_name: str | bytes | os.PathLike[Any], **parts: Any) -> None:
    """Saves all that a training run goes on from, and the state of random numbers: emberjit's, numpy.random's and random's.

    Args:
        file_name: where to, a str, bytes or os.PathLike; written whole or not at all. One that ends with ".safetensors" is
            of that format, to any other ".ckpt" is added if it does not end so.
        parts: by names of one's own, what changes while training, in any order: networks, optimizers, schedulers, loss
            scalers, iterators of data, a Model (whose fit or train then goes on with the next row). Of each, and of what its
            attributes, lists, tuples and dicts hold, these are saved: Parameters and buffers; Generators; and objects with
            state_dict(), which gives a dict of Tensors, strs and numbers, and load_state_dict(). What several hold is saved
            once. A callback of a Model that calls this is listed last: what those after it note is lost. Of the rows that a
            pipeline prepares ahead, those are repeated bit for bit whose functions draw from numpy.random or random in
            processes (python_multiprocessing), where each row has its own seed.

    Raises:
        TypeError: a part has no state.
        OSError: the file cannot be written.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.5, momentum=0.5)
        >>> done = optimizer((Tensor([[1.0]]),))
        >>> train.save_training("run", net=net, optimizer=optimizer)
        >>> done = optimizer((Tensor([[1.0]]),))
        >>> train.load_training("run", net=net, optimizer=optimizer)  # back to the first step
        >>> print(net.weight.value(), optimizer.moments[0].value())
        [[0.5]] [[1.]]
    """
    state: dict[str, Any] = _random_state()
    for path, holder in _holders(parts).items():
        state.update(_state(path, holder))
    path, format = _file(file_name)
    state = {name: core.Tensor(value, core.float64) if type(value) is float else value for name, value in state.items()}
    if format == "safetensors":  # which has no texts
        state = {name: _characters(value) if isinstance(value, str) else value for name, value in state.items()}
    numbers = {name: value for name, value in state.items() if not isinstance(value, (core.Tensor, str))}
    tensors = {name: value for name, value in state.items() if name not in numbers}
    save_checkpoint(tensors, path, append_dict=numbers, format=format)


def _file(file_name: str | bytes | os.PathLike[Any]) -> tuple[str, str]:
    """The path of a training run's file, and its format."""
    path = os.fsdecode(file_name)
    if path.endswith(".safetensors"):
        return path, "safetensors"
    return path if path.endswith(".ckpt") else f"{path}.ckpt", "ckpt"


def _characters(text: str) -> Any:
    return core.Tensor(np.frombuffer(text.encode(), np.uint8))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else bytes(value.asnumpy()).decode()


def load_training(file_name: str | bytes | os.PathLike[Any], **parts: Any) -> None:
    """Sets the state that save_training saved: of the same parts, all or none.

    Args:
        file_name: the file, as it was named to save_training, or is now.
        parts: the same names with the same kinds of parts as of save_training: networks, optimizers, iterators, a Model.

    Raises:
        TypeError: a part has no state.
        ValueError: the file is damaged, or of other parts; what is missing and what is left over is named.
        RuntimeError: a Parameter has another shape or dtype in the file.
        OSError: the file cannot be read.

    Examples:
        >>> generator = ms.Generator().manual_seed(1)
        >>> train.save_training("run", numbers=generator)
        >>> first = mint.rand(2, generator=generator)
        >>> train.load_training("run", numbers=generator)
        >>> print((mint.rand(2, generator=generator) == first).all())
        True
    """
    path, _ = _file(file_name)
    stored = load_checkpoint(path if os.path.exists(path) else file_name)
    holders = _holders(parts)
    states = {path: _state(path, holder) for path, holder in holders.items()}
    names = {name for state in states.values() for name in state} | _random_state().keys()
    if names != stored.keys():
        missing, over = sorted(names - stored.keys())[:4], sorted(stored.keys() - names)[:4]
        raise ValueError(
            f"For 'load_training', '{os.fsdecode(file_name)}' must be of the parts {', '.join(parts)}: it lacks "
            f"{missing or 'nothing'} and has {over or 'nothing'} besides."
        )
    for path, holder in holders.items():
        if isinstance(holder, core.Tensor):
            _check(path, holder, stored[path])
    for path, holder in holders.items():
        _set(path, holder, states[path], stored)
    set_rng_state(core.Tensor(stored["random_state"]))
    np.random.set_state(json.loads(_text(stored["random_state_of_numpy"])))
    version, numbers, gauss = json.loads(_text(stored["random_state_of_python"]))
    random.setstate((version, tuple(numbers), gauss))


def _random_state() -> dict[str, Any]:
    kind, numbers, *rest = np.random.get_state()
    of_numpy = json.dumps([kind, [int(number) for number in numbers], *rest])
    of_python = json.dumps(random.getstate())
    return {"random_state": get_rng_state(), "random_state_of_numpy": of_numpy, "random_state_of_python": of_python}


def _loads_itself(value: Any) -> bool:
    kind = type(value)
    return not isinstance(value, Cell) and hasattr(kind, "state_dict") and hasattr(kind, "load_state_dict")


def _check(name: str, parameter: core.Tensor, value: core.Tensor) -> None:
    if tuple(parameter.shape) != tuple(value.shape) or parameter.dtype != value.dtype:
        raise RuntimeError(
            f"For 'load_training', '{name}' has shape {tuple(parameter.shape)} and dtype {parameter.dtype}, but "
            f"{tuple(value.shape)} and {value.dtype} in the file."
        )


def _state(path: str, holder: Any) -> dict[str, Any]:
    """What is saved of a holder of state, by names in the file."""
    if isinstance(holder, core.Tensor):
        return {path: holder}
    state = {"state": holder.get_state()} if isinstance(holder, Generator) else holder.state_dict()
    return {f"{path}/{name}": value for name, value in state.items()}


def _set(path: str, holder: Any, state: dict[str, Any], stored: dict[str, Any]) -> None:
    values = {name.removeprefix(f"{path}/"): _as(value, stored[name]) for name, value in state.items()}
    if isinstance(holder, core.Parameter):
        holder.set_data(stored[path])
    elif isinstance(holder, core.Tensor):
        core.ops.assign(holder, stored[path])
    elif isinstance(holder, Generator):
        holder.set_state(values["state"])
    else:
        holder.load_state_dict(values)


def _as(before: Any, value: Any) -> Any:
    """The value as the kind of number that was saved."""
    if isinstance(before, str) or isinstance(value, str):
        return _text(value)
    return type(before)(value.item()) if type(before) in (bool, int, float) else core.Tensor(value)


def _holders(parts: dict[str, Any]) -> dict[str, Any]:
    """What holds the state of parts, by path: Parameters, buffers, Generators, and what loads itself; each once, of the
    first part by name that has it, and what is a part of its own there."""
    holders: dict[str, Any] = {}
    seen = {id(part) for part in parts.values()}
    for name in sorted(parts):
        own = list(_walk(name, parts[name], seen))
        if not own and next(_walk(name, parts[name], set()), None) is None:
            raise TypeError(
                f"For 'save_training', '{name}' must be a Cell, a Generator, have Parameters in attributes, or state_dict() "
                f"and load_state_dict(), but is of type {type(parts[name]).__name__}, which has none of these."
            )
        for path, holder in own:
            while path in holders:
                path += "'"
            holders[path] = holder
    return holders


def _walk(name: str, part: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    waiting = [(name, part, False)]
    seen.discard(id(part))
    while waiting:
        path, value, is_buffer = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if is_buffer or isinstance(value, (core.Parameter, Generator)) or _loads_itself(value):
            yield path, value
            continue
        separator = "/" if value is part else "."
        inner = [(f"{path}{separator}{key}", item, buffer) for key, item, buffer in _items(value)]
        waiting += reversed(inner)


def _items(value: Any) -> Iterable[tuple[Any, Any, bool]]:
    """What a Cell, list, tuple, dict or object holds: (name, value, whether it is a buffer)."""
    if isinstance(value, (list, tuple)):
        yield from ((place, item, False) for place, item in enumerate(value))
    elif isinstance(value, dict):
        are_names = all(isinstance(key, str) for key in value)
        yield from ((key if are_names else place, item, False) for place, (key, item) in enumerate(value.items()))
    elif not isinstance(value, _WITHOUT_STATE) and hasattr(value, "__dict__"):
        fields = dict(vars(value))
        if isinstance(value, Cell):
            cells, parameters, buffers = (fields.pop(kind) for kind in ("_cells", "_params", "_buffers"))
            yield from ((key, item, False) for key, item in {**cells, **parameters}.items())
            yield from ((key, item, True) for key, item in buffers.items() if item is not None)
        yield from ((key, item, False) for key, item in fields.items())
