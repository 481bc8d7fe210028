"""How optimizers, Models, callbacks, metrics and settings show themselves, and how values are told in a few words."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, amp, nn, ops, train
from emberjit import dataset as ds
from emberjit.printing import html
from emberjit.printing.values import short


def parameters() -> list[Any]:
    """Four, of 6, 2, 2 and 1 elements."""
    shapes = {"a": (2, 3), "b": (2,), "c": (1, 2), "d": (1,)}
    return [Parameter(Tensor(np.ones(shape, np.float32)), name=name) for name, shape in shapes.items()]


def groups(**of_first: Any) -> list[dict[str, Any]]:
    """The same in two groups."""
    first, second, *rest = parameters()
    return [{"params": [first, second], **of_first}, {"params": rest}]


def after_a_change() -> Any:
    """An optimizer whose rate was changed after it was made."""
    optimizer = nn.SGD(parameters(), 0.5)
    ops.assign(optimizer.learning_rate, Tensor(0.25, ms.float32))
    return optimizer


GROUPS = """Adam(
  4 Parameters of 11 elements
  beta1=0.8
  group 0: 2 Parameters of 8 elements, lr=0.01, weight_decay=0.1
  group 1: 2 Parameters of 3 elements, lr=0.001, weight_decay=0.0
)"""
DECAY = "ExponentialDecayLR(learning_rate=0.1, decay_rate=0.9, decay_steps=4)"
SCHEDULED = f"""SGD(
  4 Parameters of 11 elements
  group 0: 2 Parameters of 8 elements, lr={DECAY}, weight_decay=0.0, grad_centralization=True
  group 1: 2 Parameters of 3 elements, lr=0.1, weight_decay=0.0
)"""
MODEL = """Model(
  (network): SequentialCell(
    (0): Dense(input_channels=3, output_channels=2, has_bias=True)
  )
  (loss_fn): MSELoss(reduction=mean)
  (optimizer): SGD(learning_rate=0.1, 4 Parameters of 11 elements)
  metrics: mae
)"""


def model() -> Any:
    """A Model with a metric."""
    return ms.Model(nn.SequentialCell(nn.Dense(3, 2)), nn.MSELoss(), nn.SGD(parameters()), metrics={"mae"})


class Watcher(train.Callback):
    """A user's."""

    def __init__(self, net: Any, name: str = "w", every: int = 1):
        self.net, self.name, self.every = net, name, every


