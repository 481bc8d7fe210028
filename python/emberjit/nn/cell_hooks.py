"""Cell hooks: all that runs with the construct of a Cell: hooks before and after it, hooks on its gradient and where it
reads Parameters, a gradient of its own (bprop), recomputation, conversion to a precision, rules of precision for what
construct calls.

Hooks on the gradient get the cotangents of the inputs and of the outputs together. Those of the outputs come first, so
they wait for the others: without a capture in a list, within one on a stack that the inputs' side makes and the outputs'
side takes, so that it flows back with the cotangents.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph.subgraph import graph_of
from emberjit.capture.guards.record import guard_configuration
from emberjit.capture.session.differentiation import differentiating
from emberjit.capture.session.engine import follow
from emberjit.transforms.custom_gradients import call_with_bprop
from emberjit.transforms.precision_rules import of_products, without_rules
from emberjit.transforms.recompute import recomputed
from emberjit.transforms.tensor_hooks import HookHandle, check_hook, replaced_all, with_gradient
from emberjit.values.dtypes import cast
from emberjit.values.tree import tensors, with_tensors

_computing: ContextVar[tuple[int, ...]] = ContextVar("computing", default=())  # Cells that read other than Parameters, by id


class _Hook:
    def __init__(self, function: Any, with_kwargs: bool = False, always_call: bool = False):
        check_hook(function)
        self.function, self.with_kwargs, self.always_call = function, with_kwargs, always_call


class CellHooks:
    """Those of one Cell."""

    def __init__(self, cell: Any):
        self.cell = cell
        self.own_gradient = hasattr(type(cell), "bprop")
        self.recompute = False
        self.precision: Any = None
        self.rules: Any = None  # of core.Precision
        self.before: dict[int, _Hook] = {}
        self.after: dict[int, _Hook] = {}
        self.backward_before: dict[int, _Hook] = {}
        self.backward: dict[int, _Hook] = {}
        self.of_parameters: dict[str, Any] = {}  # functions by the names of attributes
        self.of_all_parameters: Any = None

    @property
    def _reads_as_they_are(self) -> bool:
        """Whether construct finds its Parameters themselves."""
        return self.precision is None and not self.of_parameters and self.of_all_parameters is None

    def add(self, hooks: dict[int, _Hook], function: Any, prepend: bool = False, **options: bool) -> HookHandle:
        """Adds a hook to one of the dicts.

        Raises:
            TypeError: it cannot be called.
        """
        return HookHandle(hooks, _Hook(function, **options), self.cell._changed, prepend)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The Cell's construct with its hooks."""
        if core.current_capture() is not None:
            guard_configuration(self.cell)
        called: set[int] = set()
        try:
            return self._call(args, kwargs, called)
        except Exception:
            for key, hook in self.after.items():
                if hook.always_call and key not in called:
                    self._after_failure(hook, args, kwargs)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], called: set[int]) -> Any:
        for hook in list(self.before.values()):
            args, kwargs = self._run_before(hook, args, kwargs)
        watched = differentiating()
        back = _Backward(self) if watched and self.backward else None
        if back is not None:
            args = back.enter(args)
        output = self._compute(args, kwargs, watched)
        for key, hook in list(self.after.items()):
            called.add(key)
            replaced = self._run_after(hook, args, kwargs, output)
            output = output if replaced is None else replaced
        if back is not None:
            output = back.leave(output)
        if watched and self.backward_before:
            output = with_tensors(output, with_gradient(tensors(output), self._run_backward_before))
        return output

    def _compute(self, args: tuple[Any, ...], kwargs: dict[str, Any], watched: bool) -> Any:
        if self.precision is None and self.rules is None:
            return self._construct(args, kwargs, watched)
        with core.Precision(self.rules if self.precision is None else of_products(self.precision)):
            return self._construct(args, kwargs, watched)

    def _construct(self, args: tuple[Any, ...], kwargs: dict[str, Any], watched: bool) -> Any:
        if watched and self.own_gradient and not self.recompute:
            return call_with_bprop(self.cell, self._in_precision(args), self._in_precision(kwargs))
        if watched and self.recompute:
            return recomputed(self.cell.construct if self._reads_as_they_are else self._converted, args, kwargs)
        return self._converted(*args, **kwargs)

    def _converted(self, *args: Any, **kwargs: Any) -> Any:
        """construct in the Cell's precision, with what it is to find as its Parameters."""
        if self._reads_as_they_are:
            return follow(self.cell.construct, *args, **kwargs)
        token = _computing.set((*_computing.get(), id(self.cell)))
        try:
            return follow(self.cell.construct, *self._in_precision(args), **self._in_precision(kwargs))
        finally:
            _computing.reset(token)

    def _in_precision(self, values: Any) -> Any:
        """Values with the Tensors of floating point among them in the Cell's precision."""
        return values if self.precision is None else cast(values, self.precision)

    def as_computed(self, name: str, parameter: Any) -> Any:
        """A Parameter as construct finds it."""
        if self._reads_as_they_are or parameter is None or id(self.cell) not in _computing.get():
            return parameter
        hook = self.of_parameters.get(name, self.of_all_parameters)
        found = parameter if hook is None else self._hooked(hook, parameter)
        own = type(self.cell).__module__.startswith("emberjit.") or parameter.requires_grad
        return self._in_precision(found) if own else found

    def _hooked(self, hook: Any, parameter: Any) -> Any:
        """What a hook gives for a Parameter; the hook itself finds Parameters as they are."""
        token = _computing.set(tuple(each for each in _computing.get() if each != id(self.cell)))
        try:
            return follow(hook, parameter)
        finally:
            _computing.reset(token)

    def _run_before(
        self, hook: _Hook, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if not hook.with_kwargs:
            replaced = follow(hook.function, self.cell, args)
            if replaced is None:
                return args, kwargs
            return replaced if isinstance(replaced, tuple) else (replaced,), kwargs
        replaced = follow(hook.function, self.cell, args, kwargs)
        if replaced is None:
            return args, kwargs
        if not isinstance(replaced, tuple) or len(replaced) != 2:
            raise RuntimeError(
                "forward pre hook with kwargs must return None or a tuple of (new_args, new_kwargs), "
                f"but got {type(replaced).__name__}"
            )
        return replaced[0], replaced[1]

    def _run_after(self, hook: _Hook, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> Any:
        if hook.with_kwargs:
            return follow(hook.function, self.cell, args, kwargs, output)
        return follow(hook.function, self.cell, args, output)

    def _after_failure(self, hook: _Hook, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        try:
            self._run_after(hook, args, kwargs, None)
        except Exception as error:
            warnings.warn(
                "cell forward hook with ``always_call=True`` raised an exception that was silenced because another "
                f"error was already raised in forward: {error}",
                stacklevel=3,
            )

    def _run_backward_before(self, cotangents: Sequence[Any]) -> list[Any]:
        for hook in list(self.backward_before.values()):
            replaced = follow(hook.function, self.cell, tuple(cotangents))
            cotangents = replaced_all(hook.function, cotangents, replaced)
        return list(cotangents)

    def run_backward(self, by_input: Sequence[Any], by_output: Sequence[Any]) -> list[Any]:
        """The cotangents of the inputs after the hooks."""
        for hook in list(self.backward.values()):
            replaced = follow(hook.function, self.cell, tuple(by_input), tuple(by_output))
            by_input = replaced_all(hook.function, by_input, replaced)
        return list(by_input)


def hook_parameters(cell: Any, hook: Any) -> None:
    """Cell.register_parameter_forward_hook."""
    if not callable(hook) and not isinstance(hook, list):
        kind = type(hook).__name__
        raise TypeError(f"Hook must be a callable function or a list of dictionaries, but got {kind}.")
    functions: dict[int, Any] = {}
    for each in [] if callable(hook) else hook:
        if not isinstance(each, dict):
            raise TypeError(f"Each item in the hook list must be a dictionary, but got {type(each).__name__}.")
        if set(each) != {"params", "hook"}:
            raise ValueError(
                f"Each dictionary in the hook list must contain both params and hook keys, but has {list(each)}."
            )
        if not callable(each["hook"]):
            raise TypeError(f"The hook value must be callable, but got {type(each['hook']).__name__}.")
        for parameter in each["params"]:
            if not isinstance(parameter, core.Parameter):
                raise TypeError(f"All items in params must be of type 'Parameter', but got {type(parameter).__name__}.")
            functions[id(parameter)] = each["hook"]
    for _, inner in cell.cells_and_names():
        hooks = inner._with_hooks()
        if callable(hook):
            hooks.of_all_parameters = hook
        hooks.of_parameters |= {name: functions[id(one)] for name, one in inner._params.items() if id(one) in functions}
        inner._changed()


class _Backward:
    """One call of a Cell with hooks on its gradient."""

    def __init__(self, hooks: CellHooks):
        self.hooks = hooks
        self.inputs: list[Any] = []
        self.tracked = False
        self.by_output: Sequence[Any] = ()
        self.graph: Any = None
        self.stack: Any = None

    def enter(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, whose cotangents pass the hooks."""
        self.inputs = tensors(args)
        capture = core.current_capture()
        if capture is None:
            self.tracked = any(core.variable(leaf) for leaf in self.inputs)
            hooked = with_gradient(self.inputs, lambda by_input: self.hooks.run_backward(by_input, self.by_output))
        else:
            self.graph = graph_of("enter", self.inputs, lambda params: [*params, capture.stack()])
            *hooked, self.stack = capture.call(self.graph, self.inputs)
        return tuple(with_tensors(args, hooked))

    def leave(self, output: Any) -> Any:
        """The output, whose cotangents are put aside for the hooks."""
        leaves = tensors(output)
        capture = core.current_capture()
        if capture is None:
            return with_tensors(output, with_gradient(leaves, self._save))
        n = len(leaves)
        taken = [*leaves, self.stack]
        out = graph_of("leave", taken, lambda params: params[:n])
        back = graph_of(
            "leave_back", [*leaves, *taken, *leaves], lambda params: [*params[:n], capture.push(capture.stack(), params[:n])]
        )
        left = capture.call_with_gradient(out, back, taken)
        m = len(self.inputs)

        def hooked(params: list[Any]) -> list[Any]:
            return self.hooks.run_backward(params[:m], capture.pop(params[m], leaves)[1:])

        entered = [*self.inputs, self.stack]
        capture.set_gradient(self.graph, graph_of("enter_back", [*entered, *self.inputs, *entered], without_rules(hooked)))
        return with_tensors(output, left)

    def _save(self, by_output: list[Any]) -> list[Any]:
        self.by_output = tuple(by_output)
        if not self.tracked:
            self.hooks.run_backward([None] * len(self.inputs), self.by_output)
        return by_output
