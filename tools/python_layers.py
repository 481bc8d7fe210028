"""The order of the packages of python/emberjit: a module imports only modules of its own package and of packages before it,
and no modules import each other in a cycle. Imports within functions count; those for types alone do not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGES = [
    "compat",
    "hints",
    "spelling",
    "compat.unavailable",
    "version",
    "forks",
    "protobuf",
    "tfrecord",
    "options",
    "log",
    "values.tree",
    "values.dtypes",
    "checks",
    "deviations",
    "context",
    "dtype",
    "generator",
    "profiler",
    "streams",
    "runtime",
    "compat.hal",
    "compat.multiprocessing",
    "compat.device_context",
    "values",
    "printing",
    "publish",
    "compat.parallel",
    "primitives",
    "capture.code",
    "capture.session",
    "capture.guards",
    "capture.state",
    "capture.calls",
    "capture.graph",
    "capture.bytecode",
    "capture.dispatch",
    "capture.graph_breaks",
    "capture.cache",
    "capture.jit",
    "transforms",
    "language",
    "tensors",
    "distributed",
    "compat.communication",
    "functions.arguments",
    "functions.elementwise",
    "functions.shapes",
    "functions.creation",
    "functions.sorting",
    "functions.reductions",
    "functions.indexing",
    "functions.linalg",
    "functions.random",
    "functions.activations",
    "functions.images",
    "functions.signal",
    "functions.layers",
    "functions.losses",
    "functions.optimiser_rules",
    "functions.gradient_primitives",
    "functions.effects",
    "functions.compat",
    "initializer",
    "compat.common",
    "compat.registration",
    "sparse",
    "ops",
    "nn",
    "experimental",
    "mint",
    "numpy",
    "scipy",
    "utils",
    "compat.rewrite",
    "compat.safeguard",
    "onnx",
    "amp",
    "compat.boost",
    "train",
    "mindrecord",
    "dataset",
    "compat._c_expression",
    "compat.finder",
    "compat.alias",
    "__main__",
    "",  # emberjit itself
    "array_api",
    "torch_backend",
]
EXTENSION = "_emberjit"
Graph = dict[str, set[str]]


def modules_of(root: Path) -> dict[str, Path]:
    """The modules below emberjit by name; that of the package itself is empty."""
    result = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        result[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return result


def package_of(module: str) -> str | None:
    """The package in the order that a module belongs to."""
    names = [name for name in PACKAGES if module == name or (name and module.startswith(name + "."))]
    return max(names, key=len, default=None)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _below(name: str) -> str | None:
    """A module's name below emberjit; None of another library's."""
    return name[len("emberjit.") :] if name.startswith("emberjit.") else "" if name == "emberjit" else None


def _imported(node: ast.AST, modules: dict[str, Path]) -> Iterator[str]:
    """The modules that one statement imports."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = _below(alias.name)
            if name is not None:
                yield name
    elif isinstance(node, ast.ImportFrom):
        base = "?" * node.level if node.level else _below(node.module or "")
        for alias in node.names if base is not None else ():
            name = f"{base}.{alias.name}".lstrip(".")
            if EXTENSION not in (name, base):
                yield name if name in modules else str(base)


def imports_of(node: ast.AST, modules: dict[str, Path]) -> Iterator[str]:
    """The modules that a tree imports, in whichever function."""
    for child in ast.iter_child_nodes(node):
        if not _is_for_types(child):
            yield from _imported(child, modules)
            yield from imports_of(child, modules)


def import_cycles(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one module.

    Method: R. Tarjan, "Depth-first search and linear graph algorithms" (1972).
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    cycles = []

    def visit(module: str) -> None:
        number[module] = low[module] = len(number)
        stack.append(module)
        for imported in sorted(graph[module]):
            if imported not in number:
                visit(imported)
                low[module] = min(low[module], low[imported])
            elif imported in stack:
                low[module] = min(low[module], number[imported])
        if low[module] == number[module]:
            at = stack.index(module)
            component = stack[at:]
            del stack[at:]
            if len(component) > 1:
                cycles.append(sorted(component))

    for module in graph:
        if module not in number:
            visit(module)
    return cycles


def problems_of_packages(root: Path) -> list[str]:
    """Modules without a place in the order, imports against it, and cycles."""
    modules = modules_of(root)
    packages = {name.rpartition(".")[0] for name in PACKAGES} | {"capture", "functions"}  # which hold nothing themselves
    graph: Graph = {}
    problems = []
    for module, path in modules.items():
        package = package_of(module)
        if package is None:
            if module not in packages:
                problems.append(f"{path}: has no place in the order of packages")
            package = ""
        graph[module] = set()
        for imported in imports_of(ast.parse(path.read_text(encoding="utf-8")), modules):
            other = package_of(imported)
            if imported not in modules or other is None:
                problems.append(f"{path}: imports {imported or 'emberjit'}, which is no module")
            elif imported != module:
                graph[module].add(imported)
                if PACKAGES.index(other) > PACKAGES.index(package):
                    problems.append(f"{path}: {package} must not import {imported or 'emberjit'}")
    return problems + [f"modules import each other: {', '.join(cycle)}" for cycle in import_cycles(graph)]
