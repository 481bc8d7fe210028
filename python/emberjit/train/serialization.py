"""Checkpoints in the safetensors format: a length, a JSON header, and the bytes of the tensors. No pickle anywhere.

Format: https://github.com/huggingface/safetensors (header of at most 100 MB; offsets that cover the data without gaps).
"""

from __future__ import annotations

import os
import stat
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.nn.cell import Cell
from emberjit.options import take_all

_NAMES = {
    core.bool_: "BOOL",
    core.int8: "I8",
    core.int16: "I16",
    core.int32: "I32",
    core.int64: "I64",
    core.uint8: "U8",
    core.uint16: "U16",
    core.uint32: "U32",
    core.uint64: "U64",
    core.float16: "F16",
    core.bfloat16: "BF16",
    core.float32: "F32",
    core.float64: "F64",
    core.complex64: "C64",
    core.complex128: "C128",
    core.float8_e4m3fn: "F8_E4M3",
    core.float8_e5m2: "F8_E5M2",
    core.int4: "I4",
}


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: str | bytes | os.PathLike[Any],
    integrated_save: bool = True,
    async_save: Any = False,
    append_dict: dict[str, Any] | None = None,
    enc_key: Any = None,
    enc_mode: str = "AES-GCM",
    choice_func: Callable[[str], bool] | None = None,
    **options: Any,
) -> None:
    """Saves the Parameters of a Cell, a dict of name to Tensor, or a list of {"name": ..., "data": ...}.

    Args:
        save_obj: what to save.
        ckpt_file_name: where to, a str, bytes or os.PathLike; ".ckpt" is added to a name without an ending, folders are
            made. Written whole or not at all. A link's target is replaced, and an existing file keeps its mode.
        append_dict: further names and their values: Tensors, or numbers, which become Tensors without axes.
        choice_func: takes a name and returns whether it is saved.
        integrated_save, async_save, enc_key, enc_mode, options: MindSpore's others (OPTIONS.md).

    Raises:
        TypeError: save_obj is something else, a name is no str, or a value no Tensor; an unknown option.
        ValueError: a name occurs twice, is __metadata__ or no Unicode.
        OSError: the file cannot be written.
    """
    given = {"integrated_save": integrated_save, "async_save": async_save, "enc_key": enc_key, "enc_mode": enc_mode}
    take_all("save_checkpoint", {**given, **options})
    named = [*_named(save_obj), *_appended(append_dict)]
    if choice_func is not None:
        named = [(name, value) for name, value in named if choice_func(name)]
    header: dict[str, Any] = {}
    chunks: list[bytes] = []
    offset = 0
    for name, value in named:
        if not isinstance(name, str) or not isinstance(value, core.Tensor):
            raise TypeError(
                f"For 'save_checkpoint', names must be str and values Tensors, but got {type(name)} and {type(value)}."
            )
        if name in header or name == "__metadata__":
            raise ValueError(f"For 'save_checkpoint', the name '{name}' occurs twice or is reserved.")
        if not _is_unicode(name):
            raise ValueError(f"For 'save_checkpoint', the name {name!r} is no Unicode and cannot be stored.")
        data = value.get_bytes()
        header[name] = {
            "dtype": _NAMES[value.dtype],
            "shape": list(value.shape),
            "data_offsets": [offset, offset + len(data)],
        }
        offset += len(data)
        chunks.append(data)
    import json

    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path = os.fsdecode(ckpt_file_name)
    folder, file_name = os.path.split(path)
    if file_name and not os.path.splitext(file_name)[1]:
        path += ".ckpt"
    if folder:
        os.makedirs(folder, exist_ok=True)
    core.write_file(os.fsencode(path), [len(text).to_bytes(8, "little"), text, *chunks])


