"""Hooks of a Cell, and all else that runs with its construct: hooks before and after it, hooks on its gradient and where it
reads Parameters, a gradient of its own (bprop), recomputation, a precision to cast to, rules of precision for the ops that
construct calls.

A hook on the gradient takes the cotangents of the inputs together with those of the outputs. The backward pass reaches those
of the outputs first, so they are saved until the others are known: outside captures in a list; in a capture on a stack value
of the graph, which the backward of the outputs pushes to and the backward of the inputs pops from.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, NoReturn

from emberjit import _emberjit as core
from emberjit.capture.graph.subgraph import graph_of
from emberjit.capture.guards.record import guard_configuration
from emberjit.capture.session.differentiation import differentiating
from emberjit.capture.session.session import follow
from emberjit.nn.cell.parameters import CellParameters
from emberjit.transforms.custom_gradients import call_with_bprop
from emberjit.transforms.precision_rules import of_products, without_rules
from emberjit.transforms.recompute import recomputed
from emberjit.transforms.tensor_hooks import HookHandle, check_hook, replaced_all, with_gradient
from emberjit.values.dtypes import cast
from emberjit.values.tree import tensors, with_tensors

# The ids of the Cells whose construct runs and reads its Parameters by hooks or cast.
_computing: ContextVar[tuple[int, ...]] = ContextVar("computing", default=())


class _Hook:
    def __init__(self, function: Any, with_kwargs: bool = False, always_call: bool = False):
        check_hook(function)
        self.function, self.with_kwargs, self.always_call = function, with_kwargs, always_call


class CellHooks:
    """All that runs with the construct of one Cell."""

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
        """Whether construct reads its Parameters without hooks and casts."""
        return self.precision is None and not self.of_parameters and self.of_all_parameters is None

    def add(self, hooks: dict[int, _Hook], function: Any, prepend: bool = False, **options: bool) -> HookHandle:
        """Adds a hook to one of the dicts; a TypeError if it cannot be called."""
        return HookHandle(hooks, _Hook(function, **options), self.cell._changed, prepend)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The Cell's construct with its hooks."""
        if core.current_capture() is not None:
            guard_configuration(self.cell)
        done: set[int] = set()
        try:
            return self._call(args, kwargs, done)
        except Exception:
            for key, hook in self.after.items():
                if hook.always_call and key not in done:
                    self._after_failure(hook, args, kwargs)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], done: set[int]) -> Any:
        """A call; the keys of the hooks after construct that have been called are added to done."""
        for hook in list(self.before.values()):
            args, kwargs = self._run_before(hook, args, kwargs)
        with_tape = differentiating()
        back = _Backward(self) if with_tape and self.backward else None
        if back is not None:
            args = back.enter(args)
        output = self._compute(args, kwargs, with_tape)
        for key, hook in list(self.after.items()):
            done.add(key)
            result = self._follow(hook, args, kwargs, output)
            output = output if result is None else result
        if back is not None:
            output = back.leave(output)
        if with_tape and self.backward_before:
            hooks = self.backward_before
            leaves = with_gradient(tensors(output), lambda cotangents: self.run_backward(hooks, cotangents))
            output = with_tensors(output, leaves)
        return output

    def _compute(self, args: tuple[Any, ...], kwargs: dict[str, Any], with_tape: bool) -> Any:
        if self.precision is None and self.rules is None:
            return self._construct(args, kwargs, with_tape)
        with core.Precision(self.rules if self.precision is None else of_products(self.precision)):
            return self._construct(args, kwargs, with_tape)

    def _construct(self, args: tuple[Any, ...], kwargs: dict[str, Any], with_tape: bool) -> Any:
        if with_tape and self.own_gradient and not self.recompute:
            return call_with_bprop(self.cell, self._in_precision(args), self._in_precision(kwargs))
        if with_tape and self.recompute:
            return recomputed(self.cell.construct if self._reads_as_they_are else self._converted, args, kwargs)
        return self._converted(*args, **kwargs)

    def _converted(self, *args: Any, **kwargs: Any) -> Any:
        """Runs construct in the Cell's precision, with hooks where it reads Parameters."""
        if self._reads_as_they_are:
            return follow(self.cell.construct, *args, **kwargs)
        token = _computing.set((*_computing.get(), id(self.cell)))
        try:
            return follow(self.cell.construct, *self._in_precision(args), **self._in_precision(kwargs))
        finally:
            _computing.reset(token)

    def _in_precision(self, values: Any) -> Any:
        """Values, the floating-point Tensors in them cast to the Cell's precision."""
        return values if self.precision is None else cast(values, self.precision)

    def as_computed(self, name: str, parameter: Any) -> Any:
        """The value that construct reads where it names a Parameter."""
        if self._reads_as_they_are or parameter is None or id(self.cell) not in _computing.get():
            return parameter
        hook = self.of_parameters.get(name, self.of_all_parameters)
        value = parameter if hook is None else self._hooked(hook, parameter)
        casts = type(self.cell).__module__.startswith("emberjit.") or parameter.requires_grad
        return self._in_precision(value) if casts else value

    def _hooked(self, hook: Any, parameter: core.Parameter) -> Any:
        """The result of a hook for a Parameter; the hook itself reads Parameters as they are."""
        token = _computing.set(tuple(key for key in _computing.get() if key != id(self.cell)))
        try:
            return follow(hook, parameter)
        finally:
            _computing.reset(token)

    def _follow(self, hook: _Hook, args: tuple[Any, ...], kwargs: dict[str, Any], *output: Any) -> Any:
        """The result of a hook before construct or, with its output, after it."""
        return follow(hook.function, self.cell, args, *([kwargs] if hook.with_kwargs else []), *output)

    def _run_before(
        self, hook: _Hook, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        result = self._follow(hook, args, kwargs)
        if result is None:
            return args, kwargs
        if not hook.with_kwargs:
            return result if isinstance(result, tuple) else (result,), kwargs
        if not isinstance(result, tuple) or len(result) != 2:
            raise RuntimeError(
                "forward pre hook with kwargs must return None or a tuple of (new_args, new_kwargs), "
                f"but got {type(result).__name__}"
            )
        return result[0], result[1]

    def _after_failure(self, hook: _Hook, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        try:
            self._follow(hook, args, kwargs, None)
        except Exception as error:
            warnings.warn(
                "cell forward hook with ``always_call=True`` raised an exception that was silenced because another "
                f"error was already raised in forward: {error}",
                stacklevel=3,
            )

    def run_backward(self, hooks: dict[int, _Hook], cotangents: Sequence[Any], *by_output: Any) -> list[Any]:
        """Cotangents as hooks change them, which are also called with a tuple of those of the outputs, if there is one."""
        for hook in list(hooks.values()):
            result = follow(hook.function, self.cell, tuple(cotangents), *by_output)
            cotangents = replaced_all(hook.function, cotangents, result)
        return list(cotangents)


def hook_parameters(cell: Any, hook: Any) -> None:
    """Cell.register_parameter_forward_hook."""
    if not callable(hook) and not isinstance(hook, list):
        kind = type(hook).__name__
        raise TypeError(f"Hook must be a callable function or a list of dictionaries, but got {kind}.")
    functions: dict[int, Any] = {}
    for entry in [] if callable(hook) else hook:
        if not isinstance(entry, dict):
            raise TypeError(f"Each item in the hook list must be a dictionary, but got {type(entry).__name__}.")
        if set(entry) != {"params", "hook"}:
            raise ValueError(
                f"Each dictionary in the hook list must contain both params and hook keys, but has {list(entry)}."
            )
        if not callable(entry["hook"]):
            raise TypeError(f"The hook value must be callable, but got {type(entry['hook']).__name__}.")
        for parameter in entry["params"]:
            if not isinstance(parameter, core.Parameter):
                raise TypeError(f"All items in params must be of type 'Parameter', but got {type(parameter).__name__}.")
            functions[id(parameter)] = entry["hook"]
    for _, inner in cell.cells_and_names():
        hooks = inner._with_hooks()
        if callable(hook):
            hooks.of_all_parameters = hook
        hooks.of_parameters |= {name: functions[id(one)] for name, one in inner._params.items() if id(one) in functions}
        inner._changed()


class _Backward:
    """What one call of a Cell with hooks on its gradient saves for them."""

    def __init__(self, hooks: CellHooks):
        self.hooks = hooks
        self.inputs: list[Any] = []
        self.tracked = False
        self.by_output: Sequence[Any] = ()
        self.graph: Any = None
        self.stack: Any = None

    def enter(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, with the hooks on the cotangents of the Tensors in them."""
        self.inputs = tensors(args)
        capture = core.current_capture()
        if capture is None:
            self.tracked = any(core.variable(leaf) for leaf in self.inputs)
            leaves = with_gradient(self.inputs, lambda by_input: self._run(by_input, self.by_output))
        else:
            self.graph = graph_of("enter", self.inputs, lambda params: [*params, capture.stack()])
            *leaves, self.stack = capture.call(self.graph, self.inputs)
        return tuple(with_tensors(args, leaves))

    def leave(self, output: Any) -> Any:
        """The output, whose cotangents are saved for the hooks."""
        leaves = tensors(output)
        capture = core.current_capture()
        if capture is None:
            return with_tensors(output, with_gradient(leaves, self._save))
        n = len(leaves)
        operands = [*leaves, self.stack]
        out = graph_of("leave", operands, lambda params: params[:n])
        back = graph_of(
            "leave_back",
            [*leaves, *operands, *leaves],
            lambda params: [*params[:n], capture.push(capture.stack(), params[:n])],
        )
        results = capture.call_with_gradient(out, back, operands)
        m = len(self.inputs)

        def run_hooks(params: list[Any]) -> list[Any]:
            return self._run(params[:m], capture.pop(params[m], leaves)[1:])

        entry = [*self.inputs, self.stack]
        capture.set_gradient(self.graph, graph_of("enter_back", [*entry, *self.inputs, *entry], without_rules(run_hooks)))
        return with_tensors(output, results)

    def _run(self, by_input: Sequence[Any], by_output: Sequence[Any]) -> list[Any]:
        return self.hooks.run_backward(self.hooks.backward, by_input, tuple(by_output))

    def _save(self, by_output: list[Any]) -> list[Any]:
        self.by_output = tuple(by_output)
        if not self.tracked:
            self._run([None] * len(self.inputs), self.by_output)
        return by_output


class HookRegistration(CellParameters):
    """The part of Cell that registers hooks."""

    _cell_hooks: CellHooks | None
    _jitted: Any

    def _with_hooks(self) -> CellHooks:
        hooks: CellHooks | None = self._cell_hooks
        if hooks is None:
            hooks = self.__dict__["_cell_hooks"] = CellHooks(self)
            self.__dict__["_jitted"] = None
            self._changed()
        return hooks

    def register_forward_pre_hook(self, hook_fn: Any, *, prepend: bool = False, with_kwargs: bool = False) -> HookHandle:
        """Calls hook_fn(cell, args) before construct; what it returns, unless None, replaces args.

        Args:
            prepend: whether it is called before the other hooks of this kind.
            with_kwargs: calls hook_fn(cell, args, kwargs), which may return (args, kwargs).

        Returns:
            A handle whose remove() removes the hook.

        Raises:
            TypeError: hook_fn cannot be called.
        """
        hooks = self._with_hooks()
        return hooks.add(hooks.before, hook_fn, prepend, with_kwargs=with_kwargs)

    def register_forward_hook(
        self, hook_fn: Any, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> HookHandle:
        """Calls hook_fn(cell, args, output) after construct; what it returns, unless None, replaces output.

        Args:
            with_kwargs: calls hook_fn(cell, args, kwargs, output).
            always_call: calls it also when construct has raised; the output is None then.

        The rest as of register_forward_pre_hook.
        """
        hooks = self._with_hooks()
        return hooks.add(hooks.after, hook_fn, prepend, with_kwargs=with_kwargs, always_call=always_call)

    def register_backward_pre_hook(self, hook_fn: Any) -> HookHandle:
        """Calls hook_fn(cell, grad_output) when the gradients of the outputs are known, and before those of the inputs
        are computed; what it returns, unless None, replaces them. Returns and raises as register_forward_pre_hook."""
        hooks = self._with_hooks()
        return hooks.add(hooks.backward_before, hook_fn)

    def register_backward_hook(self, hook_fn: Any) -> HookHandle:
        """Calls hook_fn(cell, grad_input, grad_output) when the gradients of the inputs are known: tuples, with None for
        an input that none is computed for. What it returns, unless None, replaces grad_input. Returns and raises as
        register_forward_pre_hook."""
        hooks = self._with_hooks()
        return hooks.add(hooks.backward, hook_fn)

    def register_saved_tensors_hooks(self, pack_hook: Any, unpack_hook: Any) -> NoReturn:
        """
        Raises:
            NotImplementedError: always: Python does not see the values that gradients save.
        """
        raise NotImplementedError(
            f"For 'Cell.register_saved_tensors_hooks', {pack_hook!r} and {unpack_hook!r} cannot be called: what gradients "
            "save is not seen by Python. recompute() saves memory."
        )

    def register_parameter_forward_hook(self, hook: Any) -> None:
        """Calls hook(parameter) where construct reads a Parameter of its own Cell, as self.weight, which gives the result. A
        later hook replaces an earlier one. Like other hooks, and unlike MindSpore's, these are called without a graph, too.
        nn.BatchNorm, the recurrent Cells and programs that read a ParameterTuple do not call them.

        Args:
            hook: a function, for all Parameters of this Cell and those in it; or a list of dicts of "params", a list of
                Parameters, and "hook", their function, which they keep when one for all is registered.

        Raises:
            TypeError: it is neither, or they are of other types.
            ValueError: a dict has other keys.
        """
        hook_parameters(self, hook)

    @property
    def enable_backward_hook(self) -> bool:
        """Whether the Cell has hooks on its gradient."""
        hooks = self._cell_hooks
        return hooks is not None and bool(hooks.backward or hooks.backward_before)
