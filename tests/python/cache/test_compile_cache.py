"""The compile cache: what one process has captured serves the next where nothing that the capture read has changed. Each
kind of change is made between the two, and results are those of a plain run. A program that is imported anew has, as
another process would, other objects throughout."""

from __future__ import annotations

import importlib.util
import linecache
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import nn
from emberjit.capture.cache import files

PROGRAM = (Path(__file__).parent / "compile_cache_program.py").read_text()


def program(folder: Path, source: str = PROGRAM) -> Any:
    """The program, as a new process would have it."""
    path = folder / "cached_program.py"
    path.write_text(source)
    linecache.checkcache(str(path))
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)  # of a text of the same second and length
    sys.modules.pop("cached_program", None)
    importlib.invalidate_caches()
    return importlib.import_module("cached_program")


def plain(value: Any) -> Any:
    if isinstance(value, ms.Tensor):
        return str(value.dtype), value.asnumpy().tolist()
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def run(module: Any, jitted: bool, names: set[str] | None = None) -> dict[str, Any]:
    """What each function gives in two calls, and what the cache did."""
    found = {}
    x = np.array([[1.0, -2.0]], np.float32)
    for function in module.FUNCTIONS:
        if names is None or function.__name__ in names:
            called = ms.jit(function) if jitted else function
            results = []
            for scale in (1, 2):
                try:
                    results.append(plain(called(ms.Tensor(x * scale))))
                except Exception as error:
                    results.append((type(error).__name__, str(error).partition("\n")[0]))
            found[function.__name__] = results, events(called) if jitted else []
    return found


def events(jitted: Any) -> list[str]:
    return [event.partition(":")[0] for event in jitted.explain()["cache"]]


def results(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, (value, _) in found.items()}


def done(found: dict[str, Any], event: str) -> set[str]:
    return {name for name, (_, said) in found.items() if event in said}


def test_the_next_process_is_served(folder: Path) -> None:
    first = run(program(folder), jitted=True)
    assert done(first, "stored") == set(results(first)), {name: said for name, (_, said) in first.items()}
    second = run(program(folder), jitted=True)
    assert done(second, "hit") == set(results(second)), {name: said for name, (_, said) in second.items()}
    assert not done(second, "stored") and not done(second, "stale")
    assert results(first) == results(second) == results(run(program(folder), jitted=False))


