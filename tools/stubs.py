"""Writes, from the declarations of public names, the index by which their modules are found, and type stubs: of nn, ops,
mint, numpy, scipy and Tensor; of other modules whose names load when they are first used; and of `mindspore`, that is
emberjit by MindSpore's paths: tools/stubs.py [--check]. Needs the built package.

--check: writes nothing, and fails if a file is not what it would be.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import inspect
import math
import pkgutil
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import emberjit
from emberjit import Parameter, Tensor, functions
from emberjit import _emberjit as core
from emberjit.compat import alias
from emberjit.nn.cell import Cell
from emberjit.publish import describe, registry, signature
from emberjit.publish.index import NAMES

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "emberjit"
ALIAS = PACKAGE.parent / "mindspore-stubs"
LINE = 125
HEAD = "# Written by tools/stubs.py from the declarations.\n"
SCOPES = ("ops", "mint", "mint.nn", "mint.nn.functional", "mint.linalg", "mint.special", "nn", "numpy", "scipy.linalg")
KINDS = {
    "tensor": "_TensorLike",
    "tensors": "Sequence[_TensorLike]",
    "number": "_Operand",
    "ref": "Tensor",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "dtype": "_DType",
    "ints": "int | Sequence[int]",
    "object": "Any",
}
# What members of Tensor that are bound in C++ return.
BOUND = {name: "int" for name in ("ndim", "size", "itemsize", "nbytes", "storage_offset", "data_ptr")}
BOUND |= {"shape": "tuple[int, ...]", "strides": "tuple[int, ...]", "dtype": "dtype", "is_contiguous": "bool"}
BOUND |= {"T": "Tensor", "contiguous": "Tensor", "get_bytes": "bytes"}
# What members of Tensor that are written in C++ return.
BOUND = dict.fromkeys(("ndim", "size", "itemsize", "nbytes", "storage_offset", "data_ptr"), "int")
BOUND |= {"shape": "tuple[int, ...]", "strides": "tuple[int, ...]", "dtype": "dtype", "is_contiguous": "bool"}
BOUND |= {"T": "Tensor", "contiguous": "Tensor", "get_bytes": "bytes"}
ARITHMETIC = "add sub mul truediv floordiv mod pow matmul and or xor"
COMPARISONS = "eq ne lt le gt ge"
UNARY = "neg pos abs invert"

CORE_START = """\
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

_int = int
_float = float
_bool = bool
_complex = complex

class dtype: ...

_DType = dtype

class Number:
    def __getattr__(self, name: str) -> Any: ...

class Instruction:
    name: str
    operand: Any
    positions: Any
    target: _int
    line: _int
    looks_at: _int
    takes: _int
    puts: _int
    into: _bool
    def __init__(self, name: str, operand: Any, target: _int, line: _int, positions: Any) -> None: ...

