"""What README shows runs as it stands there, and what it leads to is there; stubs and tables are what the library says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from emberjit import _emberjit as core

VMTOOL = (sys.executable, "-c", "from emberjit.__main__ import vmtool; vmtool()")
README = (Path(__file__).parents[3] / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """README's programs in a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def example() -> str:
    return blocks("python")[0]


def run(*command: str) -> str:
    """What the interpreter prints."""
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_learns_and_explains(tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(example())
    loss, specialisations = run(str(script)).split("\n", 1)
    assert float(loss) < 0.5
    assert "native" in specialisations


def test_it_runs_as_an_existing_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(example().replace("emberjit", "mindspore"))
    assert float(run("-m", "emberjit", str(script)).split("\n", 1)[0]) < 0.5


def test_what_is_saved_runs_and_trains_without_python(tmp_path: Path) -> None:
    script = tmp_path / "save.py"
    script.write_text("".join(blocks("python")))
    subprocess.run([sys.executable, "save.py"], cwd=tmp_path, check=True)
    printed = {}
    for command in blocks("sh")[0].splitlines():
        words = command.partition(" > ")[0].split()
        done = subprocess.run([*VMTOOL, *words[1:]], cwd=tmp_path, capture_output=True, text=True, check=True)
        printed[words[1]] = done.stdout
    assert (tmp_path / "later").exists() and "dtype=Float32" in printed["run"]
    assert "save.py:" in printed["profile"] and "<!doctype html>" in printed["disasm"]


def test_what_it_leads_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 5
    for link in links:
        assert (Path(__file__).parents[3] / link).exists(), link


def test_it_counts_the_ops_of_the_table() -> None:
    counts = re.search(r"(\d+) ops, (\d+) of them with gradients", README)
    assert counts
    ops = core.op_table.values()
    assert [int(count) for count in counts.groups()] == [len(ops), sum(op.flags["differentiable"] for op in ops)]


@pytest.mark.parametrize("tool", ["stubs.py", "tables.py"])
def test_what_tools_write_is_up_to_date(tool: str) -> None:
    run(str(Path(__file__).parents[3] / "tools" / tool), "--check")
