"""Another library's frame evaluator (PEP 523) sees the frames that ours does not take, and is there afterwards, whether it
came before ours or over it. Each program runs in a process of its own, with an evaluator compiled for it."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = [pytest.mark.skipif(COMPILER is None, reason="no C compiler")]

_EVALUATOR = """
typedef void* (*Evaluator)(void* thread, void* frame, int throwing);
void* PyInterpreterState_Get(void);
Evaluator _PyInterpreterState_GetEvalFrameFunc(void*);
void _PyInterpreterState_SetEvalFrameFunc(void*, Evaluator);
static int seen;
static Evaluator below;
static void* evaluate(void* t, void* f, int throwing) {
  ++seen;
  return below(t, f, throwing);
}
int install(void) {
  void* i = PyInterpreterState_Get();
  below = _PyInterpreterState_GetEvalFrameFunc(i);
  _PyInterpreterState_SetEvalFrameFunc(i, evaluate);
  return 0;
}
int installed(void) { return _PyInterpreterState_GetEvalFrameFunc(PyInterpreterState_Get()) == evaluate; }
int uninstall(void) { _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), below); return 0; }
int count(void) { return seen; }
"""

_START = """
import ctypes, sys
import numpy as np
import emberjit as ms
other = ctypes.PyDLL(sys.argv[1])
x = ms.Tensor(np.float32([1, 2]))
taken = []
def key(t):
    taken.append(other.count())
    return float((t * 2).sum())
def function(x):
    ordered = sorted([x * 3, x, x * 2], key=key)
    return ordered[0] + ordered[-1]
def check(jitted):
    for _ in range(4):
        assert jitted(x).asnumpy().tolist() == [4, 8]
jitted = ms.jit(function, capture_mode=MODE)
"""

PROGRAMS = {
    "before ours": """
other.install()
for _ in range(5):
    check(jitted)
    assert other.installed()
before = other.count()
(lambda: None)()
assert other.count() > before
other.uninstall()
check(jitted)
assert not other.installed()
""",
    "over ours": """
def installs(t):
    if not other.installed() and not taken:
        other.install()
    return key(t)
over = ms.jit(lambda x: sorted([x * 3, x, x * 2], key=installs)[0] * 4, capture_mode=MODE)
for _ in range(6):
    assert over(x).asnumpy().tolist() == [4, 8]
    assert other.installed()
    check(jitted)
    assert other.installed()
""",
    "from a function between graphs": """
def installs(x):
    y = x * 2
    print(end="")
    other.installed() or other.install()
    print(end="")
    return y + 1
over = ms.jit(installs, capture_mode=MODE)
for _ in range(6):
    assert over(x).asnumpy().tolist() == [3, 5]
    assert other.installed()
    check(jitted)
    assert other.installed()
""",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evaluator")
    source, built = folder / "evaluator.c", folder / "evaluator.so"
    source.write_text(_EVALUATOR)
    subprocess.run([str(COMPILER), "-shared", "-fPIC", str(source), "-o", str(built)], check=True)
    return built


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_another_evaluator_stays(library, program, mode):
    text = f"MODE = {mode!r}\n{_START}{PROGRAMS[program]}\nprint('done')"
    done = subprocess.run(
        [sys.executable, "-c", text, str(library)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