TEXT = [
    ("NUMBER = 2", "NUMBER = 5", {"number"}),
    ("NUMBER = 2", "NUMBER = 2.0", {"number"}),
    ("HALF = 0.5", "HALF = -0.5", {"half"}),
    ('NAME = "sum"', 'NAME = "men"', {"named"}),
    ("PAIR = (1, 2)", "PAIR = (1, 3)", {"pair"}),
    ("PAIR = (1, 2)", "PAIR = [1, 3]", {"pair"}),
    ('"rate": 0.25', '"rate": 0.75', {"config"}),
    ('"layers": [1, 2, 3]', '"layers": [1, 2]', {"config"}),
    ("ROWS = [1.0, 2.0]", "ROWS = [1.0, 3.0]", {"rows"}),
    ("ROWS = [1.0, 2.0]", "ROWS = [1.0]", {"rows"}),
    ("DTYPE = ms.float32", "DTYPE = ms.float16", {"cast"}),
    ("np.array([1, 2, 3])", "np.array([1, 2, 4])", {"table"}),
    ("np.array([1, 2, 3])", "np.array([1, 2, 3.5])", {"table"}),
    ("[3.0, 4.0]", "[5.0, 4.0]", {"elements", "held"}),
    ("np.array([3.0, 4.0], np.float32)", "np.array([3.0, 4.0], np.float16)", {"held", "elements"}),
    ("KIND = Kind.FIRST", "KIND = Kind.SECOND", {"kind"}),
    ('frozenset({"a"})', 'frozenset({"b"})', {"together"}),
    ("return x * by + more", "return x * by - more", {"helped", "partly"}),
    ("def helper(x, by=3.0", "def helper(x, by=4.0", {"helped"}),
    ("*, more=1.0", "*, more=2.0", {"helped", "partly"}),
    ("return function(x) * 2", "return function(x) * 3", {"decorates"}),
    ("    return x + 1\n\n\ndef made", "    return x + 2\n\n\ndef made", {"decorates"}),
    ("INNER = made(4.0)", "INNER = made(6.0)", {"closed"}),
    ("return x * scale", "return x + scale", {"closed"}),
    ("functools.partial(helper, by=5.0)", "functools.partial(helper, by=6.0)", {"partly"}),
    ("functools.partial(helper, by=5.0)", "functools.partial(decorated)", {"partly"}),
    ("self.own = 1.5", "self.own = 3.5", {"boxed", "methods"}),
    ('{"w": 2.5}', '{"w": 4.5}', {"boxed"}),
    ("return x * self.own", "return x / self.own", {"boxed"}),
    ("shared = 7.0", "shared = 8.0", {"methods"}),
    ("return x + self.shared", "return x * self.shared", {"methods"}),
    ("return self.own + 1", "return self.own + 2", {"methods"}),
    ("return x - 1\n\n    @classmethod", "return x - 2\n\n    @classmethod", {"methods"}),
    ("return x + cls.shared", "return x - cls.shared", {"methods"}),
    ("class Box(Base):", "class Box(Base, dict):", {"checked", "boxed"}),
    ("self.scale = 2.0", "self.scale = 3.0", {"net"}),
    ("nn.Dense(2, 3,", "nn.Dense(2, 3, activation='relu',", {"net"}),
    ("nn.LayerNorm((3,))", "nn.LayerNorm((3,), epsilon=0.5)", {"net"}),
    ("nn.LayerNorm((3,))", "nn.Identity()", {"net"}),
    ("weight_init='ones'", "weight_init='zeros'", {"net"}),
    ("self.norm(self.dense(x))", "self.dense(self.norm(x))", {"net"}),
    ("nn.SGD(NET.trainable_params(), 0.5)", "nn.SGD(NET.trainable_params(), 0.25)", {"step"}),
    ("nn.SGD(NET.trainable_params(), 0.5)", "nn.Adam(NET.trainable_params(), 0.5)", {"step"}),
    ("nn.SGD(NET.trainable_params(), 0.5)", "nn.SGD(NET.trainable_params()[1:], 0.5)", {"step"}),
    ("lambda x: NET(x).sum()", "lambda x: NET(x).mean()", {"step"}),
    ('return {"a": (x, 1, None)', 'return {"a": (x, 2, None)', {"tuples"}),
    ("math.sqrt(16.0)", "math.sqrt(25.0)", {"built"}),
]


@pytest.mark.parametrize(("old", "new", "names"), TEXT, ids=[new for _, new, _ in TEXT])
def test_a_change_of_the_program_is_seen(folder: Path, old: str, new: str, names: set[str]) -> None:
    run(program(folder), True, names)
    changed = PROGRAM.replace(old.replace("'", '"'), new.replace("'", '"'), 1)
    assert changed != PROGRAM
    found = run(program(folder, changed), True, names)
    wanted = run(program(folder, changed), False, names)
    assert results(found) == results(wanted)
    again = run(program(folder), True, names)
    assert done(again, "hit") == names and results(again) == results(run(program(folder), False, names))


def other_helper(x: Any, by: float = 3.0, *, more: float = 1.0) -> Any:
    return x


def patched_dense(self: Any, x: Any) -> Any:
    return x.sum() * 2


def _replace_construct(module: Any) -> None:
    module.Net.construct = lambda self, x: x * 9


def _share_parameters(module: Any) -> None:
    module.NET.dense.bias.set_data(ms.Tensor(np.ones(3, np.float32)))
    module.NET.norm.beta = module.NET.dense.bias


