"""Dtypes, shapes and copies: what is known of a Tensor, and its elements in another type or other memory."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import FLOATS, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
cast: ops.cast ops.Cast()(input, dtype)
    Tensor.float(dtype := float32) Tensor.int(dtype := int32) Tensor.half(dtype := float16)
    Tensor.long(dtype := int64) Tensor.bool(dtype := bool_) Tensor.double(dtype := float64) Tensor.short(dtype := int16)
    Tensor.char(dtype := int8) Tensor.byte(dtype := uint8) Tensor.bfloat16(dtype := bfloat16)
identity: ops.Identity
""",
)


@publish(
    "ops.is_sequence_value_unknown",
    numpy="any(size < 0 for size in shape)",
    samples="(2, 3); (); (-1, 3)",
    in_python=True,
)
def is_sequence_value_unknown(shape: Any) -> bool:
    """Whether a shape has an unknown size, as those of placeholders; graphs know sizes where they are read.

    Raises:
        TypeError: shape is no tuple or list.
    """
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"For 'is_sequence_value_unknown', 'shape' must be a tuple or list, but got {shape!r}.")
    return any(isinstance(size, int) and size < 0 for size in shape)


@publish("ops.ConvertToDynamic(is_dynamic_rank)(input)", numpy="input", samples="f32(2, 3); i32(), True; f32(4), True")
def hidden_shape(input: Tensor, is_dynamic_rank: bool = False) -> Any:
    """A copy; in a graph of MindSpore's its shape is unknown.

    Args:
        is_dynamic_rank: also the rank, there. Here shapes are symbolic, and ranks known.
    """
    return _ops["identity"](input)


@publish(
    "Tensor.astype(dtype, copy) Tensor.to(dtype, copy)",
    numpy="input.astype(dtype)",
    samples="f32(2, 3), int32",
    in_python=True,
)
def converted(input: Tensor, dtype: Any, copy: bool = True) -> Any:
    """Converted to a dtype, which may be given by name ("int32"); of this dtype and with copy=False, itself."""
    named = core._dtype(dtype) if isinstance(dtype, str) else None
    if not copy and input.dtype == (dtype if named is None else named):
        return input
    return _ops["cast"](input, dtype if named is None else named)


@publish("Tensor.copy Tensor.value", numpy="input", samples="f32(2, 3)", in_python=True)
def copied(input: Tensor) -> Any:
    """A plain Tensor with memory of its own."""
    return _ops["identity"](input) if core.is_captured(input) else core.Tensor(input)


@publish("Tensor.clone mint.clone", numpy="input", samples="f32(2, 3)", in_python=True)
def clone(input: Tensor, init: Any = "same", name: str | None = None) -> Any:
    """A copy. Of a Parameter a new Parameter.

    Args:
        init: of a Parameter: "same" copies, "zeros" or "ones" fill, a number fills.
        name: of the new Parameter; the same if None.
    """
    if not isinstance(input, core.Parameter):
        return copied(input)
    data = input if init == "same" else _ops["full_like"](input, {"zeros": 0, "ones": 1}.get(init, init))
    return core.Parameter(data, name or input.name, input.requires_grad)


def _named(tensor: Any) -> str:
    return f"Parameter '{tensor.name}'" if isinstance(tensor, core.Parameter) else "a Tensor"


@publish("Tensor.set_data", in_python=True)
def set_data(input: Any, data: Any, slice_shape: bool = False) -> Any:
    """Gives a Parameter another value of the same dtype and shape.

    Raises:
        ValueError: another shape, unless slice_shape.
        TypeError: no Tensor.
    """
    if not isinstance(data, core.Tensor):
        data = core.Tensor(data)
    if tuple(data.shape) != tuple(input.shape) and not slice_shape:
        raise ValueError(
            f"Can not change the shape of {_named(input)} from {tuple(input.shape)} to {tuple(data.shape)}: "
            "give data of the same shape, or set slice_shape."
        )
    if data.dtype != input.dtype:
        data = _ops["cast"](data, input.dtype)
    if core.current_capture() is None:
        input._replace(core.Tensor(data))
    elif tuple(data.shape) == tuple(input.shape):
        _ops["assign"](input, data)
    else:
        raise core.CaptureError(f"the shape of {_named(input)} is changed, which a graph cannot do.")
    return input


@publish("Tensor.register_hook", in_python=True)
def register_hook(input: Any, hook: Any) -> Any:
    """Calls hook(gradient) whenever the gradient of this Tensor has been computed; what it returns, if not None, takes the
    gradient's place. The handle that is returned removes the hook.

    Raises:
        TypeError: hook can not be called.
    """
    from emberjit.transforms import tensor_hooks

    return tensor_hooks.register(input, hook)


