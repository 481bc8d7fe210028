"""Calls of all public callables with arguments that do not belong there, beside pages that nobody may touch: none may end
the process, go on for ever, or raise what only a mistake of ours raises.

    python tests/python/every_function/hostile_calls.py [SECONDS] [--first SEED] [--only PART_OF_A_NAME] [--sizes]

prints the calls that did; with --sizes of the declarations' and the ops' samples, in which one number is beyond all memory.
A call is an expression over what `WORDS` and `MODULES` name; one that found a bug goes into `hostile_calls.txt`, which the
tests replay. Calls run in a child, whose memory and whose time for each call are limited; it writes each call down before it
begins, so that the parent knows which one ended it.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import itertools
import os
import random
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

SLOW = 3.0  # seconds of computing until a call is interrupted
DEAF = 10.0  # seconds after which it did not heed the interrupt
MEMORY = 1 << 30  # of tensors
ADDRESSES = 24 << 30  # of all, of which only what is touched is memory
MISTAKES = (SystemError, ZeroDivisionError, AssertionError, UnboundLocalError, NameError)
MODULES = [
    "ms",
    "ops",
    "mint",
    "nn",
    "mint.nn",
    "mint.nn.functional",
    "mint.linalg",
    "mint.special",
    "mnp",
    "scipy.linalg",
    "sparse",
]
CLASSES = ["Tensor", "ms.Parameter", "ms.Generator", "nn.Cell", "type(ms.float32)", "type(ops.add)"]
LEFT_OUT = {  # what acts on the process or its files
    *("ms.data_sink", "ms.run_check", "ms.set_memory_limit", "ms.set_recursion_limit", "ms.set_context", "ms.export"),
    *("ms.save_checkpoint", "ms.load_checkpoint", "ms.save_mindir", "ms.load_mindir", "offload"),
    *("__class__", "__init_subclass__", "__subclasshook__", "__new__", "__getattribute__"),
}
PLAIN = ("ops.scalar_", "ops.augassign_")  # of Python's numbers, by its rules: these divide by zero, and take long
SIZES = (2**31, 2**40, 2**62, -(2**63))
WORDS = {
    "tensors": """f32(2, 3); f32(); f32(0); f32(0, 3); f32(4); f32(1, 2, 5, 5); f32(2, 3, 4); f32(1, 1, 1, 1, 1, 1, 1, 1);
i32(2, 3); i64(3); i64(); i8(3); u8(2, 2); b(2, 3); c64(2, 2); f16(2, 3); f64(3, 3); bf16(2); of(np.inf); of(np.nan);
of(-np.inf, 0.0); of(1e308); of(-1); of(2**40); of(2**62, -2**63); of(0); of(5, -7, 100); f32(2, 3).T;
f32(4, 4)[::2, ::-1]; f32(1).broadcast_to((3, 4)); parameter(2, 3)""",
    "ints": "0; 1; -1; 2; 3; -7; 100; 2**31; -2**31; 2**40; 2**62; 2**63 - 1; -2**63; 2**63; 2**70",
    "floats": "0.0; -0.0; 0.5; 1e-320; 1e308; -1.5; np.inf; -np.inf; np.nan; np.float32(2.5); 3e38",
    "tuples": """(); (0,); (1, 2); (-1,); (2**40,); (2**40, 2**40); (2**62, 4); (2, 3); (3, 2, 1, 0); [1, [2]]; (1.5, 2);
(None, 1); (0, 0, 2**62, -5); (-2**63, 2**63 - 1); [f32(2, 3), f32(2, 3)]; [f32(2, 3), i64(3)]; (f32(2),); (True, False);
range(3); (1,) * 40; itself()""",
    "others": """None; True; False; ''; 'sum'; 'a'; 'mean'; 'valid'; b'x'; object(); ms.float32; ms.int32; ms.float16;
ms.bool_; {}; {'a': 1}; (lambda *a: a); slice(None); Ellipsis; np.ones((2, 3)); np.zeros(0); np.array(['a']);
np.array([None]); 1j; Exception; nn.ReLU(); np.int64(2); float; iter([1]); ms.Generator()""",
}


class Slow(BaseException):
    """Raised in a call that takes too long."""


def namespace() -> dict[str, Any]:
    """What the expressions of calls may name."""
    import numpy as np

    import emberjit as ms
    from emberjit import Parameter, Tensor, _emberjit, mint, nn, ops, scipy, sparse
    from emberjit import numpy as mnp
    from emberjit.common import initializer

    def made(dtype: Any) -> Any:
        return lambda *shape: Tensor(np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape), dtype)

    def itself() -> list[Any]:
        out: list[Any] = []
        out.append(out)
        return out

    dtypes = {"f32": ms.float32, "f16": ms.float16, "f64": ms.float64, "bf16": ms.bfloat16, "i8": ms.int8, "u8": ms.uint8}
    dtypes |= {"i32": ms.int32, "i64": ms.int64, "b": ms.bool_, "c64": ms.complex64}
    return {
        **{name: made(dtype) for name, dtype in dtypes.items()},
        "of": lambda *values: Tensor(np.array(values) if len(values) > 1 else np.array(values[0])),
        "parameter": lambda *shape: Parameter(made(ms.float32)(*shape)),
        **{"ms": ms, "ops": ops, "mint": mint, "nn": nn, "mnp": mnp, "scipy": scipy, "sparse": sparse, "init": initializer},
        **{"core": _emberjit, "np": np, "Tensor": Tensor, "itself": itself, "sampled": sampled, "tabled": tabled},
    }


def sampled(name: str, text: str) -> Any:
    """A declared function of the arguments that a sample's text stands for."""
    import numpy as np
    import test_declarations as declared

    given = declared.arguments(text, np.random.default_rng(1))
    return declared.function_of(name)(*(declared.as_tensor(value) for value in given))