def _is_unicode(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _appended(append_dict: Any) -> Iterable[tuple[str, Any]]:
    if append_dict is None:
        return []
    if not isinstance(append_dict, dict):
        raise TypeError(f"For 'save_checkpoint', 'append_dict' must be a dict, but got {type(append_dict)}.")
    numbers = (bool, int, float)
    return [(name, core.Tensor(value) if type(value) in numbers else value) for name, value in append_dict.items()]


def _named(save_obj: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(save_obj, Cell):
        return list(save_obj.parameters_dict().items())
    if isinstance(save_obj, dict):
        return list(save_obj.items())
    if isinstance(save_obj, list):
        return [(item["name"], item["data"]) for item in save_obj]
    raise TypeError(f"For 'save_checkpoint', 'save_obj' must be a Cell, list or dict, but got {type(save_obj)}.")


def export(net: Any, *inputs: Any, file_name: str, file_format: str, **kwargs: Any) -> None:
    """MindSpore's files of models, MINDIR, ONNX and AIR, which emberjit does not write: save_module writes graphs that it
    reads, and save_checkpoint Parameters.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError(
        f"For 'export', emberjit writes no file_format {file_format!r}: save_module writes the graphs of a jitted function, "
        f"save_checkpoint the Parameters of a Cell."
    )


def load_checkpoint(
    ckpt_file_name: str | bytes | os.PathLike[Any],
    net: Any = None,
    strict_load: bool = False,
    filter_prefix: Any = None,
    dec_key: Any = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Callable[[str], bool] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Loads a checkpoint into a dict of name to Parameter, and into a Cell if one is given (load_param_into_net, which warns
    of what was not loaded).

    Args:
        ckpt_file_name: the file, a str, bytes or os.PathLike.
        net: the Cell.
        strict_load: as of load_param_into_net.
        filter_prefix: a str, or several, with which the names of what is left out begin.
        specify_prefix: likewise of what is loaded.
        choice_func: takes a name and returns whether it is loaded.
        dec_key, dec_mode, options: MindSpore's others (OPTIONS.md).

    Raises:
        ValueError: the file is no checkpoint, or a damaged one; what is wrong is named. Nothing in it is to be loaded.
        OSError: it cannot be read; FileNotFoundError if there is none.
        TypeError: an argument of another type, or an unknown one.
    """
    take_all("load_checkpoint", {"dec_key": dec_key, "dec_mode": dec_mode, **options})
    wanted = _wanted(_prefixes(specify_prefix), _prefixes(filter_prefix), choice_func)
    path = os.fsdecode(ckpt_file_name)
    with open(path, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError(f"For 'load_checkpoint', '{path}' is no regular file.")
        content = file.read()
    try:
        tensors = core.load_safetensors(content)
    except ValueError as error:
        why = f"For 'load_checkpoint', the file '{path}' is not a valid checkpoint: {error}."
        raise ValueError(why) from None
    parameters = {name: core.Parameter(tensor, name) for name, tensor in tensors if wanted(name)}
    if tensors and not parameters:
        raise ValueError(
            f"For 'load_checkpoint', no name in '{path}' passes 'specify_prefix', 'filter_prefix' and 'choice_func': it has "
            f"{_shown([name for name, _ in tensors])}."
        )
    if net is not None:
        load_param_into_net(net, parameters, strict_load)
    return parameters


def _prefixes(given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    prefixes = (given,) if isinstance(given, str) else given
    if not isinstance(prefixes, (list, tuple)) or not all(isinstance(prefix, str) for prefix in prefixes):
        raise TypeError(f"For 'load_checkpoint', a prefix must be a str, or a list or tuple of them, but got {given!r}.")
    if not prefixes or "" in prefixes:
        raise ValueError("For 'load_checkpoint', the prefixes must be at least one, and none of them empty.")
    return tuple(prefixes)


def _wanted(taken: tuple[str, ...] | None, left: tuple[str, ...] | None, choice: Any) -> Callable[[str], bool]:
    if choice is not None and not callable(choice):
        raise TypeError(f"For 'load_checkpoint', 'choice_func' must be a function, but got {type(choice)}.")

    def wanted(name: str) -> bool:
        if (taken is not None and not name.startswith(taken)) or (left is not None and name.startswith(left)):
            return False
        return choice is None or bool(choice(name))

    return wanted


def load_param_into_net(
    net: Any, parameter_dict: Any, strict_load: bool = False, remove_redundancy: bool = False
) -> tuple[list[str], list[str]]:
    """Copies values into the Parameters of a Cell by name; all of them, or none if one does not fit. Warns if Parameters of
    the Cell are not loaded.

    Args:
        net: the Cell.
        parameter_dict: name to Parameter or Tensor.
        strict_load: names are the same and dtypes, too. If not, Parameters without a value of their name take that whose
            name has a prefix before it, and floating dtypes are converted to each other, and integers.
        remove_redundancy: of checkpoints of several devices (OPTIONS.md).

    Returns:
        (names of the Cell's Parameters that were not loaded, names of parameter_dict that were not used).

    Raises:
        TypeError: net is no Cell, or parameter_dict no dict of str to Parameter or Tensor.
        RuntimeError: a value has another shape or dtype.
    """
    if not isinstance(net, Cell):
        raise TypeError(f"For 'load_param_into_net', 'net' must be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"For 'load_param_into_net', 'parameter_dict' must be a dict, but got {type(parameter_dict)}.")
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, core.Tensor):
            raise TypeError(
                "For 'load_param_into_net', 'parameter_dict' must hold names and Parameters, but has "
                f"{name!r} with {type(value)}."
            )
    if not isinstance(strict_load, bool):
        raise TypeError(f"For 'load_param_into_net', 'strict_load' must be a bool, but got {type(strict_load)}.")
    take_all("load_param_into_net", {"remove_redundancy": remove_redundancy})
    parameters = list(net.get_parameters())
    sources = {parameter.name: parameter.name for parameter in parameters if parameter.name in parameter_dict}
    missing = [parameter.name for parameter in parameters if parameter.name not in sources]
    if missing and not strict_load:
        sources.update(_by_suffix(missing, parameter_dict))
        missing = [name for name in missing if name not in sources]
    values = [
        (parameter, _fitting(parameter, parameter_dict[sources[parameter.name]], strict_load))
        for parameter in parameters
        if parameter.name in sources
    ]
    for parameter, value in values:
        parameter.set_data(value)
    used = set(sources.values())
    unused = [name for name in parameter_dict if name not in used]
    if missing:
        warnings.warn(
            f"For 'load_param_into_net', {len(missing)} of the Cell's {len(parameters)} Parameters are not loaded, since "
            f"'parameter_dict' has no such names: {_shown(missing)}. Names in 'parameter_dict' that were not used: "
            f"{_shown(unused) or 'none'}.",
            stacklevel=2,
        )
    return missing, unused


def _by_suffix(missing: list[str], parameter_dict: dict[str, Any]) -> dict[str, str]:
    """The names in parameter_dict of Parameters that have there a prefix before their names."""
    sources: dict[str, str] = {}
    for wanted in missing:
        prefix = next((name[: -len(wanted)] for name in parameter_dict if name.endswith(wanted)), None)
        if wanted in sources or prefix is None:
            continue
        found = [name for name in missing if prefix + name in parameter_dict and name not in sources]
        sources.update((name, prefix + name) for name in found)
        warnings.warn(
            f"For 'load_param_into_net', {_shown(found)} take the values whose names have '{prefix}' before theirs.",
            stacklevel=3,
        )
    return sources


_FLOATS = (core.float16, core.bfloat16, core.float32, core.float64, core.float8_e4m3fn, core.float8_e5m2)
_COMPLEXES = (core.complex64, core.complex128)
_INTEGERS = (core.int4, core.int8, core.int16, core.int32, core.int64, core.uint8, core.uint16, core.uint32, core.uint64)


def _fitting(parameter: Any, new: Any, strict: bool) -> Any:
    """The value with the Parameter's shape and dtype."""
    shape, given = tuple(parameter.shape), tuple(new.shape)
    if given != shape:
        if given[: len(shape)] != shape or any(size != 1 for size in given[len(shape) :]):
            raise RuntimeError(
                f"For 'load_param_into_net', '{parameter.name}' has shape {shape} in the Cell, but {given} in "
                "'parameter_dict'."
            )
        new = new.reshape(shape)
    if new.dtype == parameter.dtype:
        return new
    alike = any(parameter.dtype in kind and new.dtype in kind for kind in (_FLOATS, _COMPLEXES, _INTEGERS))
    if strict or not alike:
        hint = "strict_load=False converts it" if alike else "convert it with Tensor.astype"
        raise RuntimeError(
            f"For 'load_param_into_net', '{parameter.name}' has dtype {parameter.dtype} in the Cell, but {new.dtype} in "
            f"'parameter_dict': {hint}."
        )
    return new.astype(parameter.dtype)


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(f"'{name}'" for name in names[:8]) + more
