"""Cell, the base of layers and networks, and its containers."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit import context
from emberjit.capture.guards.record import guard_attribute, guard_configuration
from emberjit.capture.jit.transform import compiled
from emberjit.capture.session.engine import follow
from emberjit.capture.session.session import current_session
from emberjit.common.parameter import ParameterTuple
from emberjit.nn.cell_hooks import CellHooks
from emberjit.options import take, take_all
from emberjit.spelling import UnknownName
from emberjit.transforms.tensor_hooks import HookHandle
from emberjit.values.cells import CellListMarker, CellMarker
from emberjit.values.input_signature import InputSignature


def _attributes(cell: Any) -> set[str]:
    fields = cell.__dict__
    return {*dir(type(cell)), *fields, *fields.get("_params", ()), *fields.get("_cells", ())}


class Cell(CellMarker):
    """A layer or network: Parameters and inner Cells as attributes, the computation in construct.

    Parameters get their attribute's path as name ("dense.weight"). In graph mode, or under jit, construct is captured.
    A Cell's configuration may change at any time: a captured graph is used only while the Cells in it are as they were.

    Args:
        auto_prefix: whether inner Cells' Parameters are named by the paths of attributes.
        flags: a dict of attributes to set, as by add_flags.
    """

    _containers = ("_cells", "_params")

    def __init__(self, auto_prefix: bool = True, flags: Any = None):
        fields = self.__dict__
        fields["_cells"] = {}
        fields["_params"] = {}
        fields["_auto_prefix"] = auto_prefix
        fields["_version"] = 0
        fields["training"] = False
        fields["requires_grad"] = False
        fields["_jitted"] = None
        fields["_fullgraph"] = False
        fields["_input_signature"] = None
        fields["_cell_hooks"] = CellHooks(self) if hasattr(type(self), "bprop") else None
        take("Cell", "flags", flags)
        if flags:
            self.add_flags(**flags)

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__
        for kind in ("_params", "_cells"):
            if kind in fields and name in fields[kind]:
                return fields[kind][name]
        raise UnknownName(f"The '{type(self).__name__}' object has no attribute '{name}'", name, lambda: _attributes(self))

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
            self.insert_child_to_cell(name, value)
        elif isinstance(value, core.Parameter):
            self.insert_param_to_cell(name, value)
        elif name in fields["_params"] and isinstance(value, core.Tensor):
            fields["_params"][name].set_data(value)
        elif isinstance(value, ParameterTuple):
            for parameter in value:
                self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)
            object.__setattr__(self, name, value)
        else:
            fields["_params"].pop(name, None)
            fields["_cells"].pop(name, None)
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if name in self._params:
            del self._params[name]
        elif name in self._cells:
            del self._cells[name]
        else:
            object.__delattr__(self, name)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The computation; subclasses define it."""
        raise AttributeError(f"For 'Cell', the method 'construct' of '{type(self).__name__}' must be implemented.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if core.current_capture() is not None:
            guard_configuration(self)
            if self._cell_hooks is not None:
                return self._cell_hooks.call(*args, **kwargs)
            if current_session() is not None and "cell_init_args" in self.__dict__:
                from emberjit.capture.graph import shared_subgraphs

                return shared_subgraphs.call(self.construct, args, kwargs, self.__dict__.get("no_inline", True))
            return follow(self.construct, *args, **kwargs)
        compute = self.construct if self._cell_hooks is None else self._cell_hooks.call
        jits_itself = isinstance(type(self).construct, core.Jit)
        if self._input_signature is not None and (jits_itself or context.in_graph_mode()):
            self._input_signature.check(self.construct, args, kwargs)
        if context.in_graph_mode() and not jits_itself:
            if self._jitted is None:
                self.__dict__["_jitted"] = compiled(compute, fullgraph=self._fullgraph)
            return self._jitted(*args, **kwargs)
        return compute(*args, **kwargs)

    def __getstate__(self) -> dict[str, Any]:
        """What copies get: they capture their own graphs."""
        return {**self.__dict__, "_jitted": None}

    def _changed(self) -> None:
        self.__dict__["_version"] += 1

    def _with_hooks(self) -> CellHooks:
        hooks: CellHooks | None = self._cell_hooks
        if hooks is None:
            hooks = self.__dict__["_cell_hooks"] = CellHooks(self)
            self.__dict__["_jitted"] = None
            self._changed()
        return hooks

    def recompute(self, **options: Any) -> None:
        """Computes the inner values of this Cell again for its gradient instead of saving them for it.

        Args:
            options: MindSpore's, for several devices (OPTIONS.md).
        """
        take_all("Cell.recompute", options)
        self._with_hooks().recompute = True
        self._changed()

    def register_forward_pre_hook(self, hook_fn: Any, *, prepend: bool = False, with_kwargs: bool = False) -> HookHandle:
        """Calls hook_fn(cell, args) before construct; what it returns, unless None, replaces args.

        Args:
            prepend: before the other hooks of this kind.
            with_kwargs: as hook_fn(cell, args, kwargs), which may return (args, kwargs).

        Returns:
            A handle whose remove() takes the hook off.

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
            prepend: before the other hooks of this kind.
            with_kwargs: as hook_fn(cell, args, kwargs, output).
            always_call: also when construct has raised; the output is None then.

        Returns:
            A handle whose remove() takes the hook off.

        Raises:
            TypeError: hook_fn cannot be called.
        """
        hooks = self._with_hooks()
        return hooks.add(hooks.after, hook_fn, prepend, with_kwargs=with_kwargs, always_call=always_call)

    def register_backward_pre_hook(self, hook_fn: Any) -> HookHandle:
        """Calls hook_fn(cell, grad_output) when the gradients of the outputs are known, and before those of the inputs
        are computed; what it returns, unless None, replaces them.

        Returns:
            A handle whose remove() takes the hook off.

        Raises:
            TypeError: hook_fn cannot be called.
        """
        hooks = self._with_hooks()
        return hooks.add(hooks.backward_before, hook_fn)

    def register_backward_hook(self, hook_fn: Any) -> HookHandle:
        """Calls hook_fn(cell, grad_input, grad_output) when the gradients of the inputs are known: tuples, with None for
        an input that none is computed for. What it returns, unless None, replaces grad_input.

        Returns:
            A handle whose remove() takes the hook off.

        Raises:
            TypeError: hook_fn cannot be called.
        """
        hooks = self._with_hooks()
        return hooks.add(hooks.backward, hook_fn)

    def insert_child_to_cell(self, child_name: str, child: Cell) -> None:
        """Adds an inner Cell under a name.

        Raises:
            KeyError: the name is taken by something else.
        """
        if child_name in self.__dict__:
            object.__delattr__(self, child_name)
        self._params.pop(child_name, None)
        self._cells[child_name] = child
        if self._auto_prefix:
            child.update_parameters_name(child_name + ".")

    def insert_param_to_cell(self, param_name: str, param: Any, check_name_contain_dot: bool = True) -> None:
        """Adds a Parameter under a name."""
        if check_name_contain_dot and "." in param_name:
            raise KeyError(f"For 'insert_param_to_cell', the name '{param_name}' must not contain '.'.")
        if param_name in self.__dict__:
            object.__delattr__(self, param_name)
        if isinstance(param, core.Parameter) and param.name == "Parameter":
            param.name = param_name
        self._params[param_name] = param

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
        """Parameters that do not."""
        return [parameter for parameter in self.get_parameters(recurse) if not guard_attribute(parameter, "requires_grad")]

    def cells(self) -> Iterable[Cell]:
        """The inner Cells."""
        return list(self._cells.values())

    def name_cells(self) -> OrderedDict[str, Cell]:
        """The inner Cells by name."""
        return OrderedDict(self._cells)

    def cells_and_names(self, name_prefix: str = "") -> Iterator[tuple[str, Cell]]:
        """(path, Cell) of this Cell and all within it."""
        guard_configuration(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(f"{name_prefix}.{name}" if name_prefix else name)

    def set_train(self, mode: bool = True) -> Cell:
        """Switches this Cell and all within it to training, or to inference."""
        for _, cell in self.cells_and_names():
            if cell.training != mode:
                cell.training = mode
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Sets the attribute requires_grad, which nothing of emberjit's reads: Parameters say themselves."""
        take("Cell", "set_grad", requires_grad)
        self.requires_grad = requires_grad
        return self

    def set_jit_config(self, jit_config: Any) -> None:
        """Options of the graph that a call in graph mode makes, a JitConfig: under jit_syntax_level "STRICT" what cannot
        enter it is an error."""
        self.__dict__["_fullgraph"] = jit_config.jit_config_dict["jit_syntax_level"] == "STRICT"
        self.__dict__["_jitted"] = None

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Describes the arguments of calls: those that make a graph (graph mode, or a jitted construct) are held to it.
        Graphs follow shapes in any case.

        Args:
            inputs: an example of each argument. Tensor(shape=[None, 3], dtype=float32) is one of a Tensor of unknown sizes,
                with shape=None of unknown rank; a Tensor admits its own shape, anything else its type.
            kwargs: instead, examples of some arguments by name.

        Raises:
            ValueError: there are both inputs and kwargs, or construct has no argument of this name.
            TypeError: in graph mode, construct takes another number of arguments.

        Calls raise:
            ValueError: another number of arguments, another rank, or a size that the example does not admit.
            TypeError: an argument is of another type or dtype.
        """
        if inputs and kwargs:
            raise ValueError(f"For 'Cell.set_inputs', give inputs {inputs} or kwargs {kwargs}, not both.")
        if not kwargs and context.in_graph_mode():
            inspect.signature(self.construct).bind(*inputs)
        signature = InputSignature("Cell.set_inputs", kwargs or inputs)
        signature.check_names(self.construct)
        self.__dict__["_input_signature"] = signature

    def get_inputs(self) -> Any:
        """What set_inputs was given: a tuple, or a dict by name; None if nothing."""
        return self._input_signature and self._input_signature.given

    def add_flags(self, **flags: Any) -> Cell:
        """Sets attributes."""
        for name, value in flags.items():
            setattr(self, name, value)
        return self

    def apply(self, fn: Any) -> Cell:
        """Calls fn on every inner Cell and then on this one."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def extend_repr(self) -> str:
        """What repr shows between its brackets."""
        return ""

    def __repr__(self) -> str:
        guard_configuration(self)
        lines = [f"  ({name}): " + repr(cell).replace("\n", "\n  ") for name, cell in self._cells.items()]
        inner = self.extend_repr()
        if not lines:
            return f"{type(self).__name__}({inner})"
        return "\n".join([f"{type(self).__name__}({inner}", *lines, ")"])


class SequentialCell(Cell):
    """Cells called one after the other.

    Args: Cells, or one list of Cells, or one OrderedDict of name to Cell.
    """

    def __init__(self, *args: Any):
        super().__init__()
        items: Any = args
        if len(args) == 1 and isinstance(args[0], (list, OrderedDict)):
            items = args[0]
        named = items.items() if isinstance(items, OrderedDict) else ((str(i), cell) for i, cell in enumerate(items))
        for name, cell in named:
            if not isinstance(cell, Cell):
                raise TypeError(f"For 'SequentialCell', every item must be a Cell, but got {type(cell)}.")
            self.insert_child_to_cell(name, cell)

    def construct(self, x: Any) -> Any:
        for cell in self._cells.values():
            x = cell(x)
        return x

    def append(self, cell: Cell) -> SequentialCell:
        """Adds a Cell at the end."""
        self.insert_child_to_cell(str(len(self._cells)), cell)
        return self

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    def __getitem__(self, index: Any) -> Any:
        items = list(self._cells.values())
        return type(self)(items[index]) if isinstance(index, slice) else items[index]


class CellList(Cell, CellListMarker):
    """A list of Cells; construct is the user's business.

    Args: Cells, or one list of them.
    """

    def __init__(self, *args: Any, auto_prefix: bool = True):
        super().__init__(auto_prefix)
        items = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
        self.extend(items)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("A CellList computes nothing by itself: call the Cells in it.")

    def append(self, cell: Cell) -> CellList:
        """Adds a Cell at the end.

        Raises:
            TypeError: no Cell.
        """
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'CellList', every item must be a Cell, but got {type(cell)}.")
        self.insert_child_to_cell(str(len(self._cells)), cell)
        return self

    def extend(self, cells: Iterable[Cell]) -> CellList:
        """Adds Cells at the end."""
        for cell in cells:
            self.append(cell)
        return self

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    def __getitem__(self, index: Any) -> Any:
        items = list(self._cells.values())
        return CellList(items[index]) if isinstance(index, slice) else items[index]
