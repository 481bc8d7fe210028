"""Numbers in jitted functions are Python's: the same value, type, sign of zero and error of every expression."""

from __future__ import annotations

import importlib.util
import itertools
import math
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit._emberjit import CaptureError

EXPRESSIONS = """
np.sqrt(n)
np.float64(2)*f
f*np.float64(2)
np.int32(2)+n
n+np.int32(2)
np.multiply(np.ones(2),n)
np.ones(2)*n
n*np.ones(2)
[1]*n
(1,2)*n
n*[1]
'ab'*n
n*'ab'
b'a'*n
~b
-b
+b
b+b
b&b
b|n
b is True
b is not True
b==True
f//0.1
f%0.1
-f//0.1
-f%0.1
n//0.1
-7.5//2 + f
0.0*-f
f%-1.0
-0.0%f
f//math.inf
-f//math.inf
-f%math.inf
f%math.inf
n**2
2**n
f**2
f**n
(-8)**(1/n)
n/3
n/7
n//2
-n//2
n%-2
divmod(n,2)
divmod(f,0.3)
round(f)
round(n,-1)
n.bit_length()
f.is_integer()
n<f
n==f
n==3.0
2**53+n==2.0**53
n.__add__(1)
f.__mul__(2)
n.real
int(f)
float(n)
bool(n)
complex(n,f)
math.floor(f)
math.trunc(f)
abs(-n)
hash(n)
str(n)
n if b else f
n and f
n or f
not n
max(n,f)
min(n,f,1)
sum([n,f])
n<<2
n>>1
1<<n
n+None
n+'a'
'a'+n
f+[1]
n in (1,2,3)
n in [1]
{3:'x'}.get(n)
'abcdef'[n]
isinstance(n,int)
type(n) is int
type(b) is bool
isinstance(b,int)
n.imag
n.as_integer_ratio()
f.hex()
f*1e308*10
2.0**(f*1000)
f**-1
0**n
0.0**-f
n<'a'
n==None
n!='a'
range(n)
list(range(n))
n.__class__
np.array([n,f])
np.arange(n)
np.float32(n)
np.full(2,n).dtype
np.array(n).dtype
np.isnan(f)
pow(n,2,7)
pow(f,2)
n*(1,2)
[b]*n
x.shape*n if n<9 else ()
(x.shape[0]+n)*2
b is b
(n>2) is True
(n>2) is not False
f is None
(n is None) is False
~n
~b+n
f.__ceil__()
n.__round__()
sorted([f,n])
divmod(-f,n+1)
f%-0.3
-f%n if n else 0
n%f if f else 0
n**3-n
(n+1)*(n-1)
2**31*n
n*2**40%7
n&b
b^n
n^-1
n//-3
-n%-5
'%s %d %.2f'%(n,n,f)
f'{n:>4}{b}'
np.maximum(n,2)
np.float16(1)+f
f/np.float32(3)
np.bool_(True)&b
n==np.int64(3)
n in np.arange(4)
hash(f)==hash(2.5)
{True:1}.get(b)
n.real+n.imag
f.conjugate()
[*range(n)][-1:]
n<f<9
n==n==3
bool(f) is not (f==0)
x.size*n
float(n).is_integer()
int(b)+n
b*f
b/3
b//2
b%2
abs(b)
b<n
min(b,f)
""".strip().splitlines()

# Of n, f and b. Twice the same: the second call finds the graph of the first.
ARGUMENTS = ((3, 2.5, True), (3, 2.5, True), (4, -1.5, False), (0, 0.0, False), (1, -0.0, True), (2**40, 0.7, True))
SIZES = ("*n", "n*", "**n", "<<n", "range", "full", "reshape")  # expressions that would make something large of a large n


VALUES = (0, 1, -1, 7, -13, 2**31, -(2**62), True, False, 0.0, -0.0, 0.1, -2.5, 1e300, math.inf, -math.inf, math.nan)
OPERATORS = ("+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", ">", ">=", "&", "|", "^", "is")


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """A module with a function of each expression and operator."""
    path = tmp_path_factory.mktemp("numbers") / "numbers_of_expressions.py"
    lines = [f"def f{i}(x, n, f, b):\n    return x + 1, ({e})\n" for i, e in enumerate(EXPRESSIONS)]
    lines += [f"def o{i}(x, a, b):\n    return x + 1, a {o} b\n" for i, o in enumerate(OPERATORS)]
    path.write_text("import math\nimport numpy as np\n" + "".join(lines))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(module)
    return module


def shown(value: Any) -> Any:
    """What is to be equal of a result."""
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(shown, value)]
    return type(value).__name__, repr(value)


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """The result's number, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return shown(function(Tensor([1.0, 2.0]), *args)[1])
        except Exception as error:
            return type(error).__name__, str(error)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("number", range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_an_expression_is_what_python_makes_of_it(number: int, mode: str, functions: ModuleType) -> None:
    function = getattr(functions, f"f{number}")
    jitted = ms.jit(function, capture_mode=mode)
    for args in ARGUMENTS:
        if args[0] < 1000 or not any(part in EXPRESSIONS[number] for part in SIZES):
            assert outcome(jitted, *args) == outcome(function, *args)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("number", range(len(OPERATORS)), ids=OPERATORS)
def test_an_operator_of_all_pairs(number: int, mode: str, functions: ModuleType) -> None:
    function = getattr(functions, f"o{number}")
    for a, b in itertools.product(VALUES, VALUES):
        if OPERATORS[number] != "is" or isinstance(a, bool) or isinstance(b, bool):
            jitted = ms.jit(function, capture_mode=mode)
            assert outcome(jitted, a, b) == outcome(function, a, b), (a, b)


def branch_on_mutable(x, n):
    return x + n if ms.mutable(n) > 3 else x - n


def loop_on_mutable(x, n):
    i = 0
    while i < ms.mutable(n):
        x = x + i
        i = i + 1
    return x


def product_of_mutable(x, n):
    (m, [k]) = ms.mutable((n, [n]))
    return x * (m + 1) * k


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", [branch_on_mutable, loop_on_mutable, product_of_mutable])
def test_a_graph_does_not_depend_on_a_mutable_number(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for n in range(8):
        assert jitted(Tensor([1.0, 2.0]), n).tolist() == function(Tensor([1.0, 2.0]), n).tolist()
    assert len(jitted.explain()["entries"]) == 1


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_python_does_not_get_a_mutable_number(mode: str) -> None:
    @ms.jit(capture_mode=mode, fullgraph=True)
    def f(x, n):
        return x.reshape((ms.mutable(n), -1))

    with pytest.raises(CaptureError, match="mutable"):
        f(Tensor([1.0, 2.0]), 2)
