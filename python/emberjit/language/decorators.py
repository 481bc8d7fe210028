"""Decorators that say how classes and functions enter a graph: jit_class, constexpr, lazy_inline, no_inline, and
enable_dynamic, which describes arguments."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.record import guard_elements
from emberjit.options import take
from emberjit.primitives.primitive import Primitive
from emberjit.values import tree
from emberjit.values.cells import JIT_CLASS, CellMarker
from emberjit.values.input_signature import InputSignature
from emberjit.values.placeholders import Placeholder


def jit_class(cls: Any) -> Any:
    """Marks a class of the user's own, whose instances graphs may make, read and call.

    Captured code follows the methods of every class of the user's; the mark makes sure that the class can be used so.

    Args:
        cls: the class, but no Cell.

    Returns:
        cls itself.

    Raises:
        TypeError: cls is no class, or a Cell.

    Examples:
        >>> @ms.jit_class
        ... class Scale:
        ...     def __init__(self, factor):
        ...         self.factor = factor
        ...     def apply(self, x):
        ...         return x * self.factor
        >>> print(ms.jit(lambda x: Scale(3).apply(x))(Tensor([1.0, 2.0])))
        [3. 6.]
    """
    if not isinstance(cls, type):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    if issubclass(cls, CellMarker):
        raise TypeError(f"Decorator jit_class is used for user-defined classes and cannot be used for nn.Cell: {cls}.")
    setattr(cls, JIT_CLASS, True)
    return cls


def constexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
    check: bool = True,
) -> Any:
    """Makes a function that a graph computes when it is captured, from constants.

    Args:
        fn: the function; without it, constexpr returns a decorator.
        get_instance: whether to return an instance of the primitive made of fn, or its class.
        name: the primitive's name, by default fn's.
        reuse_result: has no effect: fn runs once in each capture.
        check: whether to warn when an argument is a Tensor of the graph, of which fn sees shape and dtype only.

    Returns:
        the function as a Primitive, or its class, or a decorator.

    Examples:
        >>> @ops.constexpr
        ... def widths(n):
        ...     return tuple(2**i for i in range(n))
        >>> @ms.jit
        ... def f(x):
        ...     return x * widths(3)[-1]
        >>> print(f(Tensor([1.0, 2.0])))
        [4. 8.]
    """

    take("constexpr", "reuse_result", reuse_result)

    def decorate(function: Callable[..., Any]) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            if core.current_capture() is None:
                return function(*args, **kwargs)
            return core.call_now(function, *constants(self, args), **constants(self, kwargs))

        def constants(self: Any, values: Any) -> Any:
            return tree.rebuild(values, lambda leaf: _constant(leaf, self.name if check else None))

        def init(self: Any) -> None:
            Primitive.__init__(self, name or function.__name__)

        fields = {"__call__": call, "__init__": init, "__doc__": function.__doc__}
        primitive = type("ProxyOp", (Primitive,), fields)
        return primitive() if get_instance else primitive

    return decorate if fn is None else decorate(fn)


def _constant(leaf: Any, warned: str | None) -> Any:
    if isinstance(leaf, core.Number) and leaf.known:
        kind = str(core.current_capture().type_of(leaf))
        return {"Bool": bool, "Int": int}.get(kind, float)(leaf)
    if core.is_captured(leaf):
        if warned is not None:
            text = f'The "{warned}" is a constexpr function. The input arguments must be all constant value.'
            warnings.warn(text, stacklevel=5)
    elif isinstance(leaf, core.Tensor):
        guard_elements(leaf)
    return leaf


def lazy_inline(
    fn: Callable[..., None] | None = None, attrs: str | list[str] | None = None, policy: str | None = None
) -> Any:
    """Decorates the __init__ of a Cell: calls of Cells that compute the same share one graph, and stay calls.

    Cells compute the same if they are of one class and have equal attributes, Parameters aside; an attribute changed
    after __init__ counts. Cells within Cells are shared at each level. Gradients share their graphs likewise.

    Args:
        fn: the __init__; without it, lazy_inline returns a decorator.
        attrs: attributes that `cell_init_args` names, by default the arguments of __init__.
        policy: None, or "front": the graph is captured once, and its calls are inlined.

    Returns:
        the decorated __init__, or a decorator.

    Raises:
        ValueError: fn is no __init__, or attrs or policy do not exist.

    Examples:
        >>> class Block(nn.Cell):
        ...     @ms.lazy_inline
        ...     def __init__(self, size):
        ...         super().__init__()
        ...         self.dense = nn.Dense(size, size, weight_init="ones", has_bias=False)
        ...     def construct(self, x):
        ...         return self.dense(x)
        >>> print(ms.jit(nn.SequentialCell(Block(2), Block(2)))(ops.ones((1, 2))))
        [[4. 4.]]
    """

    def decorate(init: Callable[..., None]) -> Callable[..., None]:
        _check_init(init)

        @functools.wraps(init)
        def initialise(self: Any, *args: Any, **kwargs: Any) -> None:
            arguments = _arguments(init, self, args, kwargs)
            init(self, *args, **kwargs)
            if policy == "front":
                self.no_inline = False
            elif policy is not None:
                raise ValueError("policy must be None or 'front'")
            values = arguments if attrs is None else _attributes(self, attrs)
            self.cell_init_args = f"lazy_inline_{type(self).__name__}{values}"

        return initialise

    return decorate if fn is None else decorate(fn)


def cell_attr_register(fn: Callable[..., None] | None = None, attrs: str | list[str] | None = None) -> Any:
    """Decorates the __init__ of a Cell: `cell_init_args` names the arguments, or the attributes that attrs names."""

    def decorate(init: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(init)
        def initialise(self: Any, *args: Any, **kwargs: Any) -> None:
            arguments = _arguments(init, self, args, kwargs)
            init(self, *args, **kwargs)
            values = arguments if attrs is None else _attributes(self, attrs)
            self.cell_init_args = f"{type(self).__name__}{values}"

        return initialise

    return decorate if fn is None else decorate(fn)


def _arguments(init: Callable[..., None], self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The arguments of an __init__ but the first, by name."""
    import inspect

    arguments = dict(inspect.signature(init).bind(self, *args, **kwargs).arguments)
    arguments.pop(next(iter(arguments)))
    return arguments.values()