@publish(
    "Tensor.stride",
    numpy="(4, 1) if dim is None else (4, 1)[dim]",
    samples="f32(3, 4); f32(3, 4), 0; f32(3, 4), -1",
    in_python=True,
)
def stride(input: Tensor, dim: int | None = None) -> Any:
    """Elements from one index to the next, of each axis or of one.

    Raises:
        IndexError: dim is out of range.
    """
    steps = tuple(n // input.itemsize for n in input.strides)
    if dim is None:
        return steps
    if not -len(steps) <= dim < len(steps):
        raise core.IndexRangeError(f"For 'stride', 'dim' must be in [{-len(steps)}, {len(steps)}), but got {dim}.")
    return steps[dim]


@publish("ops.type_as Tensor.type_as", numpy="input.astype(other.dtype)", samples="f32(2, 3), i32(1)", in_python=True)
def type_as(input: Tensor, other: Tensor) -> Any:
    """Converted to the dtype of another Tensor; of this dtype, itself."""
    return converted(input, other.dtype, False)


@publish("ops.shape ops.Shape ops.shape_(input_x as x: object)", numpy="input_x.shape", samples="f32(2, 3)", in_python=True)
def shape(input_x: Tensor) -> Any:
    """The shape of a Tensor, a tuple of ints."""
    return input_x.shape


@publish("ops.rank ops.Rank Tensor.dim Tensor.ndimension", numpy="input_x.ndim", samples="f32(2, 3)", in_python=True)
def rank(input_x: Tensor) -> Any:
    """The number of axes of a Tensor, an int."""
    return input_x.ndim


@publish(
    "ops.size ops.Size ops.numel(input_x as input) Tensor.numel Tensor.nelement",
    numpy="input_x.size",
    samples="f32(2, 3)",
    in_python=True,
)
def size(input_x: Tensor) -> Any:
    """The number of elements of a Tensor, an int."""
    return input_x.size


@publish("ops.DType ops.dtype(input_x as x)", numpy="input_x.dtype", samples="f32(2, 3); i64(1)", in_python=True)
def dtype(input_x: Tensor) -> Any:
    """The dtype."""
    return input_x.dtype


@publish("ops.is_tensor", numpy="isinstance(obj, np.ndarray)", samples="f32(2); 3", in_python=True)
def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor."""
    return isinstance(obj, core.Tensor)


@publish(
    "Tensor.is_floating_point ops.is_floating_point",
    numpy="input.dtype.kind == 'f'",
    samples="f32(2); i32(2)",
    in_python=True,
)
def is_floating_point(input: Tensor) -> Any:
    """Whether the dtype is of floating point."""
    return input.dtype in FLOATS


@publish("Tensor.is_signed", numpy="input.dtype.kind in 'ifc'", samples="f32(2); i32(2); b1(2)", in_python=True)
def is_signed(input: Tensor) -> Any:
    """Whether the dtype has negative numbers."""
    return input.dtype not in (core.bool_, core.uint8, core.uint16, core.uint32, core.uint64)


@publish(
    "ops.TensorShape()(input_x) ops.dyn_shape(input_x) ops.DynamicShape(dtype)(input_x)",
    numpy="np.array(input_x.shape, np.int64)",
    samples="f32(2, 3); f32(2, 0), 9; i32()",
    in_python=True,
)
def shape_tensor(input_x: Tensor, dtype: int = 9) -> Any:
    """The shape as a Tensor of int64.

    Args:
        dtype: has no effect.
    """
    return core.Tensor([*input_x.shape], core.int64)


@publish("ops.IdentityN", numpy="x", samples="(f32(2), i32(3)); [f32(2)]", in_python=True)
def identities(x: Any) -> Any:
    """Copies of Tensors, a tuple.

    Raises:
        TypeError: x is no tuple or list.
    """
    if not isinstance(x, (tuple, list)):
        raise TypeError(f"For 'IdentityN', 'x' must be a tuple or list of Tensors, but got {type(x).__name__}.")
    return tuple(_ops["identity"](item) for item in x)


@publish("ops.TensorToTuple", numpy="tuple(input_x.tolist())", samples="i32(3); f32(2)", in_python=True)
def tensor_to_tuple(input_x: Tensor) -> Any:
    """The elements of a Tensor of one axis as a tuple of numbers.

    Raises:
        ValueError: there is another number of axes.
    """
    if input_x.ndim != 1:
        raise ValueError(f"For 'TensorToTuple', the input must have one axis, but its shape is {tuple(input_x.shape)}.")
    return tuple(input_x.tolist())


@publish(
    "Tensor.itemset(*args)",
    numpy="(lambda y: [y.__setitem__(args[0] if len(args) == 2 else (), args[-1]), y][1])(input.copy())",
    samples="f32(2, 3), ((1, 2), 7.5); i32(1), (4,)",
    in_python=True,
)
def itemset(input: Tensor, args: Any) -> Any:
    """A copy with another element: itemset(value) of a single one, itemset(index, value).

    Args:
        args: the index is an int among all elements, or a tuple of one for each axis.

    Raises:
        ValueError: there are other arguments, or no index, and not one element.
        IndexError: the index is out of range.
    """
    *index, value = args
    if len(index) > 1 or (not index and input.size != 1):
        raise ValueError(
            f"For 'itemset', a value, after an index if there are {input.size} elements, is needed, but got {args}."
        )
    at = index[0] if index else 0
    whole = _ops["identity"](input if isinstance(at, tuple) else _ops["reshape"](input, (-1,)))
    whole[at] = value
    return _ops["reshape"](whole, input.shape)
