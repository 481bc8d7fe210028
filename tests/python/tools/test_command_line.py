"""`python -m emberjit`: what it says of itself, what it runs, and what it tells at the end of a program."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """import os
import sys
import mindspore as ms
from mindspore import Tensor

@ms.jit
def whole(x):
    return x * 2 + 1

@ms.jit
def broken(x, file):
    y = x + 1
    file.write("a")
    return y * 2

@ms.jit
def never(x):
    return x

def main():
    for _ in range(5):
        ms.jit(lambda x: x - 1)(Tensor([1.0]))

whole(Tensor([1.0])), whole(Tensor([2.0])), ms.vmap(lambda x: x + 1)(Tensor([1.0]))
with open(os.devnull, "w") as file:
    for _ in range(3000):
        broken(Tensor([1.0]), file)
main()
if os.fork() == 0:
    sys.exit(0)
os.wait()
print(sys.argv[1:])
ENDING
"""


def run(*arguments: str, where: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "emberjit", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=where)


def test_without_a_program_it_says_what_there_is() -> None:
    bare, asked = run(), run("--help")
    assert bare.stdout == asked.stdout and bare.returncode == asked.returncode == 0 and not bare.stderr + asked.stderr
    words = ["--explain", "--trace FILE", "--profile", "-m module", "python/docs", "EMBERJIT_JIT", "PYNATIVE_MODE"]
    assert [word for word in words if word not in bare.stdout] == []
    for page in ("options.md", "deviations.md"):
        assert page in bare.stdout and (Path(__file__).parents[3] / "python" / "docs" / page).exists()
    vmtool = [sys.executable, "-c", "from emberjit.__main__ import vmtool; vmtool()", "--help"]
    commands = re.findall(r"^vmtool (\w+)", subprocess.run(vmtool, capture_output=True, text=True, check=True).stdout, re.M)
    assert "{" + "|".join(commands) + "}" in bare.stdout
    assert re.fullmatch(r"emberjit \d+\.\d+\.\d+\n", run("--version").stdout)


WRONG = [
    (["--explain"], r"which program\? \(script.py \| -m module \| -c code\)"),
    (["--exp", "program.py"], "unrecognized arguments: --exp"),
    (["--trace"], "--trace: expected one argument"),
    (["--trace", "program.py"], r"which program\?"),
    (["--trace", "program.py", "program.py"], "'program.py' would be overwritten"),
    (["--trace", "none/trace.json", "program.py"], "cannot write 'none/trace.json': No such file"),
    (["--profile=.", "program.py"], r"cannot write '\.': Is a directory"),
    (["none.py"], "cannot open 'none.py': there is no such file"),
    (["-m"], "argument -m: which module?"),
    (["--explain", "-c"], "argument -c: which code?"),
]


@pytest.mark.parametrize("arguments, message", WRONG)
def test_wrong_options_are_refused_before_anything_runs(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print('ran')")
    done = run(*arguments, where=tmp_path)
    assert done.returncode == 2 and not done.stdout and re.search(f"error: .*{message}", done.stderr), done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["program.py"]
    assert (tmp_path / "program.py").read_text() == "print('ran')"


RUNS = [
    (["program.py", "--explain", "-m", "--trace"], "['program.py', '--explain', '-m', '--trace'] __main__ True"),
    (["-m", "program", "--profile"], "['PATH/program.py', '--profile'] __main__ True"),
    (["-c", "import program; print(program.ms.__name__)", "-x"], "['-c', '-x'] program True\nemberjit"),
]


@pytest.mark.parametrize("arguments, output", RUNS)
def test_arguments_of_programs_are_their_own(arguments: list[str], output: str, tmp_path: Path) -> None:
    result = "ms.jit(lambda x: x + 1)(ms.Tensor([1.0])).item() == 2"
    (tmp_path / "program.py").write_text(f"import sys\nimport mindspore as ms\nprint(sys.argv, __name__, {result})\n")
    done = run(*arguments, where=tmp_path)
    assert done.stdout.strip() == output.replace("PATH", str(tmp_path)) and not done.stderr, done.stderr


ENDINGS = [
    ("pass", 0, ""),
    ("sys.exit(3)", 3, ""),
    ("raise ValueError('wrong')", 1, "ValueError: wrong"),
    ("whole.no_such_name", 1, "AttributeError"),
]


@pytest.mark.parametrize("ending, code, said", ENDINGS)
def test_explain_tells_of_each_function_however_the_program_ends(ending: str, code: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("ENDING", ending))
    done = run("--explain", "program.py", "--its-own", "--explain", where=tmp_path)
    assert done.returncode == code and done.stdout == "['--its-own', '--explain']\n" and said in done.stderr
    (report,) = re.findall(r"^--explain: .*", done.stderr, re.M | re.S)
    assert report.startswith("--explain: 7 of 8 jitted functions were called\n") and "never" not in report
    place = re.escape(str(tmp_path / "program.py")) + "|program.py"
    whole = re.search(rf"whole at ({place}):6.*?(?=^\S)", report, re.M | re.S)
    assert whole and "1 graph" in whole.group() and "interpreted" in whole.group() and "1 by graph" in whole.group()
    broken = re.search(rf"broken at ({place}):10.*?(?=^\S)", report, re.M | re.S)
    assert broken and re.search(rf"({place}):13: .*", broken.group()) and re.search(r"\d+ in Python", broken.group())
    assert "Python was faster" in broken.group(), broken.group()
    assert len(re.findall(r"^main.<locals>.<lambda> at .*1 graph", report, re.M)) == 3
    assert re.search(r"^main.<locals>.<lambda> at .*: 2 more, each jitted by itself", report, re.M)


@pytest.mark.parametrize("ending, code", [("pass", 0), ("raise ValueError('wrong')", 1)])
def test_traces_and_profiles(ending: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("ENDING", ending))
    done = run("--trace", "trace.json", "--profile=times.csv", "program.py", where=tmp_path)
    assert done.returncode == code and "--explain" not in done.stderr
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    rows = list(csv.DictReader((tmp_path / "times.csv").open()))
    calls = {(row["category"], row["name"]): int(row["calls"]) for row in rows}
    assert calls["interpreter", "whole"] == 2 == sum(event["name"] == "whole" for event in events)
    times = [float(row["total_us"]) for row in rows]
    assert times == sorted(times, reverse=True)


def test_a_profile_without_a_file_is_a_table(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("ENDING", "sys.exit()"))
    done = run("--profile", "program.py", "times", where=tmp_path)
    assert done.stdout == "['times']\n" and [file.name for file in tmp_path.iterdir()] == ["program.py"]
    head, *rows = done.stderr.splitlines()
    assert head.split() == ["calls", "total_us", "mean_us", "category", "name"]
    assert any(re.fullmatch(r" +2 +\d+\.\d +\d+\.\d  interpreter  whole", row) for row in rows), rows
