"""Cell, the base of layers and networks: its fields, access to its attributes, its text. The other files of this folder have
its base classes, one subject each."""

from __future__ import annotations

import time
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from emberjit import _emberjit as core
from emberjit.capture.guards.record import guard_configuration
from emberjit.capture.session.session import current_session
from emberjit.nn.cell.compat import CellCompat
from emberjit.nn.cell.hooks import CellHooks
from emberjit.nn.cell.state_dict import CellStateDict
from emberjit.nn.layers.primitives import primitive_of
from emberjit.options import take
from emberjit.spelling import UnknownName, advice
from emberjit.tensors.parameter import Buffer, ParameterTuple
from emberjit.values.cells import CellMarker

if TYPE_CHECKING:
    from emberjit.nn.cell.summary import Summary


def _attributes(cell: Any) -> set[str]:
    fields = cell.__dict__
    return {*dir(type(cell)), *fields, *(name for kind in type(cell)._containers for name in fields.get(kind, ()))}


class _GivesWay:
    """A method whose name is no name of MindSpore's: an inner Cell, Parameter or buffer may have it, too, and is found."""

    def __init__(self, function: Callable[..., Any]):
        self.function, self.__doc__ = function, function.__doc__

    def __get__(self, cell: Any, _owner: Any = None) -> Any:
        if cell is None:
            return self.function
        name = self.function.__name__
        if any(name in cell.__dict__.get(kind, ()) for kind in cell._containers):
            return cell.__getattr__(name)
        return types.MethodType(self.function, cell)


