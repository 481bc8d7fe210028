"""A training run in one file, from which it resumes bit for bit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.generator import Generator, get_rng_state, set_rng_state
from emberjit.nn.cell import Cell
from emberjit.train.serialization import load_checkpoint, save_checkpoint

_RANDOM = "random_state"


def save_training(file_name: str | bytes | os.PathLike[Any], **parts: Any) -> None:
    """Saves all that a training run goes on from, and the state of random numbers.

    Args:
        file_name: where to, as of save_checkpoint; written whole or not at all.
        parts: by names of one's own, what changes while training: the network, the optimizer, schedulers, loss scalers:
            Cells, and objects with Parameters in attributes; Generators; or whatever has state_dict(), which gives a dict of
            Tensors, strs and numbers, and load_state_dict(), as iterators of data.

    Raises:
        TypeError: a part has no state.
        OSError: the file cannot be written.
    """
    state: dict[str, Any] = {_RANDOM: get_rng_state()}
    for part_name, part in parts.items():
        state.update((f"{part_name}/{name}", value) for name, value in _state(part_name, part).items())
    numbers = {name: value for name, value in state.items() if not isinstance(value, (core.Tensor, str))}
    save_checkpoint({name: value for name, value in state.items() if name not in numbers}, file_name, append_dict=numbers)


def load_training(file_name: str | bytes | os.PathLike[Any], **parts: Any) -> None:
    """Sets the state that save_training saved: of the same parts, all or none.

    Args:
        file_name: the file.
        parts: as of save_training.

    Raises:
        ValueError: the file is damaged, or of other parts; what is missing and what is left over is named.
        RuntimeError: a Parameter has another shape or dtype in the file.
        OSError: the file cannot be read.
    """
    stored = load_checkpoint(file_name)
    states = {name: _state(name, part) for name, part in parts.items()}
    wanted = {f"{part}/{name}" for part, state in states.items() for name in state} | {_RANDOM}
    if wanted != stored.keys():
        missing, over = sorted(wanted - stored.keys())[:4], sorted(stored.keys() - wanted)[:4]
        raise ValueError(
            f"For 'load_training', '{os.fsdecode(file_name)}' must be of the parts {', '.join(parts)}: it lacks "
            f"{missing or 'nothing'} and has {over or 'nothing'} besides."
        )
    for part_name, state in states.items():
        for name, value in state.items() if not _loads_itself(parts[part_name]) else ():
            _check(f"{part_name}/{name}", value, stored[f"{part_name}/{name}"])
    for part_name, part in parts.items():
        _set(part, states[part_name], {name: stored[f"{part_name}/{name}"] for name in states[part_name]})
    set_rng_state(core.Tensor(stored[_RANDOM]))


def _loads_itself(part: Any) -> bool:
    return not isinstance(part, Cell) and hasattr(part, "state_dict") and hasattr(part, "load_state_dict")


def _check(name: str, parameter: Any, value: Any) -> None:
    if tuple(parameter.shape) != tuple(value.shape) or parameter.dtype != value.dtype:
        raise RuntimeError(
            f"For 'load_training', '{name}' has shape {tuple(parameter.shape)} and dtype {parameter.dtype}, but "
            f"{tuple(value.shape)} and {value.dtype} in the file."
        )


def _set(part: Any, state: dict[str, Any], values: dict[str, Any]) -> None:
    if isinstance(part, Generator):
        part.set_state(core.Tensor(values["state"]))
    elif _loads_itself(part):
        part.load_state_dict({name: _as(state[name], value) for name, value in values.items()})
    else:
        for name, variable in state.items():
            variable.set_data(values[name])


def _as(before: Any, value: Any) -> Any:
    """The value as the kind of number that was saved."""
    if isinstance(value, str):
        return value
    return type(before)(value.item()) if type(before) in (bool, int, float) else core.Tensor(value)


def _state(name: str, part: Any) -> dict[str, Any]:
    if isinstance(part, Generator):
        return {"state": part.get_state()}
    if _loads_itself(part):
        return dict(part.state_dict())
    found: dict[str, Any] = {}
    if isinstance(part, Cell):
        part.check_names_and_refresh_name()
        found = {**part.parameters_dict(), **dict(part.named_buffers())}
    known = {id(parameter) for parameter in found.values()}
    for path, parameter in _parameters(vars(part).items() if hasattr(part, "__dict__") else ()):
        if id(parameter) not in known:
            known.add(id(parameter))
            found[path] = parameter
    if not found:
        raise TypeError(
            f"For 'save_training', '{name}' must be a Cell, a Generator, have Parameters in attributes, or state_dict() and "
            f"load_state_dict(), but is a {type(part).__name__} without."
        )
    return found


def _parameters(items: Iterable[tuple[Any, Any]], path: str = "") -> Iterator[tuple[str, Any]]:
    """The Parameters in attributes, and in lists, tuples and dicts in them."""
    for name, value in items:
        if isinstance(value, core.Parameter):
            yield f"{path}{name}", value
        elif isinstance(value, (list, tuple)):
            yield from _parameters(enumerate(value), f"{path}{name}.")
        elif isinstance(value, dict) and not str(name).startswith("_"):
            yield from _parameters(value.items(), f"{path}{name}.")
