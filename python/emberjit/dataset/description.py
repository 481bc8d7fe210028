"""The text of a pipeline: its source, a line for each step as it is called, and how many rows of which columns come. Nothing
is iterated over: where the number of rows would have to be counted it is not told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from emberjit.dataset.node import Node
from emberjit.dataset.recorded import arguments
from emberjit.dataset.steps.columns import FlatMap
from emberjit.printing.values import call_text, not_default

# By classes of steps: the method of Dataset, and its names of parameters that the step calls otherwise ("": none is told).
_METHODS: dict[str, tuple[str, dict[str, str]]] = {
    "Batch": ("batch", {"padding": "pad_info"}),
    "BucketBatch": (
        "bucket_batch_by_length",
        {
            "names": "column_names",
            "boundaries": "bucket_boundaries",
            "sizes": "bucket_batch_sizes",
            "length_of": "element_length_function",
            "padding": "pad_info",
            "to_boundary": "pad_to_bucket_boundary",
            "drop": "drop_remainder",
        },
    ),
    "Concat": ("concat", {}),
    "Filter": ("filter", {"columns": "input_columns"}),
    "FlatMap": ("flat_map", {"nodes_of": ""}),
    "Map": ("map", {}),
    "Part": ("split", {}),
    "Project": ("project", {"names": "columns"}),
    "Rename": ("rename", {"old": "input_columns", "new": "output_columns"}),
    "Repeat": ("repeat", {}),
    "Shard": ("use_sampler", {"number": "num_shards", "shard": "shard_id"}),
    "Shuffle": ("shuffle", {}),
    "Skip": ("skip", {}),
    "SyncWait": ("sync_wait", {"condition": "condition_name", "number": "num_batch"}),
    "Take": ("take", {}),
    "Zip": ("zip", {}),
}
_DEFAULTS = {"max_rowsize": 16}  # what options are that no step has a default for, beside None, False and []


def described(name: str, root: Node) -> str:
    """The text of a dataset.

    Args:
        name: the dataset's class.
        root: its last node.
    """
    head = ", ".join(part for part in (_rows(root), _columns(root)) if part)
    return "\n".join([f"{name}: {head}" if head else name, *(f"  {line}" for line in lines(root))])


def _rows(root: Node) -> str:
    if any(node.counts for node in root.walk()):
        return "rows not counted yet"
    try:
        number = root.size()
    except Exception:  # the user's __len__, or a length that does not fit
        return "rows not known"
    return "1 row" if number == 1 else f"{number} rows"


def _columns(root: Node) -> str:
    if any(isinstance(node, FlatMap) for node in root.walk()):  # whose columns are those of its first row's
        return ""
    try:
        return f"columns {', '.join(root.columns)}"
    except RuntimeError:
        return ""


def lines(node: Node) -> Iterator[str]:
    """The source and the steps after it; of a step with several inputs these, each further to the right."""
    if not node.inputs:
        yield _source(node)
        return
    if len(node.inputs) > 1:
        yield f"{_METHODS.get(type(node).__name__, (type(node).__name__, {}))[0]} of"
        for before in node.inputs:
            yield from (f"  {line}" for line in lines(before))
        return
    yield from lines(node.inputs[0])
    yield f"  .{_step(node)}"


def _source(node: Node) -> str:
    if node.dataset_call is None:
        return type(node).__name__.strip("_")
    cls, call_arguments = node.dataset_call
    try:
        return call_text(cls.__name__, not_default(cls, arguments(cls, call_arguments)))
    except (TypeError, ValueError):
        return f"{cls.__name__}(...)"


def _step(node: Node) -> str:
    method, names = _METHODS.get(type(node).__name__, (type(node).__name__, {}))
    try:
        values = not_default(type(node), arguments(type(node), node.call_arguments))
    except (TypeError, ValueError):
        return f"{method}(...)"
    told = {names.get(name, name): value for name, value in values.items() if not _is_default(name, value)}
    return call_text(method, {name: value for name, value in told.items() if name and not isinstance(value, Node)})


def _is_default(name: str, value: Any) -> bool:
    return value is None or value is False or value == [] or (name in _DEFAULTS and value == _DEFAULTS[name])