TEXTS = {
    "defaults": (lambda: nn.Adam(parameters()), "Adam(learning_rate=0.001, 4 Parameters of 11 elements)"),
    "options": (
        lambda: nn.Momentum(parameters(), 0.1, 0.9, weight_decay=1e-4, use_nesterov=True),
        "Momentum(learning_rate=0.1, 4 Parameters of 11 elements, momentum=0.9, weight_decay=0.0001, use_nesterov=True)",
    ),
    "keywords": (
        lambda: nn.Adam(parameters(), use_lazy=True),
        "Adam(learning_rate=0.001, 4 Parameters of 11 elements, use_lazy=True)",
    ),
    "the present rate": (after_a_change, "SGD(learning_rate=0.25, 4 Parameters of 11 elements)"),
    "rates": (
        lambda: nn.SGD(parameters(), [0.1, 0.2, 0.3]),
        "SGD(learning_rate=3 rates, one a step, 4 Parameters of 11 elements)",
    ),
    "groups": (lambda: nn.Adam(groups(lr=0.01, weight_decay=0.1), beta1=0.8), GROUPS),
    "a schedule": (lambda: nn.SGD(groups(lr=nn.ExponentialDecayLR(0.1, 0.9, 4), grad_centralization=True)), SCHEDULED),
    "an optimizer of an optimizer": (
        lambda: nn.LARS(nn.SGD(parameters())),
        "LARS(4 Parameters of 11 elements, optimizer=SGD(...))",
    ),
    "half made": (lambda: object.__new__(nn.Adam), "Adam(...)"),
    "a Model": (model, MODEL),
    "a Model half made": (lambda: object.__new__(ms.Model), "Model(...)"),
    "GradOperation": (lambda: ops.GradOperation(get_all=True), "GradOperation(get_all=True)"),
    "JitConfig": (lambda: ms.JitConfig(jit_syntax_level="STRICT"), "JitConfig(jit_syntax_level='STRICT')"),
    "a Generator": (lambda: ms.Generator().manual_seed(3), "Generator(initial_seed=3)"),
    "a callback": (lambda: train.LossMonitor(5), "LossMonitor(per_print_times=5)"),
    "a callback's defaults": (train.LossMonitor, "LossMonitor()"),
    "a user's callback": (lambda: Watcher(nn.ReLU(), every=3), "Watcher(net=ReLU(...), every=3)"),
    "a callback half made": (lambda: object.__new__(Watcher), "Watcher()"),
    "a config": (lambda: ms.CheckpointConfig(keep_checkpoint_max=3), "CheckpointConfig(keep_checkpoint_max=3)"),
    "a metric": (lambda: train.TopKCategoricalAccuracy(3), "TopKCategoricalAccuracy(k=3)"),
    "a manager": (lambda: amp.FixedLossScaleManager(8.0), "FixedLossScaleManager(loss_scale=8.0)"),
    "a ParameterTuple": (
        lambda: ms.ParameterTuple(parameters()[3:]),
        "(Parameter (name=d, shape=(1,), dtype=Float32, requires_grad=True),)",
    ),
}


@pytest.mark.parametrize(("make", "want"), TEXTS.values(), ids=TEXTS.keys())
def test_repr(make: Any, want: str) -> None:
    assert repr(make()) == want


class Loud:
    """Has a long text."""

    def __repr__(self) -> str:
        return "loud" * 100


class Broken:
    """Has none."""

    def __repr__(self) -> str:
        raise RuntimeError("none")


SHORT = {
    "a Tensor": (Tensor(np.ones((2, 3), np.float32)), "Tensor(shape=[2, 3], dtype=Float32)"),
    "an array": (np.ones(3, np.int8), "ndarray(shape=[3], dtype=int8)"),
    "a Cell": (nn.Dense(2, 3), "Dense(...)"),
    "a class": (nn.Dense, "Dense"),
    "a function": (test_repr, "test_repr"),
    "a long list": (list(range(9)), "[0, 1, 2, 3, 4, 5, ... 9 in all]"),
    "a nest": ({"a": (1,), "b": {2}, "c": [], "d": set()}, "{'a': (1,), 'b': {2}, 'c': [], 'd': set()}"),
    "a long text": (Loud(), "loud" * 19 + "l..."),
    "a text": ("x" * 9, "'xxxxxxxxx'"),
}


@pytest.mark.parametrize(("value", "want"), SHORT.values(), ids=SHORT.keys())
def test_short(value: Any, want: str) -> None:
    assert short(value) == want


def test_a_repr_that_fails_is_none() -> None:
    assert "Broken object at" in short(Broken())


def test_html_is_escaped() -> None:
    """All that leads to HTML."""
    text = "<script>&\"'"
    escaped = "&lt;script&gt;&amp;&quot;&#x27;"
    for shown in (html.pre(text), html.details(text), html.details(text, "", is_open=True), html.table((text,), [(text,)])):
        assert escaped in shown and "<script>" not in shown
    shown = model()._repr_html_()
    assert shown.startswith("<details open><summary><code>Model</code>") and "<pre>metrics: mae</pre>" in shown
    assert nn.SGD(parameters(), 0.5)._repr_html_() == "<pre>SGD(learning_rate=0.5, 4 Parameters of 11 elements)</pre>"


