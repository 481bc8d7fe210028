"""Functions that users hang on Tensors and Cells, and the handles that take them off again.

A hook of a Tensor sees, and may replace, its gradient. The Tensor holds its hooks; a tape has those of the Tensors on it
under their variables, and those of another once it is differentiated by that.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph.subgraph import graph_of
from emberjit.capture.session.session import current_session, follow
from emberjit.options import take
from emberjit.transforms.precision_rules import without_rules

_keys = itertools.count()


Backward = Callable[[list[Any]], Sequence[Any]]


def with_gradient(values: list[Any], backward: Backward) -> list[Any]:
    """The same Tensors; `backward` makes their cotangents from those of the answer."""
    capture = core.current_capture()
    if capture is None and not core.recording():
        return values
    backward = without_rules(backward)
    if capture is None:
        return list(core.record_call([core.variable(value) for value in values], values, backward))
    same = graph_of("same", values, lambda params: params)
    gradient = graph_of("hooked", [*values, *values, *values], lambda params: backward(params[: len(values)]))
    return list(capture.call_with_gradient(same, gradient, values))


def check_hook(function: Any) -> None:
    """
    Raises:
        TypeError: what should be a hook cannot be called.
    """
    if not callable(function):
        raise TypeError(f"Expected a callable hook function, but got {type(function).__name__}.")


class HookHandle:
    """Takes a hook off again by remove()."""

    def __init__(self, hooks: dict[int, Any], hook: Any, changed: Callable[[], None] | None = None, first: bool = False):
        self._hooks, self._changed = hooks, changed
        self._key = next(key for key in _keys if key not in hooks)  # hooks that another process has made have keys, too
        others = dict(hooks) if first else {}
        if first:
            hooks.clear()
        hooks[self._key] = hook
        hooks.update(others)
        self._note()

    def remove(self) -> None:
        """Once is enough; more does nothing."""
        if self._hooks.pop(self._key, None) is not None:
            self._note()

    def _note(self) -> None:
        if self._changed is not None:
            self._changed()


class _Changes:
    """Counts changes of hooks, which captured graphs rely on."""

    def __init__(self) -> None:
        self.version = 0

    def note(self) -> None:
        self.version += 1


_of_parameters = _Changes()


class _TensorHooks(dict[int, Callable[[Any], Any]]):
    """The hooks of one Tensor, to be called with its gradient; those of all Parameters count their changes together."""

    def __init__(self, of_parameter: bool) -> None:
        super().__init__()
        self.changes = _of_parameters if of_parameter else _Changes()

    def __call__(self, gradient: Any) -> Any:
        for hook in list(self.values()):
            gradient = _checked(hook, gradient, hook(gradient))
        return gradient


def register(tensor: core.Tensor, hook: Callable[[Any], Any]) -> Any:
    """Calls hook with the gradient of a Tensor whenever that is computed; what it returns, unless None, replaces it.

    Returns:
        A handle whose remove() takes the hook off; while a function is captured, the Tensor itself.

    Raises:
        TypeError: hook cannot be called.
    """
    check_hook(hook)
    if core.is_captured(tensor):
        [hooked] = with_gradient([tensor], lambda cotangents: [_replaced(hook, cotangents[0])])
        core.current_capture().write(tensor, hooked)
        return tensor
    hooks = core.hooks_of(tensor)
    if hooks is None:
        hooks = _TensorHooks(isinstance(tensor, core.Parameter))
        core.hold_hooks(tensor, hooks)
    core.hook(tensor, hooks)
    return HookHandle(hooks, hook, hooks.changes.note)


def _replaced(hook: Callable[[Any], Any], gradient: Any) -> Any:
    return _checked(hook, gradient, follow(hook, gradient))


def _checked(hook: Any, gradient: Any, replaced: Any) -> Any:
    """The gradient after a hook that has returned something, None for no other.

    Raises:
        TypeError: it is no Tensor, or of another dtype.
        ValueError: it has another shape.
    """
    if replaced is None or replaced is gradient:
        return gradient
    name = getattr(hook, "__qualname__", type(hook).__name__)
    if not isinstance(replaced, core.Tensor):
        raise TypeError(f"The hook '{name}' must return a Tensor or None, but got {type(replaced).__name__}.")
    if gradient is None:
        return replaced
    if replaced.dtype != gradient.dtype:
        raise TypeError(f"The hook '{name}' must return a gradient of {gradient.dtype}, but got {replaced.dtype}.")
    if replaced.shape != gradient.shape:
        raise ValueError(
            f"The hook '{name}' must return a gradient of shape {tuple(gradient.shape)}, but got {tuple(replaced.shape)}."
        )
    return replaced


def attach(tensor: core.Tensor, watched: Any) -> None:
    """Gives `watched`, the Tensor on a tape, its hooks."""
    hooks = core.hooks_of(tensor)
    if hooks is not None:
        core.hook(watched, hooks)


def hooked_gradient(source: Any, gradient: Any) -> Any:
    """The gradient of what a captured function is differentiated by, after its hooks.

    A graph relies on there being these hooks: of an argument (whose having any is part of the signature of a call) on its
    identity, of all Parameters on their changes, of another Tensor from outside on what hooks it has.
    """
    session = current_session()
    argument = None if session is None else session.hooked.get(id(source))
    if session is None or (core.is_captured(source) and argument is None):
        return gradient
    hooks = core.hooks_of(source if argument is None else argument)
    if argument is not None:
        session.identified.add(id(source))
        _guard_changes(session, hooks.changes)
    elif isinstance(source, core.Parameter):
        _guard_changes(session, _of_parameters)
    else:
        session.guard("call", functools.partial(core.hooks_of, source), None, hooks)
        if hooks is not None:
            _guard_changes(session, hooks.changes)
    for hook in (hooks or {}).values():
        gradient = _replaced(hook, gradient)
    return gradient


def _guard_changes(session: Any, changes: _Changes) -> None:
    session.guard("attribute", changes, "version", changes.version)


class InsertGradientOf:
    """Passes its argument on; the gradient of that passes through a function.

    Args:
        f: from a gradient to the one that takes its place.

    Raises:
        TypeError: f cannot be called.

    Examples:
        >>> halve = ops.InsertGradientOf(lambda gradient: gradient / 2)
        >>> print(ms.grad(lambda x: halve(x) * 3)(Tensor([1.0, 2.0])))
        [1.5 1.5]
    """

    def __init__(self, f: Callable[[Any], Any]):
        check_hook(f)
        self.f = f

    def __call__(self, input_x: Any) -> Any:
        """input_x.

        Args:
            input_x: a Tensor; anything else has no gradient.
        """
        if not isinstance(input_x, core.Tensor):
            return input_x
        [passed] = with_gradient([input_x], lambda cotangents: [_replaced(self.f, cotangents[0])])
        return passed


class HookBackward:
    """Passes Tensors on; a function sees their gradients, as a tuple, and may return others.

    Args:
        hook_fn: from a tuple of gradients to None, or to one gradient or a tuple of them.
        cell_id: has no effect, with a warning.

    Raises:
        TypeError: hook_fn cannot be called.

    Examples:
        >>> hook = ops.HookBackward(lambda gradients: print("gradient", gradients[0]))
        >>> print(ms.grad(lambda x: hook(x) * 3)(Tensor([1.0, 2.0])))
        gradient [3. 3.]
        [3. 3.]
    """

    def __init__(self, hook_fn: Callable[[tuple[Any, ...]], Any], cell_id: str = ""):
        check_hook(hook_fn)
        take("HookBackward", "cell_id", cell_id)
        self.hook_fn = hook_fn

    def __call__(self, *inputs: Any) -> Any:
        """The inputs: one as it is, several as a tuple.

        Raises:
            TypeError: one is no Tensor.
        """
        if not all(isinstance(x, core.Tensor) for x in inputs):
            raise TypeError("For 'HookBackward', the inputs must be Tensors.")
        passed = tuple(with_gradient(list(inputs), self._backward))
        return passed[0] if len(passed) == 1 else passed

    def _backward(self, cotangents: list[Any]) -> list[Any]:
        return replaced_all(self.hook_fn, cotangents, follow(self.hook_fn, tuple(cotangents)))


def replaced_all(hook: Any, gradients: Sequence[Any], replaced: Any) -> list[Any]:
    """Gradients after a hook that has returned something: None, one, or a tuple of them.

    Raises:
        TypeError: there are too few or too many, or one is no Tensor or of another dtype.
        ValueError: one has another shape.
    """
    if replaced is None:
        return list(gradients)
    returned = replaced if isinstance(replaced, tuple) else (replaced,)
    if len(returned) != len(gradients):
        raise TypeError(f"The backward hook must return {len(gradients)} gradients, but got {len(returned)}.")
    return [_checked(hook, gradient, other) for gradient, other in zip(gradients, returned)]