def tabled(name: str, number: int, attribute: str, value: Any) -> Any:
    """An op of the table, of a sample with another attribute."""
    import numpy as np
    import test_table as table

    operands, attributes, lists = table.core.samples(name)[number]
    made = [table.made(operand, np.random.default_rng(1)) for operand in operands]
    return table.core.op_table[name](**table.arguments_of(name, made, {**attributes, attribute: value}, lists))


def with_one_replaced(text: str) -> Iterator[str]:
    """The arguments of a sample, of which one number, but none of a made Tensor's shape, is one of SIZES."""
    tree = ast.parse(f"({text},)", mode="eval")
    inside = {id(n) for call in ast.walk(tree) if isinstance(call, ast.Call) for n in ast.walk(call)}
    for node in [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is int and id(n) not in inside]:
        before = node.value
        for node.value in SIZES:
            yield ast.unparse(tree)[1:-1].rstrip(",")
        node.value = before


def sized_calls(names: dict[str, Any]) -> Iterator[str]:
    import test_declarations as declared

    for name in (name for name in declared.SAMPLED if not f"ops.{name}".startswith(PLAIN)):
        for text in declared.COMPOSITIONS[name].samples.split(";"):
            yield from (f"sampled({name!r}, {one!r})" for one in with_one_replaced(text.strip()))
    for name in names["core"].op_table:
        for number, (_, attributes, _) in enumerate(names["core"].samples(name)):
            for key, value in attributes.items():
                if type(value) is int:
                    yield from (f"tabled({name!r}, {number}, {key!r}, {size})" for size in SIZES)
                elif isinstance(value, tuple):
                    for i, size in itertools.product(range(len(value)), SIZES):
                        yield f"tabled({name!r}, {number}, {key!r}, {(*value[:i], size, *value[i + 1 :])})"


def of_module(path: str, module: Any) -> Iterator[str]:
    for name in sorted(dir(module)):
        value = getattr(module, name, None)
        if name[0] == "_" or not callable(value) or f"{path}.{name}" in LEFT_OUT or f"{path}.{name}".startswith(PLAIN):
            continue
        if (getattr(value, "__module__", None) or "emberjit").startswith("emberjit"):
            yield f"{path}.{name}"


def of_class(path: str, owner: Any) -> Iterator[str]:
    """Its methods, unbound."""
    for name in sorted(dir(owner)):
        if name not in LEFT_OUT and callable(getattr(owner, name, None)):
            yield f"{path}.{name}"


def public_callables(names: dict[str, Any]) -> list[str]:
    """The expressions that name them."""
    out = [name for path in MODULES for name in of_module(path, eval(path, names))]
    out += [name for path in CLASSES for name in of_class(path, eval(path, names))]
    return out + [f"core.op_table[{name!r}]" for name in names["core"].op_table]