CHANGES: list[tuple[str, Callable[[Any], Any], set[str]]] = [
    ("a global is gone", lambda module: delattr(module, "NUMBER"), {"number"}),
    ("a global hides a built-in", lambda module: setattr(module, "abs", lambda x: 40), {"built"}),
    ("a module's function", lambda module: setattr(module, "math", types.SimpleNamespace(sqrt=lambda x: 1.0)), {"built"}),
    ("a method of an instance", lambda module: setattr(module.BOX, "method", lambda x: x * 0), {"methods"}),
    ("a method of a class", lambda module: setattr(module.Base, "method", lambda self, x: x * 0), {"methods"}),
    ("a special method", lambda module: setattr(module.Box, "__call__", lambda self, x: x * 0), {"boxed"}),
    ("a function's defaults", lambda module: setattr(module.helper, "__defaults__", (9.0,)), {"helped"}),
    ("a function's code", lambda module: setattr(module.helper, "__code__", other_helper.__code__), {"helped"}),
    ("a closure's variable", lambda module: setattr(module.INNER.__closure__[0], "cell_contents", 8.0), {"closed"}),
    ("construct", _replace_construct, {"net", "step"}),
    ("a Cell's mode", lambda module: module.NET.set_train(True), {"net"}),
    ("a Cell is replaced", lambda module: setattr(module.NET, "norm", nn.ReLU()), {"net"}),
    ("a Parameter that is not trained", lambda module: setattr(module.NET.dense.weight, "requires_grad", False), {"step"}),
    ("a Parameter that two Cells have", _share_parameters, {"net", "step"}),
    ("another dtype", lambda module: module.NET.to_float(ms.float16), {"net"}),
    ("a dict's order", lambda module: module.CONFIG.update(more=1), {"config"}),
    ("the class of an instance", lambda module: setattr(module.BOX, "__class__", module.Base), {"methods", "checked"}),
    ("a shape", lambda module: setattr(module, "HELD", ms.Tensor([[1.0], [2.0]])), {"held"}),
    ("a Tensor that is none", lambda module: setattr(module, "HELD", 2.0), {"held"}),
    ("a Parameter", lambda module: setattr(module, "HELD", ms.Parameter(ms.Tensor([1.0, 2.0]), name="h")), {"held"}),
]


@pytest.mark.parametrize(("change", "names"), [change[1:] for change in CHANGES], ids=[change[0] for change in CHANGES])
def test_a_change_at_run_time_is_seen(folder: Path, change: Callable[[Any], Any], names: set[str]) -> None:
    run(program(folder), True, names)
    seen = []
    for jitted in (True, False):
        module = program(folder)
        change(module)
        seen.append(results(run(module, jitted, names)))
    assert seen[0] == seen[1]


def test_the_library_may_be_patched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(program(folder), True, {"net"})
    monkeypatch.setattr(nn.Dense, "construct", patched_dense)
    found = run(program(folder), True, {"net"})
    assert results(found) == results(run(program(folder), False, {"net"}))
    assert "stale" in found["net"][1]


@pytest.mark.parametrize("other", [("none.py", 0, 0), ("", 1, 0), ("", 0, 1)], ids=["path", "size", "time"])
def test_another_build_of_the_library_is_refused(folder: Path, other: tuple[str, int, int]) -> None:
    run(program(folder), True, {"number"})
    (path,) = stored(folder)
    document, *rest = files.unpacked(path.read_bytes())
    document["library"][-1] = [was + change for was, change in zip(document["library"][-1], other)]
    path.write_bytes(files.packed(document, *rest))
    assert run(program(folder), True, {"number"})["number"][1][:1] == ["refused"]


def test_other_calls_have_graphs_of_their_own(folder: Path) -> None:
    def calls(f: Any) -> list[Any]:
        x = ms.Tensor(np.ones((2, 2), np.float32))
        return [
            plain(f(*args, **kwargs))
            for args, kwargs in [
                ((x,), {}),
                ((), {"x": x}),
                ((x.astype(ms.float16),), {}),
                ((x.astype(ms.int32),), {}),
                ((ms.Tensor(np.ones(3, np.float32)),), {}),
                ((3,), {}),
                ((3.5,), {}),
                ((True,), {}),
            ]
        ]

    wanted = calls(program(folder).number)
    for _ in range(3):
        assert calls(ms.jit(program(folder).number)) == wanted


def test_another_object_of_the_same_process_is_served(folder: Path) -> None:
    class Net:
        def __init__(self, scale: float):
            self.weight = ms.Parameter(ms.Tensor([scale, 1.0]), name="weight")

        @ms.jit
        def forward(self, x: Any) -> Any:
            return x * self.weight

    x = ms.Tensor([3.0, 4.0])
    nets = [Net(scale) for scale in (1.0, 2.0, 5.0)]
    for _ in range(2):
        assert [plain(net.forward(x)) for net in nets] == [("Float32", [3.0 * scale, 4.0]) for scale in (1.0, 2.0, 5.0)]
    assert events(Net.forward) == ["stored", "hit", "hit"]


def test_a_tape_that_records_is_not_served(folder: Path) -> None:
    for _ in range(2):
        jitted = ms.jit(program(folder).half)
        assert plain(ms.grad(jitted)(ms.Tensor([1.0, 2.0]))) == ("Float32", [0.5, 0.5])
        assert plain(jitted(ms.Tensor([1.0, 2.0]))) == ("Float32", [0.5, 1.0])


