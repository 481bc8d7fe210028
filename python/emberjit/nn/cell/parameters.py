"""What a Cell contains: inner Cells, Parameters and buffers, and how they are added, found, named and converted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.record import guard_attribute, guard_configuration
from emberjit.functions.compat.storage import on_cpu
from emberjit.options import take
from emberjit.publish.kinds import COMPLEXES, FLOATS
from emberjit.tensors.parameter import Buffer, ParameterTuple
from emberjit.transforms.tensor_hooks import HookHandle

_ops = core.ops
_of_all_buffers: dict[int, Any] = {}  # hooks


def register_cell_buffer_registration_hook(hook: Callable[..., Any]) -> HookHandle:
    """Calls hook(cell, name, buffer) at each register_buffer of any Cell; what it returns, unless None, is registered.

    Args:
        hook: a function of the Cell, the buffer's name and the buffer.

    Returns:
        A handle whose remove() takes the hook off.

    Examples:
        >>> handle = nn.register_cell_buffer_registration_hook(lambda cell, name, buffer: print(name, buffer))
        >>> nn.Cell().register_buffer("mean", Tensor([1.0, 2.0]))
        mean [1. 2.]
        >>> handle.remove()
    """
    return HookHandle(_of_all_buffers, hook)


class CellParameters:
    """The part of Cell that is about what it contains. A change of a Cell's configuration raises its version."""

    _cells: dict[str, Any]
    _params: dict[str, Any]
    _buffers: dict[str, Any]
    _giving_way = ("summary",)

    def _changed(self) -> None:
        self.__dict__["_version"] += 1

    def _check_name(self, function: str, argument: str, name: Any, members: dict[str, Any], dots: bool = False) -> None:
        """Refuses a name that none of members, the inner Cells or the Parameters, can have."""
        if not isinstance(name, str):
            raise TypeError(f"For '{function}', the type of '{argument}' must be str, but got {type(name).__name__}.")
        if not name:
            raise KeyError(f"For '{function}', {argument} can not be empty string \"\", but got {argument} {name}")
        if not dots and "." in name:
            raise KeyError(f"For '{function}', {argument} can not contain \".\", but got {argument} {name}")
        if name not in members and self._is_taken(name):
            raise KeyError(f"For '{function}', '{type(self).__name__}' has another attribute '{name}' already.")

    def _is_taken(self, name: str) -> bool:
        """Whether something has a name; methods of emberjit's own give way."""
        if name in self._giving_way and not any(name in self.__dict__[kind] for kind in ("_cells", "_params", "_buffers")):
            return name in self.__dict__
        return name in self.__dict__ or hasattr(self, name)

    def insert_child_to_cell(self, child_name: str, child_cell: Any) -> None:
        """Adds an inner Cell under a name. As in MindSpore, its Parameters keep their names, unless two would be the same.

        Raises:
            TypeError: child_name is no str, or child_cell no Cell and not None.
            KeyError: the name is empty, has a dot or is taken by something else.
        """
        self._check_name("insert_child_to_cell", "child_name", child_name, self._cells)
        if not isinstance(child_cell, CellParameters) and child_cell is not None:
            raise TypeError(
                f"For 'insert_child_to_cell', 'child_cell' must be a Cell or None, but got {type(child_cell).__name__}."
            )
        self._cells[child_name] = child_cell

    def get_sub_cell(self, target: str) -> Any:
        """The Cell at a path of attributes; of "" this one.

        Raises:
            AttributeError: there is none.
        """
        cell: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(cell, name):
                raise AttributeError(f"{type(cell).__name__} has no attribute `{name}`")
            cell = getattr(cell, name)
            if not isinstance(cell, CellParameters):
                raise AttributeError(f"`{name}` is not an nn.Cell")
        return cell

    def cells(self) -> Iterable[Any]:
        """The inner Cells."""
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, Any]:
        """The inner Cells by name, each once."""
        once = {id(cell): name for name, cell in reversed(self._cells.items()) if cell is not None}
        return OrderedDict((name, self._cells[name]) for name in self._cells if name in once.values())

    def cells_and_names(self, cells: Any = None, name_prefix: str = "") -> Iterator[tuple[str, Any]]:
        """(path, Cell) of this Cell and all within it, each once.

        Args:
            cells: a set of Cells that are left out, to which those found are added.
            name_prefix: what paths begin with.
        """
        guard_configuration(self)
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def apply(self, fn: Any) -> Any:
        """Calls fn on every inner Cell and then on this one."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def insert_param_to_cell(self, param_name: str, param: Any, check_name_contain_dot: bool = True) -> None:
        """Adds a Parameter, or None, under a name, which also names the Parameter if it has no name.

        Args:
            check_name_contain_dot: whether a dot in the name is an error.

        Raises:
            TypeError: param_name is no str, or param no Parameter and not None.
            KeyError: the name is empty, has a dot or is taken by something else.
        """
        self._check_name("insert_param_to_cell", "param_name", param_name, self._params, not check_name_contain_dot)
        if not isinstance(param, core.Parameter) and param is not None:
            raise TypeError(
                f"For 'insert_param_to_cell', 'param' must be a Parameter or None, but got {type(param).__name__}."
            )
        if param is not None and param.name == "Parameter":
            param.name = param_name
        self._params[param_name] = param

    def _insert_params(self, parameters: ParameterTuple) -> None:
        """Adds the Parameters of a ParameterTuple, each under its name.

        Raises:
            ValueError: two have one name.
        """
        by_name: dict[str, Any] = {}
        for parameter in parameters:
            if parameter.name == "Parameter":
                parameter.name = f"Parameter${len(by_name) + 1}"
            if by_name.setdefault(parameter.name, parameter) is not parameter:
                raise ValueError(
                    f"For 'Cell', a ParameterTuple's Parameters must have different names, but two are '{parameter.name}'."
                )
            self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)

    def check_names(self) -> None:
        """Checks that no two Parameters have one name.

        Raises:
            ValueError: two have.
        """
        names: set[str] = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in names:
                raise ValueError(
                    f"For 'Cell', the name '{parameter.name}' of '{path}' already exists. Please set a unique name for the "
                    "parameter."
                )
            names.add(parameter.name)

    def check_names_and_refresh_name(self) -> None:
        """Names all Parameters by the attributes that hold them if two have one name."""
        names = [parameter.name for parameter in self.get_parameters()]
        if len(set(names)) < len(names):
            self.update_parameters_name()
            self.check_names()

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Names all Parameters by the attributes that hold them, after a prefix."""
        for name, parameter in self._named_parameters("", recurse, set()):
            parameter.name = prefix + name

    def _named_parameters(self, path: str, recurse: bool, seen: set[int]) -> Iterator[tuple[str, Any]]:
        guard_configuration(self)
        for name, parameter in self._params.items():
            if parameter is not None and id(parameter) not in seen:
                seen.add(id(parameter))
                yield path + name, parameter
        if recurse:
            for name, cell in self._cells.items():
                if cell is not None:
                    yield from cell._named_parameters(f"{path}{name}.", True, seen)

    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Any]]:
        """(name, Parameter) of this Cell and, with expand, of inner Cells."""
        yield from self._named_parameters(f"{name_prefix}." if name_prefix else "", expand, set())

    def get_parameters(self, expand: bool = True) -> Iterator[Any]:
        """The Parameters."""
        return (parameter for _, parameter in self.parameters_and_names(expand=expand))

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Any]:
        """Parameters by their names."""
        return OrderedDict((guard_attribute(parameter, "name"), parameter) for parameter in self.get_parameters(recurse))

    def trainable_params(self, recurse: bool = True) -> list[Any]:
        """Parameters that require gradients."""
        return [parameter for parameter in self.get_parameters(recurse) if guard_attribute(parameter, "requires_grad")]

    def untrainable_params(self, recurse: bool = True) -> list[Any]:
        """Parameters that require no gradients."""
        return [parameter for parameter in self.get_parameters(recurse) if not guard_attribute(parameter, "requires_grad")]

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Any] | None:
        """The Parameters that are not layerwise_parallel, by name; None if there are none."""
        parameters = self.parameters_dict(recurse).items()
        return OrderedDict((name, one) for name, one in parameters if not one.layerwise_parallel) or None

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Adds a Tensor that is state but no Parameter.

        Args:
            name: its attribute.
            tensor: a Tensor, or None.
            persistent: whether state_dict has it.

        Raises:
            AttributeError: Cell.__init__ has not been called.
            TypeError: name is no str, or tensor no Tensor.
            KeyError: name is empty, has a dot, or is an attribute already.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Cell.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"buffer name should be a string, but got {name!r} of type {type(name).__name__}")
        if "." in name:
            raise KeyError(f'buffer name can\'t contain ".", but got {name!r}')
        if not name:
            raise KeyError('buffer name can\'t be empty string ""')
        if name not in self._buffers and self._is_taken(name):
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, core.Tensor):
            raise TypeError(
                f"cannot assign '{type(tensor).__name__}' object to buffer '{name}': a Tensor or None is required"
            )
        for hook in list(_of_all_buffers.values()):
            result = hook(self, name, tensor)
            tensor = tensor if result is None else result
        self._buffers[name] = tensor
        others = tuple(one for one in self.__dict__["_not_persistent"] if one != name)
        self.__dict__["_not_persistent"] = others if persistent else (*others, name)

    def _insert_buffer(self, name: str, buffer: Buffer) -> None:
        self.__dict__.pop(name, None)
        self.register_buffer(name, buffer.tensor, buffer.persistent)

    def get_buffer(self, target: str) -> Any:
        """The buffer at a path of attributes.

        Raises:
            AttributeError: there is none.
        """
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if not hasattr(cell, name):
            raise AttributeError(f"{type(cell).__name__} has no attribute `{name}`")
        if name not in cell._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return cell._buffers[name]

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """(path, buffer) of this Cell and, with recurse, of inner Cells.

        Args:
            prefix: what paths begin with.
            remove_duplicate: whether each buffer comes once.
        """
        seen: set[int] = set()
        for path, cell in self.cells_and_names(name_prefix=prefix) if recurse else ((prefix, self),):
            for name, buffer in cell._buffers.items():
                if buffer is not None and id(buffer) not in seen:
                    if remove_duplicate:
                        seen.add(id(buffer))
                    yield f"{path}.{name}" if path else name, buffer

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """The buffers."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Any:
        """Replaces the data of all Parameters and buffers by fn of them."""
        for one in (*self._params.values(), *self._buffers.values()):
            if one is not None:
                one._replace(fn(one))
        for cell in self._cells.values() if recurse else ():
            if cell is not None:
                cell._apply(fn)
        self._changed()
        return self

    def to(self, *args: Any, device: Any = None, dtype: Any = None, non_blocking: bool = False) -> Any:
        """Converts Parameters and buffers of floating point or complex dtype.

        Args:
            args: the device, "CPU"; the dtype; or a Tensor, whose dtype is taken.
            non_blocking: has no effect: the conversion is done when the call returns.

        Raises:
            TypeError: dtype is no floating or complex one, or there are other arguments.
            ValueError: another device.
        """
        for value in args[:2]:
            if isinstance(value, core.Tensor):
                dtype = value.dtype
            elif isinstance(value, core.dtype):
                dtype = value
            else:
                device = value
        if len(args) > 2 and not isinstance(args[2], bool):
            raise TypeError(f"For 'Cell.to', the arguments must be a device and a dtype, or a Tensor, but got {args!r}.")
        take("Cell", "non_blocking", non_blocking)
        if device is not None:
            on_cpu("Cell.to", device)
        if dtype is not None and dtype not in (*FLOATS, *COMPLEXES):
            raise TypeError(f"For 'Cell.to', 'dtype' must be floating point or complex, but got {dtype!r}.")
        return self._apply(lambda one: _ops.cast(one, dtype) if dtype and one.dtype in (*FLOATS, *COMPLEXES) else one)

    def to_empty(self, *, device: Any = None, recurse: bool = True) -> Any:
        """Gives Parameters and buffers new memory, of zeros, which MindSpore leaves uninitialised.

        Raises:
            ValueError: another device than the CPU.
        """
        if device is not None:
            on_cpu("Cell.to_empty", device)
        return self._apply(lambda one: _ops.zeros_like(one), recurse)
