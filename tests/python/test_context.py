"""set_context, get_context and what they steer: values, MindSpore's errors, graphs written as text, load elimination."""

from __future__ import annotations

from typing import Any

import pytest

import emberjit as ms

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
