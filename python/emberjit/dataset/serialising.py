"""serialize() and deserialize(): pipelines as JSON. A node is an object of op_type, the name of the dataset or step;
parameters, what it was made with; children, the nodes before it; and of a source the sampler. The form is emberjit's own.
What is no value of JSON is an object of one entry: $tuple, $items (of a dict), $bytes, $array, $dtype, $choice (of an
enumeration), $schema, $made (operations and samplers, by name) or $function, which is named but cannot be made again."""

from __future__ import annotations

import enum
import importlib
import inspect
import json
import os
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit.checks import check_instance
from emberjit.dataset import samplers
from emberjit.dataset.datasets import Dataset
from emberjit.dataset.node import Node
from emberjit.dataset.recorded import CallArguments, Recorded, arguments
from emberjit.dataset.sources.mappable import Mappable
from emberjit.dataset.sources.schema import Schema
from emberjit.dataset.steps import batching, columns, combining, mapping, ordering
from emberjit.log import info, warning

_STEPS = {
    name: cls
    for module in (batching, columns, combining, mapping, ordering)
    for name, cls in vars(module).items()
    if isinstance(cls, type) and issubclass(cls, Node) and cls.__module__ == module.__name__
}
_OF_SAMPLERS = ("sampler", "shuffle", "num_samples", "num_shards", "shard_id")
_PACKAGES = ("vision", "transforms", "text", "audio", "")
_DTYPES = (
    "bool_",
    "string",
    "bfloat16",
    *(f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32, 64)),
)


def _package(name: str) -> Any:
    return importlib.import_module(f"emberjit.dataset.{name}".rstrip("."))


def _public_name(cls: type) -> str:
    """As "vision.Resize".

    Raises:
        ValueError: there is none.
    """
    for package in _PACKAGES:
        if cls.__name__ in dir(_package(package)) and getattr(_package(package), cls.__name__) is cls:
            return f"{package}.{cls.__name__}"
    raise ValueError(f"a {cls.__name__} cannot be written down")


def _public(name: Any) -> Any:
    package, _, last = check_instance("deserialize", "name", name, str).rpartition(".")
    if package not in _PACKAGES or last.startswith("_") or last not in dir(_package(package)):
        raise ValueError(f"there is no '{name}'")
    return getattr(_package(package), last)


def _dtypes() -> dict[str, Any]:
    dtypes = {name: getattr(core, name, getattr(types, name, None)) for name in _DTYPES}
    return {name: dtype for name, dtype in dtypes.items() if dtype is not None}


