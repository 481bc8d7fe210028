"""Compares mint, and the methods of Tensors, with PyTorch on the samples of its own tests (OpInfo): values, dtypes, shapes,
gradients, and what must be refused. In an environment with torch, expecttest and hypothesis:

    PYTHONPATH=python python tools/compare_torch.py [--quick] [NAME...]

A NAME is a pattern of labels, such as 'mint.*' or 'Tensor.add'. A line says of each function how many samples ran, differed,
differed as compare_torch_explained.py explains, or are not taken: the function has no such parameters or dtype. What PyTorch
itself refuses is not run. Exit status 1: some differences are not explained."""

from __future__ import annotations

import argparse
import collections
import contextlib
import fnmatch
import functools
import itertools
import math
import multiprocessing
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from compare_torch_explained import explanation
from torch.overrides import TorchFunctionMode
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import BinaryUfuncInfo

import emberjit
from emberjit import Tensor, mint
from emberjit.publish import registry, signature

DTYPES = ("float32", "float64", "complex64", "complex128", "int64", "int32", "uint8", "bool", "float16", "bfloat16")
PROMOTED = (("float32", "int64"), ("bool", "int64"), ("float16", "bfloat16"), ("complex64", "float64"), ("uint8", "int8"))
TOLERANCES = {  # of the result's dtype: relative, absolute
    **{torch.float64: (1e-7, 1e-9), torch.complex128: (1e-7, 1e-9), torch.float32: (2e-5, 1e-6)},
    **{torch.complex64: (2e-5, 1e-6), torch.float16: (2e-3, 2e-3), torch.bfloat16: (1.6e-2, 1.6e-2)},
}
MODULES = {"nn.functional": mint.nn.functional, "linalg": mint.linalg, "special": mint.special}
DROPPED = ("device", "layout", "out", "requires_grad", "sparse")  # they change no value
SAME_FORMAT = (torch.contiguous_format, torch.preserve_format)
RANDOM = re.compile(  # of which only dtypes and shapes are compared
    r"bernoulli|cauchy|multinomial|normal|rand|exponential|log_normal|uniform|(new_)?empty|nn\.functional\..*(dropout|rrelu)"
)
REORDERED = ("where", "einsum", "nn.functional.embedding")  # whose samples have another order of arguments
NUMBERS = (
    r"\(?-?\d[-+.\dej]*\)?(, )?|\b(nan|inf|True|False)\b|(float|int|uint|bool|complex|bfloat)\w*\[.*?\](=\[.*?\]|=\S+)?"
)
SECONDS = 300  # for all samples of an OpInfo
Fault = tuple[str, str]  # a class of differences, and what differs