def _check_init(fn: Any) -> None:
    if isinstance(fn, type):
        raise ValueError(
            f"The lazy_inline should decorate the __init__ function, not the class {fn.__name__}. File: "
            f"{getattr(sys.modules[fn.__module__], '__file__', '<unknown>')}"
        )
    if fn.__name__ != "__init__":
        raise ValueError(
            f"The lazy_inline should decorate the __init__ function, not the function: {fn.__name__}. line: "
            f"{fn.__code__.co_firstlineno} in {fn.__code__.co_filename}"
        )


def _attributes(cell: Any, names: Any) -> Any:
    if isinstance(names, str):
        return getattr(cell, names, [])
    if not isinstance(names, list):
        raise ValueError("attrs must be list or string")
    if not all(isinstance(name, str) for name in names):
        raise ValueError("attr must be a string")
    return [getattr(cell, name) for name in names if hasattr(cell, name)]


def no_inline(fn: Callable[..., Any] | None = None) -> Any:
    """Decorates a function: its calls in a graph, with arguments of the same types, share one graph and stay calls.

    Args:
        fn: the function, for a method see lazy_inline; without it, no_inline returns a decorator.

    Returns:
        fn itself, or a decorator.

    Examples:
        >>> @ms.no_inline
        ... def double(x):
        ...     return x + x
        >>> print(ms.jit(lambda x: double(double(x)))(Tensor([1.0, 2.0])))
        [4. 8.]
    """

    def decorate(function: Any) -> Any:
        function.no_inline = True
        return function

    return decorate if fn is None else decorate(fn)


def enable_dynamic(**kwargs: Any) -> Callable[[Any], Any]:
    """Describes arguments of a jitted function, which calls are held to; it stands above jit. Graphs follow shapes in any
    case; a function that is not jitted is returned as it is.

    Args:
        kwargs: by the argument's name a Tensor with an unknown size, as Tensor(shape=[None, 3], dtype=float32), or a tuple
            or list of Tensors.

    Returns:
        a decorator.

    Raises:
        ValueError: there are no kwargs, or the function has no argument of this name.
        TypeError: a value is something else, or no size of it is unknown.

    Calls raise:
        ValueError: an argument has another rank, or a size that its description does not admit.
        TypeError: an argument is no Tensor, or has another dtype.

    Examples:
        >>> @ms.enable_dynamic(x=Tensor(shape=[None, 3], dtype=ms.float32))
        ... @ms.jit
        ... def total(x):
        ...     return x.sum()
        >>> print(total(ops.ones((2, 3))), total(ops.ones((5, 3))))
        6.0 15.0
    """
    if not kwargs:
        raise ValueError("For 'enable_dynamic', there must be an argument to describe.")
    for name, value in kwargs.items():
        described = tree.leaves(value)
        if not all(isinstance(leaf, core.Tensor) for leaf in described):
            raise TypeError(
                f"For 'enable_dynamic', '{name}' must be a Tensor, or a tuple or list of them, but got {value!r}."
            )
        if not any(isinstance(leaf, Placeholder) for leaf in described):
            raise TypeError(f"For 'enable_dynamic', a size of the shape of '{name}' must be None, but got {value!r}.")
    signature = InputSignature("enable_dynamic", kwargs)

    def decorate(function: Callable[..., Any]) -> Any:
        signature.check_names(function)
        if not isinstance(function, core.Jit):
            return function

        @functools.wraps(function)
        def checked(*args: Any, **options: Any) -> Any:
            if core.current_capture() is None:
                signature.check(function, args, options)
            return function(*args, **options)

        return checked

    return decorate
