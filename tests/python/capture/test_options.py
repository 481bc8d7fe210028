"""The options of jit and JitConfig: what they accept, and MindSpore's errors for what they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn

X = Tensor(np.float32([1, 2]))

pytestmark = pytest.mark.filterwarnings("ignore:.*has no effect on a CPU", "ignore:JitConfig keeps")

ACCEPTED: list[dict[str, Any]] = [
    {},
    {"capture_mode": "ast", "jit_level": "O0"},
    {"capture_mode": "bytecode", "jit_level": "O1", "fullgraph": True},
    {"capture_mode": "trace", "backend": "GE"},
    {"capture_mode": "ast", "dynamic": 1, "backend": "ms_backend"},
    {"mode": "PSJit"},
    {"mode": "PIJit", "backend": ""},
    {"jit_config": ms.JitConfig(jit_level="O1", jit_syntax_level="STRICT")},
    {"input_signature": None, "hash_args": 1, "compile_once": True},
    {"exec_order": "dfs", "disable_format_transform": True, "infer_boost": "on", "ge_options": {}, "exc_mode": "sink"},
]


@pytest.mark.parametrize("options", ACCEPTED)
def test_a_function_and_a_decorator(options):
    def double(x):
        return x * 2

    assert ms.jit(double, **options)(X).asnumpy().tolist() == [2, 4]
    assert ms.jit(**options)(double)(X).asnumpy().tolist() == [2, 4]


REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"capture_mode": "x"}, ValueError, "must be str and must be in '['ast', 'bytecode', 'trace']', but got 'x'."),
    ({"capture_mode": 3}, ValueError, "must be str and must be in '['ast', 'bytecode', 'trace']', but got '3'."),
    ({"jit_level": "O2"}, ValueError, "the 'jit_level' must be str and must be in '['O0', 'O1']', but got 'O2'."),
    ({"dynamic": 2}, ValueError, "the 'dynamic' must be in range of [0, 1], but got 2 with type 'int'."),
    ({"dynamic": True}, TypeError, "the 'dynamic' must be 'int',  but got 'bool'."),
    ({"fullgraph": 1}, TypeError, "the 'fullgraph' must be a bool, but got int."),
    ({"backend": "x"}, ValueError, "the 'backend' must be str and must be in '['', 'ms_backend', 'GE']', but got 'x'."),
    ({"mode": "x"}, ValueError, "the 'mode' must be str and must be in '['PSJit', 'PIJit']', but got 'x'."),
    ({"jit_config": 3}, TypeError, "the 'jit_config' must be a JitConfig, but got int."),
    ({"exec_order": "x"}, ValueError, "the value of 'exec_order' must be one of ['bfs', 'dfs'], but got 'x'."),
    ({"infer_boost": 1}, TypeError, "the type of 'infer_boost' must be str, but got <class 'int'>."),
    ({"ge_options": 1}, TypeError, "the type of 'ge_options' must be dict, but got <class 'int'>."),
    ({"disable_format_transform": 1}, TypeError, "type of 'disable_format_transform' must be bool, but got <class 'int'>."),
    ({"auto_offload": "x"}, ValueError, "must be one of ['weight', 'activation', 'all'], but got 'x'."),
    ({"exc_mode": "x"}, ValueError, "For 'exc_mode' must be one of '['auto', 'sink', 'no_sink']'."),
]


@pytest.mark.parametrize("options, error, message", REFUSED)
def test_values_that_do_not_exist_are_errors(options, error, message):
    with pytest.raises(error) as caught:
        ms.jit(lambda x: x, **options)
    assert message in str(caught.value)


def test_an_unknown_option_is_named():
    with pytest.warns(UserWarning, match="the option argument 'fulgraph' is not recognized"):
        ms.jit(lambda x: x, fulgraph=True)
    with pytest.raises(TypeError, match="positional"):
        ms.jit(lambda x: x, "ast")


def test_cells_and_their_classes():
    class Doubling(nn.Cell):
        def construct(self, x):
            return x * 2

    assert ms.jit(Doubling())(X).asnumpy().tolist() == [2, 4]
    assert ms.jit(Doubling) is Doubling
    assert Doubling()(X).asnumpy().tolist() == [2, 4]
    assert ms.jit(capture_mode="bytecode")(Doubling) is Doubling


def test_jit_config_holds_its_options():
    assert ms.JitConfig().jit_config_dict == {
        "jit_level": "",
        "exc_mode": "auto",
        "jit_syntax_level": "",
        "debug_level": "RELEASE",
        "infer_boost": "off",
    }
    assert ms.JitConfig("O1").jit_config_dict["backend"] == "ms_backend"
    assert ms.JitConfig("O2", extra=3).jit_config_dict["backend"] == "GE"
    assert ms.JitConfig(extra=3).jit_config_dict["extra"] == 3


@pytest.mark.parametrize(
    "options, message",
    [
        ({"jit_level": "O3"}, "For 'jit_level' must be one of ['O0', 'O1', 'O2']."),
        ({"exc_mode": "x"}, "For 'exc_mode' must be one of '['auto', 'sink', 'no_sink']'."),
        ({"jit_syntax_level": "x"}, "For 'jit_syntax_level' must be one of '['STRICT', 'LAX']'."),
        ({"debug_level": "x"}, "For 'debug_level' must be one of '['RELEASE', 'DEBUG']'."),
        ({"infer_boost": "x"}, "For 'infer_boost' must be one of '['on', 'off']'."),
    ],
)
def test_values_of_jit_config_exist(options, message):
    with pytest.raises(ValueError) as caught:
        ms.JitConfig(**options)
    assert str(caught.value) == message


@pytest.mark.breaks
def test_a_cell_has_options_of_its_own():
    class Text(nn.Cell):
        def construct(self, x):
            return object() if x is None else str(type(x).__name__) + str(x.asnumpy().sum())

    net = Text()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert net(X) == "Tensor3.0"
        net.set_jit_config(ms.JitConfig(jit_syntax_level="STRICT"))
        with pytest.raises(ms.CaptureError, match="asnumpy"):
            net(X)
        net.set_jit_config(ms.JitConfig(jit_syntax_level="LAX"))
        assert net(X) == "Tensor3.0"
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(AttributeError, match="'int' object has no attribute 'jit_config_dict'"):
        net.set_jit_config(3)


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_static_and_class_methods(mode):
    class Scale:
        by = 3

        @ms.jit(capture_mode=mode)
        @staticmethod
        def double(x):
            return x * 2

        @ms.jit(capture_mode=mode)
        @classmethod
        def scaled(cls, x):
            return x * cls.by

        @staticmethod
        @ms.jit(capture_mode=mode)
        def halved(x):
            return x / 2

    for owner in (Scale, Scale()):
        assert owner.double(X).asnumpy().tolist() == [2, 4]
        assert owner.scaled(X).asnumpy().tolist() == [3, 6]
        assert owner.halved(X).asnumpy().tolist() == [0.5, 1]