def test_what_is_restored_is_saved_and_explained(folder: Path) -> None:
    saved = []
    for name in ("first", "second"):
        module = program(folder)
        jitted = ms.jit(module.net)
        jitted(ms.Tensor(np.ones((1, 2), np.float32)))
        jitted.save(folder / name)
        saved.append((folder / name).stat().st_size)
        assert jitted.explain()["entries"][0]["guards"] > 5
    assert 0.9 < saved[0] / saved[1] < 1.1 and "hit" in events(jitted)


def test_a_miss_of_what_is_restored_names_the_guard(folder: Path) -> None:
    run(program(folder), True, {"number"})
    module = program(folder)
    jitted = ms.jit(module.number)
    jitted(ms.Tensor([1.0]))
    module.NUMBER = 7
    assert plain(jitted(ms.Tensor([1.0]))) == ("Float32", [7.0])
    assert [miss["guard"] for miss in jitted.explain()["misses"]] == ["NUMBER == 2"]


DEEP = """
from emberjit import nn

LAYERS = nn.SequentialCell([nn.Conv2d(1, 1, 3, 2, pad_mode="same", weight_init="ones") for _ in range(8)])


def deep(x):
    return LAYERS(x[None, None])


FUNCTIONS = [deep]
"""


def test_sizes_that_are_long_expressions_of_others(folder: Path) -> None:
    first, second = [run(program(folder, DEEP), jitted=True) for _ in range(2)]
    assert results(first) == results(second) and second["deep"][1] == ["hit"]


# Files ---------------------------------------------------------------------------------------------------------------


def stored(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("*/*.ember"))


DAMAGE: list[Callable[[bytes], bytes]] = [
    lambda data: b"",
    lambda data: data[:20],
    lambda data: data[:-1],
    lambda data: data + b"x",
    lambda data: data[: len(data) // 2],
    lambda data: b"emberjix" + data[8:],
    lambda data: data[:8] + b"\xff\0\0\0" + data[12:],
    lambda data: bytes(byte ^ (0x5A if i % 97 == 0 else 0) for i, byte in enumerate(data)),
    lambda data: files.packed({}, b"", b""),
    lambda data: files.packed({**files.unpacked(data)[0], "rows": [[0, "item", 1]]}, *files.unpacked(data)[1:]),
    lambda data: files.packed({**files.unpacked(data)[0], "tree": 9}, *files.unpacked(data)[1:]),
    lambda data: files.packed({**files.unpacked(data)[0], "tree": ["given", 9]}, *files.unpacked(data)[1:]),
    lambda data: files.packed({**files.unpacked(data)[0], "writes": [[5, 0]]}, *files.unpacked(data)[1:]),
    lambda data: files.packed({**files.unpacked(data)[0], "own_memory": []}, *files.unpacked(data)[1:]),
    lambda data: files.packed({**files.unpacked(data)[0], "flags": [True]}, *files.unpacked(data)[1:]),
    lambda data: files.packed(files.unpacked(data)[0], b"", b""),
    lambda data: files.packed(files.unpacked(data)[0], files.unpacked(data)[1][:-3], b""),
]


@pytest.mark.parametrize("damage", DAMAGE, ids=map(str, range(len(DAMAGE))))
def test_damaged_files_are_not_run(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    wanted = results(run(program(folder), True, {"number"}))
    for path in stored(folder):
        path.write_bytes(damage(path.read_bytes()))
    found = run(program(folder), True, {"number"})
    assert results(found) == wanted and "hit" not in found["number"][1]
    assert "hit" in run(program(folder), True, {"number"})["number"][1]


def test_folders_that_others_may_write_are_refused(folder: Path) -> None:
    run(program(folder), True, {"number"})
    for path in (folder / "cache", stored(folder)[0].parent):
        path.chmod(0o777)
        found = run(program(folder), True, {"number"})["number"]
        assert "refused" in found[1] or "not stored" in found[1]
        assert found[0][0][1] == [[2.0, -4.0]]
        path.chmod(0o700)


def test_links_and_other_things_are_not_read(folder: Path) -> None:
    run(program(folder), True, {"number"})
    path = stored(folder)[0]
    path.rename(folder / "elsewhere")
    path.symlink_to(folder / "elsewhere")
    assert "hit" not in run(program(folder), True, {"number"})["number"][1]
    path.unlink()
    path.mkdir()
    assert "hit" not in run(program(folder), True, {"number"})["number"][1]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "Permission denied")])
