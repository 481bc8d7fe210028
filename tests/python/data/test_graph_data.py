"""Graphs of MindRecord files and of arrays: what they give, how neighbours are chosen, and what is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emberjit import dataset as ds
from emberjit.dataset import OutputFormat, SamplingStrategy
from emberjit.mindrecord import FileWriter

SCHEMA: dict[str, Any] = {name: {"type": "int64"} for name in ("first_id", "second_id", "third_id")}
SCHEMA |= {"type": {"type": "int32"}, "attribute": {"type": "string"}, "weight": {"type": "float32"}}
SCHEMA |= {f"{what}_feature_index": {"type": "int32", "shape": [-1]} for what in ("node", "edge")}
SCHEMA |= {"node_feature_1": {"type": "float32", "shape": [-1]}, "node_feature_2": {"type": "int32", "shape": [-1]}}
SCHEMA |= {"edge_feature_1": {"type": "int64", "shape": [-1]}, "edge_feature_2": {"type": "bytes"}}
NODES = {101: 1, 102: 1, 103: 1, 201: 2, 202: 2, 203: 2}  # types by id
EDGES = [(101, 201, 1.0), (101, 202, 3.0), (102, 202, 1.0), (201, 101, 1.0), (202, 103, 1.0), (202, 101, 1.0)]


def node(number: int, kind: int, **changed: Any) -> dict[str, Any]:
    has = [1, 2] if number != 103 else [1, -1]
    row = {"first_id": number, "second_id": 0, "third_id": 0, "type": kind, "attribute": "n", "weight": 1.0}
    row |= {"node_feature_index": np.int32(has), "edge_feature_index": np.int32([-1])}
    row |= {"node_feature_1": np.float32([number, 0.5]), "node_feature_2": np.int32([number % 100])}
    return {**row, "edge_feature_1": np.int64([0]), "edge_feature_2": b"-", **changed}


def edge(number: int, start: int, end: int, weight: float) -> dict[str, Any]:
    row = {"first_id": number, "second_id": start, "third_id": end, "type": int(start > 200), "attribute": "e"}
    row |= {"weight": weight, "node_feature_index": np.int32([-1]), "edge_feature_index": np.int32([1, 2])}
    row |= {"node_feature_1": np.float32([0]), "node_feature_2": np.int32([0])}
    return {**row, "edge_feature_1": np.int64([number, start, end]), "edge_feature_2": bytes([number, 7])}


def rows() -> list[dict[str, Any]]:
    return [node(*each) for each in NODES.items()] + [edge(k, *each) for k, each in enumerate(EDGES)]


def written(path: Path, schema: Any, found: list[dict[str, Any]], shards: int = 1) -> str:
    writer = FileWriter(str(path), shards)
    writer.add_schema(schema, "a graph")
    writer.write_raw_data(found)
    writer.commit()
    return str(path) if shards == 1 else f"{path}0"


@pytest.fixture(scope="module", params=[1, 3])
def graph(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> ds.GraphData:
    path = written(tmp_path_factory.mktemp("graph") / "g", SCHEMA, rows(), request.param)
    return ds.GraphData(path, num_parallel_workers=2)


GIVEN: list[tuple[str, Any]] = [
    ("get_all_nodes(1)", [101, 102, 103]),
    ("get_all_nodes(node_type=2)", [201, 202, 203]),
    ("get_all_edges(0)", [0, 1, 2]),
    ("get_all_edges(1)", [3, 4, 5]),
    ("get_nodes_from_edges([1, 3])", [[101, 202], [201, 101]]),
    ("get_nodes_from_edges(np.array([4]))", [202, 103]),
    ("get_edges_from_nodes([(101, 202), (202, 103)])", [1, 4]),
    ("get_all_neighbors([101, 102], 2)", [[101, 201, 202], [102, 202, -1]]),
    ("get_all_neighbors(np.int32([203, 103]), 2)", [203, 103]),
    ("get_all_neighbors([202], 1)", [202, 103, 101]),
    ("get_all_neighbors([101, 103, 102], 2, OutputFormat.COO)", [[101, 201], [101, 202], [102, 202]]),
    ("get_all_neighbors([101, 103, 102], 2, OutputFormat.CSR)[0]", [0, 2, 2]),
    ("get_all_neighbors([101, 103, 102], 2, OutputFormat.CSR)[1]", [201, 202, 202]),
    ("get_sampled_neighbors([102, 103], [2, 1], [2, 1])[:, :3]", [[102, 202, 202], [103, -1, -1]]),
    ("get_sampled_neighbors([103], [2, 2], [2, 1])", [103, -1, -1, -1, -1, -1, -1]),
    ("get_neg_sampled_neighbors([202, 203], 1, 1)[0]", [202, 102]),
    ("get_neg_sampled_neighbors([101], 3, 2)", [101, 203, 203, 203]),
    ("get_node_feature([102, -1, 103], [1, 2])[0]", [[102, 0.5], [0, 0], [103, 0.5]]),
    ("get_node_feature([102, -1, 103], [1, 2])[1]", [2, 0, 0]),
    ("get_node_feature(np.array([[101, 201], [-1, 202]]), [2])[0]", [[1, 1], [0, 2]]),
    ("get_edge_feature([5, 2], [1])[0]", [[5, 202, 101], [2, 102, 202]]),
    ("get_edge_feature([5], [2])[0]", [5, 7]),
    ("random_walk([102, 103], [2, 2])", [[102, 202, -1], [103, -1, -1]]),
    ("random_walk([103], [2], default_node=9)", [103, 9]),
]


@pytest.mark.parametrize("call, wanted", GIVEN)
def test_what_graphs_give(call: str, wanted: Any, graph: Any) -> None:
    found = eval(f"graph.{call}", {"graph": graph, "np": np, "OutputFormat": OutputFormat})
    assert found.tolist() == wanted
    assert found.dtype == np.int32 or "feature" in call


def test_dtypes_of_features(graph: Any) -> None:
    assert [each.dtype for each in graph.get_node_feature([101], [1, 2])] == [np.float32, np.int32]
    assert [each.dtype for each in graph.get_edge_feature([1], [1, 2])] == [np.int64, np.uint8]


def test_what_is_known_of_a_graph(graph: Any) -> None:
    info = {"node_type": [1, 2], "edge_type": [0, 1], "node_num": {1: 3, 2: 3}, "edge_num": {0: 3, 1: 3}}
    assert graph.graph_info() == info | {"node_feature_type": [1, 2], "edge_feature_type": [1, 2]}


def counted(values: Any) -> dict[int, float]:
    return {key: count / len(values) for key, count in Counter(np.ravel(values).tolist()).items()}


def test_neighbours_come_by_chance(graph: Any) -> None:
    ds.config.set_seed(3)
    plain = graph.get_sampled_neighbors([101] * 2000, [2], [2])[:, 1:]
    assert {tuple(sorted(each)) for each in plain.tolist()} == {(201, 202)} and abs(counted(plain[:, 0])[201] - 0.5) < 0.05
    weighted = counted(graph.get_sampled_neighbors([101] * 2000, [1], [2], SamplingStrategy.EDGE_WEIGHT)[:, 1])
    assert abs(weighted[202] - 0.75) < 0.05
    others = counted(graph.get_neg_sampled_neighbors([102] * 2000, 1, 2)[:, 1])
    assert set(others) == {201, 203} and abs(others[201] - 0.5) < 0.05


@pytest.mark.parametrize("home, away, back", [(1.0, 1.0, 1 / 2), (0.5, 1.0, 2 / 3), (1.0, 0.25, 1 / 5), (4.0, 0.5, 1 / 9)])
def test_walks_are_those_of_node2vec(home: float, away: float, back: float, graph: Any) -> None:
    """From 101 by 202: back to 101 with the weight 1/p, or on to 103, which 101 does not lead to, with 1/q."""
    ds.config.set_seed(5)
    walks = graph.random_walk([101] * 3000, [2, 1], home, away)
    through = walks[walks[:, 1] == 202]
    assert abs(len(through) / 3000 - 0.5) < 0.05 and abs(counted(through[:, 2])[101] - back) < 0.05


def test_a_step_to_a_neighbour_of_the_one_before() -> None:
    """From 0 by 1: 2 is where 0 leads to as well, 3 is not: weights 1 and 1/q."""
    ds.config.set_seed(7)
    walks = ds.Graph(np.array([[0, 0, 1, 1, 2], [1, 2, 2, 3, 3]])).random_walk([0] * 3000, ["0", "0"], 1.0, 4.0)
    assert abs(counted(walks[walks[:, 1] == 1][:, 2])[2] - 0.8) < 0.05


def test_chance_follows_the_seed(graph: Any) -> None:
    def drawn(seed: int) -> Any:
        ds.config.set_seed(seed)
        return graph.get_sampled_neighbors([101] * 30, [1], [2]).tolist(), graph.random_walk([101] * 30, [2, 1]).tolist()

    assert drawn(1) == drawn(1) != drawn(2)


@pytest.fixture(scope="module")
def of_arrays() -> ds.Graph:
    edges = np.array([[0, 0, 2], [1, 2, 1]])
    nodes = {"x": np.float32([[1, 2], [3, 4], [5, 6]]), "y": np.int32([7, 8, 9])}
    whole = {"name": np.array([1, 2])}
    return ds.Graph(edges, nodes, {"w": np.arange(3.0)}, whole, ["b", "a", "b"], np.array(["s", "t", "s"]))


OF_ARRAYS: list[tuple[str, Any]] = [
    ("get_all_nodes('b')", [0, 2]),
    ("get_all_edges('s')", [0, 2]),
    ("get_all_neighbors([0, 2], 'a')", [[0, 1], [2, 1]]),
    ("get_sampled_neighbors([0], [1, 1], ['b', 'a'])", [0, 2, 1]),
    ("get_neg_sampled_neighbors([2], 1, 'b')", [2, 0]),
    ("get_node_feature([2, -1], ['y', 'x'])[1]", [[5, 6], [0, 0]]),
    ("get_edge_feature([1], ['w'])[0]", 1),
    ("get_graph_feature(['name'])[0]", [1, 2]),
    ("random_walk([0], ['b', 'a'])", [0, 2, 1]),
]


@pytest.mark.parametrize("call, wanted", OF_ARRAYS)
def test_graphs_of_arrays(call: str, wanted: Any, of_arrays: Any) -> None:
    assert eval(f"graph.{call}", {"graph": of_arrays}).tolist() == wanted


def test_what_is_known_of_a_graph_of_arrays(of_arrays: Any) -> None:
    info = {"node_type": ["a", "b"], "edge_type": ["s", "t"], "node_num": {"a": 1, "b": 2}, "edge_num": {"s": 2, "t": 1}}
    more = {"node_feature_type": ["x", "y"], "edge_feature_type": ["w"], "graph_feature_type": ["name"]}
    assert of_arrays.graph_info() == info | more
    plain = ds.Graph([[1, 2], [0, 1]])
    assert plain.graph_info()["node_num"] == {"0": 3} and plain.get_all_nodes("0").tolist() == [0, 1, 2]


REFUSED: list[tuple[str, type, str]] = [
    ("get_all_nodes(7)", RuntimeError, "no node of type 7"),
    ("get_all_nodes('1')", TypeError, "'node_type' must be an int"),
    ("get_all_edges(2)", RuntimeError, "no edge of type 2"),
    ("get_nodes_from_edges([99])", RuntimeError, "no edge 99"),
    ("get_nodes_from_edges([])", RuntimeError, "'edge_list' must not be empty"),
    ("get_nodes_from_edges(3)", TypeError, "'edge_list' must be a list or ndarray"),
    ("get_nodes_from_edges([1.5])", TypeError, "must hold ints"),
    ("get_edges_from_nodes([1, 2])", RuntimeError, "'node_list' must have 2 axes"),
    ("get_all_neighbors([999], 2)", RuntimeError, "no node 999"),
    ("get_all_neighbors([101], 2, 1)", TypeError, "'output_format' must be an OutputFormat"),
    ("get_sampled_neighbors([101], [1], [1, 2])", RuntimeError, "as many, 6 at most, but got 1 and 2"),
    ("get_sampled_neighbors([101], [1] * 7, [1] * 7)", RuntimeError, "6 at most"),
    ("get_sampled_neighbors([101], [7], [1])", RuntimeError, "'neighbor_nums' must be from 1 to 6"),
    ("get_sampled_neighbors([101], [1], [2], 0)", TypeError, "'strategy' must be a SamplingStrategy"),
    ("get_neg_sampled_neighbors([101], 0, 2)", RuntimeError, "'neg_neighbor_num' must be from 1 to 6"),
    ("get_node_feature([101], [3])", RuntimeError, r"no feature 3, only \[1, 2\]"),
    ("get_node_feature([5], [1])", RuntimeError, "no node 5"),
    ("random_walk([101], [])", RuntimeError, "'meta_path' must be of 1 to 80 steps"),
    ("random_walk([101], [2], 0.0)", ValueError, "'step_home_param' must be at least"),
    ("random_walk([101], [2], default_node=-2)", ValueError, "'default_node' must be an int from -1"),
]


@pytest.mark.parametrize("call, error, message", REFUSED)
def test_what_is_refused(call: str, error: type[Exception], message: str, graph: Any) -> None:
    with pytest.raises(error, match=message):
        eval(f"graph.{call}", {"graph": graph})


OPTIONS: list[tuple[dict[str, Any], type, str]] = [
    ({"working_mode": "client"}, RuntimeError, "there is no graph server"),
    ({"working_mode": "server"}, RuntimeError, "there is no graph server"),
    ({"working_mode": "far"}, ValueError, "'working_mode' must be 'local', 'client' or 'server'"),
    ({"port": 80}, ValueError, "'port' must be an int from 1024"),
    ({"hostname": 1}, TypeError, "'hostname' must be a str"),
    ({"num_client": 0}, ValueError, "'num_client' must be an int from 1"),
    ({"auto_shutdown": 1}, TypeError, "'auto_shutdown' must be a bool"),
    ({"num_parallel_workers": 0}, ValueError, "'num_parallel_workers'"),
    ({"node_type": ["a"]}, ValueError, r"'node_type' must be of shape \[3\]"),
    ({"node_type": [1, 2, 3]}, TypeError, "'node_type' must hold str"),
    ({"edge_feat": {"x": np.zeros(3)}}, ValueError, "'edge_feat' must be of 2 rows"),
    ({"node_feat": {"x": [1, 2, 3]}}, TypeError, "'node_feat' must be a ndarray"),
    ({"edges": [1, 2]}, ValueError, "'edges' must be numbers"),
]


@pytest.mark.parametrize("options, error, message", OPTIONS)
def test_arguments_that_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ds.Graph(**{"edges": np.array([[0, 1], [1, 2]]), **options})


FILES: list[tuple[Any, str]] = [
    ([*rows(), node(101, 1)], "node 101 twice"),
    ([*rows(), node(2**31, 1)], "must be from 0 to 2147483647, but are from 101 to 2147483648"),
    ([*rows(), node(-1, 1)], "must be from 0 to 2147483647, but are from -1"),
    ([*rows(), edge(9, 101, 555, 1.0)], "no node 555"),
    ([*rows(), node(301, 1, attribute="x")], "neither a node, n, nor an edge, e, but 'x'"),
    ([*rows(), node(301, 1, node_feature_1=np.float32([1]))], "of 2 and of 1 values"),
    ([*rows(), node(301, 1, node_feature_index=np.int32([5]))], "no field 'node_feature_5'"),
]


@pytest.mark.parametrize("found, message", FILES)
def test_files_that_are_refused(found: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=message):
        ds.GraphData(written(tmp_path / "g", SCHEMA, found))


def test_files_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="has no field 'first_id'"):
        ds.GraphData(written(tmp_path / "g", {"x": {"type": "int32"}}, [{"x": 1}]))
    with pytest.raises(ValueError, match="'dataset_file' must be a file"):
        ds.GraphData(str(tmp_path / "none"))


def test_weights_that_are_no_chances(tmp_path: Path) -> None:
    found = [node(1, 1), node(2, 1), edge(0, 1, 2, 0.0)]
    graph = ds.GraphData(written(tmp_path / "g", SCHEMA, found))
    with pytest.raises(RuntimeError, match="cannot be chances"):
        graph.get_sampled_neighbors([1], [1], [1], SamplingStrategy.EDGE_WEIGHT)


def test_no_edge_between_nodes_is_said(graph: Any, capfd: pytest.CaptureFixture[str]) -> None:
    assert graph.get_edges_from_nodes([(102, 101), (102, 202)]).tolist() == [-1, 2]
    assert "no edge leads from node 102 to node 101" in capfd.readouterr().err
