"""Code objects that no compiler has made, and very large ones: damaged ones, which would end the process, are refused in
words before Python runs them; sound ones give what Python gives, however they are written."""

from __future__ import annotations

import ast
import asyncio.base_events
import dataclasses
import dis
import enum
import inspect
import json
import random
import subprocess
import sys
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import emberjit as ms
from emberjit import Tensor, nn
from emberjit.capture.code import cpython
from emberjit.capture.code.decoding import DamagedCode, decoded, is_decodable

MODES = ["ast", "bytecode", "trace"]
OP = dis.opmap
JUMP_IF_FALSE = "POP_JUMP_FORWARD_IF_FALSE" if sys.version_info < (3, 12) else "POP_JUMP_IF_FALSE"
COMPARISON = {11: 0, 12: 4, 13: 5}[sys.version_info.minor]  # how far the argument of COMPARE_OP is shifted


def straight(x, n):
    y = x * 2 + n
    if n > 1:
        y = y + 1.5
    for i in range(3):
        y = y - i
    return y


def guarded(x, n):
    try:
        y = x.reshape((n, -5, 7))
    except ValueError:
        return x + 1
    finally:
        n += 1
    return y * n


def closes(x, n):
    def inner(y):
        return y * n

    return inner(x)


def yields(x, n):
    yield x * n


def keywords(x, n):
    return ms.ops.clamp(x, min=n, max=n + 1)


INNER = closes.__code__.co_consts[1]
TABLE = guarded.__code__.co_exceptiontable


def edited(function: Any, *wanted: tuple[str, int]) -> Callable[[], Any]:
    """The code of a function with other operands for instructions of these names."""

    def make() -> types.CodeType:
        code = function.__code__
        words = bytearray(code.co_code)
        for ins in dis.get_instructions(code):
            for name, argument in wanted:
                if ins.opname == name:
                    words[ins.offset + 1] = argument
        return code.replace(co_code=bytes(words))

    return make


def replaced(function: Any, **fields: Any) -> Callable[[], Any]:
    """The code of a function with other fields; of those that are functions, what they return of the old ones."""

    def make() -> types.CodeType:
        code = function if isinstance(function, types.CodeType) else function.__code__
        new = {name: value(getattr(code, name)) if callable(value) else value for name, value in fields.items()}
        return code.replace(**new)

    return make


def assembled(*words: tuple[str, int], **fields: Any) -> Callable[[], Any]:
    """Code of these instructions, in the frame of `straight`."""
    made = b"".join(bytes([OP[name], arg, *[0] * 2 * cpython._CACHES.get(name, 0)]) for name, arg in words)
    return replaced(straight, co_code=lambda _: made, **fields)


