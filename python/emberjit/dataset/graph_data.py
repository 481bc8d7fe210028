"""GraphData and Graph: what of a graph's nodes, edges and features training asks for. MindSpore 2.10 has neither; they are
as in versions before it: results have no axes of length 1, and ids are int32. Random choices follow the seed."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_choice, check_instance, check_int32, check_number
from emberjit.dataset import checks, graphs
from emberjit.dataset.graphs import NO_NODE, Elements, StoredGraph
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array
from emberjit.log import warning

_MOST_HOPS, _MOST_STEPS = 6, 80


class SamplingStrategy(IntEnum):
    """How GraphData.get_sampled_neighbors() chooses neighbours. RANDOM: all are as likely, and none comes again before all
    have come. EDGE_WEIGHT: each is drawn by the weight of its edge.

    Examples:
        >>> graph = ds.Graph([[0, 0], [1, 2]])
        >>> rows = graph.get_sampled_neighbors([0], [2], ["0"], ds.SamplingStrategy.RANDOM)
        >>> sorted(rows.tolist())
        [0, 1, 2]
    """

    RANDOM = 0
    EDGE_WEIGHT = 1


class OutputFormat(IntEnum):
    """In which form GraphData.get_all_neighbors() gives neighbours. NORMAL: a row for each node. COO: a row for each
    neighbour. CSR: where each node's neighbours begin, and all of them.

    Examples:
        >>> graph = ds.Graph([[0, 0, 1], [1, 2, 2]])
        >>> print(graph.get_all_neighbors([0, 1], "0", ds.OutputFormat.COO))
        [[0 1]
         [0 2]
         [1 2]]
    """

    NORMAL = 0
    COO = 1
    CSR = 2


def _ids(where: str, name: str, value: Any, axes: int | None = 1) -> Any:
    """An array of ints, of some axes, or of any number of them."""
    array = np.asarray(check_instance(where, name, value, (list, np.ndarray)))
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"For '{where}', '{name}' must hold ints, but got {value!r:.100}.")
    if not array.size:
        raise RuntimeError(f"For '{where}', '{name}' must not be empty.")
    if axes is not None and array.ndim != axes:
        raise RuntimeError(f"For '{where}', '{name}' must have {axes} axes, but is of shape {list(array.shape)}.")
    return array.astype(np.int64)


def _result(ids: Any) -> Any:
    return np.squeeze(np.asarray(ids, np.int32))


def _local(where: str, mode: Any, hostname: Any, port: Any, num_client: Any, auto_shutdown: Any, workers: Any) -> None:
    """Checks that a graph is read by this process, and the other arguments."""
    check_choice(where, "working_mode", mode, "local", "client", "server")
    check_instance(where, "hostname", hostname, str)
    check_int32(where, "port", port, 1024, 65535)
    check_int32(where, "num_client", num_client, 1, 255)
    check_bool(where, "auto_shutdown", auto_shutdown)
    checks.workers(where, workers)
    if mode != "local":
        raise RuntimeError(
            f"For '{where}', 'working_mode' must be 'local': there is no graph server, but got {mode!r}. Each process reads "
            "the file itself."
        )


class GraphData:
    """The graph of nodes, edges and their features that MindRecord files hold. Their fields are first_id, second_id,
    third_id, type, attribute ("n" of a node, whose id is first_id, "e" of an edge first_id from node second_id to third_id),
    weight, node_feature_index, edge_feature_index, and node_feature_1, edge_feature_1 and so on. MindSpore 2.10 has it no
    more. Ids are int32; results have no axes of length 1.

    Args:
        dataset_file: the path of one file, whose other shards are read as well.
        num_parallel_workers: has no effect: the file is read when the object is made.
        working_mode: "local": this process reads the file.
        hostname, port, num_client, auto_shutdown: of a graph server, which there is none of; they are checked alone.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is of a wrong value, or there is no such file.
        RuntimeError: it holds no graph, or working_mode is "client" or "server".

    Examples:
        >>> graph = ds.GraphData(example_data("graph") + "/graph.mindrecord")
        >>> graph.get_all_nodes(node_type=0), graph.get_all_nodes(node_type=1)
        (array([1, 2], dtype=int32), array(3, dtype=int32))
        >>> print(graph.get_all_neighbors([1, 2], neighbor_type=1))
        [[1 3]
         [2 3]]
        >>> print(graph.get_node_feature([1, 3], feature_types=[1])[0])
        [[1.  0.5]
         [3.  1.5]]
    """

    def __init__(
        self,
        dataset_file: str,
        num_parallel_workers: int | None = None,
        working_mode: str = "local",
        hostname: str = "127.0.0.1",
        port: int = 50051,
        num_client: int = 1,
        auto_shutdown: bool = True,
    ):
        where = "GraphData"
        _local(where, working_mode, hostname, port, num_client, auto_shutdown, num_parallel_workers)
        self._graph = graphs.read(checks.file(where, "dataset_file", dataset_file))

    def _node_type(self, where: str, name: str, value: Any) -> int:
        return check_int32(where, name, value, -(2**31))

    _edge_type = _node_type

    def _node_features(self, where: str, value: Any) -> list[int]:
        features: list[int] = _ids(where, "feature_types", value).tolist()
        return features

    _edge_features = _node_features

    def get_all_nodes(self, node_type: Any) -> Any:
        """The ids of all nodes of a type.

        Args:
            node_type: the type, an int; of a Graph its name.

        Returns:
            Int32 of (N,).

        Raises:
            TypeError: it is of a wrong type.
            RuntimeError: there is no node of it.
        """
        return _result(self._graph.nodes.of_type(self._node_type("get_all_nodes", "node_type", node_type)))

    def get_all_edges(self, edge_type: Any) -> Any:
        """The ids of all edges of a type.

        Args:
            edge_type: the type, an int; of a Graph its name.

        Returns:
            Int32 of (N,).

        Raises:
            TypeError: it is of a wrong type.
            RuntimeError: there is no edge of it.
        """
        return _result(self._graph.edges.of_type(self._edge_type("get_all_edges", "edge_type", edge_type)))

    def get_nodes_from_edges(self, edge_list: Any) -> Any:
        """The nodes that edges lead from and to.

        Args:
            edge_list: the ids of the edges, a list or array.

        Returns:
            Int32 of (N, 2).

        Raises:
            TypeError: edge_list is no list or array of ints.
            RuntimeError: it is empty, or there is no such edge.
        """
        edges = _ids("get_nodes_from_edges", "edge_list", edge_list)
        return _result(self._graph.ends[self._graph.edges.places(edges)])

    def get_edges_from_nodes(self, node_list: Any) -> Any:
        """The edges that lead from the first to the second node of pairs.

        Args:
            node_list: a list of pairs of ids, or an array of (N, 2).

        Returns:
            Int32 of (N,); -1 where no edge does, with a warning.

        Raises:
            TypeError: node_list is none of these.
            RuntimeError: it is empty, or there is no such node that comes first.
        """
        pairs = _ids("get_edges_from_nodes", "node_list", node_list, 2)
        self._graph.nodes.places(pairs[:, 0])
        edges = [self._graph.between.get(pair, -1) for pair in map(tuple, pairs.tolist())]
        for pair, edge in zip(pairs.tolist(), edges):
            if edge < 0:
                warning(f"no edge leads from node {pair[0]} to node {pair[1]}")
        return _result(edges)

    def _neighbours(self, nodes: Array, kind: int) -> list[Any]:
        self._graph.nodes.check_type(kind)
        return [self._graph.neighbours(place, kind)[0] for place in self._graph.nodes.places(nodes).tolist()]

    def get_all_neighbors(
        self, node_list: Any, neighbor_type: Any, output_format: OutputFormat = OutputFormat.NORMAL
    ) -> Any:
        """All neighbours of a type of some nodes.

        Args:
            node_list: the ids of the nodes, a list or array.
            neighbor_type: the type, an int; of a Graph its name.
            output_format: the form of the result, an OutputFormat.

        Returns:
            NORMAL: a row for each node, of the node and its neighbours, and -1 after them, int32 of (N, 1 + most). COO: a
            row for each neighbour, of the node and it, int32 of (M, 2). CSR: where each node's neighbours begin, int32 of
            (N,), and all of them, int32 of (M,).

        Raises:
            TypeError: an argument is of a wrong type.
            RuntimeError: node_list is empty, or there is no such node, or none of the type.
        """
        where = "get_all_neighbors"
        check_instance(where, "output_format", output_format, OutputFormat)
        nodes, kind = _ids(where, "node_list", node_list), self._node_type(where, "neighbor_type", neighbor_type)
        neighbours = self._neighbours(nodes, kind)
        counts = [len(ids) for ids in neighbours]
        if output_format is OutputFormat.COO:
            return np.stack([np.repeat(nodes, counts), np.concatenate(neighbours)], 1).astype(np.int32)
        if output_format is OutputFormat.CSR:
            return np.cumsum([0, *counts[:-1]]).astype(np.int32), np.concatenate(neighbours).astype(np.int32)
        rows = np.full((len(nodes), 1 + max(counts)), NO_NODE)
        rows[:, 0] = nodes
        for row, ids in zip(rows, neighbours):
            row[1 : 1 + len(ids)] = ids
        return _result(rows)

    def _check_samples(self, where: str, name: str, number: int) -> None:
        most = len(self._graph.nodes.ids)
        if not 1 <= number <= most:
            raise RuntimeError(
                f"For '{where}', '{name}' must be from 1 to {most}, how many nodes there are, but got {number}."
            )

    def _sampled(self, node: int, kind: int, number: int, strategy: SamplingStrategy) -> Any:
        if node == NO_NODE:
            return np.full(number, NO_NODE)
        neighbours, weights = self._graph.neighbours(int(self._graph.nodes.places(np.array([node]))[0]), kind)
        if not len(neighbours):
            return np.full(number, NO_NODE)
        if strategy is SamplingStrategy.RANDOM:
            rounds = [draws().permutation(neighbours) for _ in range(-(-number // len(neighbours)))]
            return np.concatenate(rounds)[:number]
        if not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
            raise RuntimeError(f"The weights of edges from node {node} cannot be chances: {weights.tolist()}.")
        return draws().choice(neighbours, number, p=weights.astype(np.float64) / weights.sum(dtype=np.float64))

    def get_sampled_neighbors(
        self, node_list: Any, neighbor_nums: Any, neighbor_types: Any, strategy: SamplingStrategy = SamplingStrategy.RANDOM
    ) -> Any:
        """Some neighbours of nodes, some of those, and so on.

        Args:
            node_list: the ids of the nodes, a list or array.
            neighbor_nums: how many of each node, for each hop, of which there are 6 at most.
            neighbor_types: of which type, for each hop.
            strategy: SamplingStrategy.RANDOM: none comes again before all have come; EDGE_WEIGHT: each time by the weights
                of the edges.

        Returns:
            A row for each node: it, its neighbours, theirs, and so on, and -1 for the neighbours of what has none, int32.

        Raises:
            TypeError: an argument is of a wrong type.
            RuntimeError: lists are empty or of different lengths, or there is no such node or type, or a number is not from
                1 to that of all nodes.
        """
        where = "get_sampled_neighbors"
        nodes, numbers = _ids(where, "node_list", node_list), _ids(where, "neighbor_nums", neighbor_nums)
        types = check_instance(where, "neighbor_types", neighbor_types, (list, np.ndarray))
        kinds = [self._node_type(where, "neighbor_types", value) for value in np.asarray(types).tolist()]
        check_instance(where, "strategy", strategy, SamplingStrategy)
        if len(kinds) != len(numbers) or len(kinds) > _MOST_HOPS:
            raise RuntimeError(
                f"For '{where}', 'neighbor_nums' and 'neighbor_types' must be as many, {_MOST_HOPS} at most, but got "
                f"{len(numbers)} and {len(kinds)}."
            )
        for kind, number in zip(kinds, numbers.tolist()):
            self._graph.nodes.check_type(kind)
            self._check_samples(where, "neighbor_nums", number)
        rows = []
        for node in nodes.tolist():
            hops = [np.array([node])]
            for kind, number in zip(kinds, numbers.tolist()):
                hops.append(np.concatenate([self._sampled(last, kind, number, strategy) for last in hops[-1].tolist()]))
            rows.append(np.concatenate(hops))
        return _result(rows)

    def get_neg_sampled_neighbors(self, node_list: Any, neg_neighbor_num: int, neg_neighbor_type: Any) -> Any:
        """Some nodes of a type that are no neighbours, at random; none comes again before all have come.

        Args:
            node_list: the ids of the nodes, a list or array.
            neg_neighbor_num: how many for each.
            neg_neighbor_type: the type, an int; of a Graph its name.

        Returns:
            A row for each node: it, then those, or -1 if there is none, int32 of (N, 1 + neg_neighbor_num).

        Raises:
            TypeError: an argument is of a wrong type.
            RuntimeError: node_list is empty, or there is no such node or type, or neg_neighbor_num is not from 1 to the
                number of all nodes.
        """
        where = "get_neg_sampled_neighbors"
        nodes, number = _ids(where, "node_list", node_list), check_int32(where, "neg_neighbor_num", neg_neighbor_num)
        kind = self._node_type(where, "neg_neighbor_type", neg_neighbor_type)
        self._check_samples(where, "neg_neighbor_num", number)
        all_nodes, rows = self._graph.nodes.of_type(kind), []
        for node, near in zip(nodes, self._neighbours(nodes, kind)):
            others = all_nodes[~np.isin(all_nodes, [*near, node])]
            rounds = [draws().permutation(others) for _ in range(-(-number // max(1, len(others))))]
            samples = np.concatenate(rounds)[:number] if len(others) else np.full(number, NO_NODE)
            rows.append(np.concatenate([[node], samples]))
        return _result(rows)

    def get_node_feature(self, node_list: Any, feature_types: Any) -> list[Any]:
        """Features of nodes.

        Args:
            node_list: ids, of any shape; what has no such feature, and -1, has zeros.
            feature_types: which features.

        Returns:
            For each feature an array, of the shape of node_list and then that of a value.

        Raises:
            TypeError: an argument is of a wrong type.
            RuntimeError: one is empty, or there is no such node or feature.
        """
        where = "get_node_feature"
        nodes, kinds = _ids(where, "node_list", node_list, None), self._node_features(where, feature_types)
        return [np.squeeze(self._graph.nodes.values(nodes, kind)) for kind in kinds]

    def get_edge_feature(self, edge_list: Any, feature_types: Any) -> list[Any]:
        """Features of edges.

        Args:
            edge_list: ids, of any shape; what has no such feature, and -1, has zeros.
            feature_types: which features, ints; of a Graph their names.

        Returns:
            For each feature an array, of the shape of edge_list and then that of a value.

        Raises:
            TypeError: an argument is of a wrong type.
            RuntimeError: one is empty, or there is no such edge or feature.
        """
        where = "get_edge_feature"
        edges, kinds = _ids(where, "edge_list", edge_list, None), self._edge_features(where, feature_types)
        return [np.squeeze(self._graph.edges.values(edges, kind)) for kind in kinds]

    def graph_info(self) -> dict[str, Any]:
        """The types of nodes and edges, how many there are of each, and which features they have: node_type, edge_type,
        node_num, edge_num, node_feature_type and edge_feature_type."""
        nodes, edges = self._graph.nodes, self._graph.edges
        info: dict[str, Any] = {"node_type": list(nodes.counts()), "edge_type": list(edges.counts())}
        info |= {"node_num": nodes.counts(), "edge_num": edges.counts()}
        return info | {"node_feature_type": sorted(nodes.features), "edge_feature_type": sorted(edges.features)}

    def random_walk(
        self,
        target_nodes: Any,
        meta_path: Any,
        step_home_param: float = 1.0,
        step_away_param: float = 1.0,
        default_node: int = -1,
    ) -> Any:
        """Walks from nodes along edges, a row for each, int32 of (N, 1 + len(meta_path)).

        Args:
            meta_path: the type of the node of each step, of which there are 80 at most.
            step_home_param, step_away_param: p and q of node2vec: a step back where the one before came from has the weight
                1/p, one to another neighbour of that 1, and any other 1/q.
            default_node: what stands for the steps after one that has no such neighbour.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: an argument is of a wrong value.
            RuntimeError: lists are empty, or there is no such node or type.

        Method: A. Grover and J. Leskovec, "node2vec: scalable feature learning for networks" (2016).
        """
        where = "random_walk"
        nodes = _ids(where, "target_nodes", target_nodes)
        types = check_instance(where, "meta_path", meta_path, (list, np.ndarray))
        kinds = [self._node_type(where, "meta_path", value) for value in np.asarray(types).tolist()]
        if not 1 <= len(kinds) <= _MOST_STEPS:
            raise RuntimeError(f"For '{where}', 'meta_path' must be of 1 to {_MOST_STEPS} steps, but got {len(kinds)}.")
        for kind in kinds:
            self._graph.nodes.check_type(kind)
        home = check_number(where, "step_home_param", step_home_param, 0.0001)
        away = check_number(where, "step_away_param", step_away_param, 0.0001)
        check_int32(where, "default_node", default_node, -1)
        self._graph.nodes.places(nodes)
        walks = [self._walk(node, kinds, home, away) for node in nodes.tolist()]
        return _result([walk + [default_node] * (1 + len(kinds) - len(walk)) for walk in walks])

    def _walk(self, node: int, kinds: list[int], home: float, away: float) -> list[int]:
        walk, before, near_before = [node], None, np.zeros(0, np.int64)
        for kind in kinds:
            (neighbours,) = self._neighbours(np.array([walk[-1]]), kind)
            if not len(neighbours):
                break
            weights = np.ones(len(neighbours))
            if before is not None:
                weights = np.where(neighbours == before, 1 / home, np.where(np.isin(neighbours, near_before), 1.0, 1 / away))
            before, near_before = walk[-1], neighbours
            walk.append(int(draws().choice(neighbours, p=weights / weights.sum())))
        return walk


class Graph(GraphData):
    """A graph of arrays. Nodes are numbered from 0 to the largest number in edges, and edges from 0. The methods are those
    of GraphData, with types and features by name, and get_graph_feature(). MindSpore 2.10 has it no more.

    Args:
        edges: the nodes that edges lead from, and those that they lead to: ints of (2, M).
        node_feat: by name, features of the nodes, arrays of (N, ...); None: there are none.
        edge_feat: by name, features of the edges, arrays of (M, ...); None: there are none.
        graph_feat: by name, arrays of the whole graph; None: there are none.
        node_type: the type of each node, str of (N,); None: "0" of all.
        edge_type: the type of each edge, str of (M,); None: "0" of all.
        num_parallel_workers: has no effect: the graph is in memory.
        working_mode: "local": the graph is in this process.
        hostname, port, num_client, auto_shutdown: of a graph server, which there is none of; they are checked alone.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is of a wrong value or shape.
        RuntimeError: working_mode is "client" or "server".

    Examples:
        >>> graph = ds.Graph([[0, 0, 1], [1, 2, 2]], node_feat={"x": np.array([0.5, 1.5, 2.5])})
        >>> print(graph.get_all_neighbors([0, 1], neighbor_type="0"))
        [[ 0  1  2]
         [ 1  2 -1]]
        >>> print(graph.get_node_feature([2, 0], ["x"])[0])
        [2.5 0.5]
    """

    def __init__(
        self,
        edges: Any,
        node_feat: dict[str, Any] | None = None,
        edge_feat: dict[str, Any] | None = None,
        graph_feat: dict[str, Any] | None = None,
        node_type: Any = None,
        edge_type: Any = None,
        num_parallel_workers: int | None = None,
        working_mode: str = "local",
        hostname: str = "127.0.0.1",
        port: int = 50051,
        num_client: int = 1,
        auto_shutdown: bool = True,
    ):
        where = "Graph"
        _local(where, working_mode, hostname, port, num_client, auto_shutdown, num_parallel_workers)
        ends = np.asarray(check_instance(where, "edges", edges, (list, np.ndarray)))
        if ends.ndim != 2 or len(ends) != 2 or not ends.size or ends.dtype.kind not in "iu" or ends.min() < 0:
            raise ValueError(f"For '{where}', 'edges' must be numbers from 0 on, of shape (2, M), but got {edges!r:.100}.")
        count = int(ends.max()) + 1
        self._node_types, nodes = _typed(where, "node", node_type, count, node_feat)
        self._edge_types, typed_edges = _typed(where, "edge", edge_type, ends.shape[1], edge_feat)
        self._names = {"node": list(node_feat or ()), "edge": list(edge_feat or ())}
        self._graph_feat = _features(where, "graph_feat", graph_feat, None)
        self._graph = StoredGraph(nodes, typed_edges, ends.T.astype(np.int64), np.ones(ends.shape[1], np.float32))

    def _node_type(self, where: str, name: str, value: Any) -> int:
        return _number(where, name, value, self._node_types)

    def _edge_type(self, where: str, name: str, value: Any) -> int:
        return _number(where, name, value, self._edge_types)

    def _node_features(self, where: str, value: Any) -> list[int]:
        return _numbers(where, value, self._names["node"])

    def _edge_features(self, where: str, value: Any) -> list[int]:
        return _numbers(where, value, self._names["edge"])

    def get_graph_feature(self, feature_types: Any) -> list[Any]:
        """Features of the whole graph.

        Args:
            feature_types: their names, a list or array.

        Returns:
            A list of arrays.

        Raises:
            TypeError: feature_types is no list or array of str.
            ValueError: there is no such feature.
        """
        features = list(self._graph_feat.values())
        return [features[k] for k in _numbers("get_graph_feature", feature_types, list(self._graph_feat))]

    def graph_info(self) -> dict[str, Any]:
        """As GraphData's, by name, and graph_feature_type, the features of the whole graph."""
        info = super().graph_info()
        for what, names in (("node", self._node_types), ("edge", self._edge_types)):
            info[f"{what}_type"] = [names[kind] for kind in info[f"{what}_type"]]
            info[f"{what}_num"] = {names[kind]: number for kind, number in info[f"{what}_num"].items()}
            info[f"{what}_feature_type"] = self._names[what]
        return info | {"graph_feature_type": list(self._graph_feat)}


