"""Names of other libraries: errors say what they are here (hints.HINTS), and what they say can be run."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, amp, hints, mint, nn, ops
from emberjit import dataset as ds
from emberjit.spelling import nearest
from emberjit.tensors import attributes

ROWS = [(scope, name) for scope, rows in hints.HINTS.items() for name in rows]


def namespace(folder: Path) -> dict[str, Any]:
    """What the table's code finds; with a new network each time."""
    net = nn.Dense(3, 3)
    loss_fn, opt = nn.CrossEntropyLoss(), nn.Adam(net.trainable_params())
    x, y = Tensor(np.ones((2, 3), np.float32)), Tensor([0, 1], ms.int32)
    rows = [(np.ones(3, np.float32), np.int32(n % 3)) for n in range(4)]
    (folder / "class").mkdir()

    def forward(x: Tensor, y: Tensor) -> Tensor:
        return loss_fn(net(x), y)

    return {
        **{"ms": ms, "nn": nn, "ops": ops, "mint": mint, "ds": ds, "amp": amp, "np": np, "net": net, "loss_fn": loss_fn},
        **{"opt": opt, "x": x, "y": y, "w": Parameter(Tensor(np.ones((4, 3), np.float32)), name="w"), "forward": forward},
        **{"f": lambda x: (x * x).sum(), "grads": ms.grad(forward, None, opt.parameters)(x, y), "rows": rows},
        **{"data": ds.GeneratorDataset(rows, ["x", "y"]).batch(2), "folder": str(folder)},
    }


def owners(scope: str, name: str) -> list[Any]:
    if scope == "Tensor":
        tensors = [Tensor([1.0]), Tensor]
        return tensors if name == "requires_grad" else [*tensors, Parameter(Tensor([1.0])), Parameter]
    if scope == "Cell":
        return [nn.Dense(2, 3), nn.SequentialCell(nn.ReLU()), nn.MSELoss()]
    if scope == "Optimizer":
        return [nn.Adam(nn.Dense(2, 3).trainable_params())]
    return [importlib.import_module(f"emberjit.{scope}" if scope else "emberjit")]


@pytest.mark.parametrize("scope, name", ROWS)
def test_names_are_not_here_and_errors_say_what_is(scope: str, name: str) -> None:
    sentence, code = hints.HINTS[scope][name]
    for owner in owners(scope, name):
        assert not hasattr(owner, name) and getattr(owner, name, 3) == 3
        with pytest.raises(AttributeError) as caught:
            getattr(owner, name)
        said = str(caught.value)
        assert f" has no attribute '{name}'. {sentence}" in said and said.endswith(code or sentence) and "yet" not in said
        assert caught.value.name == name and not (scope == "Tensor" and name in dir(owner) and not isinstance(owner, type))


CODE = [(scope, name) for scope, name in ROWS if hints.HINTS[scope][name][1]]