START = ("RESUME", 0)
DAMAGED: dict[str, Callable[[], types.CodeType]] = {
    "no constants": replaced(straight, co_consts=()),
    "a constant less": replaced(straight, co_consts=lambda consts: consts[:1]),
    "no names": replaced(guarded, co_names=()),
    "a variable less": replaced(straight, co_varnames=lambda names: names[:2], co_nlocals=2),
    "no opcode": replaced(straight, co_code=lambda code: code[:2] + b"\xff\x00" + code[4:]),
    "an inline cache for an instruction": replaced(straight, co_code=bytes(20)),
    "no code": replaced(straight, co_code=b""),
    "no end": replaced(straight, co_code=lambda code: code[:-2]),
    "half of the code": replaced(straight, co_code=lambda code: code[:20]),
    "half of an inline cache": replaced(straight, co_code=lambda code: code[:8]),
    "an extended argument at the end": replaced(straight, co_code=lambda code: code[:-2] + bytes([OP["EXTENDED_ARG"], 1])),
    "a jump beyond the end": edited(straight, (JUMP_IF_FALSE, 250)),
    "a jump to before the beginning": edited(straight, ("JUMP_BACKWARD", 250)),
    "a jump into an inline cache": edited(straight, (JUMP_IF_FALSE, 3)),
    "a loop that ends elsewhere": edited(straight, ("FOR_ITER", 250)),
    "a jump with another stack": assembled(
        START, ("LOAD_FAST", 0), (JUMP_IF_FALSE, 1), ("LOAD_FAST", 0), ("LOAD_FAST", 0), ("RETURN_VALUE", 0)
    ),
    "an extended argument jumped over": assembled(
        START, ("LOAD_FAST", 0), (JUMP_IF_FALSE, 1), ("EXTENDED_ARG", 0), ("LOAD_CONST", 0), ("RETURN_VALUE", 0)
    ),
    "no stack": replaced(straight, co_stacksize=0),
    "a stack that is too small": replaced(straight, co_stacksize=1),
    "a value that is not there": assembled(START, ("POP_TOP", 0), ("LOAD_CONST", 0), ("RETURN_VALUE", 0)),
    "a copy of what is above the stack": assembled(START, ("LOAD_CONST", 0), ("COPY", 0), ("RETURN_VALUE", 0)),
    "a tuple of more than there is": assembled(START, ("LOAD_CONST", 0), ("BUILD_TUPLE", 200), ("RETURN_VALUE", 0)),
    "an operator that does not exist": edited(straight, ("BINARY_OP", 26)),
    "a comparison that does not exist": edited(straight, ("COMPARE_OP", 6 << COMPARISON)),
    "a variable that is no cell": assembled(START, ("LOAD_DEREF", 0), ("RETURN_VALUE", 0)),
    "other free variables": replaced(INNER, co_code=lambda code: bytes([code[0], 3]) + code[2:]),
    "names that are none": replaced(keywords, co_consts=lambda consts: tuple(1 if type(c) is tuple else c for c in consts)),
    "a generator that is none": replaced(yields, co_flags=lambda flags: flags & ~0x20),
    "a value for no one": assembled(START, ("LOAD_CONST", 0), ("YIELD_VALUE", 0), ("RETURN_VALUE", 0)),
    "half of an entry": replaced(guarded, co_exceptiontable=TABLE[:-1]),
    "a number without end": replaced(guarded, co_exceptiontable=b"\xc0\x7f"),
    "a handler beyond the end": replaced(guarded, co_exceptiontable=bytes([0x80, 2, 0x7F, 0x3F, 2])),
    "a handler of what is beyond the end": replaced(guarded, co_exceptiontable=bytes([0x80, 0x7F, 0x3F, 2, 2])),
    "a handler within an inline cache": replaced(guarded, co_exceptiontable=bytes([0x80, 8, 5, 0])),
    "a handler of a deeper stack": replaced(guarded, co_exceptiontable=bytes([0x82, 8, 1, 8])),
    "handlers out of order": replaced(guarded, co_exceptiontable=TABLE[4:8] + TABLE[:4]),
    **{
        f"random handlers {seed}": replaced(guarded, co_exceptiontable=random.Random(seed).randbytes(12))
        for seed in range(6)
    },
}


if sys.version_info >= (3, 12):  # the interpreter itself writes beyond the end of such
    del DAMAGED["half of an inline cache"]


def function_of(code: types.CodeType) -> Any:
    """A function of this code, of the user's."""
    cells = tuple(types.CellType(3) for _ in code.co_freevars)
    return types.FunctionType(code, {"ms": ms, "__name__": "user"}, code.co_name, None, cells)


def calls_it(function: Any) -> Any:
    """A function that calls the given one after a break."""
    seen: list[float] = []

    def outer(*args):
        seen.append(float(args[0].asnumpy()[0]))
        return function(*args)

    return outer


def report(mode: str) -> None:
    """Prints what a call of each damaged function comes to; run in a process of its own."""
    for name, make in DAMAGED.items():
        function = function_of(make())
        jitted = ms.jit(
            calls_it(function) if mode == "called" else function, capture_mode="ast" if mode == "called" else mode
        )
        args = (Tensor([1.0, 2.0]), 1)[: function.__code__.co_argcount]
        for _ in range(3 if mode == "called" else 1):
            try:
                jitted(*args)
                found = "nothing"
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
        print(json.dumps([name, found]), flush=True)


