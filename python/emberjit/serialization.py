"""Checkpoints in the safetensors format: a length, a JSON header, and the bytes of the tensors. No pickle anywhere.

Format: https://github.com/huggingface/safetensors (header of at most 100 MB; offsets that cover the data without gaps).
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterable
from typing import Any

from emberjit import _emberjit as core

_MAX_HEADER = 100_000_000
_CODES = {
    "BOOL": core.bool_,
    "I8": core.int8,
    "I16": core.int16,
    "I32": core.int32,
    "I64": core.int64,
    "U8": core.uint8,
    "U16": core.uint16,
    "U32": core.uint32,
    "U64": core.uint64,
    "F16": core.float16,
    "BF16": core.bfloat16,
    "F32": core.float32,
    "F64": core.float64,
}
_NAMES = {str(kind): code for code, kind in _CODES.items()}


def save_checkpoint(save_obj: Any, ckpt_file_name: str, **options: Any) -> None:
    """Saves the Parameters of a Cell, a dict of name to Tensor, or a list of {"name": ..., "data": ...}.

    Args:
        save_obj: what to save.
        ckpt_file_name: where to; ".ckpt" is added to a name without an ending. Written whole or not at all.
        options: accepted for MindSpore's sake.

    Raises:
        TypeError: save_obj is something else.
    """
    named = _named(save_obj)
    header: dict[str, Any] = {}
    chunks: list[bytes] = []
    offset = 0
    for name, value in named:
        tensor = value if value.is_contiguous() else value.contiguous()
        data = bytes(memoryview(tensor).cast("B")) if tensor.size else b""
        header[name] = {
            "dtype": _NAMES[str(tensor.dtype)],
            "shape": list(tensor.shape),
            "data_offsets": [offset, offset + len(data)],
        }
        offset += len(data)
        chunks.append(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path = os.fspath(ckpt_file_name)
    if not os.path.splitext(path)[1]:
        path += ".ckpt"
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(len(text).to_bytes(8, "little"))
            file.write(text)
            file.writelines(chunks)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _named(save_obj: Any) -> Iterable[tuple[str, Any]]:
    from emberjit.nn.cell import Cell

    if isinstance(save_obj, Cell):
        return list(save_obj.parameters_dict().items())
    if isinstance(save_obj, dict):
        return list(save_obj.items())
    if isinstance(save_obj, list):
        return [(item["name"], item["data"]) for item in save_obj]
    raise TypeError(f"For 'save_checkpoint', 'save_obj' must be a Cell, list or dict, but got {type(save_obj)}.")


def load_checkpoint(ckpt_file_name: str, net: Any = None, strict_load: bool = False, **options: Any) -> dict[str, Any]:
    """Loads a checkpoint into a dict of name to Parameter, and into a Cell if one is given.

    Raises:
        ValueError: the file is no checkpoint, or a damaged one; what is wrong is named.
        FileNotFoundError: there is no such file.
    """
    with open(ckpt_file_name, "rb") as file:
        content = file.read()
    parameters = {name: core.Parameter(tensor, name) for name, tensor in _parse(content, str(ckpt_file_name))}
    if net is not None:
        load_param_into_net(net, parameters, strict_load)
    return parameters


def _parse(content: bytes, path: str) -> Iterable[tuple[str, Any]]:
    def fail(why: str) -> ValueError:
        return ValueError(f"For 'load_checkpoint', the file '{path}' is not a valid checkpoint: {why}.")

    if len(content) < 8:
        raise fail("it is shorter than its length field")
    size = int.from_bytes(content[:8], "little")
    if size > _MAX_HEADER or size > len(content) - 8:
        raise fail("its header is longer than the file")
    try:
        header = json.loads(content[8 : 8 + size])
    except (ValueError, RecursionError):
        raise fail("its header is not JSON") from None
    if not isinstance(header, dict):
        raise fail("its header is no object")
    data = memoryview(content)[8 + size :]
    return [(name, _tensor(name, entry, data, fail)) for name, entry in header.items() if name != "__metadata__"]


def _tensor(name: str, entry: Any, data: memoryview, fail: Any) -> Any:
    import numpy as np

    def natural(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0

    if not isinstance(entry, dict) or not {"dtype", "shape", "data_offsets"} <= entry.keys():
        raise fail(f"the entry of '{name}' lacks dtype, shape or data_offsets")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in _CODES:
        raise fail(f"'{name}' has the unknown dtype {kind!r}")
    if not isinstance(shape, list) or len(shape) > 8 or not all(map(natural, shape)):
        raise fail(f"'{name}' has an unusable shape")
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(natural, offsets)):
        raise fail(f"'{name}' has unusable data_offsets")
    begin, end = offsets
    dtype = _CODES[kind]
    empty = core.Tensor(shape=(0,), dtype=dtype)
    if begin > end or end > len(data) or end - begin != math.prod(shape) * empty.itemsize:
        raise fail(f"the data of '{name}' does not fit its shape, or lies outside the file")
    if kind == "BF16":
        bits = np.frombuffer(data[begin:end], np.uint16).astype(np.uint32) << 16
        return core.op_table["cast"](core.Tensor(bits.view(np.float32).reshape(shape)), core.bfloat16)
    name_of = {"BOOL": "bool"}.get(kind, str(dtype).lower())
    return core.Tensor(np.frombuffer(data[begin:end], np.dtype(name_of)).reshape(shape), dtype)


def load_param_into_net(net: Any, parameter_dict: Any, strict_load: bool = False, **options: Any) -> tuple[Any, Any]:
    """Copies values into the Parameters of a Cell by name.

    Returns:
        (names of the Cell's Parameters that were not loaded, names of parameter_dict that were not used).

    Raises:
        TypeError: net is no Cell, or parameter_dict no dict.
        RuntimeError: a value has another shape, or another dtype under strict_load.
    """
    from emberjit.nn.cell import Cell

    if not isinstance(net, Cell):
        raise TypeError(f"For 'load_param_into_net', 'net' must be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"For 'load_param_into_net', 'parameter_dict' must be a dict, but got {type(parameter_dict)}.")
    missing = []
    used = set()
    for parameter in net.get_parameters():
        if parameter.name not in parameter_dict:
            missing.append(parameter.name)
            continue
        new = parameter_dict[parameter.name]
        used.add(parameter.name)
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
        parameter.set_data(new)
    return missing, [name for name in parameter_dict if name not in used]
