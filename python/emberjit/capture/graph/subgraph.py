"""Functions as graphs of their own within the current capture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.session.errors import RunInPython
from emberjit.capture.session.session import current_session
from emberjit.capture.state.results import from_spec, result_spec
from emberjit.values.tree import tensors, with_tensors

MAX_GRAPHS = 5000  # that one capture begins: sides of conditions, tests and bodies of loops


def begin_graph(name: str, examples: list[Any]) -> Any:
    """Begins a graph of what may or may not run, or run again; returns its parameters.

    Raises:
        RunInPython: there are too many. Loops within loops may need more with each level, faster than anything else grows.
    """
    session = current_session()
    if session is not None:
        session.graphs += 1
        if session.graphs > MAX_GRAPHS:
            raise RunInPython(
                f"conditions and loops on Tensors take more than {MAX_GRAPHS} graphs here, too many to capture: let a "
                "`while` change Tensors only, so that its trips share a graph, or jit what the loops call instead."
            )
    return core.current_capture().begin_graph(name, examples)


def graph_of(name: str, examples: Sequence[Any], body: Callable[[list[Any]], Sequence[Any]]) -> Any:
    """A graph over Tensors like the examples; `body` makes its results."""
    capture = core.current_capture()
    params = capture.begin_graph(name, examples)
    try:
        return capture.end_graph(list(body(params)))
    except BaseException:
        capture.abandon_graph()
        raise


def differentiable(value: Any, has_aux: bool) -> list[Any]:
    """The Tensors of a result that may be differentiated; with `has_aux` those of its first item.

    Raises:
        ValueError: there is nothing beside the first item.
    """
    if not has_aux:
        return tensors(value)
    if not isinstance(value, tuple) or len(value) < 2:
        raise ValueError("When 'has_aux' is True, origin 'fn' requires more than one outputs.")
    return tensors(value[0])


def is_parameter(value: Any) -> bool:
    """Whether a value is a Parameter, or stands for one."""
    session = current_session()
    return isinstance(value, core.Parameter) or (session is not None and id(value) in session.parameters)


def _mark_parameters(operands: Sequence[Any], params: Sequence[Any]) -> None:
    session = current_session()
    for operand, param in zip(operands, params):
        if session is not None and is_parameter(operand):
            session.parameters[id(param)] = session.parameters.get(id(operand), operand)


class SubGraph:
    """A function as a graph over the Tensors among its arguments. Its results are `ordered`: first the outputs, which are
    differentiable, then the others, then the new values of the operands that are `written`."""

    def __init__(
        self,
        name: str,
        run: Callable[..., Any],
        args: Args,
        kwargs: Kwargs,
        has_aux: bool = False,
        axes: Sequence[int | None] = (),
        copied: Sequence[int] = (),
    ):
        """`run` follows the user's functions itself. `axes`: those of the Tensors that it does not see. `copied`: numbers of
        operands that `run` is given copies of."""
        capture = core.current_capture()
        self.operands = tensors((args, kwargs))
        self.results: list[Any] = []
        params = capture.begin_graph(name, self.operands, axes)
        if axes:
            _mark_parameters(self.operands, params)
        try:
            leaves = params if axes else self._inputs(params, copied)
            inputs, keywords = with_tensors((args, kwargs), leaves)
            value = run(*inputs, **keywords)
            self.outputs = differentiable(value, has_aux)
            self.spec = result_spec(value, self.results, apart=bool(axes))
            others = [r for r in self.results if not any(r is output for output in self.outputs)]
            self.written = [i for i, param in enumerate(params) if i not in copied and capture.has_written(param)]
            self.ordered = self.outputs + others + [params[i] for i in self.written]
            self._check_writes(capture, params, leaves)
            self.inner = capture.end_graph(self.ordered)
        except BaseException as error:
            session = current_session()
            lost = not axes and session is not None and not session.strict and capture.acts()
            capture.abandon_graph()
            if lost and isinstance(error, Exception) and not isinstance(error, core.CaptureError):
                raise core.CaptureError(
                    "a function of which a gradient is taken raises an error, and may have written before."
                ) from error
            raise

    def _inputs(self, params: Sequence[Any], copied: Sequence[int]) -> list[Any]:
        """What `run` is given to differentiate: of Parameters themselves, to which no gradient of what is written flows."""
        return [
            operand if i not in copied and is_parameter(operand) else param
            for i, (operand, param) in enumerate(zip(self.operands, params))
        ]

    def _check_writes(self, capture: core.Capture, params: Sequence[Any], leaves: Sequence[Any]) -> None:
        names = [id(operand) for operand in self.operands]
        session = current_session()
        arguments = [] if session is None else [id(value) for value in session.inputs if id(value) in names]
        apart = len(set(names)) == len(names) and not any(map(capture.shares_memory, self.operands))
        parameters = any(
            isinstance(operand, core.Parameter) and not core.is_captured(operand) and part is not operand
            for operand, part in zip(self.operands, leaves)
        )
        written = [i for i, param in enumerate(params) if capture.has_written(param)]
        if arguments[1:] and written != self.written:  # a call checks that what it writes to has no other name
            apart = False
        if (written and not apart) or (parameters and capture.writes_memory()):
            raise core.CaptureError(
                "a function of which a gradient or a batch is taken assigns elements, and is given a Tensor that may have "
                "another name in it: pass a copy()."
            )

    def value(self, computed: Sequence[Any]) -> Any:
        """What the function returned, from the results of a call of the graph."""
        by_result = {id(result): computed[i] for i, result in enumerate(self.ordered)}
        return from_spec(self.spec, [by_result[id(result)] for result in self.results])

    def write_back(self, computed: Sequence[Any]) -> None:
        """Gives the operands what a call of the graph has made of them."""
        for i, value in zip(self.written, computed[len(computed) - len(self.written) :]):
            core.ops.assign(self.operands[i], value)

    def check_unwritten(self, what: str) -> None:
        """Raises CaptureError if there are operands to write back."""
        if self.written:
            raise core.CaptureError(f"{what} assigns elements of an argument, which a graph does not: let it return them.")


def named(fn: Callable[..., Any]) -> str:
    """The name of a function or other callable in graphs."""
    return str(getattr(fn, "__name__", type(fn).__name__))