@pytest.mark.parametrize("scope, name", CODE)
def test_what_errors_say_runs(scope: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = ms.get_context("matmul_precision"), ms.get_rng_state()
    try:
        exec(hints.HINTS[scope][name][1], namespace(tmp_path))
    finally:
        ms.set_context(matmul_precision=before[0])
        ms.set_rng_state(before[1])


@pytest.mark.parametrize("scope", hints._NEARBY)
def test_names_of_other_modules_are_told_where_they_are(scope: str) -> None:
    module, paths = owners(scope, "")[0], set()
    for other in hints._NEARBY[scope]:
        for name in importlib.import_module(f"emberjit.{other}").__all__:
            if name in hints.HINTS.get(scope, {}) or hasattr(module, name):
                continue
            with pytest.raises(AttributeError) as caught:
                getattr(module, name)
            (path,) = re.findall(rf"has no attribute '{name}'\. It is (ms[\w.]*\.{name}) here$", str(caught.value))
            paths.add(path)
    assert paths and all(eval(path, {"ms": ms}) is not None for path in paths)
    assert scope or {"ms.mint.randn", "ms.mint.cat", "ms.nn.Conv2d", "ms.ops.relu", "ms.nn.Adam"} <= paths


IMPORTS = [
    ("from emberjit import compile", "", "compile"),
    ("from mindspore import compile", "", "compile"),
    ("import mindspore.optim", "", "optim"),
    ("from mindspore.nn import Module", "nn", "Module"),
    ("import mindspore.nn.functional as F", "nn", "functional"),
    ("import mindspore as m; m.no_grad", "", "no_grad"),
    ("import mindspore as m; m.Tensor([1.0]).cuda()", "Tensor", "cuda"),
]


def test_imports_say_it_too_by_either_name() -> None:
    texts = [text for text, _, _ in IMPORTS]
    program = f"""
for text in {texts}:
    try:
        exec(text, {{}})
    except (ImportError, AttributeError) as error:
        print(type(error).__name__, error)
import importlib.util
print(importlib.util.find_spec("emberjit.no_such_name"))
"""
    command = [sys.executable, "-m", "emberjit", "-c", program]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines.pop() == "None"
    for (text, scope, name), line in zip(IMPORTS, lines, strict=True):
        kind = "ModuleNotFoundError" if text.startswith(("from", "import mindspore.")) else "UnknownName"
        assert line.startswith(kind) and f"'{name}'" in line and ": ".join(filter(None, hints.HINTS[scope][name])) in line


def of_module(x):
    return ms.compile(x)


def of_layers(x):
    return nn.Module(x)


def of_tensor(x):
    return (x * 2).backward()


NET = nn.Dense(2, 3)


def of_cell(x):
    return NET.forward(x)


IN_GRAPHS = [
    (of_module, "", "compile"),
    (of_layers, "nn", "Module"),
    (of_tensor, "Tensor", "backward"),
    (of_cell, "Cell", "forward"),
]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function, scope, name", IN_GRAPHS)
def test_in_jitted_functions(function: Any, scope: str, name: str, mode: str) -> None:
    f = ms.jit(function, capture_mode=mode)
    for _ in range(2):
        with pytest.raises(AttributeError) as caught:
            f(Tensor([[1.0, 2.0]]))
        assert str(caught.value).endswith(": ".join(hints.HINTS[scope][name]))


def test_questions_in_jitted_functions_stay_in_one_graph() -> None:
    @ms.jit(fullgraph=True)
    def f(x: Tensor) -> Tensor:
        return x.detach() if hasattr(x, "detach") else getattr(x, "grad", x * 2)

    for _ in range(3):
        assert f(Tensor([3.0])) == 6


def test_programs_may_give_tensors_these_attributes(monkeypatch: pytest.MonkeyPatch) -> None:
    parameter, f = Parameter(Tensor([1.0])), ms.jit(lambda x: x.cpu() + 1)
    parameter.grad = Tensor([3.0])
    assert parameter.grad == 3 and "grad" in dir(parameter) and ms.jit(lambda: parameter.grad * 2)() == 6
    del parameter.grad
    assert not hasattr(parameter, "grad")
    monkeypatch.setattr(Tensor, "cpu", lambda self: self * 2, raising=False)
    assert f(Tensor([1.0])) == 3


def test_the_table_loads_with_the_first_error() -> None:
    assert set(attributes.UNKNOWN.split()) == set(hints.HINTS["Tensor"])
    program = (
        "import sys, emberjit as ms; hasattr(ms, 'compile'), hasattr(ms.Tensor([1.0]), 'cuda'), hasattr(ms.nn, 'Module')"
    )
    command = [sys.executable, "-c", f"{program}; print('emberjit.hints' in sys.modules)"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


FAR = [("compile", ["COMPATIBLE"], ""), ("graphmode", ["GRAPH_MODE", "graph"], "GRAPH_MODE"), ("LAXX", ["LAX"], "LAX")]


@pytest.mark.parametrize("name, names, suggested", FAR)
def test_constants_are_suggested_to_who_means_constants(name: str, names: list[str], suggested: str) -> None:
    assert nearest(name, names) == (f". Did you mean: '{suggested}'?" if suggested else "")