def apart(report: str, mode: str) -> list[Any]:
    """What a function of this module prints in a process of its own."""
    program = f"import sys; sys.path[:] = {sys.path!r}; import test_code_objects as t; t.{report}({mode!r})"
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (found[-1:], done.stderr)
    return found


@pytest.mark.parametrize("mode", [*MODES, "called"])
def test_damaged_code_is_refused_in_words(mode: str) -> None:
    found = dict(apart("report", mode))
    assert found.keys() == DAMAGED.keys()
    for name, said in found.items():
        assert said.startswith("DamagedCode: ") and "is damaged: " in said and f"{__file__}:" in said, (name, said)


class Meter:
    @property
    def scale(self):
        return 3

    def __call__(self, x):
        return x * 5


class Net(nn.Cell):
    def construct(self, x):
        return x + 7


def steps(x):
    yield x + 11


def key(x):
    return float(x.sum()) * 13


def sorts(x):
    LOG.append(float(x.asnumpy()[0]))
    return sorted([x, x + 1], key=key)[0]


LOG: list[float] = []
WAYS: dict[str, tuple[Any, Callable[[Tensor], Any]]] = {
    "a property": (Meter.scale.fget, lambda x: x * Meter().scale),
    "an object": (Meter.__call__, lambda x: Meter()(x)),
    "a Cell": (Net.construct, lambda x: Net()(x)),
    "a generator": (steps, lambda x: sum(steps(x))),
    "a key": (key, lambda x: sorted([x, x + 1], key=key)[0]),
    "a key after a break": (key, sorts),
    "a method": (Net.construct, Net().construct),
}


def report_ways(mode: str) -> None:
    """Prints what calls of damaged functions come to; run in a process of its own."""
    for function, _ in WAYS.values():
        function.__code__ = function.__code__.replace(co_consts=())
    for way, (_, call) in WAYS.items():
        jitted = ms.jit(call, capture_mode=mode)
        for _ in range(3):
            try:
                found = repr(jitted(Tensor([1.0, 2.0])))
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
            print(json.dumps([way, found]), flush=True)


@pytest.mark.parametrize("mode", MODES)
def test_damaged_code_is_refused_wherever_it_is_called(mode: str) -> None:
    found = apart("report_ways", mode)
    assert [way for way, _ in found] == [way for way in WAYS for _ in range(3)]
    assert all(said.startswith("DamagedCode: ") and "_CONST" in said for _, said in found), found


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ValueError, match=r"'straight', which is damaged: the instruction at 4, LOAD_CONST, asks for 1"):
        ms.jit(function_of(DAMAGED["no constants"]()))(Tensor([1.0]), 1)
    with pytest.raises(DamagedCode, match=r"its exception table has half of an entry"):
        decoded(DAMAGED["half of an entry"]())


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object, and those within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


def test_what_the_compiler_makes_is_sound() -> None:
    count = 0
    for module in (asyncio.base_events, dataclasses, dis, enum, inspect, typing, ms.nn.cell):
        for code in codes(compile(inspect.getsource(module), module.__name__, "exec", dont_inherit=True)):
            is_decodable(code)
            count += 1
    assert count > 800


def test_random_code_is_refused_or_decoded() -> None:
    refused = 0

    @strategies.examples(120)
    @given(st.data(), st.sampled_from([straight, guarded, closes, keywords, yields]))
    def decode(data: st.DataObject, function: Any) -> None:
        nonlocal refused
        code = function.__code__
        parts = (code.co_code, code.co_exceptiontable)
        words, table = (data.draw(strategies.damaged(part, cut=False)) if part else part for part in parts)
        if sys.version_info >= (3, 12) and not cpython.fits(words):
            return  # the interpreter itself writes beyond its end
        try:
            is_decodable(code.replace(co_code=words, co_exceptiontable=table))
        except DamagedCode:
            refused += 1

    decode()
    assert strategies.LONG or 40 < refused < 110