class Counterpart:
    """A public function that is to do what PyTorch's of the name does."""

    def __init__(self, label: str, theirs: Callable[..., Any], ours: Callable[..., Any], in_place: bool = False) -> None:
        self.label, self.theirs, self.ours, self.in_place = label, theirs, ours, in_place
        scope, _, name = label.rpartition(".")
        self.spellings = [spelled.parameters for spelled, _ in registry.overloads(registry.declared(scope, name))]

    def takes(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether there are such parameters; of what cannot be known, yes."""
        return not self.spellings or any(_binds(parameters, args, kwargs) for parameters in self.spellings)


def _binds(parameters: tuple[signature.Parameter, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    variadic = any(p.passed == signature.VARIADIC for p in parameters)
    positional = [p for p in parameters if p.passed != signature.BY_KEYWORD]
    if len(args) > len(positional) and not variadic:
        return False
    left = [p for p in parameters if p not in positional[: len(args)]]
    names = {name for p in left for name in (p.name, *p.aliases)}
    bound = [p for p in left if p.default is not signature.REQUIRED or {p.name, *p.aliases} & kwargs.keys() or variadic]
    return kwargs.keys() <= names and len(bound) == len(left)


def counterparts(op: Any) -> Iterator[Counterpart]:
    """What emberjit has by the OpInfo's name and its aliases."""
    if op.name.startswith("__"):
        if hasattr(Tensor, op.name):
            yield Counterpart(f"Tensor.{op.name}", op.op, getattr(Tensor, op.name))
        return
    function = functools.reduce(getattr, op.name.split("."), torch) if op.name in REORDERED else op.op
    for name in dict.fromkeys((op.name, *(alias.name for alias in op.aliases))):
        path, _, plain = name.rpartition(".")
        module = MODULES.get(path) if path else mint
        if module is not None and hasattr(module, plain):
            yield Counterpart(f"mint.{name}", function, getattr(module, plain))
        if module is not None and hasattr(module, f"{plain}_") and path:
            yield Counterpart(f"mint.{name}_", function, getattr(module, f"{plain}_"), True)
        if path:
            continue
        if hasattr(torch.Tensor, name) and callable(getattr(Tensor, name, None)):
            yield Counterpart(f"Tensor.{name}", getattr(torch.Tensor, name), getattr(Tensor, name))
        if hasattr(torch.Tensor, f"{name}_") and callable(getattr(Tensor, f"{name}_", None)):
            yield Counterpart(f"Tensor.{name}_", getattr(torch.Tensor, f"{name}_"), getattr(Tensor, f"{name}_"), True)


def mapped(change: Callable[[Any], Any], tree: Any) -> Any:
    """A tree of tuples, lists and dicts with its leaves changed."""
    if isinstance(tree, dict):
        return {key: mapped(change, value) for key, value in tree.items()}
    if isinstance(tree, (tuple, list)) and not isinstance(tree, torch.Size):
        items = [mapped(change, item) for item in tree]
        return tuple(items) if isinstance(tree, tuple) else items
    return change(tree)


def leaves(tree: Any) -> list[Any]:
    result: list[Any] = []
    mapped(result.append, tree)
    return result


def to_ours(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        plain = value.detach().resolve_conj().resolve_neg().clone(memory_format=torch.preserve_format)
        return Tensor.from_dlpack(plain)
    if isinstance(value, torch.dtype):
        return getattr(emberjit, {"torch.bool": "bool_"}.get(str(value), str(value).removeprefix("torch.")))
    return value


def to_theirs(value: Any) -> Any:
    return torch.from_dlpack(value.contiguous()).clone() if isinstance(value, Tensor) else value


class _Named(TorchFunctionMode):
    """Notes how the function of a name is first called."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self.call = name, None

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if self.call is None and getattr(function, "__name__", "") == self.name:
            self.call = args, dict(kwargs or {})
        return function(*args, **(kwargs or {}))


class Call:
    """A call of both."""

    def __init__(self, op: Any, sample: Any) -> None:
        self.args, self.kwargs = (sample.input, *sample.args), dict(sample.kwargs)
        if op.name in REORDERED:
            with _Named(op.name.rpartition(".")[2]) as named, contextlib.suppress(Exception):
                op.op(*self.args, **self.kwargs)
            self.args, self.kwargs = named.call or (self.args, self.kwargs)
            if op.name == "einsum":
                self.args = (self.args[0], *self.args[1])
        self.args, self.kwargs = mapped(_plain_size, self.args), mapped(_plain_size, self.kwargs)

    def ours(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        items = self.kwargs.items()
        kwargs = {key: value for key, value in items if key not in DROPPED and not any(value is one for one in SAME_FORMAT)}
        return mapped(to_ours, self.args), mapped(to_ours, kwargs)

    def theirs(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        def copy(value: Any) -> Any:
            if not isinstance(value, torch.Tensor):
                return value
            return value.detach().clone(memory_format=torch.preserve_format).requires_grad_(value.requires_grad)

        return mapped(copy, self.args), mapped(copy, self.kwargs)

    def __str__(self) -> str:
        items = [_text(value) for value in self.args] + [f"{key}={_text(value)}" for key, value in self.kwargs.items()]
        return f"({', '.join(items)})"


def _plain_size(value: Any) -> Any:
    return tuple(value) if isinstance(value, torch.Size) else value


def _text(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        text = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
        return text if value.numel() > 6 else f"{text}={value.tolist()}"
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_text, value))}]"
    return repr(value)


def _error(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def difference(ours: Any, theirs: Any) -> str:
    """What differs of two results, or nothing."""
    if isinstance(theirs, (tuple, list)):
        if not isinstance(ours, (tuple, list)) or len(ours) != len(theirs):
            return f"gives {_text(ours)}, not {len(theirs)} results"
        return next((f"result {i}: {text}" for i, (a, b) in enumerate(zip(ours, theirs)) if (text := difference(a, b))), "")
    if not isinstance(theirs, torch.Tensor):
        ours = ours.item() if isinstance(ours, torch.Tensor) and ours.ndim == 0 else ours
        if isinstance(ours, torch.Tensor):
            return f"gives {_text(ours)}, not {theirs!r}"
        nan = isinstance(theirs, float) and math.isnan(theirs) and math.isnan(ours)
        return "" if nan or ours == theirs else f"gives {ours!r}, not {theirs!r}"
    if not isinstance(ours, torch.Tensor):
        return f"gives {_text(ours)}, not a Tensor"
    if tuple(ours.shape) != tuple(theirs.shape):
        return f"shape {tuple(ours.shape)}, not {tuple(theirs.shape)}"
    if ours.dtype != theirs.dtype:
        return f"dtype {ours.dtype}, not {theirs.dtype}".replace("torch.", "")
    return _values(ours, theirs.detach().resolve_conj().resolve_neg())


def _values(ours: torch.Tensor, theirs: torch.Tensor) -> str:
    relative, absolute = TOLERANCES.get(ours.dtype, (0, 0))
    finite = theirs[theirs.isfinite()] if absolute else theirs.flatten()[:0]
    if finite.numel():  # sums lose what their terms round
        absolute *= max(1.0, finite.abs().max().item())
    try:
        torch.testing.assert_close(ours, theirs, rtol=relative, atol=absolute, equal_nan=True)
    except AssertionError:
        wrong = ~torch.isclose(ours, theirs, rtol=relative, atol=absolute, equal_nan=True)
        at = tuple(wrong.nonzero()[0].tolist())
        where = f" at {at}" if at else ""
        return f"values: {int(wrong.sum())} of {ours.numel()}, {ours[at].item()} not {theirs[at].item()}{where}"
    return ""


def _precise(value: Any) -> Any:
    if not isinstance(value, torch.Tensor) or value.dtype not in TOLERANCES:
        return value
    return value.detach().to(torch.complex128 if value.is_complex() else torch.float64)


def in_precision(counterpart: Counterpart, call: Call, like: Any) -> Any:
    """PyTorch's result computed in double precision, in the dtypes of another."""
    args, kwargs = call.theirs()
    result = counterpart.theirs(*mapped(_precise, args), **mapped(_precise, kwargs))
    dtypes = iter(leaves(like))
    return mapped(lambda x: x.to(t.dtype) if isinstance(t := next(dtypes), torch.Tensor) else x, _plain(result))


def _plain(result: Any) -> Any:
    return tuple(result) if isinstance(result, tuple) else result


def is_view(result: Any, argument: Any) -> bool:
    """Whether a Tensor, or the first of several, has the memory of another."""
    first, other = (next(iter(leaves(_plain(value))), None) for value in (result, argument))
    if isinstance(first, torch.Tensor) and isinstance(other, torch.Tensor):
        return first.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()
    if isinstance(first, Tensor) and isinstance(other, Tensor) and first.size > 1:
        return bool(0 <= first.data_ptr() - other.data_ptr() < other.nbytes)
    return False


def run_ours(counterpart: Counterpart, call: Call, view: bool) -> tuple[Any, Fault | None]:
    """The result, or why there is none.

    Args:
        view: whether the result may have the memory of the first argument.
    """
    try:
        args, kwargs = call.ours()
    except TypeError as error:
        return None, ("not run", _error(error))
    if not counterpart.takes(args, kwargs):
        return None, ("not taken", "signature")
    try:
        result = counterpart.ours(*args, **kwargs)
        if counterpart.in_place and result is not args[0]:
            return None, ("differs", "does not return its first argument")
        if not (view or counterpart.in_place) and args and is_view(result, args[0]):
            return None, ("differs", "has the memory of its argument, in PyTorch its own")
        return mapped(to_theirs, _plain(result)), None
    except TypeError as error:
        return None, ("not taken", _error(error))
    except Exception as error:
        return None, ("differs", f"raises {_error(error)}")


def compare_values(counterpart: Counterpart, call: Call, random: bool) -> Fault | None:
    args, kwargs = call.theirs()
    try:
        theirs = _plain(counterpart.theirs(*args, **kwargs))
    except Exception:
        return ("not run", "")
    if any(isinstance(leaf, torch.Tensor) and leaf.layout != torch.strided for leaf in leaves((args, theirs))):
        return ("not run", "")
    ours, fault = run_ours(counterpart, call, not args or is_view(theirs, args[0]))
    if fault is not None:
        return fault
    if random:
        ours, theirs = (
            mapped(lambda x: torch.zeros_like(x) if isinstance(x, torch.Tensor) else x, side) for side in (ours, theirs)
        )
    text = difference(ours, theirs)
    if "values:" in text:
        try:
            text = text if difference(ours, in_precision(counterpart, call, theirs)) else ""
        except Exception:
            pass
    return ("differs", text) if text else None


def compare_gradients(counterpart: Counterpart, call: Call) -> Fault | None:
    """Those of vjp with the same cotangents."""
    args, kwargs = call.theirs()
    varied = [leaf for leaf in leaves((args, kwargs)) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    if not varied:
        return ("not run", "")
    try:
        start = (args[0].clone(), *args[1:]) if counterpart.in_place else args
        results = leaves(_plain(counterpart.theirs(*start, **kwargs)))
        picked = [i for i, leaf in enumerate(results) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        torch.manual_seed(0)
        cotangents = [torch.randn_like(results[i]).contiguous() for i in picked]
        theirs = torch.autograd.grad([results[i] for i in picked], varied, cotangents, allow_unused=True)
    except Exception:
        return ("not run", "")
    if not picked:
        return ("not run", "")
    expected = tuple(torch.zeros_like(x) if g is None else g for g, x in zip(theirs, varied))
    our_args, our_kwargs = call.ours()
    if not counterpart.takes(our_args, our_kwargs):
        return ("not taken", "signature")
    pairs = list(zip(leaves((call.args, call.kwargs)), leaves((our_args, our_kwargs))))
    inputs = [b for a, b in pairs if isinstance(a, torch.Tensor) and a.requires_grad]

    def function(*inputs: Any) -> Any:
        operands = iter(inputs)
        rest = iter(leaves((call.args, call.kwargs)))

        def put(value: Any) -> Any:
            old = next(rest)
            return next(operands) if isinstance(old, torch.Tensor) and old.requires_grad else value

        args, kwargs = mapped(put, (our_args, our_kwargs))
        args = (mint.clone(args[0]), *args[1:]) if counterpart.in_place else args
        out = leaves(_plain(counterpart.ours(*args, **kwargs)))
        return tuple(out[i] for i in picked) if len(picked) > 1 else out[picked[0]]

    try:
        _, backward = emberjit.vjp(function, *inputs)
        ours = backward(*map(to_ours, cotangents))
    except TypeError as error:
        return ("not taken", _error(error))
    except Exception as error:
        return ("differs", f"gradient raises {_error(error)}")
    tensors = tuple(ours) if isinstance(ours, (tuple, list)) else (ours,)
    text = difference(tuple(map(to_theirs, tensors)), expected)
    return ("differs", f"gradient {text}") if text else None


def compare_refusal(counterpart: Counterpart, call: Call) -> Fault | None:
    args, kwargs = call.theirs()
    try:
        counterpart.theirs(*args, **kwargs)
    except Exception as error:
        expected = _error(error)
    else:
        return ("not run", "")
    if "descriptor" in expected:
        return ("not run", "")
    try:
        args, kwargs = call.ours()
        result = mapped(to_theirs, counterpart.ours(*args, **kwargs))
    except Exception:
        return None
    return ("differs", f"gives {_text(result)}, not {expected}") if result is not NotImplemented else None


def samples(op: Any, quick: bool) -> Iterator[tuple[str, Any]]:
    """What to compare, and the calls."""
    supported = op.supported_dtypes("cpu")
    for name in DTYPES:
        dtype = getattr(torch, name)
        if dtype not in supported:
            continue
        yield from zip(itertools.repeat("values"), _made(lambda: op.sample_inputs("cpu", dtype)))
        if name in ("float32", "float64", "complex64", "int64") and not quick:
            more = itertools.islice(_made(lambda: op.reference_inputs("cpu", dtype)), 200)
            yield from zip(itertools.repeat("values"), more)
        if name in ("float64", "complex128") and op.supports_autograd:
            differentiable = _made(lambda: op.sample_inputs("cpu", dtype, requires_grad=True))
            yield from zip(itertools.repeat("gradients"), differentiable)
    if isinstance(op, BinaryUfuncInfo):
        for first, second in PROMOTED:
            a, b = getattr(torch, first), getattr(torch, second)
            if {a, b} <= supported:
                for x, y in ((a, b), (b, a)):
                    yield from zip(itertools.repeat("values"), itertools.islice(_promoted(op, x, y), 6))
    yield from (("refusals", error.sample_input) for error in _made(lambda: op.error_inputs("cpu")))


def _made(make: Callable[[], Any]) -> Iterator[Any]:
    try:
        yield from make()
    except Exception:
        return


def _promoted(op: Any, first: torch.dtype, second: torch.dtype) -> Iterator[Any]:
    for sample in _made(lambda: op.sample_inputs("cpu", first)):
        if sample.args and isinstance(sample.args[0], torch.Tensor):
            sample.args = (sample.args[0].to(second), *sample.args[1:])
            yield sample


class Tally:
    """What was found of a function."""

    def __init__(self) -> None:
        self.counts: collections.Counter[str] = collections.Counter()
        self.first: dict[str, str] = {}

    def add(self, label: str, kind: str, call: Call, fault: Fault | None) -> None:
        if fault is None:
            self.counts["ran"] += 1
            return
        what, text = fault
        line = f"{label}{call}: {text}"
        self.counts["ran"] += what == "differs"
        if what in ("differs", "not taken") and text != "signature" and explanation(label, line):
            what = "explained"
        self.counts[what] += 1
        if what != "not run":
            key = f"differs in {kind}" if what == "differs" else what
            self.first.setdefault(f"{key}: {re.sub(NUMBERS, '#', text)[:60]}", line)


def _asked(counterpart: Counterpart, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatch(counterpart.label, pattern) for pattern in patterns)


def compare(op: Any, patterns: list[str], quick: bool, verbose: bool) -> dict[str, Tally]:
    tallies = {}
    for counterpart in (one for one in counterparts(op) if _asked(one, patterns)):
        tally = tallies.setdefault(counterpart.label, Tally())
        for kind, sample in samples(op, quick):
            call = Call(op, sample)
            torch.manual_seed(0)
            if kind == "values":
                fault = compare_values(counterpart, call, RANDOM.match(op.name) is not None)
            elif RANDOM.match(op.name):
                continue
            else:
                fault = compare_gradients(counterpart, call) if kind == "gradients" else compare_refusal(counterpart, call)
            if verbose and fault is not None and fault[0] != "not run":
                print(f"    {kind} {counterpart.label}{call}: {fault}")
            tally.add(counterpart.label, kind, call, fault)
    return tallies


def _child(op: Any, patterns: list[str], quick: bool, verbose: bool, pipe: Any) -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    tallies = compare(op, patterns, quick, verbose)
    pipe.send([(label, dict(tally.counts), tally.first) for label, tally in tallies.items()])


def isolated(op: Any, patterns: list[str], quick: bool, verbose: bool) -> list[Any]:
    """The comparison in a process of its own: what crashes or hangs is a difference."""
    here, there = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=_child, args=(op, patterns, quick, verbose, there))
    process.start()
    there.close()
    try:
        if here.poll(SECONDS):
            return here.recv()
        text = f"no end within {SECONDS} s"
    except EOFError:
        process.join()
        text = f"the process ended with {process.exitcode}"
    finally:
        process.kill()
        process.join()
    return [(op.name, {"ran": 1, "differs": 1}, {"differs in values": text})]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["*"])
    parser.add_argument("--quick", action="store_true", help="without the larger set of inputs")
    parser.add_argument("--classes", action="store_true", help="a difference of each class")
    parser.add_argument("--verbose", action="store_true", help="each difference")
    options = parser.parse_args()
    totals: collections.Counter[str] = collections.Counter()
    for op in op_db:
        if op.variant_test_name == "in_place" or not any(_asked(one, options.names) for one in counterparts(op)):
            continue
        for label, counts, first in isolated(op, options.names, options.quick, options.verbose):
            variant = f" ({op.variant_test_name})" if op.variant_test_name else ""
            said = (f"{counts[key]} {key}" for key in ("ran", "differs", "explained", "not taken") if counts.get(key))
            print(f"{label}{variant}: {', '.join(said)}")
            for key, line in _shown(first, options.classes):
                print(f"    {key.partition(':')[0]}: {line}")
            sys.stdout.flush()
            totals.update({**counts, "functions": 1, "functions that differ": bool(counts.get("differs"))})
    keys = ("functions", "functions that differ", "ran", "differs", "explained", "not taken", "not run")
    print(", ".join(f"{totals[key]} {key}" for key in keys))
    return 1 if totals["differs"] else 0


def _shown(first: dict[str, str], classes: bool) -> list[tuple[str, str]]:
    """Of differences by classes all, or the first that is not explained."""
    return list(first.items()) if classes else [item for item in first.items() if item[0].startswith("differs")][:1]


if __name__ == "__main__":
    sys.exit(main())
