"""A graph of a file as what runs it: its nodes in parts, each a jitted function, which are one part unless what comes next
depends on a Tensor's elements (sizes that are computed, conditions). Where it does shows when a part is captured: it is
divided there, and that node runs by itself. Nodes whose inputs are constants are run when the file is loaded."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit._emberjit import CaptureError
from emberjit.capture.jit.transform import DIRECT, compiled
from emberjit.onnx.values import Known, Narrow

Values = dict[str, Any]


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
        programs: of the graphs in its attributes.
    """

    title: str
    run: Callable[[Values], Sequence[Any]]
    inputs: list[str]
    outputs: list[str]
    is_plain: bool = True
    is_fixed: bool = True
    programs: tuple[Program, ...] = ()

    def __call__(self, known: Values) -> None:
        """Adds the outputs to what is known."""
        try:
            made = self.run(known)
        except CaptureError:
            raise
        except (ValueError, TypeError, IndexError, NotImplementedError, RuntimeError) as error:
            if str(error).startswith("ONNX "):
                raise
            raise type(error)(f"ONNX {self.title}: {error}") from error
        known.update((name, value) for name, value in zip(self.outputs, made) if name)


class StoppedError(Exception):
    """A part is no graph.

    Args:
        at: the position of the step because of which.
        why: what capture said.
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
    """

    def __init__(self, steps: list[Step], read_later: set[str], constants: Values):
        made: dict[str, None] = {}
        inputs: dict[str, None] = {}
        for step in steps:
            inputs.update((name, None) for name in step.inputs if name not in made and name not in constants)
            made.update(dict.fromkeys(step.outputs))
        self.steps, self.inputs, self.constants = steps, list(inputs), constants
        self.results = [name for name in made if name in read_later]
        self.traces: dict[Any, _Trace] = {}

    def __call__(self, known: Values) -> None:
        """Adds the results to what is known.

        Raises:
            StoppedError: this cannot be one graph.
        """
        given = [known[name] for name in self.inputs]
        kinds = tuple(map(_kind, given))
        trace = self.traces.get(kinds)
        if trace is None:
            trace = self.traces[kinds] = _Trace(self, kinds)
        try:
            made = trace.jitted(*map(_content, given))
        except CaptureError as error:
            raise StoppedError(trace.at, str(error)) from error
        known.update(zip(self.results, map(_value, made, trace.kinds)))


class _Trace:
    """A part's function for values of certain kinds."""

    def __init__(self, part: Part, given: tuple[Any, ...]):
        self.kinds: list[Any] = []
        self.at = 0

        def run(*contents: Any) -> tuple[Any, ...]:
            known = {**part.constants, **dict(zip(part.inputs, map(_value, contents, given)))}
            for self.at, step in enumerate(part.steps):
                step(known)
            made = [known[name] for name in part.results]
            self.kinds = [_kind(value) for value in made]
            return tuple(_content(value) for value in made)

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
    return [_content(each) for each in value] if isinstance(value, list) else value


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
        constants: values by name.
    """

    def __init__(self, steps: list[Step], inputs: list[str], outputs: list[str], constants: Values):
        self.inputs, self.outputs, self.constants = inputs, outputs, constants
        self.parts: list[Part | Step] = list(self._divided(steps, set(outputs)))
        own = {name for step in steps for name in step.outputs} | {*inputs, *constants}
        read = [name for step in steps for name in step.inputs] + outputs
        self.free = list(dict.fromkeys(name for name in read if name not in own))
        self.stops: list[str] = []

    def __call__(self, given: Values) -> list[Any]:
        """The outputs, given the inputs and what is free, by name."""
        known = {**self.constants, **given}
        at = 0
        while at < len(self.parts):
            part = self.parts[at]
            try:
                part(known)
            except StoppedError as stopped:
                self._divide(at, stopped)
            else:
                at += 1
        return [known[name] for name in self.outputs]

    def _divide(self, at: int, stopped: StoppedError) -> None:
        """Lets the step run by itself because of which a part is no graph."""
        part = self.parts[at]
        assert isinstance(part, Part)
        steps = list(part.steps)
        steps[stopped.at] = dataclasses.replace(steps[stopped.at], is_plain=False)
        self.stops.append(f"{steps[stopped.at].title}: {stopped}")
        later = {name for each in self.parts[at + 1 :] for name in each.inputs} | set(self.outputs)
        self.parts[at : at + 1] = self._divided(steps, later)

    def _divided(self, steps: list[Step], read_later: set[str]) -> Iterator[Part | Step]:
        """Rows of steps that may be jitted, and the others between them."""
        row: list[Step] = []
        for i, step in enumerate(steps):
            if step.is_plain:
                row.append(step)
                continue
            if row:
                yield Part(row, _read(steps[i:]) | read_later, self.constants)
            yield step
            row = []
        if row:
            yield Part(row, read_later, self.constants)


def _read(steps: list[Step]) -> set[str]:
    return {name for step in steps for name in step.inputs}