def padded(function: Any, *before: tuple[str, int]) -> Any:
    """A function without jumps and handlers whose code has these words before each instruction but the first."""
    code = function.__code__
    words = bytes(part for name, arg in before for part in (OP[name], arg))
    made, at = bytearray(), 0
    for ins in [*dis.get_instructions(code)][1:]:
        made += code.co_code[at : ins.offset] + words
        at = ins.offset
    made += code.co_code[at:]
    return types.FunctionType(code.replace(co_code=bytes(made), co_linetable=b""), function.__globals__)


def line(x, n):
    y = x * 2 + n
    z = [y, (x, n)]
    return z[0] - z[1][0] * len(z)


SOUND = {
    "NOPs": lambda: padded(line, ("NOP", 0)),
    "extended arguments of zero": lambda: padded(line, ("EXTENDED_ARG", 0), ("EXTENDED_ARG", 0)),
    "no lines": lambda: function_of(straight.__code__.replace(co_linetable=b"")),
    "random lines": lambda: function_of(straight.__code__.replace(co_linetable=random.Random(1).randbytes(30))),
    "no names of its own": lambda: function_of(straight.__code__.replace(co_name="", co_qualname="", co_filename="")),
    "a stack that is too large": lambda: function_of(straight.__code__.replace(co_stacksize=500)),
    "no RESUME": lambda: function_of(straight.__code__.replace(co_code=straight.__code__.co_code[2:], co_linetable=b"")),
    "no handlers": lambda: function_of(guarded.__code__.replace(co_exceptiontable=b"")),
    "code that nothing leads to": lambda: function_of(
        straight.__code__.replace(co_code=straight.__code__.co_code + bytes([OP["POP_TOP"], 0, OP["LOAD_CONST"], 0]))
    ),
    "a constant that no literal is": lambda: function_of(
        straight.__code__.replace(co_consts=tuple(2.5 if c == 1.5 else c for c in straight.__code__.co_consts))
    ),
}


def outcome(function: Any, *args: Any) -> Any:
    """What a call returns or raises."""
    try:
        result = function(*args)
    except Exception as error:
        return type(error), str(error).split("\n")[0]
    return result.asnumpy().tolist() if isinstance(result, Tensor) else result


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SOUND)
def test_sound_code_gives_what_python_gives(mode: str, name: str) -> None:
    function = SOUND[name]()
    jitted = ms.jit(function, capture_mode=mode)
    for n in (1, 2, 1, 2):
        assert outcome(jitted, Tensor([1.0, 2.0]), n) == outcome(function, Tensor([1.0, 2.0]), n)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_code_that_python_has_specialised(mode: str) -> None:
    x = Tensor([1.0, 2.0])
    for function in (straight, guarded, line, closes, keywords):
        wanted = [outcome(function, x, n % 3 + 1) for n in range(300)]
        assert is_decodable(function.__code__)
        jitted = ms.jit(function, capture_mode=mode)
        assert [outcome(jitted, x, n % 3 + 1) for n in range(12)] == wanted[:12]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.breaks