class Cell(CellStateDict, CellCompat, CellMarker):
    """A layer or network: Parameters and inner Cells as attributes, the computation in construct.

    Parameters get their attribute's path as name ("dense.weight"). In graph mode, or under jit, construct is captured. A
    Cell's configuration may change at any time: a captured graph is used only while the Cells in it are as they were.

    Args:
        auto_prefix: whether inner Cells' Parameters are named by the paths of attributes.
        flags: a dict of attributes to set, as by add_flags, or None.

    Inputs:
        args, kwargs: what construct takes.

    Returns:
        What construct returns.

    Examples:
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        ...     def construct(self, x):
        ...         return ops.relu(self.dense(x))
        >>> net = Net()
        >>> print(net(Tensor([[1.0, 2.0]])), [parameter.name for parameter in net.trainable_params()])
        [[3.]] ['dense.weight', 'dense.bias']
    """

    _containers = ("_cells", "_params", "_buffers")
    # Of layers that know: how many multiplications, each with an addition, a call takes, by its arguments and its result.
    _multiply_adds: Callable[[tuple[Any, ...], Any], int] | None = None

    def __init__(self, auto_prefix: bool = True, flags: Any = None):
        fields = self.__dict__
        fields.update(_cells={}, _params={}, _buffers={}, _not_persistent=(), _auto_prefix=auto_prefix, _version=0)
        fields.update(_create_time=time.time_ns(), _phase="train", training=False, requires_grad=False)
        fields.update(_jitted=None, _fullgraph=False, _names_checked=False, _input_signature=None)
        fields["_cell_hooks"] = CellHooks(self) if hasattr(type(self), "bprop") else None
        take("Cell", "flags", flags)
        if flags:
            self.add_flags(**flags)

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__
        if (cells := fields.get("_cells")) is not None and name in cells:
            return cells[name]
        if (params := fields.get("_params")) is not None and name in params:
            hooks = fields["_cell_hooks"]
            return params[name] if hooks is None else hooks.as_computed(name, params[name])
        if (buffers := fields.get("_buffers")) is not None and name in buffers:
            return buffers[name]
        if "_cells" not in fields and name in ("_cell_hooks", "_input_signature", *self._containers):
            raise AttributeError(
                f"For 'Cell', the function '{type(self).__name__}.__init__' must call super().__init__() first."
            )
        if "_cells" in fields and name[:1] != "_":
            primitive = primitive_of(self, name)
            if primitive is not None:
                return primitive
        kinds = [kind.__name__ for kind in type(self).__mro__]
        message = f"The '{type(self).__name__}' object has no attribute '{name}'"
        raise UnknownName(message, name, lambda: advice(name, kinds, _attributes(self)))

    def __setattr__(self, name: str, value: Any) -> None:
        fields = self.__dict__
        if "_cells" not in fields:
            if isinstance(value, (Cell, core.Parameter)):
                raise AttributeError(
                    f"For 'Cell', the function '{type(self).__name__}.__init__' must call super().__init__() before it "
                    "assigns Cells or Parameters."
                )
            object.__setattr__(self, name, value)
            return
        if isinstance(value, Cell):
            fields.pop(name, None)
            self.insert_child_to_cell(name, value)
            if self._auto_prefix:
                value.update_parameters_name(name + ".")
        elif isinstance(value, core.Parameter):
            fields.pop(name, None)
            self.insert_param_to_cell(name, value)
        elif isinstance(value, ParameterTuple):
            self._insert_params(value)
            object.__setattr__(self, name, value)
        elif isinstance(value, Buffer):
            self._insert_buffer(name, value)
        else:
            session = current_session() if isinstance(value, core.Tensor) else None
            if session is not None:
                session.need_itself(value)
            if any(name in fields[kind] for kind in self._containers):
                self._set_within(name, value)
            else:
                object.__setattr__(self, name, self._jitted_construct(value) if name == "construct" else value)

    def _set_within(self, name: str, value: Any) -> None:
        """Assigns a value that is no Parameter, Cell or Buffer to the name of one: None takes its place.

        Raises:
            TypeError: something else, unless the data of a Parameter.
        """
        kinds = zip(self._containers, ("Cell", "Parameter", "buffer"))
        kind, what = next(pair for pair in kinds if name in self.__dict__[pair[0]])
        members = self.__dict__[kind]
        if value is None:
            members[name] = None
        elif kind == "_params" and isinstance(value, core.Tensor) and members[name] is not None:
            members[name].set_data(value)
        elif members[name] is None:
            del members[name]
            setattr(self, name, value)
        else:
            raise TypeError(
                f"For 'Cell', '{name}' is a {what} of '{type(self).__name__}', to which no value of type "
                f"{type(value).__name__} can be assigned."
            )

    def __delattr__(self, name: str) -> None:
        for kind in self._containers:
            if name in self.__dict__[kind]:
                del self.__dict__[kind][name]
                return
        object.__delattr__(self, name)

    def __getstate__(self) -> dict[str, Any]:
        """The state of a copy, which captures its own graphs."""
        return {**self.__dict__, "_jitted": None}

    def set_train(self, mode: bool = True) -> Cell:
        """Switches this Cell and all within it to training, or to inference."""
        phase = "train" if mode else "predict"
        for _, cell in self.cells_and_names():
            if cell.training != mode or cell.phase != phase:
                cell.training, cell.phase = mode, phase
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Sets the attribute requires_grad, which nothing of emberjit's reads: each Parameter has its own."""
        take("Cell", "set_grad", requires_grad)
        self.requires_grad = requires_grad
        return self

    def extend_repr(self) -> str:
        """What repr shows between its brackets."""
        return ""

    @_GivesWay
    def summary(self, *inputs: Any) -> Summary:
        """The layers in the order of their calls, with the shapes of what they give, their Parameters and multiply-adds: of
        a call of a copy, in inference, without gradients and graphs. Nothing of the Cell changes; hooks are called.

        Args:
            inputs: for each argument of construct its shape, a tuple or list of ints, of zeros of float32; or a Tensor.

        Returns:
            A Summary, which prints as a table, also in a notebook, and has the numbers as fields. Multiply-adds are those of
            convolutions, dense and recurrent layers; biases and other layers are not counted.

        Raises:
            TypeError: an input is neither, or the Cell cannot be copied.
            ValueError: a size is negative; or a layer fails, which the error names.
        """
        from emberjit.nn.cell.summary import summarise

        return summarise(self, inputs)

    def _repr_html_(self) -> str:
        from emberjit.nn.cell.tree import tree

        return tree(self)

    def __repr__(self) -> str:
        guard_configuration(self)
        inner = self.extend_repr().split("\n") if self.extend_repr() else []
        lines = [f"({name}): " + repr(cell).replace("\n", "\n  ") for name, cell in self.__dict__.get("_cells", {}).items()]
        if len(inner) == 1 and not lines:
            return f"{type(self).__name__}({inner[0]})"
        text = "".join(f"\n  {line}" for line in (*inner, *lines))
        return f"{type(self).__name__}({text}\n)" if text else f"{type(self).__name__}()"
