"""export and load of graphs, under the name MINDIR. A file is one of safetensors: of what the graph reads, with the graph's
text and its interface as texts beside it."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit import onnx, protobuf
from emberjit.capture.jit import func_graph
from emberjit.capture.jit.func_graph import FuncGraph
from emberjit.checks import check_instance
from emberjit.options import take
from emberjit.train import encryption, safetensors
from emberjit.values import tree
from emberjit.values.placeholders import Placeholder, Symbol

_FORMATS = ("AIR", "ONNX", "MINDIR")
_SUFFIX = ".mindir"
_MARK = "emberjit graph"
_VERSION = 1
_REFUSED = {
    "custom_func": "changes MindSpore's protobuf message, which there is none of",
    "dataset": "is stored in MindSpore's files only: export the network, and run the pipeline before it",
    "obf_func": "is no longer supported by MindSpore either",
}
_LIKELY, _SMALLER = range(64, 4096), range(2, 64)  # sizes for those that are unknown


def export(net: Any, *inputs: Any, file_name: str, file_format: str, **kwargs: Any) -> None:
    """Writes the graph of a Cell or function, with its Parameters, to a file for load().

    The graph holds for all sizes of axes that the function does not take as numbers or decide by. It is emberjit's own:
    MindSpore does not read it. Custom gradients (bprop) are not kept.

    Args:
        net: a Cell, or a function, jitted or not.
        inputs: of a call: Tensors, among them those of unknown sizes (Tensor(shape=[None, 3], dtype=...)), which become the
            graph's, and other values, which are fixed. Tensors may lie in tuples, lists and dicts.
        file_name: where to; ".mindir" is added to a name that does not end so, folders are made; whole or not at all.
        file_format: "MINDIR", or "ONNX" (onnx.export, whose sizes are the inputs').
        kwargs: enc_key, bytes, encrypts the file, enc_mode says how: "AES-GCM", "AES-CBC", "SM4-CBC", or a function of the
            bytes and the key which returns bytes; incremental has no effect (page Options).

    Raises:
        ValueError: there is no such file_format; a size that is unknown is fixed in the graph.
        TypeError: net is not callable, file_name is no str, or there is no such option.
        CaptureError: something cannot enter a graph, or needs Python when it runs; its line is named.
        NotImplementedError: file_format is "AIR", an option is of MindSpore's files alone, or an op has no counterpart in
            ONNX.
        OSError: the file cannot be written.
        ImportError: enc_key without the package cryptography.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> ms.export(net, Tensor(shape=[None, 2], dtype=ms.float32), file_name="dense", file_format="MINDIR")
        >>> run = nn.GraphCell(ms.load("dense.mindir"))
        >>> print(run(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[3.]
         [7.]]
    """
    if file_format not in _FORMATS:
        raise ValueError(f"For 'export', 'file_format' must be one of {', '.join(_FORMATS)}, but got {file_format!r}.")
    if file_format == "ONNX":
        if kwargs:
            raise TypeError(f"For 'export' to ONNX, there is no '{next(iter(kwargs))}'; onnx.export has options of its own.")
        onnx.export(net, *inputs, file_name=file_name)
        return
    if file_format == "AIR":
        raise NotImplementedError(
            "For 'export', emberjit writes no file_format 'AIR': 'MINDIR' writes a graph that load() reads, 'ONNX' one that "
            "other runtimes read."
        )
    if not callable(net):
        raise TypeError(f"For 'export', 'net' must be a Cell or a function, but got {net!r}.")
    write = _writer("export", kwargs)
    path = _path("export", file_name)
    graph = func_graph.capture(net, tree.rebuild(inputs, _example))
    _check_unknown(inputs, graph)
    if folder := os.path.dirname(path):
        os.makedirs(folder, exist_ok=True)
    core.write_file(os.fsencode(path), write(_encoded(graph)))


def _writer(function: str, options: dict[str, Any]) -> Callable[[list[bytes]], list[bytes]]:
    """What encrypts the parts of a file."""
    for name in options:
        if name in _REFUSED:
            raise NotImplementedError(f"For '{function}', there is no '{name}': it {_REFUSED[name]}.")
        if name not in ("enc_key", "enc_mode", "incremental"):
            raise TypeError(f"'{function}' got an unexpected keyword argument '{name}'.")
    take(function, "incremental", options.get("incremental", False))
    key, mode = options.get("enc_key"), options.get("enc_mode", "AES-GCM")
    if callable(mode):
        return lambda parts: [mode(b"".join(parts), key)]
    encryption.check(function, "enc_key", key, "enc_mode", mode)
    return lambda parts: parts if key is None else encryption.encrypted(parts, key, mode)


def _path(function: str, name: Any) -> str:
    check_instance(function, "file_name", name, (str, os.PathLike))
    path = os.fsdecode(name)
    return path if path.endswith(_SUFFIX) else path + _SUFFIX


def _example(value: Any, number: int = 0) -> Any:
    """A Tensor as a placeholder describes, one for each number."""
    if not isinstance(value, Placeholder):
        return value
    if value.sizes is None:
        raise ValueError("For 'export', the rank of an input must be known: Tensor(shape=[None, None], dtype=...).")
    return core.Tensor(shape=tuple(_size(size, number) for size in value.sizes), dtype=value.dtype)


def _size(size: int | Symbol | None, number: int) -> int:
    if isinstance(size, int):
        return size
    known = size if isinstance(size, Symbol) else Symbol()
    admitted = [size for size in itertools.chain(_LIKELY, _SMALLER, (1,)) if known.admits(size)]
    return admitted[min(number, len(admitted) - 1)]


def _check_unknown(inputs: Any, graph: FuncGraph) -> None:
    """Refuses a graph that does not hold for other sizes, where some are unknown."""
    if not any(isinstance(leaf, Placeholder) for leaf in tree.leaves(inputs)):
        return
    others = [_example(leaf, 1) for leaf in tree.leaves(inputs) if isinstance(leaf, core.Tensor)]
    try:
        func_graph.runner(graph, graph.outside).prepare(tuple(others), {})
    except ValueError as error:
        raise ValueError(f"For 'export', sizes are unknown, but the graph holds for some only: {error}.") from None


def _encoded(graph: FuncGraph) -> list[bytes]:
    parameters = {name: value for name, value in graph.outside.items() if isinstance(value, core.Parameter)}
    interface = {
        "version": _VERSION,
        "outside": list(graph.outside),
        "parameters": {name: [value.name, value.requires_grad] for name, value in parameters.items()},
        "results": graph.results,
    }
    texts = {"format": _MARK, "graph": graph.module.without_sources(), "interface": json.dumps(interface)}
    return safetensors.encode(graph.outside.items(), metadata=texts)


def load(file_name: str, **kwargs: Any) -> FuncGraph:
    """Reads a file that export() wrote; nn.GraphCell runs what it returns.

    Args:
        file_name: the file, a str, which ends in ".mindir".
        kwargs: dec_key and dec_mode, as export's enc_key and enc_mode; a function takes the file's name and the key.

    Returns:
        A graph with its Parameters, the argument of nn.GraphCell.

    Raises:
        ValueError: file_name is no str, does not end so, or there is no such file.
        RuntimeError: it is no such file, a damaged one, encrypted otherwise, or calls functions of shared libraries.
        NotImplementedError: it is a file of MindSpore's, or an option is of MindSpore's files alone.
        TypeError: there is no such option.
        OSError: it cannot be read.

    Examples:
        >>> ms.export(nn.ReLU(), Tensor([1.0, 0.0]), file_name="relu", file_format="MINDIR")
        >>> run = nn.GraphCell(ms.load("relu.mindir"))
        >>> print(run(Tensor([-1.0, 2.0, 3.0])))
        [0. 2. 3.]
    """
    for name in kwargs:
        if name in _REFUSED:
            raise NotImplementedError(f"For 'load', there is no '{name}': it {_REFUSED[name]}.")
        if name not in ("dec_key", "dec_mode"):
            raise TypeError(f"'load' got an unexpected keyword argument '{name}'.")
    if not isinstance(file_name, str):
        raise ValueError(f"For 'load', 'file_name' must be a str, but got {type(file_name)}.")
    if not file_name.endswith(_SUFFIX):
        raise ValueError(f"For 'load', 'file_name' must end in '{_SUFFIX}', but got '{file_name}'.")
    if not os.path.exists(file_name):
        raise ValueError(f"For 'load', there is no file '{file_name}'.")
    key, mode = kwargs.get("dec_key"), kwargs.get("dec_mode", "AES-GCM")
    if not callable(mode):
        encryption.check("load", "dec_key", key, "dec_mode", mode)
    try:
        content = _content(file_name, key, mode)
        _refuse_others(content)
        return _decoded(content)
    except ValueError as error:
        other = "" if key is None or "another key" in str(error) else ", or it was encrypted with another key"
        raise RuntimeError(f"For 'load', '{file_name}' is no graph that export() wrote: {error}{other}.") from None


def _content(path: str, key: bytes | None, mode: Any) -> bytes:
    if callable(mode):
        return bytes(mode(path, key))
    with open(path, "rb") as file:
        content = file.read()
    if key is not None:
        return encryption.decrypted(content, key, mode)
    if encryption.is_encrypted(content):
        raise ValueError("it is encrypted, and there is no 'dec_key'")
    return content


def _refuse_others(content: bytes) -> None:
    if content.startswith(b"{") or content[4:9] == b"\0\0\0\0{":
        return
    try:
        first = next(protobuf.fields(memoryview(content)))
    except (ValueError, StopIteration):
        return
    if first[0] == 1 and isinstance(first[-1], (bytes, memoryview)):
        raise NotImplementedError(
            f"For 'load', the file is a MindIR of MindSpore's (version {bytes(first[-1]).decode(errors='replace')}), whose "
            "ops emberjit does not read. Build the network in Python and load its Parameters: save_checkpoint writes them "
            "in MindSpore, load_checkpoint reads them here."
        )


def _decoded(content: bytes) -> FuncGraph:
    _, values = safetensors.decode(memoryview(content), lambda name: True)
    texts = safetensors.metadata(content)
    if texts.get("format") != _MARK:
        raise ValueError("it holds Tensors, but no graph: load_checkpoint reads it")
    try:
        interface = json.loads(texts["interface"])
        if interface["version"] != _VERSION:
            raise ValueError(f"it has version {interface['version']}, and this emberjit reads version {_VERSION}")
        parameters = interface["parameters"]
        outside = {name: values[name] for name in interface["outside"]}
        for name, (parameter_name, requires_grad) in parameters.items():
            outside[name] = core.Parameter(outside[name], str(parameter_name), requires_grad=bool(requires_grad))
        module, results = core.Module(texts["graph"]), interface["results"]
    except (KeyError, TypeError, AttributeError, RuntimeError) as error:
        raise ValueError(f"it is damaged ({type(error).__name__}: {error})") from None
    if module.libraries:
        raise ValueError(f"it calls functions of the libraries {', '.join(module.libraries)}, which load() refuses")
    if len(module.params) < len(outside):
        raise ValueError("it is damaged: it holds more Tensors than its graph takes")
    graph = FuncGraph(module, outside, results)
    func_graph.check_results(graph)
    return graph