def test_code_that_a_tracer_follows(mode: str, before: int) -> None:
    lines: list[tuple[str, int]] = []

    def trace(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code is not watched:
            return None
        frame.f_trace_opcodes = True
        lines.append((event, frame.f_lasti))
        return trace

    for function in (straight, guarded):
        watched = function.__code__
        jitted = ms.jit(function, capture_mode=mode)
        for n in range(before):
            jitted(Tensor([1.0, 2.0]), n + 1)
        found = []
        for called in (function, function, jitted):  # of which 3.12 traces the first call's lines alone
            lines.clear()
            old = sys.gettrace()
            sys.settrace(trace)
            try:
                found.append([outcome(called, Tensor([1.0, 2.0]), 2)])
            finally:
                sys.settrace(old)
            found[-1].append(list(lines))
        assert found[1] == found[2]
        assert outcome(jitted, Tensor([1.0, 2.0]), 3) == outcome(function, Tensor([1.0, 2.0]), 3)


def nested(heads: list[str], body: list[str], ends: list[str]) -> str:
    """Statements within each other; `ends[i]` and its statement follow the block of heads[i]."""
    text = [" " * i + head for i, head in enumerate(heads)] + [" " * len(heads) + statement for statement in body]
    for i in reversed(range(len(ends))):
        text += [" " * i + part for part in ends[i].split("\n")]
    return "\n".join(text)


def once(depth: int, head: Callable[[int], str], *body: str, ends: Callable[[int], str] | None = None) -> str:
    return nested([head(i) for i in range(depth)], list(body), [ends(i) for i in range(depth)] if ends else [])


ADD = "x = x + 1"
LARGE = {
    "50,000 instructions": "i = n\n" + "i = i * 3 % 7 + 1\n" * 6300 + "x = x * i",
    "2,000 operations": f"{ADD}\n" * 2000,
    "70,000 constants": "t = ("
    + ",".join(f"{i}.5" for i in range(66000))
    + ")\n"
    + "x = x * t[65999 - n] + 66001.5 - 66000.5",
    "300 variables": "".join(f"v{i} = x + {i}\n" for i in range(300)) + "x = " + "+".join(f"v{i}" for i in range(300)),
    "300 attributes": "".join(f"x = x + Names.a{i}\n" for i in range(300)),
    "300 arguments": f"x = x * count({'n,' * 300} {','.join(f'k{i}=n' for i in range(300))})",
    "a jump of 65,536": "if n > 1:\n" + f" {'n = n + 1; ' * 16000}\nelse:\n {ADD}\nx = x * n",
    "a jump of 65,536 on a Tensor": "if x.sum() > 3 * n:\n" + f" {'n = n + 1; ' * 16000}\nelse:\n {ADD}\nx = x * n",
    "a loop of 65,536": "i = 0\nwhile i < 2:\n i += 1; " + "n = n + 1; " * 16000 + "\nx = x * n",
    "a loop of 300 operations on a Tensor": f"while x.sum() < 3000:\n {f'{ADD}; ' * 300}",
    "90 ifs": once(90, lambda i: f"if n > {i - 90}:", ADD),
    "90 ifs on a Tensor": once(90, lambda i: f"if x.sum() > {2 * i - 175}:", ADD, ends=lambda i: f"else:\n x = x - {i}"),
    "200 elifs on a Tensor": "if n < 0:\n pass\n" + "".join(f"elif x.sum() < {i}:\n x = x + {i}\n" for i in range(200)),
    "200 ifs in a row": "".join(f"if x.sum() > {i}:\n {ADD}\n" for i in range(200)),
    "200 loops in a row": "".join(f"while x.sum() < {i}:\n {ADD}\n" for i in range(200)),
    "200 withs in a row": f"with Manager():\n {ADD}\n" * 200,
    "20 whiles": once(20, lambda i: f"while n < {20 + i}:", "n = n + 10", ADD),
    "20 whiles on a Tensor": once(20, lambda i: f"while x.sum() < {20 + i}:", "x = x + 10"),
    "20 fors": once(20, lambda i: f"for i{i} in range(1):", ADD),
    "20 withs": once(20, lambda i: "with Manager():", ADD),
    "20 withs that an error leaves": once(20, lambda i: f"with Manager({i == 7}):", ADD, "raise KeyError(n)"),
    "19 finallys": once(19, lambda i: "try:", ADD, ends=lambda i: f"finally:\n x = x * 2 - {i}"),
    "19 excepts": once(
        19,
        lambda i: "try:",
        "raise ValueError(n)",
        ends=lambda i: f"except {'KeyError' if i else 'ValueError'}:\n x = x - 1",
    ),
    "90 parentheses": "x = " + "(" * 90 + "x" + " + n)" * 90,
    "90 parentheses at the end": "x = " + "(x + " * 90 + "n" + ")" * 90,
    "900 signs": "x = " + "-" * 900 + "x",
    "200 choices on a Tensor": "x = " + "".join(f"x + {i} if x.sum() < {i} else " for i in range(200)) + "x",
    "200 ands on Tensors": "if " + " and ".join(f"x.sum() > {-i}" for i in range(200)) + f":\n {ADD}",
    "a chain of 200 comparisons": "if " + " < ".join(["n", *(str(i + 5) for i in range(200))]) + f":\n {ADD}",
    "60 closures": "g = lambda y: y + n\n"
    + "".join(f"g = (lambda h: lambda y: h(y) + {i})(g)\n" for i in range(60))
    + "x = g(x)",
}
BREAK = "seen.append(float(x.asnumpy()[0]))"
BROKEN = {
    name: LARGE[name].replace(ADD, f"{BREAK}; {ADD}", 1)
    for name in (
        "90 ifs",
        "90 ifs on a Tensor",
        "20 whiles",
        "20 fors",
        "20 withs",
        "20 withs that an error leaves",
        "19 finallys",
    )
} | {"50,000 instructions": f"{BREAK}\n{LARGE['50,000 instructions']}\n{BREAK}\n{ADD}"}


class Manager:
    def __init__(self, swallows=False):
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return self.swallows


class Names:
    pass


for number in range(300):
    setattr(Names, f"a{number}", number)


def count(*args, **kwargs):
    return len(args) + len(kwargs)


def defined(body: str) -> Any:
    """A function with this body, that returns x."""
    names: dict[str, Any] = {"Manager": Manager, "Names": Names, "count": count, "seen": [], "__name__": "user"}
    text = "def f(x, n):\n" + "".join(f" {row}\n" for row in body.splitlines()) + " return x"
    exec(compile(text, "<large>", "exec", dont_inherit=True), names)
    return names["f"]


def compare(body: str, mode: str) -> None:
    plain, jitted = defined(body), ms.jit(defined(body), capture_mode=mode)
    for n in (1, 2, 1):
        for x in (Tensor([1.0, 2.0]), Tensor([-4.0, 5.0])):
            assert outcome(jitted, x, n) == outcome(plain, x, n)
    assert jitted.__globals__["seen"] == plain.__globals__["seen"]


@pytest.mark.parametrize("mode", MODES[:2])
@pytest.mark.parametrize("name", LARGE)
def test_large_functions_give_what_python_gives(mode: str, name: str) -> None:
    compare(LARGE[name], mode)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES[:2])
@pytest.mark.parametrize("name", BROKEN)
def test_large_functions_with_a_break_give_what_python_gives(mode: str, name: str) -> None:
    compare(BROKEN[name], mode)


@pytest.mark.parametrize("mode", MODES)
def test_200_nested_blocks(mode: str) -> None:
    statement: ast.stmt = ast.parse(ADD).body[0]
    for i in range(200):
        test = ast.parse(f"x.sum() > {i % 7 - 9}" if i % 2 else f"n > {-i}", mode="eval").body
        statement = ast.If(test, [statement], ast.parse(f"x = x - {i}").body if i % 3 == 0 else [])
    tree = ast.parse("def f(x, n):\n    pass\n    return x")
    tree.body[0].body[0] = statement
    names: dict[str, Any] = {"__name__": "user"}
    exec(compile(ast.fix_missing_locations(tree), "<nested>", "exec", dont_inherit=True), names)
    jitted = ms.jit(names["f"], capture_mode=mode)
    for n in (1, -50, 2):
        for x in (Tensor([1.0, 2.0]), Tensor([-4.0, -5.0])):
            assert outcome(jitted, x, n) == outcome(names["f"], x, n)
