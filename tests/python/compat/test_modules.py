"""Modules and public names: importing a module, by emberjit's path or one of MindSpore's, replaces no public name."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# Reads every public name, the paths given having been imported first; prints what each is.
PROGRAM = """
import importlib, pkgutil, sys, types
from emberjit import alias
alias.install()
import emberjit
def own():  # a package before what is in it
    yield "emberjit"
    left = ("emberjit.__main__", "emberjit.torch_backend.")  # which needs PyTorch
    yield from (m.name for m in pkgutil.walk_packages(emberjit.__path__, "emberjit.") if not m.name.startswith(left))
if sys.argv[1] == "imported":
    paths = [*own(), *("mindspore" + m[len("emberjit"):] for m in own()), *alias._MOVED, *alias._FLAT]
    for package, target in alias._FLAT.items():
        found = importlib.import_module(target)
        paths += [f"{package}.{name}{rest}" for name in getattr(found, "__all__", ()) for rest in ("", f".{name}_func")]
    for path in paths:
        importlib.import_module(path)
for scope in own():
    module = importlib.import_module(scope)
    for name in sorted({*getattr(module, "__all__", ())}):
        value = getattr(module, name)
        kind = "module" if isinstance(value, types.ModuleType) else type(value).__name__
        print(scope, name, kind, getattr(value, "__qualname__", getattr(value, "__name__", "")))
"""


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    script: Path = tmp_path_factory.mktemp("modules") / "names.py"
    script.write_text(PROGRAM)
    out = {}
    for what in ("plain", "imported"):
        done = subprocess.run([sys.executable, "-W", "ignore", script, what], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        out[what] = done.stdout.splitlines()
    return out


def test_importing_modules_replaces_no_public_name(names: dict[str, list[str]]) -> None:
    assert len(names["plain"]) > 4000
    assert [line for line in names["imported"] if line not in names["plain"]] == []


def test_a_path_that_ends_in_a_function_s_name(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import mindspore.ops.function.grad.grad_func\nimport mindspore.train.data_sink\nimport mindspore.nn.metrics.auc\n"
        "import numpy as np\nimport mindspore as ms\nfrom mindspore import ops, train\n"
        "print(ops.grad(lambda x: x * x)(ms.Tensor(3.0)), ms.data_sink is train.data_sink)\n"
        "print(train.auc(np.array([0, 1]), np.array([1, 1])))\n"
        "print(callable(ms.auc), ms.communication.management.get_rank is ms.communication.get_rank)\n"
    )
    done = subprocess.run([sys.executable, "-m", "emberjit", str(script)], capture_output=True, text=True, check=False)
    assert done.stdout == "6.0 True\n1.0\nTrue True\n", done.stderr


TYPED = """
import mindspore as ms
import mindspore.ops.operations as P
from mindspore import Tensor, dataset, nn, ops
from mindspore.common.initializer import Normal
from mindspore.common.parameter import Parameter
from mindspore.nn.optim import SGD
from mindspore.ops import functional as F
from mindspore.train import Model
from mindspore.train.callback import Callback

x: Tensor = ops.relu(Tensor([1.0]))
reveal_type(ops.relu)
reveal_type(F.relu)
reveal_type(Parameter)
reveal_type(Model)
reveal_type(Callback)
reveal_type(Normal)
reveal_type(dataset.GeneratorDataset)
net = nn.Dense(2, 3)
nn.Dense("no number", 2, 3, 4, 5, 6, 7, 8, 9, 10)
"""


def test_type_checkers_know_the_names_by_mindspore_s_paths(tmp_path: Path) -> None:
    mypy = pytest.importorskip("mypy.api")
    stubs = tmp_path / "stubs" / "mindspore"
    shutil.copytree(ROOT / "python" / "mindspore-stubs", stubs)
    (tmp_path / "program.py").write_text(TYPED)
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nmypy_path = {stubs.parent}:{ROOT / 'python'}\nfollow_imports = silent\n")
    options = ["--config-file", str(tmp_path / "mypy.ini"), "--cache-dir", str(tmp_path / "cache")]
    said, errors, _ = mypy.run([*options, str(tmp_path / "program.py")])
    assert errors == ""
    lines = [line.partition("program.py:")[2].partition(": ")[2] for line in said.splitlines()]
    assert "emberjit._emberjit.Tensor" in lines[0] and lines[0] == lines[1] and "Too many arguments" in lines[7], said
    names = ["_emberjit.Parameter", "train.model.Model", "train.callback.callback.Callback", "initializer.Normal"]
    for line, name in zip(lines[2:7], [*names, "dataset.sources.generator.GeneratorDataset"], strict=True):
        assert f"-> emberjit.{name}" in line, said
