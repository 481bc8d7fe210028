"""Writes the type stubs of ops and Tensor from the op table: tools/stubs.py [--check]. Needs the built package.

--check: writes nothing, and fails if a stub is not what it would be.
"""

from __future__ import annotations

import argparse
import difflib
import inspect
import math
import re
import sys
import types
from pathlib import Path
from typing import Any

from emberjit import Parameter, Tensor
from emberjit import _emberjit as core
from emberjit.ops import composite
from emberjit.ops.adapters import ADAPTERS
from emberjit.primitives import primitive
from emberjit.primitives.names import FUNCTIONS, PRIMITIVES

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "emberjit"
HEAD = "# Written by tools/stubs.py from the op table.\n"
KINDS = {
    "tensor": "_TensorLike",
    "tensors": "Sequence[_TensorLike]",
    "number": "_Operand",
    "ref": "Tensor",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "dtype": "dtype",
    "ints": "int | Sequence[int]",
}
ARITHMETIC = "add sub mul truediv floordiv mod pow matmul and or xor"
COMPARISONS = "eq ne lt le gt ge"
UNARY = "neg pos abs invert"

CORE_START = """\
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_int = int
_float = float
_bool = bool

class dtype: ...

_DType = dtype

class Number:
    def __getattr__(self, name: str) -> Any: ...

_Operand = Tensor | Number | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

"""
OPS_START = """\
from collections.abc import Callable, Sequence
from typing import Any

from emberjit._emberjit import Number, Tensor, dtype
from emberjit.common.decorators import constexpr as constexpr
from emberjit.transforms.derivatives import derivative as derivative, jacfwd as jacfwd, jacrev as jacrev, jet as jet
from emberjit.transforms.derivatives import jvp as jvp, linearize as linearize, vjp as vjp
from emberjit.transforms.gradient import GradOperation as GradOperation, get_grad as get_grad, grad as grad
from emberjit.transforms.gradient import value_and_grad as value_and_grad
from emberjit.transforms.tensor_hooks import HookBackward as HookBackward, InsertGradientOf as InsertGradientOf
from emberjit.ops.composite import Print as Print
from emberjit.ops.control import ForiLoop as ForiLoop, Morph as Morph, Partial as Partial, Scan as Scan
from emberjit.ops.control import WhileLoop as WhileLoop
from emberjit.ops.float_status import NPUAllocFloatStatus as NPUAllocFloatStatus
from emberjit.ops.float_status import NPUGetFloatStatus as NPUGetFloatStatus
from emberjit.ops.multitype import HyperMap as HyperMap, Map as Map, MultitypeFuncGraph as MultitypeFuncGraph
from emberjit.ops.primitive import Primitive as Primitive
from emberjit.transforms.vmap import vmap as vmap

_Operand = Tensor | Number | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

partial: Partial

"""


def default(value: Any) -> str:
    unwritable = isinstance(value, core.dtype) or (isinstance(value, float) and not math.isfinite(value))
    return "..." if value is ... or unwritable else repr(value)


def parameters(rows: list[tuple[str, str, bool, bool, Any, tuple[str, ...]]]) -> list[str]:
    """Further names follow as keywords; from the first parameter that has them on, each may be left out."""
    out: list[str] = []
    further: list[str] = []
    for name, kind, optional, has_default, value, others in rows:
        annotation = f"{KINDS[kind]}{' | None' if optional else ''}"
        further += [f"{other}: {annotation} = ..." for other in others]
        if has_default or further:
            annotation += f" = {default(value) if has_default else '...'}"
        out.append(f"{name}: {annotation}")
    return [*out, "*", *further] if further else out


def result(op: Any) -> str:
    """From the documentation's words: "a tuple of 2 Tensors"."""
    text = re.search(r"Returns:\n    (.*)\.", op.__doc__).group(1)  # type: ignore[union-attr]
    count = re.match(r"a tuple of (\d+) Tensors", text)
    if count:
        return f"tuple[{', '.join(['Tensor'] * int(count.group(1)))}]"
    return {"None": "None", "a tuple of Tensors": "tuple[Tensor, ...]"}.get(text, "Tensor")


def docstring(text: str | None, depth: int) -> str:
    indent = "    " * depth
    if not text:
        return f"{indent}...\n"
    summary = inspect.cleandoc(text).split("\n\nArgs:")[0].split("\n\nReturns:")[0].split("\n\nRaises:")[0]
    lines = summary.replace("\\", "\\\\").replace('"""', "'''").splitlines()
    body = "\n".join(f"{indent}{line}" if line and i else line for i, line in enumerate(lines))
    close = f'\n{indent}"""' if len(lines) > 1 or body.endswith('"') else '"""'
    return f'{indent}"""{body}{close}\n'


def function(name: str, params: list[str], returns: str, doc: str | None, depth: int = 0) -> str:
    indent = "    " * depth
    return f"{indent}def {name}({', '.join(params)}) -> {returns}:\n{docstring(doc, depth + 1)}\n"


