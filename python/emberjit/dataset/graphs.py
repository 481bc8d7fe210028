"""A graph in memory: nodes and edges with ids, types and features. A neighbour of a node is where an edge leads from it;
neighbours come in the order of the edges. NO_NODE stands for a node where there is none."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from emberjit.dataset.values import Array
from emberjit.mindrecord.reader import Rows

NO_NODE = -1
_FIELDS = ("first_id", "second_id", "third_id", "attribute", "type", "node_feature_index", "edge_feature_index")


class Elements:
    """Nodes, or edges.

    Args:
        what: "node" or "edge".
        ids: int64 of (N,), each once.
        types: int64 of (N,).
        features: by type, their values, of shape (M, ...), and the place of each one's among them, int64 of (N,); -1: it has
            none, which reads as zeros.

    Raises:
        RuntimeError: an id is there twice, negative, or beyond int32.
    """

    def __init__(self, what: str, ids: Array, types: Array, features: dict[int, tuple[Any, Any]]):
        self.what, self.ids, self.types, self.features = what, ids, types, features
        if len(ids) and not 0 <= ids.min() <= ids.max() < 2**31:
            raise RuntimeError(f"Ids of {what}s must be from 0 to {2**31 - 1}, but are from {ids.min()} to {ids.max()}.")
        self._order = np.argsort(ids, kind="stable")
        self._sorted = ids[self._order]
        again = self._sorted[1:][np.diff(self._sorted) == 0]
        if len(again):
            raise RuntimeError(f"A graph must have each {what} once, but has {what} {again[0]} twice.")

    def places(self, ids: Array) -> Any:
        """Where ids are among these.

        Raises:
            RuntimeError: one is not.
        """
        at = np.searchsorted(self._sorted, ids).clip(0, max(0, len(self.ids) - 1))
        unknown = self._sorted[at] != ids if len(self.ids) else np.ones_like(ids, bool)
        if unknown.any():
            raise RuntimeError(f"The graph has no {self.what} {ids[unknown][0]}.")
        return self._order[at]

    def of_type(self, kind: int) -> Any:
        """The ids of a type.

        Raises:
            RuntimeError: there is none of it.
        """
        self.check_type(kind)
        return self.ids[self.types == kind]

    def check_type(self, kind: int) -> None:
        """That there is one of a type.

        Raises:
            RuntimeError: there is none.
        """
        if kind not in self.types:
            raise RuntimeError(f"The graph has no {self.what} of type {kind}, only of {np.unique(self.types).tolist()}.")

    def values(self, ids: Array, feature: int) -> Any:
        """The values of a feature, of the shape of ids and then a value's: zeros of NO_NODE and what has none.

        Raises:
            RuntimeError: there is no such feature, or no such id.
        """
        if feature not in self.features:
            raise RuntimeError(f"The graph's {self.what}s have no feature {feature}, only {sorted(self.features)}.")
        values, rows = self.features[feature]
        flat = ids.reshape(-1)
        known = flat != NO_NODE
        positions = np.full(len(flat), -1)
        positions[known] = rows[self.places(flat[known])]
        output = np.zeros((len(flat), *values.shape[1:]), values.dtype)
        output[positions >= 0] = values[positions[positions >= 0]]
        return output.reshape(*ids.shape, *values.shape[1:])

    def counts(self) -> dict[int, int]:
        """How many there are by type."""
        kinds, counts = np.unique(self.types, return_counts=True)
        return dict(zip(kinds.tolist(), counts.tolist()))


class StoredGraph:
    """Nodes, and edges between them.

    Args:
        ends: the ids of the nodes that each edge leads from and to, int64 of (N, 2).
        weights: of the edges, float32 of (N,).

    Raises:
        RuntimeError: an edge is of a node that there is not.
    """

    def __init__(self, nodes: Elements, edges: Elements, ends: Array, weights: Array):
        self.nodes, self.edges, self.ends = nodes, edges, ends
        places = nodes.places(ends.reshape(-1)).reshape(-1, 2)
        order = np.argsort(places[:, 0], kind="stable")
        self._starts = np.searchsorted(places[order, 0], np.arange(len(nodes.ids) + 1))
        self._targets, self._weights = places[order, 1], weights[order]

    @functools.cached_property
    def between(self) -> dict[tuple[int, int], int]:
        """The first edge from one node to another, by their ids."""
        pairs = zip(map(tuple, self.ends.tolist()), self.edges.ids.tolist())
        return dict(reversed(list(pairs)))

    def neighbours(self, node: int, kind: int) -> tuple[Any, Any]:
        """The ids of a node's neighbours of a type, and the weights of the edges to them.

        Args:
            node: its place.
        """
        part = slice(self._starts[node], self._starts[node + 1])
        targets = self._targets[part]
        matches = self.nodes.types[targets] == kind
        return self.nodes.ids[targets[matches]], self._weights[part][matches]


def read(path: str) -> StoredGraph:
    """The graph of MindRecord files: rows of nodes and edges, with the fields first_id (the id), second_id and third_id (an
    edge's ends), attribute ("n" or "e"), type, node_feature_index and edge_feature_index (which features there are), those
    features (node_feature_1 and so on), and perhaps weight.

    Raises:
        RuntimeError: they are none.
    """
    rows = Rows(path)
    for name in _FIELDS:
        if name not in rows.schema:
            raise RuntimeError(f"The file '{path}' holds no graph: it has no field '{name}' among {sorted(rows.schema)}.")
    groups: dict[str, list[dict[str, Any]]] = {"n": [], "e": []}
    for number in range(len(rows)):
        row = rows[number]
        if row["attribute"] not in groups:
            raise RuntimeError(f"Row {number} of '{path}' is neither a node, n, nor an edge, e, but {row['attribute']!r}.")
        groups[row["attribute"]].append(row)
    rows.close()
    nodes, edges = _elements("node", groups["n"], rows.schema), _elements("edge", groups["e"], rows.schema)
    ends = np.array([(row["second_id"], row["third_id"]) for row in groups["e"]], np.int64).reshape(-1, 2)
    return StoredGraph(nodes, edges, ends, np.array([row.get("weight", 1.0) for row in groups["e"]], np.float32))


def _elements(what: str, rows: list[dict[str, Any]], schema: dict[str, Any]) -> Elements:
    values_of: dict[int, list[Any]] = {}
    places: dict[int, Any] = {}
    for number, row in enumerate(rows):
        for feature in (index for index in row[f"{what}_feature_index"].reshape(-1).tolist() if index >= 0):
            name = f"{what}_feature_{feature}"
            if name not in row:
                raise RuntimeError(f"A {what} has a feature {feature}, but there is no field '{name}' in {sorted(row)}.")
            values = values_of.setdefault(feature, [])
            places.setdefault(feature, np.full(len(rows), -1))[number] = len(values)
            value, kind = row[name], schema[name]["type"]
            values.append(np.frombuffer(value, np.uint8) if kind == "bytes" else np.asarray(value, kind).reshape(-1))
            if len(values[-1]) != len(values[0]):
                raise RuntimeError(
                    f"The feature {feature} of {what}s is of {len(values[0])} and of {len(values[-1])} values."
                )
    ids, types = ([row[name] for row in rows] for name in ("first_id", "type"))
    features = {feature: (np.stack(values), places[feature]) for feature, values in values_of.items()}
    return Elements(what, np.array(ids, np.int64), np.array(types, np.int64), features)