CHANGING = {  # objects, and what changes their text
    "a rate": (nn.SGD(parameters(), 0.5), lambda it: ops.assign(it.learning_rate, Tensor(0.25, ms.float32))),
    "a Model's rate": (model(), lambda it: ops.assign(it._optimizer.learning_rate, Tensor(0.25, ms.float32))),
    "a user's callback": (Watcher(None), lambda it: setattr(it, "every", 7)),
    "a callback": (train.LossMonitor(5), lambda it: setattr(it, "_per_print_times", 7)),
    "a dataset": (ds.NumpySlicesDataset([1, 2]).filter(lambda row: row > 1), lambda it: it.get_dataset_size()),
    "a Generator": (ms.Generator().manual_seed(3), lambda it: it.manual_seed(4)),
    "a jitted function": (ms.jit(ops.square), lambda it: it(Tensor([1.0]))),
}


@pytest.mark.breaks
@pytest.mark.parametrize(("item", "change"), CHANGING.values(), ids=CHANGING.keys())
def test_captured_code_tells_the_present_text(item: Any, change: Any) -> None:
    @ms.jit
    def told(x: Any) -> Any:
        return x + 1, repr(item)

    x = Tensor([1.0])
    assert [told(x)[1], told(x)[1]] == [repr(item)] * 2
    before = repr(item)
    change(item)
    assert told(x)[1] == repr(item) != before


SHOWN = """GradOperation JitConfig Model Generator nn.Adam nn.SGD train.LossMonitor train.History train.Accuracy train.Loss
amp.DynamicLossScaler amp.DynamicLossScaleManager dataset.NumpySlicesDataset dataset.GeneratorDataset dataset.BatchDataset
dataset.RandomSampler dataset.vision.Resize dataset.transforms.Compose dataset.text.WhitespaceTokenizer dataset.audio.Fade"""


@pytest.mark.parametrize("name", SHOWN.split())
def test_no_address_is_shown(name: str) -> None:
    module, _, attribute = f"emberjit.{name}".rpartition(".")
    scope: Any = ops if name == "GradOperation" else importlib.import_module(module)
    assert getattr(scope, attribute).__repr__ is not object.__repr__


NAMES = "emberjit module Python NumPy LAPACK platform CPU instruction|set cores compile|cache environment"


def test_show_config(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "graph").write_bytes(b"12345")
    (tmp_path / "other").write_bytes(b"123")
    monkeypatch.setenv("MS_COMPILER_CACHE_ENABLE", "1")
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path))
    monkeypatch.setenv("EMBERJIT_WARN", "<1>")
    monkeypatch.setenv("SECRET", "of the user")
    config = ms.show_config()
    assert list(config) == [name.replace("|", " ") for name in NAMES.split()]
    assert config["emberjit"] == f"{ms.__version__} (the names of MindSpore 2.10.0)"
    assert config["NumPy"] == np.__version__ and config["Python"].startswith(".".join(map(str, sys.version_info[:3])))
    assert config["compile cache"] == f"{tmp_path}: 2 files of 8 bytes"
    assert "EMBERJIT_WARN='<1>'" in config["environment"] and "SECRET" not in config["environment"]
    assert config["cores"].startswith(f"{len(os.sched_getaffinity(0))} of {os.cpu_count()}; ")
    assert str(config) == repr(config) and str(config).splitlines()[3] == f"NumPy            {np.__version__}"
    assert "EMBERJIT_WARN=&#x27;&lt;1&gt;&#x27;" in config._repr_html_() and "<1>" not in config._repr_html_()


def test_the_limit_of_the_instruction_set_is_told() -> None:
    """In a process of its own, which does not load NumPy for it."""
    program = "import sys, emberjit as ms; print(ms.show_config()['instruction set'], 'numpy' in sys.modules)"
    environment = {**os.environ, "EMBERJIT_ISA": "portable"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "portable (EMBERJIT_ISA=portable) False"


def test_import_loads_nothing_that_prints() -> None:
    program = "import sys, emberjit; print(sorted(name for name in sys.modules if 'printing' in name or 'report' in name))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