def of_op(name: str, op: Any, method: bool = False) -> str:
    rows = op.params[1:] if method else op.params
    return function(name, ["self"] * method + parameters(rows), result(op), op.__doc__, int(method))


def of_python(name: str, made: Any, depth: int = 0) -> str:
    signature = inspect.signature(made)
    params, bare = [], False
    for item in signature.parameters.values():
        if item.kind is item.KEYWORD_ONLY and not bare:
            bare = True
            params.append("*")
        annotation = "" if item.name == "self" else f": {item.annotation if item.annotation is not item.empty else 'Any'}"
        star = {item.VAR_POSITIONAL: "*", item.VAR_KEYWORD: "**"}.get(item.kind, "")
        bare = bare or item.kind is item.VAR_POSITIONAL
        value = "" if item.default is item.empty else f" = {default(item.default)}"
        params.append(f"{star}{item.name}{annotation}{value}")
    returns = signature.return_annotation if signature.return_annotation is not signature.empty else "Any"
    return function(name, params, str(returns), made.__doc__, depth)


def of_primitive(name: str) -> str:
    made = primitive.find(name)
    lines = [f"class {name}(Primitive):\n{docstring(made.__doc__, 1)}"]
    adapter = ADAPTERS.get(name)
    if adapter is None:
        fixed = parameters([(*row[:3], True, ..., row[5]) for row in made.op.params if row[0] in made.attribute_names])
        returns = result(made.op)
    else:
        keywords = inspect.signature(adapter).parameters
        fixed = [
            f"{key}: {keywords[key].annotation}" + ("" if key in made.required else f" = {default(keywords[key].default)}")
            for key in made.attribute_names
        ]
        returns = "Any"
    lines.append(f"    def __init__({', '.join(['self', *fixed])}) -> None: ...\n")
    lines.append(f"    def __call__(self, *args: Any, **kwargs: Any) -> {returns}: ...\n\n")
    return "".join(lines)


def ops_stub() -> str:
    out = [HEAD, OPS_START]
    plain = {name: getattr(composite, name) for name in composite.FUNCTIONS}
    for name in sorted({*FUNCTIONS, *plain}):
        out.append(of_python(name, plain[name]) if name in plain else of_op(name, FUNCTIONS[name]))
    names = {name for name in (*PRIMITIVES, *ADAPTERS) if name not in vars(composite)}
    out += [of_primitive(name) for name in sorted(names)]
    out.append("def __getattr__(name: str) -> Any: ...\n")
    return "".join(out)


def member(name: str, made: Any) -> str:
    if type(made).__name__ == "Op":
        return of_op(name, made, method=True)
    if isinstance(made, types.FunctionType):
        return of_python(name, made, 1)
    if isinstance(made, (types.GetSetDescriptorType, types.MemberDescriptorType)):
        return f"    @property\n{function(name, ['self'], 'Any', made.__doc__, 1)}"
    return function(name, ["self", "*args: Any", "**kwargs: Any"], "Any", made.__doc__, 1)


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
    out.append("    def __iter__(self) -> Iterator[Tensor]: ...\n    def __getattr__(self, name: str) -> Any: ...\n\n")
    return "".join(out)


def core_stub() -> str:
    out = [HEAD, CORE_START, f"class Tensor:\n{docstring(Tensor.__doc__, 1)}"]
    out.append("    def __init__(self, *args: Any, **kwargs: Any) -> None: ...\n")
    shared = {name: inspect.getattr_static(Tensor, name) for name in sorted(dir(Tensor)) if not name.startswith("_")}
    body = "".join(member(name, made) for name, made in shared.items()) + operators()
    for name, outer in {"int": "_int", "float": "_float", "bool": "_bool", "dtype": "_DType"}.items():
        body = re.sub(rf"(: |\| |\[){name}\b", rf"\1{outer}", body)
    out.append(body)
    out.append(f"class Parameter(Tensor):\n{docstring(Parameter.__doc__, 1)}")
    own = [name for name in sorted(dir(Parameter)) if not name.startswith("_") and name not in shared]
    out += [f"    {name}: Any\n" for name in own]
    kinds = [name for name in sorted(dir(core)) if isinstance(getattr(core, name), core.dtype)]
    out.append("\n" + "".join(f"{name}: dtype\n" for name in kinds))
    out.append("op_table: dict[str, Any]\n\ndef __getattr__(name: str) -> Any: ...\n")
    return "".join(out)


def main() -> None:
    """Writes both stubs, or compares them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = False
    for path, text in ((PACKAGE / "ops" / "__init__.pyi", ops_stub()), (PACKAGE / "_emberjit.pyi", core_stub())):
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if not check:
            path.write_text(text, encoding="utf-8")
        elif old != text:
            stale = True
            print(f"{path} is not what tools/stubs.py writes; run it:")
            print("\n".join(list(difflib.unified_diff(old.splitlines(), text.splitlines(), lineterm="", n=0))[:20]))
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