def _number(where: str, name: str, value: Any, names: list[str]) -> int:
    return names.index(check_choice(where, name, check_instance(where, name, value, str), *names))


def _numbers(where: str, value: Any, names: list[str]) -> list[int]:
    listed = np.asarray(check_instance(where, "feature_types", value, (list, np.ndarray)))
    return [_number(where, "feature_types", name, names) for name in listed.tolist()]


def _features(where: str, name: str, features: Any, count: int | None) -> dict[str, Any]:
    checked = check_instance(where, name, {} if features is None else features, dict)
    for key, value in checked.items():
        check_instance(where, name, key, str)
        check_instance(where, name, value, np.ndarray)
        if count is not None and (value.ndim < 1 or len(value) != count):
            raise ValueError(f"For '{where}', '{name}' must be of {count} rows, but '{key}' is of {list(value.shape)}.")
    return dict(checked)


def _typed(where: str, what: str, types: Any, count: int, features: Any) -> tuple[list[str], Elements]:
    """The names of types, and nodes or edges of them."""
    name = f"{what}_type"
    labels = np.asarray(["0"] * count if types is None else check_instance(where, name, types, (list, np.ndarray)))
    if labels.shape != (count,):
        raise ValueError(f"For '{where}', '{name}' must be of shape [{count}], but is of {list(labels.shape)}.")
    if labels.dtype.kind != "U":
        raise TypeError(f"For '{where}', '{name}' must hold str, but is of {labels.dtype}.")
    names, kinds = np.unique(labels, return_inverse=True)
    arrays = _features(where, f"{what}_feat", features, count).values()
    numbered = {number: (value, np.arange(count)) for number, value in enumerate(arrays)}
    return names.tolist(), Elements(what, np.arange(count), kinds.reshape(-1).astype(np.int64), numbered)
