"""Attributes of Tensor and Parameter: views of the memory, and what MindSpore tells of initialisers, devices and shards, of
which a CPU has one of each or none. emberjit.dtype loads when first needed: each start would take longer."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.spelling import UnknownName, advice
from emberjit.tensors.functions import from_dlpack, from_numpy, to_dlpack


def shared(name: str, input: Any) -> Any:
    """A Tensor over the same memory, through which no gradient flows.

    Raises:
        CaptureError: code is being captured, whose writes a graph would lose.
    """
    if core.current_capture() is not None:
        raise core.CaptureError(f"Tensor.{name} is memory that graphs do not know.")
    with core.Pause():
        return core.ops.reshape(core.Tensor(input) if not input.is_contiguous() else input, tuple(input.shape))


def _data(self: core.Tensor) -> Any:
    """A Tensor over the same memory, through which no gradient flows. Setting it gives the Tensor another content.

    Raises:
        CaptureError: code is being captured.

    Examples:
        >>> weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        >>> weight.data[0] = 5.0
        >>> print(weight.asnumpy())
        [5. 2.]
        >>> weight.data = Tensor([7.0, 8.0])
        >>> print(weight.asnumpy())
        [7. 8.]
    """
    return shared("data", self)


def _set_data(self: core.Tensor, value: Any) -> None:
    self.assign_value(value if isinstance(value, core.Tensor) else core.Tensor(value))


# Names of other libraries', by habit: the rows of hints.HINTS["Tensor"], which loads with the first error.
UNKNOWN = (
    "assign assign_add assign_sub at backward block_until_ready cpu cuda detach detach_ devices element_size eval "
    "get_shape grad grad_fn is_cuda is_leaf log_softmax new_tensor npu relu requires_grad retain_grad sharding "
    "squeeze_ stop_gradient to_sparse unsqueeze_"
)


class Unknown:
    """In the place of a name that Tensor does not have: to read it is an AttributeError with what hints say. An object's own
    attribute of the name goes before it.

    Args:
        name: the name.
    """

    def __init__(self, name: str):
        self.name = name

    def __get__(self, tensor: Any, kind: type) -> Any:
        who = f"type object '{kind.__name__}'" if tensor is None else f"'{kind.__name__}' object"
        raise UnknownName(f"{who} has no attribute '{self.name}'", self.name, lambda: advice(self.name, ("Tensor",), ()))


def names(self: core.Tensor) -> list[str]:
    """What dir() answers."""
    kind, own = type(self), getattr(self, "__dict__", ())
    return [name for name in object.__dir__(self) if name in own or not isinstance(core.in_class(kind, name), Unknown)]


_ALWAYS: dict[str, tuple[Any, str]] = {  # attributes that all Tensors have alike: the value, and what it tells
    "device": ("CPU", "where the elements are."),
    "const_arg": (False, "what a graph takes for constant is guarded."),
    "delta_seed": (0, "elements are there since the Tensor was made."),
    "has_init": (False, "elements are there since the Tensor was made."),
    "init": (None, "elements are there since the Tensor was made."),
    "init_finished": (True, "elements are there since the Tensor was made."),
    "init_flag": (False, "elements are there since the Tensor was made."),
    "is_meta": (False, "elements are there."),
    "virtual_flag": (False, "MindSpore's own, which nothing here sets."),
    "symbolic_shape": (None, "the shape is known."),
    "parent_tensor_": (None, "MindSpore's own, which nothing here sets."),
    "index_of_parent_": (None, "MindSpore's own, which nothing here sets."),
    "param_info": (None, "how Parameters are split among devices, of which there is one."),
}


def _always(name: str, value: Any, told: str) -> property:
    doc = f"""{value}: {told}

    Examples:
        >>> print(Tensor([1.0]).{name})
        {value}
    """
    return property(lambda self: value, doc=doc)


def _sparse(name: str, shown: str) -> Any:
    def convert(self: core.Tensor) -> Any:
        import importlib

        return getattr(importlib.import_module("emberjit.sparse.tensors"), name)(self)

    convert.__doc__ = f"""The elements of a matrix that are not 0, as a {name[-3:].upper()}Tensor with int64 indices.

    Raises:
        ValueError: it has not two axes.

    Examples:
        >>> x = Tensor([[0.0, 2.0], [3.0, 0.0]]).to_{name[-3:]}()
        >>> print(x.values, x.indices.tolist())
        {shown}
    """
    return convert


def _convert_bytes_to_tensor(data: bytes, shape: Any, dtype: Any) -> Any:
    """A Tensor of bytes such as get_bytes() gave.

    Args:
        data: the bytes of the elements, in order.
        shape: a tuple of ints.
        dtype: of the elements; bfloat16 has no counterpart in NumPy.

    Returns:
        Tensor: of memory of its own.

    Raises:
        ValueError: the number of bytes is not that of the shape and dtype.
        TypeError: NumPy has no such dtype.

    Examples:
        >>> data = Tensor([1, 2, 3, 4], ms.int16).get_bytes()
        >>> print(Tensor.convert_bytes_to_tensor(data, (2, 2), ms.int16))
        [[1 2]
         [3 4]]
    """
    import numpy as np

    from emberjit.dtype import dtype_to_nptype

    return core.Tensor(np.frombuffer(data, dtype_to_nptype(dtype)).reshape(shape))


def _stay(self: core.Tensor) -> None:
    """Does nothing: elements stay in memory."""


TENSOR: dict[str, Any] = {
    "_load": _stay,
    "_offload": _stay,
    "data": property(_data, _set_data, doc=_data.__doc__),
    **{name: _always(name, *told) for name, told in _ALWAYS.items()},
    "from_numpy": staticmethod(from_numpy),
    "from_dlpack": staticmethod(from_dlpack),
    "to_coo": _sparse("dense_to_coo", "[2. 3.] [[0, 1], [1, 0]]"),
    "to_csr": _sparse("dense_to_csr", "[2. 3.] [1, 0]"),
    "to_dlpack": to_dlpack,
    "convert_bytes_to_tensor": staticmethod(_convert_bytes_to_tensor),
}

# What a program may set on a Parameter, for servers and shards that there are none of.
PARAMETER: dict[str, Any] = {
    "cache_enable": False,
    "cache_shape": [],
    "comm_fusion": 1,
    "inited_param": None,
    "is_in_parallel": False,
    "key": -1,
    "layerwise_parallel": False,
    "parallel_optimizer": True,
    "parallel_optimizer_comm_recompute": False,
    "sliced": False,
    "unique": False,
}
