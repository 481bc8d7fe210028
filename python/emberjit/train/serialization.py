"""Checkpoints in the safetensors format: a length, a JSON header, and the bytes of the tensors. No pickle anywhere.

Format: https://github.com/huggingface/safetensors (header of at most 100 MB; offsets that cover the data without gaps).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.nn.cell import Cell

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
}


def save_checkpoint(save_obj: Any, ckpt_file_name: str | bytes | os.PathLike[Any], **options: Any) -> None:
    """Saves the Parameters of a Cell, a dict of name to Tensor, or a list of {"name": ..., "data": ...}.

    Args:
        save_obj: what to save.
        ckpt_file_name: where to, a str, bytes or os.PathLike; ".ckpt" is added to a name without an ending, folders are
            made. Written whole or not at all. A link's target is replaced, and an existing file keeps its mode.
        options: accepted for MindSpore's sake.

    Raises:
        TypeError: save_obj is something else, a name is no str, or a value no Tensor.
        ValueError: a name occurs twice, is __metadata__ or no Unicode.
        OSError: the file cannot be written.
    """
    named = _named(save_obj)
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


def _named(save_obj: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(save_obj, Cell):
        return list(save_obj.parameters_dict().items())
    if isinstance(save_obj, dict):
        return list(save_obj.items())
    if isinstance(save_obj, list):
        return [(item["name"], item["data"]) for item in save_obj]
    raise TypeError(f"For 'save_checkpoint', 'save_obj' must be a Cell, list or dict, but got {type(save_obj)}.")


def load_checkpoint(
    ckpt_file_name: str | bytes | os.PathLike[Any], net: Any = None, strict_load: bool = False, **options: Any
) -> dict[str, Any]:
    """Loads a checkpoint into a dict of name to Parameter, and into a Cell if one is given.

    Raises:
        ValueError: the file is no checkpoint, or a damaged one; what is wrong is named.
        OSError: it cannot be read; FileNotFoundError if there is none.
    """
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
    parameters = {name: core.Parameter(tensor, name) for name, tensor in tensors}
    if net is not None:
        load_param_into_net(net, parameters, strict_load)
    return parameters


def load_param_into_net(net: Any, parameter_dict: Any, strict_load: bool = False, **options: Any) -> tuple[Any, Any]:
    """Copies values into the Parameters of a Cell by name; all of them, or none if one does not fit.

    Returns:
        (names of the Cell's Parameters that were not loaded, names of parameter_dict that were not used).

    Raises:
        TypeError: net is no Cell, or parameter_dict no dict.
        RuntimeError: a value has another shape, or another dtype under strict_load.
    """
    if not isinstance(net, Cell):
        raise TypeError(f"For 'load_param_into_net', 'net' must be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"For 'load_param_into_net', 'parameter_dict' must be a dict, but got {type(parameter_dict)}.")
    missing = []
    fitting = []
    for parameter in net.get_parameters():
        if parameter.name not in parameter_dict:
            missing.append(parameter.name)
            continue
        new = parameter_dict[parameter.name]
        fitting.append((parameter, new))
        if tuple(new.shape) != tuple(parameter.shape):
            raise RuntimeError(
                f"For 'load_param_into_net', '{parameter.name}' has shape {tuple(parameter.shape)} in the Cell, but "
                f"{tuple(new.shape)} in the checkpoint."
            )
        if strict_load and new.dtype != parameter.dtype:
            raise RuntimeError(
                f"For 'load_param_into_net', '{parameter.name}' has dtype {parameter.dtype} in the Cell, but {new.dtype} "
                "in the checkpoint."
            )
    for parameter, new in fitting:
        parameter.set_data(new)
    used = {parameter.name for parameter, _ in fitting}
    return missing, [name for name in parameter_dict if name not in used]