def _to_json(value: Any) -> Any:
    """A value as JSON has it.

    Raises:
        ValueError: it cannot be written down.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, enum.Enum):
        return {"$choice": [_public_name(type(value)), value.name]}
    if isinstance(value, list):
        return [_to_json(item) for item in value]
    if isinstance(value, tuple):
        return {"$tuple": [_to_json(item) for item in value]}
    if isinstance(value, dict):
        return {"$items": [[_to_json(key), _to_json(item)] for key, item in value.items()]}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufU":
        return {"$array": [value.dtype.str, value.tolist()]}
    if isinstance(value, bytes):
        return {"$bytes": value.decode("latin1")}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Schema):
        return {"$schema": json.loads(value.to_json())}
    for name, dtype in _dtypes().items():
        if value is dtype:
            return {"$dtype": name}
    if isinstance(value, Recorded) and type(value).__module__.startswith("emberjit."):
        child = value.get_child() if isinstance(value, samplers.Sampler) else None
        return {"$made": [_public_name(type(value)), _by_name(type(value), value.call_arguments), _to_json(child)]}
    if callable(value):
        name = getattr(value, "__qualname__", type(value).__qualname__)
        return {"$function": f"{getattr(value, '__module__', None)}.{name}"}
    raise ValueError(f"a {type(value).__name__} cannot be written down")


def _by_name(cls: type, call_arguments: CallArguments | None) -> dict[str, Any]:
    return {name: _to_json(value) for name, value in arguments(cls, call_arguments).items() if not _is_input(value)}


def _is_input(value: Any) -> bool:
    return isinstance(value, Node) or (isinstance(value, tuple) and bool(value) and isinstance(value[0], Node))


def _node_to_json(node: Node) -> dict[str, Any]:
    if type(node).__name__ in _STEPS:
        children = [_node_to_json(child) for child in node.inputs]
        parameters = _by_name(type(node), node.call_arguments)
        return {"op_type": type(node).__name__, "parameters": parameters, "children": children}
    if node.dataset_call is None or getattr(node, "subset", None) is not None:
        raise ValueError(f"the rows of a {type(node).__name__.strip('_')} cannot be written down")
    cls, call_arguments = node.dataset_call
    parameters = _by_name(cls, call_arguments)
    result = {"op_type": cls.__name__, "parameters": parameters, "children": []}
    if not isinstance(node, Mappable) or type(node.sampler).__name__ not in dir(_package("")):
        return result
    remaining = {name: value for name, value in parameters.items() if name not in _OF_SAMPLERS}
    return result | {"parameters": remaining, "sampler": _to_json(node.sampler)}


def _pipeline(function: str, dataset: Any) -> dict[str, Any]:
    try:
        return _node_to_json(check_instance(function, "dataset", dataset, Dataset)._node)
    except ValueError as error:
        raise ValueError(f"For '{function}', {error}.") from None


def _functions(written: Any) -> list[str]:
    """The functions that are named in what is written."""
    if isinstance(written, dict) and "$function" in written:
        return [written["$function"]]
    inner = written.values() if isinstance(written, dict) else written if isinstance(written, list) else ()
    return [name for item in inner for name in _functions(item)]


def serialize(dataset: Dataset, json_filepath: str = "") -> dict[str, Any]:
    """A pipeline as JSON, from which deserialize() makes it again. The form is not MindSpore's. Of Python's functions there
    are the names alone, with a warning.

    Args:
        dataset: the pipeline.
        json_filepath: the path of a file that it is written to; "": none is written.

    Returns:
        A dict of what JSON can hold: "op_type", the name of the last step or of the source; "parameters", its arguments;
        "children", what is before it; and of a source perhaps "sampler".

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: something in it cannot be written down, such as a part of split().
        OSError: the file cannot be written.

    Examples:
        >>> written = ds.serialize(ds.NumpySlicesDataset([1, 2, 3], shuffle=False).batch(2))
        >>> written["op_type"], written["children"][0]["op_type"]
        ('Batch', 'NumpySlicesDataset')
        >>> ds.deserialize(written).get_dataset_size()
        2
    """
    path = check_instance("serialize", "json_filepath", json_filepath, str)
    document = _pipeline("serialize", dataset)
    for name in _functions(document):
        warning(f"serialize() writes the name of {name} alone: deserialize() cannot make the pipeline again")
    try:
        text = json.dumps(document, indent=2)
    except TypeError as error:
        raise ValueError(f"For 'serialize', something in the pipeline cannot be written down: {error}.") from None
    if path:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    return document


def deserialize(input_dict: dict[str, Any] | None = None, json_filepath: str | None = None) -> Dataset | None:
    """The pipeline that serialize() wrote down.

    Args:
        input_dict: what serialize() returned.
        json_filepath: the path of the file that it wrote; then input_dict is not read.

    Returns:
        A Dataset of the same steps; None if neither argument is given.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: it is no such pipeline, or has a function of Python, which cannot be made again.
        OSError: the file cannot be read.

    Examples:
        >>> _ = ds.serialize(ds.NumpySlicesDataset([1, 2, 3], shuffle=False).skip(1), "pipeline.json")
        >>> dataset = ds.deserialize(json_filepath="pipeline.json")
        >>> [int(x) for x, in dataset]
        [2, 3]
    """
    if json_filepath:
        with open(check_instance("deserialize", "json_filepath", json_filepath, str), encoding="utf-8") as stream:
            try:
                input_dict = json.load(stream)
            except ValueError as error:
                raise ValueError(f"For 'deserialize', '{json_filepath}' is no JSON: {error}.") from None
    if not input_dict:
        return None
    written = check_instance("deserialize", "input_dict", input_dict, dict)
    try:
        return _dataset_of(written)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"For 'deserialize', this is no pipeline: {type(error).__name__}: {error}.") from None


def _dataset_of(written: dict[str, Any]) -> Dataset:
    name, parameters = written["op_type"], {key: _from_json(value) for key, value in written["parameters"].items()}
    if name in _STEPS:
        before = [_dataset_of(child)._node for child in written["children"]]
        first, *_ = inspect.signature(_STEPS[name]).parameters
        make: Any = _STEPS[name]
        return Dataset(make(**{first: tuple(before) if first == "inputs" else before[0]}, **parameters))
    cls = _public(name)
    if not isinstance(cls, type) or not issubclass(cls, Dataset):
        raise ValueError(f"For 'deserialize', there is no dataset '{name}'.")
    dataset: Dataset = cls(**parameters)
    if "sampler" in written and isinstance(dataset._node, Mappable):
        dataset._node.sampler = check_instance(name, "sampler", _from_json(written["sampler"]), samplers.Sampler)
    return dataset


def _from_json(written: Any) -> Any:
    """The value that JSON stands for."""
    if isinstance(written, list):
        return [_from_json(item) for item in written]
    if not isinstance(written, dict):
        return written
    ((kind, content),) = written.items()
    if kind == "$tuple":
        return tuple(map(_from_json, content))
    if kind == "$items":
        return {_from_json(key): _from_json(value) for key, value in content}
    if kind == "$bytes":
        return str(content).encode("latin1")
    if kind == "$array":
        array = np.array(content[1], np.dtype(content[0]))
        return array if array.ndim else array[()]
    if kind == "$dtype":
        return _dtypes()[content]
    if kind == "$choice":
        cls = _public(content[0])
        if not (isinstance(cls, type) and issubclass(cls, enum.Enum)):
            raise ValueError(f"For 'deserialize', there is no enumeration '{content[0]}'.")
        return cls[content[1]]
    if kind == "$schema":
        schema = Schema()
        schema.from_json(content)
        return schema
    if kind == "$made":
        cls = _public(content[0])
        if not (isinstance(cls, type) and issubclass(cls, Recorded)) or issubclass(cls, Dataset):
            raise ValueError(f"For 'deserialize', there is no operation '{content[0]}'.")
        operation = cls(**{name: _from_json(value) for name, value in content[1].items()})
        if content[2] is not None:
            operation.add_child(_from_json(content[2]))
        return operation
    raise ValueError(f"For 'deserialize', {content!r} cannot be made again.")


def show(dataset: Dataset, indentation: int | None = 2) -> None:
    """Logs a pipeline as the JSON that serialize() gives, at the level INFO; print(dataset) shows it more briefly.

    Args:
        dataset: the pipeline.
        indentation: by how many blanks each level is indented; None: all is one line.

    Raises:
        TypeError: dataset is no Dataset.
        ValueError: something in it cannot be written down, such as a part of split().

    Examples:
        >>> ds.show(ds.NumpySlicesDataset([1, 2, 3]).batch(2))  # nothing is printed unless INFO is logged
    """
    info(json.dumps(_pipeline("show", dataset), indent=indentation))


def compare(pipeline1: Dataset, pipeline2: Dataset) -> bool:
    """Whether two pipelines are made of the same steps with the same arguments; functions of Python are compared by their
    names.

    Args:
        pipeline1: one pipeline.
        pipeline2: the other.

    Returns:
        A bool.

    Raises:
        TypeError: one is no Dataset.
        ValueError: something in one cannot be written down, such as a part of split().

    Examples:
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3])
        >>> ds.compare(dataset.batch(2), dataset.batch(2)), ds.compare(dataset.batch(2), dataset.batch(3))
        (True, False)
    """
    return _pipeline("compare", pipeline1) == _pipeline("compare", pipeline2)
