"""_Function: computations whose gradients are functions of the user's. A call's own object, the context, carries what
forward leaves for backward."""

from __future__ import annotations

import inspect
from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, FLOATS
from emberjit.transforms.custom_gradients import gradient_of
from emberjit.transforms.precision_rules import without_rules


class _Function:
    """The base of such computations: a subclass defines forward(ctx, *args) and backward(ctx, *grad_outputs), or
    forward(*args), setup_context(ctx, inputs, output) and backward, as static methods; apply(*args) calls it. It runs in
    Python, as in MindSpore; graphs break at it.

    needs_input_grad of the context says of each argument whether a gradient is taken by it.
    """

    needs_input_grad: tuple[bool, ...] = ()
    saved_tensors: tuple[Any, ...] = ()
    dirty_tensors: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    materialize_grads = True

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """The computation: a Tensor, or a tuple of Tensors and other objects. What it does is not differentiated."""
        raise NotImplementedError("forward function should be customized.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """A gradient for each argument of forward, None for those without, from those of its results: zeros of what nothing
        was computed from, None of what is no Tensor."""
        raise NotImplementedError("backward function should be customized.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Leaves in the context what backward needs, from the arguments and results of a forward without one."""
        raise NotImplementedError("setup_context is not implemented.")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Calls forward. Only Tensors that are arguments or results themselves are differentiated, not those within others.

        Args:
            kwargs: with setup_context, arguments of forward by name.

        Raises:
            TypeError: there are arguments by name that forward has not by position.
            RuntimeError: when the gradient is taken: backward returns another number of gradients than there are arguments,
                or one of another shape.
        """
        if cls.setup_context is not _Function.setup_context:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if kwargs:
            raise TypeError(f"For '{cls.__name__}', apply takes no arguments by name, but got {list(kwargs)}.")
        _check_python(cls)
        return _recorded(cls, args)

    def save_for_backward(self, *tensors: Any) -> None:
        """Keeps Tensors, arguments or results, as saved_tensors."""
        _check_python(type(self))
        self.saved_tensors = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Says which arguments forward has written to."""
        _check_python(type(self))
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Says of which results there is no gradient."""
        _check_python(type(self))
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward is given zeros where there is no gradient, or None. Here that of a differentiable result is never
        None."""
        _check_python(type(self))
        self.materialize_grads = value


def _check_python(cls: type[_Function]) -> None:
    """
    Raises:
        CaptureError: a graph is being made.
    """
    if core.current_capture() is not None:
        raise core.CaptureError(f"'{cls.__name__}' is a _Function, which runs in Python: call it outside of the graph.")


def _run(ctx: _Function, args: tuple[Any, ...]) -> Any:
    cls = type(ctx)
    if cls.setup_context is _Function.setup_context:
        return cls.forward(ctx, *args)
    outputs = cls.forward(*args)
    cls.setup_context(ctx, args, outputs)
    return outputs


def _is_differentiable(ctx: _Function, output: Any) -> bool:
    apart = any(output is one for one in ctx.non_differentiable)
    return isinstance(output, core.Tensor) and output.dtype in (*FLOATS, *COMPLEXES) and not apart


def _answer(
    cls: type[_Function], ctx: _Function, args: tuple[Any, ...], outputs: Any, cotangents: dict[int, Any]
) -> list[Any]:
    """The gradients of the Tensors among the arguments, from those of results, by place."""
    by_output = [cotangents.get(place) for place in range(len(outputs))]
    if ctx.materialize_grads:
        zeros = core.ops.zeros_like
        by_output = [
            zeros(output) if one is None and isinstance(output, core.Tensor) else one
            for one, output in zip(by_output, outputs)
        ]
    answer = cls.backward(ctx, *by_output)
    gradients = answer if isinstance(answer, (tuple, list)) else (answer,)
    name, extra = cls.__name__, gradients[len(args) :]
    if len(gradients) < len(args) or any(one is not None for one in extra):
        raise RuntimeError(
            f"For '{name}', backward must return a gradient for each of the {len(args)} arguments, but got {len(gradients)}."
        )
    for place, (arg, gradient) in enumerate(zip(args, gradients)):
        if gradient is not None and not isinstance(arg, core.Tensor):
            raise RuntimeError(
                f"For '{name}', backward returns a gradient for argument {place}, which is no Tensor: {arg!r}."
            )
    try:
        return [gradient_of(name, "backward", a, g) for a, g in zip(args, gradients) if isinstance(a, core.Tensor)]
    except ValueError as error:
        raise RuntimeError(str(error)) from None


def _recorded(cls: type[_Function], args: tuple[Any, ...]) -> Any:
    watched = core.recording()
    variables = [core.variable(arg) if watched and isinstance(arg, core.Tensor) else 0 for arg in args]
    ctx = cls()
    ctx.needs_input_grad = tuple(map(bool, variables))
    with core.Pause():
        value = _run(ctx, args)
    if not watched:
        return value
    outputs = list(value) if isinstance(value, tuple) else [value]
    places = [place for place, output in enumerate(outputs) if _is_differentiable(ctx, output)]

    def backward(cotangents: list[Any]) -> list[Any]:
        return _answer(cls, ctx, args, outputs, dict(zip(places, cotangents)))

    tracked = [variable for variable, arg in zip(variables, args) if isinstance(arg, core.Tensor)]
    results = core.record_call(tracked, [outputs[place] for place in places], without_rules(backward))
    recorded = {id(outputs[place]): result for place, result in zip(places, results)}
    ctx.saved_tensors = tuple(recorded.get(id(one), one) for one in ctx.saved_tensors)
    for written in ctx.dirty_tensors:
        if id(written) in recorded and not isinstance(written, core.Parameter):
            core.ops.assign(written, recorded[id(written)])
    outputs = [recorded.get(id(output), output) for output in outputs]
    return tuple(outputs) if isinstance(value, tuple) else outputs[0]
