"""A graph of a file as what runs it: its nodes in parts, each a jitted function, which are one part unless what comes next
depends on a Tensor's elements (sizes that are computed, conditions). Where it does shows when a part is captured: it is
divided there, and that node runs by itself. Nodes whose inputs are constants are run when the file is loaded."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit._emberjit import CaptureError
from emberjit.capture.jit.transform import DIRECT, compiled
from emberjit.forks import ForkLock
from emberjit.onnx import messages
from emberjit.onnx.values import Known, Narrow

Values = dict[str, Any]
_MOST_TRACES = 16  # of a part
_dividing = ForkLock()


@dataclasses.dataclass
class Step:
    """A node.

    Args:
        title: what errors call it.
        run: given the values that are known, by name, returns those of the outputs.
        inputs: names of values, among them those that graphs in its attributes read.
        outputs: names of values; "" is one that nobody reads.
        is_plain: whether it may be part of a jitted function.
        is_fixed: whether its outputs are constants if its inputs are.
        fills: whether its last input is the shape of its output.
        programs: of the graphs in its attributes.
    """

    title: str
    run: Callable[[Values], Sequence[Any]]
    inputs: list[str]
    outputs: list[str]
    is_plain: bool = True
    is_fixed: bool = True
    fills: bool = False
    programs: tuple[Program, ...] = ()

    def __call__(self, known: Values) -> None:
        """Adds the outputs to what is known."""
        try:
            results = self.run(known)
        except CaptureError:
            raise
        except (ValueError, TypeError, IndexError, NotImplementedError, RuntimeError) as error:
            if str(error).startswith("ONNX "):
                raise
            raise type(error)(f"ONNX {self.title}: {error}") from error
        except (ArithmeticError, KeyError, AttributeError) as error:
            raise ValueError(f"ONNX {self.title}: {type(error).__name__}: {error}") from error
        if missing := self.outputs[len(results) :]:
            raise ValueError(f"ONNX {self.title}: it gives no '{missing[0]}'")
        known.update((name, value) for name, value in zip(self.outputs, results) if name)


class StoppedError(Exception):
    """A part cannot be captured as one graph.

    Args:
        at: the position of the step that capture failed at.
        why: the message of capture.
    """

    def __init__(self, at: int, why: str):
        super().__init__(why)
        self.at = at


class Part:
    """Steps that are one jitted function.

    Args:
        steps: in order.
        read_later: names of values that what comes after reads.
        constants: values by name, which are no inputs.

    A part that is called with many kinds of values, as of a sequence that grows, runs node by node.
    """

    def __init__(self, steps: list[Step], read_later: set[str], constants: Values):
        defined: dict[str, None] = {}
        inputs: dict[str, None] = {}
        for step in steps:
            inputs.update((name, None) for name in step.inputs if name not in defined and name not in constants)
            defined.update(dict.fromkeys(step.outputs))
        self.steps, self.inputs, self.constants = steps, list(inputs), constants
        self.results = [name for name in defined if name in read_later]
        self.traces: dict[Any, _Trace] = {}

    def __call__(self, known: Values) -> None:
        """Adds the results to what is known.

        Raises:
            StoppedError: this cannot be one graph.
        """
        inputs = [known[name] for name in self.inputs]
        kinds = tuple(map(_kind, inputs))
        trace = self.traces.get(kinds)
        if trace is None:
            if len(self.traces) == _MOST_TRACES:
                for step in self.steps:
                    step(known)
                return
            trace = self.traces.setdefault(kinds, _Trace(self, kinds))
        try:
            number, *results = trace.jitted(*map(_content, inputs))
        except CaptureError as error:
            raise StoppedError(getattr(error, "step", 0), str(error)) from error
        known.update(zip(self.results, map(_value, results, trace.result_kinds[number])))


class _Trace:
    """A part's function for values of certain kinds. Its graphs give the number of their results' kinds, and the results."""

    def __init__(self, part: Part, input_kinds: tuple[Any, ...]):
        self.result_kinds: dict[int, list[Any]] = {}
        self._numbers = itertools.count()
        fixed = part.constants

        def run(*contents: Any) -> tuple[Any, ...]:
            known = {**fixed, **dict(zip(part.inputs, map(_value, contents, input_kinds)))}
            for at, step in enumerate(part.steps):
                try:
                    step(known)
                except CaptureError as error:
                    error.step = at
                    raise
            results = [known[name] for name in part.results]
            number = next(self._numbers)
            self.result_kinds[number] = [_kind(value) for value in results]
            return number, *(_content(value) for value in results)

        self.jitted = compiled(run, DIRECT, eager=False)


def _kind(value: Any) -> Any:
    if isinstance(value, Known):
        return ("known", value.dtype)
    if isinstance(value, Narrow):
        return ("narrow", value.type)
    return tuple(map(_kind, value)) if isinstance(value, list) else None


def _content(value: Any) -> Any:
    if isinstance(value, Known):
        return value.items
    if isinstance(value, Narrow):
        return value.values
    return [_content(item) for item in value] if isinstance(value, list) else value


def _value(content: Any, kind: Any) -> Any:
    match kind:
        case None:
            return content
        case ("known", dtype):
            return Known(content, dtype)
        case ("narrow", type):
            return Narrow(content, type)
    return list(map(_value, content, kind))


class Program:
    """A graph that runs.

    Args:
        steps: of its nodes, in order.
        inputs: names.
        outputs: names.
        constants: values by name; those of inputs are what these are if they are not given.
    """

    def __init__(self, steps: list[Step], inputs: list[str], outputs: list[messages.ValueInfo], constants: Values):
        self.inputs, self.constants = inputs, constants
        self.outputs, self.infos = [info.name for info in outputs], outputs
        self._fixed = {name: value for name, value in constants.items() if name not in inputs}
        self.parts: tuple[Part | Step, ...] = tuple(self._divided(steps, set(self.outputs)))
        own = {name for step in steps for name in step.outputs} | {*inputs, *constants}
        read = [name for step in steps for name in step.inputs] + self.outputs
        self.free = list(dict.fromkeys(name for name in read if name not in own))
        self.stops: list[str] = []

    def __call__(self, inputs: Values) -> list[Any]:
        """The outputs, given the inputs and what is free, by name."""
        known = {**self.constants, **inputs}
        try:
            for part in self.parts:
                part(known)
        except StoppedError:
            known = {**self.constants, **inputs}
            self._run_dividing(known)
        return [known[name] for name in self.outputs]

    def _run_dividing(self, known: Values) -> None:
        """Runs all parts, and divides those that are no graphs; other threads go on with what there was."""
        with _dividing:
            at = 0
            while at < len(self.parts):
                try:
                    self.parts[at](known)
                except StoppedError as stopped:
                    self._divide(at, stopped)
                else:
                    at += 1

    def all_constants(self) -> Iterator[Any]:
        """The constants of the graph, and of those in its nodes."""
        yield from self.constants.values()
        for part in self.parts:
            for step in part.steps if isinstance(part, Part) else [part]:
                for program in step.programs:
                    yield from program.all_constants()

    def _divide(self, at: int, stopped: StoppedError) -> None:
        """Lets the step run by itself because of which a part is no graph."""
        part = self.parts[at]
        assert isinstance(part, Part)
        steps = list(part.steps)
        steps[stopped.at] = dataclasses.replace(steps[stopped.at], is_plain=False)
        self.stops.append(f"{steps[stopped.at].title}: {stopped}")
        later = {name for other in self.parts[at + 1 :] for name in other.inputs} | set(self.outputs)
        self.parts = (*self.parts[:at], *self._divided(steps, later), *self.parts[at + 1 :])

    def _divided(self, steps: list[Step], read_later: set[str]) -> Iterator[Part | Step]:
        """Rows of steps that may be jitted, and the others between them."""
        row: list[Step] = []
        for i, step in enumerate(steps):
            if step.is_plain:
                row.append(step)
                continue
            if row:
                yield Part(row, {name for later in steps[i:] for name in later.inputs} | read_later, self._fixed)
            yield step
            row = []
        if row:
            yield Part(row, read_later, self._fixed)
