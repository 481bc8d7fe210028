"""Runs the cells of a notebook, or the Python blocks of a Markdown file, with emberjit as `mindspore`, and says which fail:
`python tools/run_notebook.py FILE [--path FOLDER]... [--files FOLDER] [--limit NAME=VALUE]... [--real]`.

All cells run, in the file's folder. Nothing is shown or downloaded: displays do nothing, lines for IPython and the shell are
left out, and an address gives the file of its name in --files. `python -O` leaves out asserts, as on accuracies that only
the true data give.
"""

from __future__ import annotations

import argparse
import ast
import json
import linecache
import os
import re
import shutil
import sys
import textwrap
import time
import traceback
import types
from pathlib import Path
from typing import Any


def cells_of(path: Path) -> list[str]:
    """The code of a file, without lines for IPython or the shell."""
    text = path.read_text(encoding="utf-8").replace("\u00a0", " ")
    if path.suffix == ".ipynb":
        cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    else:
        cells = [textwrap.dedent(block) for block in re.findall(r"^\s*```python\n(.*?)^\s*```", text, re.S | re.M)]
    return [re.sub(r"^(\s*)[%!].*$", r"\1pass", cell, flags=re.M) for cell in cells]


class Limits(ast.NodeTransformer):
    """Gives names no larger constants, where a cell assigns them, alone or among several, or passes them by keyword."""

    def __init__(self, limits: dict[str, Any]):
        self.limits = limits

    def _value(self, name: Any, value: ast.expr) -> ast.expr:
        number = isinstance(value, ast.Constant) and isinstance(value.value, (int, float))
        larger = number and name in self.limits and value.value > self.limits[name]
        return ast.copy_location(ast.Constant(self.limits[name]), value) if larger else value

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = zip(target.elts, node.value.elts)
            node.value.elts = [self._value(getattr(name, "id", None), value) for name, value in pairs]
        elif isinstance(target, ast.Name):
            node.value = self._value(target.id, node.value)
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node.value = self._value(node.arg, node.value)
        return self.generic_visit(node)


def stand_in(name: str, **functions: Any) -> types.ModuleType:
    """A module of some functions; all others do nothing."""
    module = types.ModuleType(name)
    vars(module).update(functions, __getattr__=lambda _: lambda *args, **kwargs: None)
    return module


def show_nothing() -> None:
    """Takes matplotlib's output, and IPython's displays, away."""
    os.environ["MPLBACKEND"] = "Agg"
    for package, module in (("IPython", "display"), ("matplotlib_inline", "backend_inline")):
        inner = stand_in(f"{package}.{module}")
        sys.modules |= {package: stand_in(package, version_info=(8, 24), **{module: inner}), inner.__name__: inner}


def answer_from(files: Path) -> None:
    """Has downloads give the files of a folder; those of the package download, which unpacks, give folders."""

    def path_of(address: str) -> Path:
        return files / address.split("?", maxsplit=1)[0].rsplit("/", 1)[-1]

    def get(address: str, **options: Any) -> Any:
        return types.SimpleNamespace(content=path_of(address).read_bytes(), ok=True, raise_for_status=lambda: None)

    def unpacked(address: str, path: str, **options: Any) -> str:
        folder = path_of(address).with_suffix("")
        shutil.copytree(folder, Path(path) / folder.name, dirs_exist_ok=True)
        return path

    sys.modules |= {"requests": stand_in("requests", get=get), "download": stand_in("download", download=unpacked)}


def run(cells: list[str], limits: Limits) -> int:
    """Runs cells in one namespace, and returns how many failed."""
    module, failed = types.ModuleType("__main__"), 0
    sys.modules["__main__"] = module
    for i, cell in enumerate(cells):
        name = f"<cell {i}>"
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        try:
            exec(compile(limits.visit(ast.parse(cell, name)), name, "exec"), module.__dict__)
        except Exception as error:
            failed += 1
            at = traceback.extract_tb(error.__traceback__)[-1]
            print(f"cell {i}: {type(error).__name__}: {error!s:.300} ({at.filename}:{at.lineno})")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--path", type=Path, action="append", default=[], help="where modules are looked for")
    parser.add_argument("--files", type=Path, help="what downloads give")
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=VALUE", help="instead of a larger constant")
    parser.add_argument("--real", action="store_true", help="with the real mindspore instead")
    options = parser.parse_args()
    if not options.real:
        from emberjit import alias

        alias.install()
    show_nothing()
    if options.files:
        answer_from(options.files.resolve())
    cells = cells_of(options.file)
    sys.path[:0] = [str(path.resolve()) for path in options.path]
    os.chdir(options.file.parent)
    start = time.perf_counter()
    limits = {name: ast.literal_eval(value) for name, _, value in (option.partition("=") for option in options.limit)}
    failed = run(cells, Limits(limits))
    print(f"{options.file}: {failed} of {len(cells)} cells failed, {time.perf_counter() - start:.1f} s")
    sys.stdout.flush()
    os._exit(bool(failed))  # without waiting for what a notebook left running


if __name__ == "__main__":
    main()