class Frame:
    code: Any
    instructions: list[Instruction]
    handlers: list[Any]
    filename: str
    namespace: Any
    stack: list[Any]
    region: Any
    handled: Any
    pending: Any
    raised: Any
    callees: Any
    session: Any
    within: Any
    lost: dict[str, _int]
    arrivals: dict[_int, tuple[_int, _int]]
    at: _int
    here: _int
    before: _int
    steps: _int
    line: _int
    floor: _int
    low: _int
    eager: _bool
    called: _bool
    by_graph: _bool
    makes_cells: _bool
    def run(self, limit: _int, enter: _bool) -> Any: ...
    def execute(self, instruction: Instruction) -> Any: ...
    def call_at_line(self, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any: ...

class Context:
    leaves: Any
    inputs: Any
    made: dict[_int, Any]
    def __init__(self, leaves: Any, inputs: Any) -> None: ...

class Recipe:
    def __init__(self, kind: str, content: Any) -> None: ...
    def complete(self, build: Callable[[Context], Any]) -> None: ...
    def __call__(self, context: Context, /) -> Any: ...

class ResumePoint:
    at: _int
    def __init__(self, at: _int, build: Callable[[Context], Any], changed: frozenset[str]) -> None: ...

class Hiding: ...

class Continuation:
    graph: Any
    hiding: Hiding
    immediate: _bool

class Driver:
    continuations: list[Any]
    wanted: list[frozenset[str]]
    function: Any
    plain_code: Any
    prototype: Frame
    receiver: tuple[Any, ...]
    parameters: tuple[str, ...] | None
    calls: _int
    graph_calls: _int
    whole: _bool
    spent: _bool
    names_tensors: _bool
    def run(self, variables: dict[str, Any]) -> Any: ...

class Callees:
    by_code: dict[tuple[_int, _int], Any]

class Callee:
    graph: Any
    drivers: dict[tuple[_int, ...], Any]
    names: tuple[str, ...]
    frames: _int
    runs: _int
    graph_calls: _int
    broken: _bool
    def run(self, function: Any, /, *values: Any) -> Any: ...

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

"""
SCOPE_START = """\
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType
"""
OPERANDS = """\
_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

"""


INDEX_END = '''

def _modules(text: str) -> dict[str, str]:
    """The modules of names, which follow the module and a colon."""
    out, module = {}, ""
    for word in text.split():
        if word.endswith(":"):
            module = word[:-1]
        else:
            out[word] = module
    return out


NAMES = {scope: _modules(text) for scope, text in _DECLARED.items()}
'''


def load_declarations() -> None:
    """Imports all modules of functions, and sets the index of their names right."""
    for module in pkgutil.walk_packages(functions.__path__, "emberjit.functions."):
        importlib.import_module(module.name)
    NAMES.clear()
    for scope, names in sorted(registry.declarations.items()):
        NAMES[scope] = {name: module_of(scope, name, declarations) for name, declarations in sorted(names.items())}


def module_of(scope: str, name: str, declarations: list[registry.Declaration]) -> str:
    """The module in which a public name is declared."""
    modules = {one.module for one in declarations}
    if len(modules) > 1:
        raise ValueError(f"{scope}.{name} is declared in several modules: {', '.join(sorted(modules))}")
    return modules.pop()


def index_text() -> str:
    """The names that each module declares."""
    lines = [
        '"""The public names that each module of emberjit.functions declares. Written by tools/stubs.py."""\n\n',
        "from __future__ import annotations\n\n",
        "_DECLARED = {\n",
    ]
    for scope, names in NAMES.items():
        lines.append(f'    "{scope}": """\n')
        for module in sorted(set(names.values())):
            joined = " ".join(name for name in names if names[name] == module)
            lines += [f"{line}\n" for line in textwrap.wrap(f"{module}: {joined}", LINE, subsequent_indent="    ")]
        lines.append('""",\n')
    return "".join([*lines, "}\n", INDEX_END])


def parameter(p: signature.Parameter) -> str:
    """A parameter with its annotation."""
    if p.name == "self":
        return "self"
    annotation = KINDS[p.kind] + (" | None" if p.optional and p.kind != "object" else "")
    if p.passed == signature.VARIADIC:
        return f"*{p.name}: {'Any' if p.kind == 'object' else annotation}"
    if p.default is signature.REQUIRED:
        return f"{p.name}: {annotation}"
    written = not isinstance(p.default, core.dtype) and p.default not in (math.inf, -math.inf)
    return f"{p.name}: {annotation} = {repr(p.default) if written else '...'}"


def parameters(spelled: signature.Spelled) -> list[str]:
    """Further names follow as keywords; from the first parameter that has them on, each may be left out."""
    out: list[str] = []
    further: list[str] = []
    keywords = False
    for p in spelled.parameters:
        if p.passed == signature.BY_KEYWORD and not keywords:
            keywords = True
            out += [] if out and out[-1].startswith("*") else ["*"]
        text = parameter(p)
        if p.aliases and p.default is signature.REQUIRED and p.passed != signature.VARIADIC:
            text += " = ..."
        further += [f"{other}: {text.partition(': ')[2].partition(' = ')[0]} = ..." for other in p.aliases]
        out.append(text)
    if further:
        out += further if keywords or any(text.startswith("*") for text in out) else ["*", *further]
    return _defaulted(out)


def _defaulted(texts: list[str]) -> list[str]:
    """What follows a parameter that may be left out may be so, too."""
    out, optional = [], False
    for text in texts:
        if text.startswith("*"):
            optional = False
        elif optional and " = " not in text:
            text += " = ..."
        optional = optional or (" = " in text and not text.startswith("*"))
        out.append(text)
    return out


def result(target: Any) -> str:
    """Of an op from its documentation's words, "a tuple of 2 Tensors"; of a composition from its annotation."""
    if isinstance(target, types.FunctionType):
        return str(target.__annotations__["return"])
    text = re.search(r"Returns:\n    (.*)\.", target.__doc__).group(1)  # type: ignore[union-attr]
    count = re.match(r"a tuple of (\d+) Tensors", text)
    if count:
        return f"tuple[{', '.join(['Tensor'] * int(count.group(1)))}]"
    return {"None": "None", "a tuple of Tensors": "tuple[Tensor, ...]"}.get(text, "Tensor")


def docstring(text: str | None, depth: int) -> str:
    indent = "    " * depth
    if not text:
        return f"{indent}...\n"
    summary = re.split(r"\n\n(?:Args|Returns|Raises|Examples):", inspect.cleandoc(text))[0]
    lines = summary.replace("\\", "\\\\").replace('"""', "'''").splitlines()
    body = "\n".join(f"{indent}{line}" if line and i else line for i, line in enumerate(lines))
    close = f'\n{indent}"""' if len(lines) > 1 or body.endswith('"') else '"""'
    return f'{indent}"""{body}{close}\n'


def function(name: str, params: list[str], returns: str, doc: str | None, depth: int = 0) -> str:
    indent = "    " * depth
    return f"{indent}def {name}({', '.join(params)}) -> {returns}:\n{docstring(doc, depth + 1)}\n"


def of_declared(scope: str, name: str) -> str:
    """All overloads of a function."""
    declarations = registry.declared(scope, name)
    overloads = registry.overloads(declarations)
    out = []
    for one, (spelled, _) in zip(declarations, overloads):
        text = describe.documentation(spelled, one.target)
        depth = int(scope == "Tensor")
        returns = "Tensor" if signature.is_in_place(spelled) else result(one.target)
        body = function(name, parameters(spelled), returns, text, depth)
        out.append(f"{'    ' * depth}@overload\n{body}" if len(declarations) > 1 else body)
    return "".join(out)


def of_python(name: str, callee: Any, depth: int = 0) -> str:
    signature = inspect.signature(callee)
    params, bare, unnamed = [], False, 0
    for item in signature.parameters.values():
        if item.kind is item.KEYWORD_ONLY and not bare:
            bare = True
            params.append("*")
        annotation = "" if item.name == "self" else f": {item.annotation if item.annotation is not item.empty else 'Any'}"
        star = {item.VAR_POSITIONAL: "*", item.VAR_KEYWORD: "**"}.get(item.kind, "")
        bare = bare or item.kind is item.VAR_POSITIONAL
        value = "" if item.default is item.empty else f" = {item.default!r}"
        params.append(f"{star}{item.name}{annotation}{value}")
        unnamed += item.kind is item.POSITIONAL_ONLY
    if unnamed > 1:
        params.insert(unnamed, "/")
    usual = BOUND.get(name, "Any")
    returns = signature.return_annotation if signature.return_annotation is not signature.empty else usual
    return function(name, params, str(returns), callee.__doc__, depth)


def of_class_in_cpp(kind: type) -> str:
    """The constructor of a class that is written in C++."""
    told = [
        f"{p.name}: Any" + ("" if p.default is p.empty else " = ...") for p in inspect.signature(kind).parameters.values()
    ]
    return f"    def __init__({', '.join(['self', *told])}) -> None: ...\n"


def of_class(scope: str, name: str) -> str:
    """The class of a primitive or cell."""
    cls = getattr(importlib.import_module(f"emberjit.{scope}"), name)
    fixed = [p for p in cls.spelled.parameters if p.name in cls.attribute_names]
    base, called = ("Cell", "construct") if issubclass(cls, Cell) else ("Primitive", "__call__")
    lines = [f"class {name}({base}):\n{docstring(cls.__doc__, 1)}"]
    texts = _defaulted([parameter(p) for p in fixed] + [f"{other}: Any = ..." for p in fixed for other in p.aliases])
    lines.append(f"    def __init__({', '.join(['self', *texts])}) -> None: ...\n")
    lines.append(f"    def {called}(self, *args: Any, **kwargs: Any) -> {result(cls.target)}: ...\n\n")
    return "".join(lines)


def imports(scope: str) -> str:
    """What a module of public names has of other modules."""
    elsewhere: dict[str, str] = {"Cell": "emberjit.nn.cell"} if scope == "mint.nn" else {}
    namespace = importlib.import_module(f"emberjit.{scope}" if scope else "emberjit")
    elsewhere |= getattr(namespace, "_ELSEWHERE", {})
    lines = []
    for name, module in sorted(elsewhere.items(), key=lambda item: (item[1], item[0])):
        path = module.rpartition(".")[0] if isinstance(getattr(namespace, name, None), types.ModuleType) else module
        lines.append(f"from {path} import {name} as {name}\n")
    return "".join(lines) + "\n"


def scope_stub(scope: str) -> str:
    """The stub of a module of public names."""
    out = [HEAD, SCOPE_START, imports(scope), OPERANDS]
    for name in sorted(registry.declarations[scope]):
        out.append(of_class(scope, name) if name[0].isupper() else of_declared(scope, name))
    out.append("def __getattr__(name: str) -> Any: ...\n")
    return "".join(out)


def member(name: str, value: Any) -> str:
    if isinstance(value, core.Function):
        return of_declared("Tensor", name)
    if isinstance(value, (types.GetSetDescriptorType, types.MemberDescriptorType, property)):
        return f"    @property\n{function(name, ['self'], BOUND.get(name, 'Any'), value.__doc__, 1)}"
    if isinstance(value, staticmethod):
        return f"    @staticmethod\n{of_python(name, value.__func__, 1)}"
    return of_python(name, value, 1)


def operators() -> str:
    out = []
    for name in ARITHMETIC.split():
        out += [f"    def __{prefix}{name}__(self, other: Any) -> Tensor: ...\n" for prefix in ("", "r")]
    for name in COMPARISONS.split():
        ignored = "  # type: ignore[override]" if name in ("eq", "ne") else ""
        out.append(f"    def __{name}__(self, other: Any) -> Tensor: ...{ignored}\n")
    out += [f"    def __{name}__(self) -> Tensor: ...\n" for name in UNARY.split()]
    out.append("    def __getitem__(self, index: Any) -> Tensor: ...\n")
    out.append("    def __setitem__(self, index: Any, value: Any) -> None: ...\n")
    out += [f"    def __{name}__(self) -> _{name}: ...\n" for name in ("bool", "int", "float")]
    out += [f"    def __{name}__(self) -> _int: ...\n" for name in ("len", "index", "hash")]
    out.append("    def __round__(self, ndigits: _int | None = ...) -> Tensor: ...\n")
    out.append("    def __iter__(self) -> Iterator[Tensor]: ...\n    def __getattr__(self, name: str) -> Any: ...\n\n")
    return "".join(out)


def ops_stub() -> str:
    """The ops of the table, as attributes of _emberjit.ops."""
    lines = ["class Ops:\n"]
    for name, op in sorted(core.op_table.items()):
        spelled = signature.spell(name, None, signature.definition_of(op))
        lines.append(f"    @staticmethod\n    def {name}({', '.join(parameters(spelled))}) -> {result(op)}: ...\n")
    return "".join(lines) + "\nops: Ops\n"


def outer_names(body: str) -> str:
    """A class' body that means the types of Python's where it has members of their names."""
    for name, outer in {"int": "_int", "float": "_float", "bool": "_bool", "dtype": "_DType"}.items():
        body = re.sub(rf"(: |-> |\| |\[){name}\b", rf"\1{outer}", body)
    return body


def _names(kind: type) -> list[str]:
    return [name for name in sorted(dir(kind)) if not name.startswith("_") and hasattr(kind, name)]


def core_stub() -> str:
    out = [HEAD, CORE_START, f"class Tensor:\n{docstring(Tensor.__doc__, 1)}"]
    out.append(of_class_in_cpp(Tensor))
    shared = {name: inspect.getattr_static(Tensor, name) for name in _names(Tensor)}
    out.append(outer_names("".join(member(name, value) for name, value in shared.items()) + operators()))
    out.append(f"class Parameter(Tensor):\n{docstring(Parameter.__doc__, 1)}{of_class_in_cpp(Parameter)}")
    own = [name for name in _names(Parameter) if name not in shared]
    out += [f"    {name}: Any\n" for name in own]
    kinds = [name for name in sorted(dir(core)) if isinstance(getattr(core, name), core.dtype)]
    out.append("\n" + "".join(f"{name}: dtype\n" for name in kinds))
    out.append(outer_names(ops_stub()))
    out.append("op_table: dict[str, Any]\n\ndef __getattr__(name: str) -> Any: ...\n")
    return "".join(out)


def loads_names(module: types.ModuleType) -> bool:
    """Whether a module has names of other modules, which load when they are first used, and defines none."""
    own = {name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    return hasattr(module, "_ELSEWHERE") and all(name.startswith("_") for name in own - module._ELSEWHERE.keys())


def importable(name: str) -> bool:
    """Whether a module is public, can be loaded without PyTorch, and is no other interface than MindSpore's."""
    return "._" not in name and not name.startswith(("emberjit.torch_backend", "emberjit.array_api"))


def lazy_packages() -> dict[Path, str]:
    """The stubs of the other modules whose names load when they are first used, by path."""
    out = {}
    for info in pkgutil.walk_packages(emberjit.__path__, "emberjit."):
        scope = info.name.removeprefix("emberjit.")
        if importable(info.name) and scope not in SCOPES and loads_names(importlib.import_module(info.name)):
            text = f"{HEAD}from typing import Any\n\n{imports(scope)}def __getattr__(name: str) -> Any: ...\n"
            out[PACKAGE.joinpath(*scope.split("."), "__init__.pyi")] = text
    return out


def alias_files() -> dict[Path, str]:
    """The stubs of `mindspore`, by path: each takes its names from the module that the path stands for."""
    own = [one.name for one in pkgutil.walk_packages(emberjit.__path__, "emberjit.") if importable(one.name)]
    named = [name for name in own if not name.endswith(".alias") and hasattr(importlib.import_module(name), "__all__")]
    paths = {f"mindspore{name.removeprefix('emberjit').removeprefix('.compat')}": name for name in ("emberjit", *named)}
    paths |= alias._FLAT | alias._MOVED
    for path in list(paths):
        while path := path.rpartition(".")[0]:
            paths.setdefault(path, alias.counterpart(path))
    out = {}
    for path, module in paths.items():
        is_package = any(other.startswith(f"{path}.") for other in paths)
        file = ALIAS.joinpath(*path.split(".")[1:])
        text = f"{HEAD}from typing import Any\n\nfrom {module} import *\n\ndef __getattr__(name: str) -> Any: ...\n"
        out[file / "__init__.pyi" if is_package else file.with_suffix(".pyi")] = text
    return out


def files() -> dict[Path, str]:
    """All that is written, by path."""
    out = {PACKAGE / "publish" / "index.py": index_text(), PACKAGE / "_emberjit.pyi": core_stub()}
    out[PACKAGE / "__init__.pyi"] = f"{HEAD}{imports('')}__version__: str\n"
    for scope in SCOPES:
        path = PACKAGE.joinpath(*scope.split("."))
        out[path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")] = scope_stub(scope)
    return out | lazy_packages() | alias_files()


def main() -> None:
    """Writes the files, or compares them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    load_declarations()
    stale, texts = False, files()
    for path in {*ALIAS.rglob("*.pyi")} - texts.keys():
        stale = True
        print(f"{path} is of no path of MindSpore's; delete it")
    for path, text in texts.items():
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif old != text:
            stale = True
            print(f"{path} is not what tools/stubs.py writes; run it:")
            print("\n".join(list(difflib.unified_diff(old.splitlines(), text.splitlines(), lineterm="", n=0))[:20]))
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