def parameters_of(value: Any) -> tuple[int, int]:
    """How many arguments it takes, at least and at most."""
    try:
        found = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return 0, 5
    by_place = [p for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    more = 3 if any(p.kind == p.VAR_POSITIONAL for p in found) else 0
    return sum(p.default is p.empty for p in by_place), len(by_place) + more


def word(rng: random.Random, place: int) -> str:
    weights = (8, 1, 1, 1, 1) if place == 0 else (4, 3, 2, 2, 2)
    kind = rng.choices([*WORDS], weights)[0]
    return " ".join(rng.choice(WORDS[kind].split(";")).split())


def write(rng: random.Random, callables: list[str], names: dict[str, Any]) -> str:
    """A random call; of what a class makes, often the call too."""
    path = rng.choice(callables)
    value = eval(path, names)

    def arguments(least: int, most: int) -> str:
        count = rng.choice((least, most, rng.randint(least, max(most, least)), least + 1))
        return ", ".join(word(rng, place) for place in range(min(count, 9)))

    text = f"{path}({arguments(*parameters_of(value))})"
    if isinstance(value, type) and rng.random() < 0.7:
        text += f"({arguments(1, 3)})"
    return text


def attempt(text: str, names: dict[str, Any]) -> str:
    """What is wrong with a call, or nothing."""
    signal.setitimer(signal.ITIMER_PROF, SLOW)
    try:
        result = eval(text, dict(names))
        for one in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(one, names["Tensor"]) and one.size < 100:
                repr(one)
    except MISTAKES as error:
        return f"{type(error).__name__}: {error}"
    except Slow:
        return "takes too long"
    except Exception:
        return ""
    except BaseException as error:
        return f"{type(error).__name__}: {error}" if not isinstance(error, (SystemExit, GeneratorExit)) else ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def be_child(calls: Iterator[str], names: dict[str, Any]) -> None:
    """Makes the calls; writes a line before and after each."""

    def too_slow(*_: Any) -> None:
        raise Slow

    told = os.fdopen(os.dup(1), "w", buffering=1)
    sink = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(sink, descriptor)
    os.chdir(tempfile.mkdtemp(prefix="hostile"))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for text in calls:
        told.write(f"> {text}\n")
        names["ms"].set_memory_limit(MEMORY)  # each time: some call may change it
        signal.signal(signal.SIGPROF, too_slow)
        try:
            wrong = attempt(text, names)
        except Slow:
            wrong = "takes too long"
        told.write(f"< {wrong!r}\n")


def watched(arguments: list[str], where: str) -> Iterator[tuple[str, str]]:
    """The calls of a child, each with what was wrong; the last of them may have ended it, or been ended."""
    environment = {**os.environ, "EMBERJIT_GUARD_PAGES": where, "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, os.path.abspath(__file__), *arguments]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    try:
        yield from followed(child)
    finally:
        child.kill()
        child.wait()


def followed(child: subprocess.Popen[bytes]) -> Iterator[tuple[str, str]]:
    """What the child tells."""
    assert child.stdout is not None
    text, rest, wrong = "", b"", "ended by "
    while True:
        limit = DEAF if text else 120.0
        if not select.select([child.stdout], [], [], limit)[0]:
            child.kill()
            wrong = f"goes on after {limit:.0f} s, "
        data = os.read(child.stdout.fileno(), 1 << 16)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in (line.decode(errors="replace") for line in lines):
            if line.startswith("> "):
                text = line[2:]
            elif line.startswith("< "):
                yield text, eval(line[2:])
                text = ""
    child.wait()
    if text:
        yield text, f"{wrong}{signal.Signals(-child.returncode).name if child.returncode < 0 else child.returncode}"


def random_calls(first: int, callables: list[str], names: dict[str, Any]) -> Iterator[str]:
    for seed in itertools.count(first):
        yield write(random.Random(seed), callables, names)


def kept_calls(path: str, skip: int) -> Iterator[str]:
    with open(path) as file:
        yield from [line.strip() for line in file if line.strip() and not line.startswith("#")][skip:]


def replay(path: str, where: str) -> list[tuple[str, str]]:
    """Of the calls of a file those that do wrong, with what it is."""
    bad, done, ended = [], 0, True
    while ended:
        ended = False
        for text, wrong in watched(["--child", "--kept", path, "--first", str(done)], where):
            done += 1
            if wrong:
                bad.append((text, wrong))
                ended = wrong.startswith(("ended", "goes on"))
    return bad


def main() -> None:
    """Tries calls until the time is over."""
    parser = argparse.ArgumentParser(description="Calls of public callables with hostile arguments.")
    parser.add_argument("seconds", nargs="?", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--only", default="", metavar="PART_OF_A_NAME")
    parser.add_argument("--sizes", action="store_true", help="samples in which one number is beyond all memory")
    parser.add_argument("--kept", metavar="FILE", help="the calls of a file, instead of random ones")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        names = namespace()
        callables = [path for path in public_callables(names) if args.only in path]
        if args.kept:
            return be_child(kept_calls(args.kept, args.first), names)
        if args.sizes:
            return be_child(itertools.islice(sized_calls(names), args.first, None), names)
        return be_child(random_calls(args.first, callables, names), names)
    if args.kept:
        for text, wrong in (found for where in ("before", "after") for found in replay(args.kept, where)):
            print(f"{text}  # {wrong}", flush=True)
        return None
    end, seed, bad = time.time() + args.seconds, args.first, 0
    for where in itertools.cycle(("after", "before")):
        if time.time() > end:
            break
        given = ["--sizes"] if args.sizes else ["--only", args.only]
        before = seed
        for text, wrong in watched(["--child", "--first", str(seed), *given], where):
            seed += 1
            if wrong:
                bad += 1
                print(f"{text}  # {wrong}", flush=True)
            if time.time() > end:
                break
        if seed == before:
            break
    print(f"{seed - args.first} calls, {bad} bad; next seed {seed}")
    return None


if __name__ == "__main__":
    main()
