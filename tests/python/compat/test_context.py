"""set_context, get_context and what they steer: values, MindSpore's errors, graphs written as text, load elimination."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

HEAD = "For 'context.set_context', "
REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    (
        {"mode": 5},
        ValueError,
        HEAD + "the argument 'mode' should be context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1), but got 5.",
    ),
    ({"mode": "GRAPH"}, TypeError, "The parameter 'mode' must be <class 'int'>, but got <class 'str'>"),
    ({"foo": 1}, ValueError, HEAD + "the keyword argument foo is not recognized!"),
    (
        {"precompile_only": True},
        ValueError,
        HEAD + "the parameter 'precompile_only' has been removed since MindSpore 2.10 version.",
    ),
    (
        {"device_target": "XX"},
        ValueError,
        HEAD + "the argument 'device_target' must be one of ['CPU', 'GPU', 'Ascend', 'Davinci'], but got XX.",
    ),
    ({"device_target": 3}, TypeError, "The parameter 'device_target' must be <class 'str'>, but got <class 'int'>"),
    ({"device_id": -1}, ValueError, HEAD + "the argument 'device_id' must be in range [0, 4095], but got -1."),
    ({"max_call_depth": 0}, ValueError, HEAD + "the argument 'max_call_depth' must be greater than 0, but got 0."),
    ({"save_graphs": 9}, ValueError, "value for save_graphs should be 0-3 but got '9'"),
    (
        {"save_graphs": "x"},
        TypeError,
        "The parameter 'save_graphs' must be (<class 'bool'>, <class 'int'>), but got <class 'str'>",
    ),
    ({"max_device_memory": 4}, TypeError, "The parameter 'max_device_memory' must be <class 'str'>, but got <class 'int'>"),
    (
        {"max_device_memory": "xGB"},
        ValueError,
        "For 'set_context', 'max_device_memory' must be a str such as '4GB', but got 'xGB'.",
    ),
    ({"deterministic": "X"}, ValueError, HEAD + "the argument 'deterministic' must be one of ['ON', 'OFF'], but got X."),
    ({"jit_level": 1}, TypeError, "The parameter 'jit_level' must be <class 'str'>, but got <class 'int'>"),
    (
        {"jit_config": {"jit_level": "O7"}},
        ValueError,
        "For 'jit_config', the value of argument jit_level must be one of ['O0', 'O1', 'O2'], but got O7.",
    ),
    (
        {"jit_config": {"foo": 1}},
        ValueError,
        HEAD + "the key of argument 'jit_config' must be one of "
        "{'jit_level': ['O0', 'O1', 'O2'], 'infer_boost': ['on', 'off']}, but got foo.",
    ),
]


@pytest.mark.parametrize("options, error, message", REFUSED)
def test_values_that_do_not_exist_are_mindspores_errors(options, error, message):
    with pytest.raises(error) as caught:
        ms.set_context(**options)
    assert str(caught.value) == message


def test_unknown_names_are_mindspores_errors():
    with pytest.raises(ValueError) as caught:
        ms.get_context("foo")
    assert str(caught.value) == "For 'context.get_context', the argument foo is not recognized!"
    with pytest.raises(TypeError, match="attribute name must be string, not 'int'"):
        ms.get_context(5)


def test_what_is_only_asked_for():
    assert ms.get_context("enable_ge") is False
    with pytest.raises(ValueError, match="enable_ge is not recognized"):
        ms.set_context(enable_ge=True)


def test_what_is_set_is_answered():
    for name, value in (
        ("jit_level", "O1"),
        ("jit_config", {"jit_level": "O1"}),
        ("max_call_depth", 900),
        ("op_timeout", 9),
    ):
        before = ms.get_context(name)
        ms.set_context(**{name: value})
        assert ms.get_context(name) == value
        if before is not None:
            ms.set_context(**{name: before})


class Assigning(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(0, ms.int32), name="param")

    def construct(self, x):
        out = 0
        i = 0
        while i < 3:
            ops.assign(self.weight, i)
            out = x * self.weight + out
            i = i + 1
        return out


class Backward(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net
        self.grad = ops.GradOperation(get_all=True)

    def construct(self, *inputs):
        return self.grad(self.net)(*inputs)


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Callable[[Any], list[Path]]]:
    """Calls a function in graph mode and returns the files that hold its graphs."""

    def run(function: Callable[[], Any]) -> list[Path]:
        before = set(tmp_path.glob("*"))
        function()
        return sorted(set(tmp_path.glob("*")) - before)

    ms.set_context(mode=ms.GRAPH_MODE, save_graphs=True, save_graphs_path=str(tmp_path))
    yield run
    ms.set_context(mode=ms.PYNATIVE_MODE, save_graphs=False, save_graphs_path=".")


@pytest.mark.parametrize(
    "level, moves, value", [(None, 2, 3), ("0", 3, 3), ("1", 2, 3), ("2", 2, 3), ("x", 2, 3), ("3", 0, 6)]
)
def test_load_elimination_by_the_environment(level, moves, value, written, monkeypatch):
    if level is None:
        monkeypatch.delenv("MS_DEV_SIDE_EFFECT_LOAD_ELIM", raising=False)
    else:
        monkeypatch.setenv("MS_DEV_SIDE_EFFECT_LOAD_ELIM", level)
    found = []
    files = written(lambda: found.append(Backward(Assigning())(Tensor(1, ms.int32))))
    assert files[-1].read_text().count("TensorMove") == moves
    assert found[0][0].asnumpy() == value


def test_graphs_are_written_as_mindspore_has_them(written):
    net = Backward(Assigning())
    files = written(lambda: net(Tensor(1, ms.int32)))
    assert files[0].name == "Backward_construct_000_capture.ir"
    assert (
        files[-1]
        .read_text()
        .startswith(
            "# IR entry: @Backward.construct\n"
            "# Total subgraphs: 1\n"
            "# Total params: 2\n"
            "# Params:\n"
            "%para1_x0 : Tensor[Int32]()\n"
            "%para2_param : Ref[Int32]() : has_default\n"
            "\n"
            "subgraph @Backward.construct(%para1_x0: Tensor[Int32](), %para2_param: Ref[Int32]()) {\n"
        )
    )


@pytest.mark.breaks
def test_names_of_graphs_are_names_of_files(written):
    def broken(x):
        y = x * 2
        print("value", y.sum().item())
        return x + y

    names = [file.name for f in (broken, lambda x: x) for file in written(lambda f=f: ms.jit(f)(Tensor([1.0])))]
    assert len(names) > 9
    assert all(re.fullmatch(r"[\w.]+\.ir", name) for name in names), names


def test_largest_elements_in_graph_mode() -> None:
    """As MindSpore: by position max gives the elements alone there, by name their indices, too."""
    x = Tensor([[1.0, 3.0], [2.0, 0.0]])
    calls: list[tuple[Callable[[Any], Any], bool]] = [
        (lambda x: x.max(0), False),
        (lambda x: x.min(1, True), False),
        (lambda x: x.max(-1, False), False),
        (lambda x: x.max(dim=0), True),
        (lambda x: x.min(0, keepdim=True), True),
        (lambda x: x.max(0, return_indices=True), True),
    ]
    for call, always in calls:
        jitted = ms.jit(call)
        for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE, ms.PYNATIVE_MODE):
            ms.set_context(mode=mode)
            for function in (call, jitted):
                assert isinstance(function(x), tuple) == (always or mode == ms.PYNATIVE_MODE)
    assert isinstance(x.max(axis=0), Tensor) and isinstance(x.max(0, keepdims=True), Tensor)
