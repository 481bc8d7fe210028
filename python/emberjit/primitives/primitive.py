"""Primitive classes: one op with its attributes fixed. One of the user's computes what is declared under its name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.publish import classes, registry
from emberjit.publish.registry import Declaration
from emberjit.values.dtypes import cast


class Primitive:
    """One op with its attributes fixed. A subclass defines __init__, and __call__ unless its name is that of an op.

    Args:
        name: its name; by default the class's.

    Examples:
        >>> class Double(ops.Primitive):
        ...     def __call__(self, x):
        ...         return x * 2
        >>> print(Double()(Tensor([1.0, 2.0])))
        [2. 4.]
        >>> print(ops.Primitive("ReLU")(Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def __init__(self, name: str | None = None):
        if "attributes" not in vars(self):
            self.fix({})
        if name is not None:
            self.name = name

    def fix(self, attributes: dict[str, Any]) -> None:
        """Sets the attributes, which are also the primitive's by their names."""
        self.__dict__.update((name, value) for name, value in attributes.items() if not hasattr(type(self), name))
        self.attributes = attributes
        self.name = type(self).__name__

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes, by name."""
        return self.attributes

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        """Gives the primitive an attribute, which changes nothing of what a declared one computes; returns the primitive."""
        self.__dict__[name] = value
        return self

    def del_prim_attr(self, name: str) -> Primitive:
        """Removes what add_prim_attr gave; returns the primitive."""
        self.__dict__.pop(name, None)
        return self

    def init_prim_io_names(self, inputs: list[str], outputs: list[str]) -> None:
        """Names operands and results, of which graphs here show the definition's names.

        Raises:
            TypeError: inputs or outputs is no list or tuple.
        """
        for name, value in (("inputs", inputs), ("outputs", outputs)):
            if not isinstance(value, (list, tuple)):
                raise TypeError(
                    f"For '{self.name}', the type of '{name}' should be one of 'list' and 'tuple', but got "
                    f"{type(value).__name__}."
                )

    def set_device(self, device_target: str) -> Primitive:
        """Says on which device the primitive runs; returns it.

        Raises:
            ValueError: device_target is not "CPU".
        """
        if device_target != "CPU":
            raise ValueError(f"For '{self.name}', 'device_target' must be 'CPU', but got {device_target!r}.")
        return self

    def set_prim_instance_name(self, instance_name: str) -> Primitive:
        """Names this object of the primitive's class; returns it."""
        self.instance_name = instance_name
        return self

    def shard(self, in_strategy: Any = None, out_strategy: Any = None) -> Primitive:
        """Says how several processes share operands and results, of which there is one here: kept as attributes; returns
        the primitive.

        Raises:
            TypeError: a strategy is no tuple.
        """
        for name, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
            check_instance(self.name, name, strategy, (tuple, type(None)))
            if strategy is not None:
                self.add_prim_attr(name, strategy)
        return self

    def set_stage(self, stage: int) -> Primitive:
        """Says in which stage of a pipeline of processes the primitive runs: kept as an attribute; returns it."""
        return self.add_prim_attr("stage", stage)

    def __call__(self, *args: Any) -> Any:
        op = _declared(self.name)
        if op is None:
            raise NotImplementedError(f"For '{self.name}', there is no op of this name: define __call__ in a subclass.")
        own = vars(self)
        return self.computed(op.function, args, {name: own[name] for name in op.attribute_names if name in own})

    def computed(self, function: Callable[..., Any], operands: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """A call of a function; under rules of precision that name this class in a dtype, with results in float32."""
        dtype = (core.precision_rules() or {}).get(type(self))
        if dtype is None:
            return function(*operands, **options)
        operands, options = cast((operands, options), dtype)
        with core.Precision(None):
            return cast(function(*operands, **options), core.float32)

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={value}" for key, value in self.attributes.items())
        return f"Prim[{self.name}]<{inner}>" if inner else f"Prim[{self.name}]"


def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorates the __init__ of a Primitive: its arguments become attributes, by name.

    Args:
        fn: the method __init__.

    Examples:
        >>> class Scale(ops.Primitive):
        ...     @ops.prim_attr_register
        ...     def __init__(self, factor=2.0):
        ...         pass
        ...     def __call__(self, x):
        ...         return x * self.factor
        >>> print(Scale(3.0).attrs, Scale(3.0)(Tensor([1.0])))
        {'factor': 3.0} [3.]
    """
    import inspect

    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def initialise(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        attributes = dict(list(bound.arguments.items())[1:])
        self.fix(attributes)
        self.__dict__.update(attributes)
        fn(self, *args, **kwargs)

    return initialise


prim_arg_register = prim_attr_register


class PrimitiveWithCheck(Primitive):
    """A Primitive that checks its operands in Python, and computes the op of its name: its methods check_dtype and
    check_shape are given the dtypes and shapes of all, or its method __check__ a dict of "shape", "dtype" and "value" of
    each; what infer_value knows is the result.

    Args:
        name: its name; by default the class's.

    Examples:
        >>> class ReLU(ops.PrimitiveWithCheck):
        ...     def check_shape(self, shape):
        ...         if len(shape) != 1:
        ...             raise ValueError("ReLU takes vectors")
        >>> print(ReLU()(Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def __check__(self, *args: dict[str, Any]) -> None:
        """Asks check_dtype and check_shape, if there are such methods."""
        for key in ("dtype", "shape"):
            method = getattr(self, f"check_{key}", None)
            if method is not None:
                method(*[one[key] for one in args])

    def __call__(self, *args: Any) -> Any:
        known = [_description(one) for one in args]
        self.__check__(*known)
        method = getattr(self, "infer_value", None)
        value = None if method is None else method(*[one["value"] for one in known])
        return super().__call__(*args) if value is None else value


class PrimitiveWithInfer(Primitive):
    """A Primitive that says in Python what it gives, and checks its operands so: its method infer_value, or __infer__, may
    know the result; else the op of its name is computed.

    Args:
        name: its name; by default the class's.

    Examples:
        >>> class ReLU(ops.PrimitiveWithInfer):
        ...     def infer_shape(self, shape):
        ...         return shape
        >>> print(ReLU()(Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def __infer__(self, *args: dict[str, Any]) -> dict[str, Any]:
        """What is known of the result, by the "shape", "dtype" and "value" of each operand; for each of them a method
        infer_shape, infer_dtype or infer_value is asked, if there is one."""
        methods = {key: getattr(self, f"infer_{key}", None) for key in ("dtype", "shape", "value")}
        return {key: method and method(*[one[key] for one in args]) for key, method in methods.items()}

    def __call__(self, *args: Any) -> Any:
        known = self.__infer__(*[_description(one) for one in args]).get("value")
        return super().__call__(*args) if known is None else known


def _description(operand: Any) -> dict[str, Any]:
    """What an inference reads of an operand; a Tensor has no value before it is computed."""
    if isinstance(operand, core.Tensor):
        return {"shape": operand.shape, "dtype": operand.dtype, "value": None}
    return {"shape": (), "dtype": type(operand), "value": operand}


class DeclaredPrimitive(Primitive):
    """A primitive that is declared."""

    function: Any
    attribute_names: tuple[str, ...]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.computed(self.function, args, {**kwargs, **self.attributes})


def primitive(declared: Declaration) -> type[DeclaredPrimitive]:
    """The class of a declaration."""
    return type(declared.name, (DeclaredPrimitive,), classes.fields(declared))


@functools.cache
def _declared(name: str) -> type[DeclaredPrimitive] | None:
    """The primitive that is declared under a name."""
    declarations = registry.declared("ops", name) if name[:1].isupper() else []
    return primitive(declarations[0]) if declarations else None
