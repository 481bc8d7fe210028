"""Primitives of control flow: loops over functions, Partial, Morph."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph.conditions import decides
from emberjit.capture.graph.loops import loop
from emberjit.capture.session.differentiation import differentiating
from emberjit.capture.session.session import follow, shared
from emberjit.primitives.primitive import Primitive
from emberjit.transforms.custom_gradients import call_with_bprop


class Partial(Primitive):
    """Answers a function with its first arguments fixed.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        args: the function, then its first arguments.

    Raises:
        AttributeError: the first cannot be called.

    Examples:
        >>> scale = ops.Partial()(ops.mul, Tensor([2.0, 3.0]))
        >>> print(scale(Tensor([10.0, 10.0])))
        [20. 30.]
    """

    def __call__(self, *args: Any) -> Any:
        if not callable(args[0]):
            raise AttributeError(f"'{type(args[0]).__name__}' object has no attribute '__call__'")
        return functools.partial(args[0], *args[1:])


partial = Partial()


class Morph(Primitive):
    """A function as a primitive, which graphs expand.

    Args:
        fn: the function.
        infer_shape, infer_dtype: not needed: both are found by expanding fn.
        bprop_fn: its gradient by (*args, out, dout), a tuple of one for each argument; by default that of fn.

    Inputs:
        args, kwargs: fn's.

    Raises:
        RuntimeError: called outside a graph.
        ValueError: bprop_fn is given, and fn has parameters that are not plain.

    Examples:
        >>> double = ops.Morph(lambda x: x * 2, lambda shape: shape, lambda dtype: dtype)
        >>> @ms.jit
        ... def f(x):
        ...     return double(x) + 1
        >>> print(f(Tensor([1.0, 2.0])))
        [3. 5.]
    """

    def __init__(self, fn: Any, infer_shape: Any, infer_dtype: Any, bprop_fn: Any = None):
        super().__init__()
        self.construct = fn
        self.bprop = bprop_fn
        if self.bprop is not None:
            self._check_plain()

    def _check_plain(self) -> None:
        import inspect

        for name, parameter in inspect.signature(self.construct).parameters.items():
            plain = parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
            if not plain or parameter.default is not inspect.Parameter.empty:
                raise ValueError(
                    "When use `bprop` in Morph, Morph `fn` only support positional or keyword parameters with default "
                    f"value is empty, but got param '{name}' of kind '{parameter.kind.name}' with default value "
                    f"'{parameter.default}'."
                )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if core.current_capture() is None:
            raise RuntimeError("Morph is only supported in GRAPH_MODE.")
        if self.bprop is None or not differentiating():
            return follow(self.construct, *args, **kwargs)
        import inspect

        return call_with_bprop(self, inspect.signature(self.construct).bind(*args, **kwargs).args, {})


class _Carried(dict):  # type: ignore[type-arg]
    """What a loop changes, as a namespace."""

    def __init__(self, functions: list[Any], **values: Any):
        super().__init__(values, functions=tuple(functions))
        self.global_names: dict[str, Any] = {}
        self.lost: dict[str, str] = {}


def _check(primitive: Primitive, name: str, value: Any, allowed: tuple[type, ...]) -> None:
    if core.current_capture() is not None and allowed == _FUNCTIONS and callable(value):
        return
    if not isinstance(value, allowed) or isinstance(value, bool):
        names = [kind.__name__ for kind in allowed if kind is not core.Number]
        raise TypeError(
            f"For '{primitive.name}', the type of '{name}' should be one of '{names}', but got type "
            f"'{type(value).__name__}'."
        )


_FUNCTIONS = (types.FunctionType, types.MethodType)
_BOUNDS = (int, core.Tensor, core.Number)


def _checked(loop: Callable[[], Any]) -> Any:
    """What a loop gives; a function that does not fit is named as the cause."""
    try:
        return loop()
    except core.CaptureError:
        raise
    except Exception as error:
        raise ValueError(f"Invalid loop_func, please check input arguments and return value, error info: {error}") from error


class WhileLoop(Primitive):
    """while cond_func(val): val = loop_func(val).

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        cond_func: a function from the value to whether the loop goes on: a bool or a Tensor of one.
        loop_func: a function from the value to the next one.
        init_val: the first value, of any kind.

    Examples:
        >>> print(ops.WhileLoop()(lambda x: x < 100, lambda x: x * 3, Tensor(1)))
        243
    """

    def __call__(self, cond_func: Any, loop_func: Any, init_val: Any) -> Any:
        """The value when cond_func returns False. A condition on a Tensor makes a loop in the graph, through which the
        value keeps structure, shapes and dtypes.

        Raises:
            TypeError: a function is none.
            ValueError: a function fails.
        """
        _check(self, "cond_func", cond_func, _FUNCTIONS)
        _check(self, "loop_func", loop_func, _FUNCTIONS)
        return _checked(lambda: self._loop(cond_func, loop_func, init_val))

    def _loop(self, cond_func: Any, loop_func: Any, value: Any) -> Any:
        while True:
            goes_on = follow(cond_func, value)
            if _decides(goes_on):
                break
            if not goes_on:
                return value
            value = follow(loop_func, value)
        frame = _Carried([cond_func, loop_func], init_val=value)

        def body() -> None:
            frame["init_val"] = follow(loop_func, frame["init_val"])

        loop(frame, lambda: follow(cond_func, frame["init_val"]), body, ["init_val"])
        return frame["init_val"]


class ForiLoop(Primitive):
    """for i in range(lower, upper): val = loop_func(i, val).

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        lower, upper: the bounds, ints or Tensors of one; `upper` is not reached.
        loop_func: a function from (i, the value) to the next value.
        init_val: the first value, of any kind.
        unroll: whether a graph writes the trips out, rather than having a loop.

    Examples:
        >>> print(ops.ForiLoop()(0, 4, lambda i, total: total + i, Tensor(10)))
        16
    """

    def __call__(self, lower: Any, upper: Any, loop_func: Any, init_val: Any, unroll: bool = True) -> Any:
        """The last value. In a graph, bounds that are Tensors, or unroll=False, make a loop; otherwise the trips are
        written out.

        Raises:
            TypeError: a bound is neither an int nor a Tensor, or loop_func is no function.
            ValueError: loop_func fails.
        """
        _check(self, "lower", lower, _BOUNDS)
        _check(self, "upper", upper, _BOUNDS)
        _check(self, "loop_func", loop_func, _FUNCTIONS)
        looped = core.current_capture() is not None and (not unroll or _decides(lower) or _decides(upper))
        run = self._in_graph if looped else self._unrolled
        return _checked(lambda: run(lower, upper, loop_func, init_val))

    def _unrolled(self, lower: Any, upper: Any, loop_func: Any, value: Any) -> Any:
        for i in range(int(lower), int(upper)):
            value = follow(loop_func, i, value)
        return value

    def _in_graph(self, lower: Any, upper: Any, loop_func: Any, value: Any) -> Any:
        frame = _Carried([loop_func], index=lower, init_val=value)

        def body() -> None:
            frame["init_val"] = follow(loop_func, frame["index"], frame["init_val"])
            frame["index"] = frame["index"] + 1

        loop(frame, lambda: frame["index"] < upper, body, ["index", "init_val"])
        return frame["init_val"]


class Scan(Primitive):
    """for x in xs: val, y = loop_func(val, x); the ys are collected.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        loop_func: a function from (the value, an item of xs) to (the next value, what is collected).
        init: the first value, of any kind.
        xs: a tuple or list; None: loop_func gets None `length` times.
        length: the number of trips without xs.
        unroll: whether a graph writes the trips out, rather than calling one graph for each.

    Examples:
        >>> total, sums = ops.Scan()(lambda total, x: (total + x, total + x), 0, [1, 2, 3])
        >>> print(total, sums)
        6 [1, 3, 6]
    """

    def __call__(self, loop_func: Any, init: Any, xs: Any, length: int | None = None, unroll: bool = True) -> Any:
        """(the last value, the list of ys). Without xs, loop_func gets None `length` times. In a graph the trips are
        written out, or, with unroll=False, calls of one graph.

        Raises:
            TypeError: loop_func is no function, xs is neither a sequence nor None, or there is no length.
            ValueError: loop_func fails, or does not return a pair.
        """
        _check(self, "loop_func", loop_func, _FUNCTIONS)
        if xs is None:
            _check(self, "length", length, (int,))
            xs = [None] * (length or 0)
        _check(self, "xs", xs, (list, tuple))
        trip = follow if unroll else _shared
        return _checked(lambda: self._loop(trip, loop_func, init, xs))

    def _loop(self, trip: Callable[..., Any], loop_func: Any, carry: Any, xs: Any) -> Any:
        ys = []
        for x in xs:
            carry, y = trip(loop_func, carry, x)
            ys.append(y)
        return carry, ys


def _shared(function: Any, *args: Any) -> Any:
    return shared(function, args, {}, keep=True)


def _decides(value: Any) -> bool:
    return core.current_capture() is not None and decides(value)