def test_what_cannot_be_written_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(files.core, "write_file", fail)
    found = run(program(folder), True, {"number"})["number"]
    assert found[1] == ["not stored"] and found[0][0][1] == [[2.0, -4.0]]


def test_a_folder_that_is_a_file(folder: Path) -> None:
    (folder / "cache").write_text("no folder")
    found = run(program(folder), True, {"number"})["number"]
    assert "hit" not in found[1] and found[0][0][1] == [[2.0, -4.0]]


def test_the_oldest_files_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(program(folder), True, {"number", "half", "pair"})
    kept = stored(folder)
    sizes = [path.stat().st_size for path in kept]
    for age, path in enumerate(kept):
        os.utime(path, (1000 - age, 1000 - age))
    monkeypatch.setattr(files, "LIMIT", sum(sizes))
    run(program(folder), True, {"kind"})
    assert kept[-1] not in stored(folder) and kept[0] in stored(folder)


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import cached_program
import emberjit as ms
jitted = [ms.jit(function) for function in (cached_program.net, cached_program.step, cached_program.rows)]
print([str(f(ms.Tensor(np.array([[1.0, -2.0]], np.float32)))) for f in jitted])
print([event.partition(":")[0] for f in jitted for event in f.explain()["cache"]])
"""


def start(folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "MS_COMPILER_CACHE_ENABLE": "1", "MS_COMPILER_CACHE_PATH": str(folder / "cache")}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_processes_at_once(folder: Path) -> None:
    (folder / "cached_program.py").write_text(PROGRAM)
    said = []
    for count in (1, 6, 1):
        for process in [start(folder) for _ in range(count)]:
            out, problem = process.communicate()
            assert process.returncode == 0, problem
            said.append(out.splitlines())
        if count == 6:
            assert not list((folder / "cache").rglob("*.tmp*"))
    assert len({line[0] for line in said}) == 1
    assert said[0][1] == str(["stored"] * 3) and said[-1][1] == str(["hit"] * 3)


MOVING = """
import numpy as np
import emberjit as ms
from emberjit import Tensor, ops

STATE = {"t": Tensor([1.0, 2.0]), "n": 2.0}


def step(x):
    STATE["t"] = ops.cat([STATE["t"] * 0.5, x])
    return STATE["t"].sum() * STATE["n"]


def run(jit):
    function, results = jit(step), []
    for number in range(6):
        STATE["n"] = number + 0.5
        results.append(function(Tensor([float(number)])).item())
    return results, function
"""


def test_what_is_read_outside_in_each_call_is_so_in_the_next_process(folder: Path) -> None:
    plain_results, _ = program(folder, MOVING).run(lambda f: f)
    first, jitted = program(folder, MOVING).run(ms.jit)
    second, served = program(folder, MOVING).run(ms.jit)
    assert first == second == plain_results
    assert "stored" in events(jitted) and events(served).count("hit") == 1 and "stored" not in events(served)


PRINTING = """
import sys

import numpy as np
import emberjit as ms


def shows(x, n):
    print(f"{n:>5d} of {x.shape}, {n / 8:.3e} {x.sum().item():.2f}")
    return x * n


called = ms.jit(shows) if sys.argv[1:] else shows
for n, size in ((3, 2), (-40, 5)):
    called(ms.Tensor(np.ones((size, 3), np.float32)), n)
print([event.partition(":")[0] for event in called.explain()["cache"]] if sys.argv[1:] else [])
"""


def test_numbers_that_are_printed_are_those_of_each_call(folder: Path) -> None:
    (folder / "printing.py").write_text(PRINTING)
    environment = {**os.environ, "MS_COMPILER_CACHE_ENABLE": "1", "MS_COMPILER_CACHE_PATH": str(folder / "cache")}
    said = []
    for options in ([], ["jitted"], ["jitted"]):
        words = [sys.executable, str(folder / "printing.py"), *options]
        ended = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        said.append(ended.stdout.splitlines())
    assert [lines[-1] for lines in said] == ["[]", "['stored']", "['hit']"]
    assert said[0][:-1] == said[1][:-1] == said[2][:-1]
