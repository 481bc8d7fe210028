"""Cell, the base of layers and networks."""

from __future__ import annotations

import inspect
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from emberjit import _emberjit as core
from emberjit import context
from emberjit.capture.guards.record import guard_attribute, guard_configuration
from emberjit.capture.session.engine import follow
from emberjit.capture.session.session import current_session
from emberjit.nn.cell_graph import CellGraph
from emberjit.nn.cell_hooks import CellHooks, hook_parameters
from emberjit.nn.cell_state import CellState, register_cell_buffer_registration_hook
from emberjit.options import take, take_all
from emberjit.spelling import UnknownName
from emberjit.tensors.parameter import Buffer, ParameterTuple
from emberjit.transforms.tensor_hooks import HookHandle
from emberjit.values.cells import CellMarker
from emberjit.values.input_signature import InputSignature

__all__ = ["Cell", "register_cell_buffer_registration_hook"]


def _attributes(cell: Any) -> set[str]:
    fields = cell.__dict__
    return {*dir(type(cell)), *fields, *(name for kind in type(cell)._containers for name in fields.get(kind, ()))}


class Cell(CellState, CellGraph, CellMarker):
    """A layer or network: Parameters and inner Cells as attributes, the computation in construct.

    Parameters get their attribute's path as name ("dense.weight"). In graph mode, or under jit, construct is captured.
    A Cell's configuration may change at any time: a captured graph is used only while the Cells in it are as they were.

    Args:
        auto_prefix: whether inner Cells' Parameters are named by the paths of attributes.
        flags: a dict of attributes to set, as by add_flags.
    """

    _containers = ("_cells", "_params", "_buffers")

    def __init__(self, auto_prefix: bool = True, flags: Any = None):
        fields = self.__dict__
        fields["_cells"] = {}
        fields["_params"] = {}
        fields["_buffers"] = {}
        fields["_not_persistent"] = ()
        fields["_auto_prefix"] = auto_prefix
        fields["_version"] = 0
        fields["_create_time"] = time.time_ns()
        fields["_phase"] = "train"
        fields["training"] = False
        fields["requires_grad"] = False
        fields["_jitted"] = None
        fields["_fullgraph"] = False
        fields["_names_checked"] = False
        fields["_input_signature"] = None
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
            from emberjit.nn.parts import part

            found = part(self, name)
            if found is not None:
                return found
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
        """Assigns to the name of a Parameter, inner Cell or buffer what is none: None takes its place.

        Raises:
            TypeError: something else, unless the data of a Parameter.
        """
        kind, what = next(
            (kind, what)
            for kind, what in zip(self._containers, ("Cell", "Parameter", "buffer"))
            if name in self.__dict__[kind]
        )
        held = self.__dict__[kind]
        if value is None:
            held[name] = None
        elif kind == "_params" and isinstance(value, core.Tensor) and held[name] is not None:
            held[name].set_data(value)
        elif held[name] is None:
            del held[name]
            setattr(self, name, value)
        else:
            raise TypeError(
                f"For 'Cell', '{name}' is a {what} of '{type(self).__name__}', to which no value of type "
                f"{type(value).__name__} can be assigned."
            )

    def _insert_params(self, parameters: ParameterTuple) -> None:
        """
        Raises:
            ValueError: two have one name.
        """
        known: dict[str, Any] = {}
        for parameter in parameters:
            if parameter.name == "Parameter":
                parameter.name = f"Parameter${len(known) + 1}"
            if known.setdefault(parameter.name, parameter) is not parameter:
                raise ValueError(
                    f"For 'Cell', a ParameterTuple's Parameters must have different names, but two are '{parameter.name}'."
                )
            self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)

    def __delattr__(self, name: str) -> None:
        for kind in self._containers:
            if name in self.__dict__[kind]:
                del self.__dict__[kind][name]
                return
        object.__delattr__(self, name)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The computation; subclasses define it."""
        raise AttributeError(f"For 'Cell', the method 'construct' of '{type(self).__name__}' must be implemented.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if core.current_capture() is not None:
            guard_configuration(self)
            if self._cell_hooks is not None:
                return self._cell_hooks.call(*args, **kwargs)
            if current_session() is not None and "_cell_init_args" in self.__dict__:
                from emberjit.capture.graph import shared_subgraphs

                return shared_subgraphs.call(self.construct, args, kwargs, self.__dict__.get("no_inline", True))
            return follow(self.construct, *args, **kwargs)
        if not self.__dict__.get("_names_checked"):
            self.check_names_and_refresh_name()
            self.__dict__["_names_checked"] = True
        jits_itself = isinstance(type(self).construct, core.Jit)
        if self._input_signature is not None and (jits_itself or context.in_graph_mode()):
            self._input_signature.check(self.construct, args, kwargs)
        if context.in_graph_mode() and not jits_itself:
            return self._jit()(*args, **kwargs)
        return self._to_compute()(*args, **kwargs)

    def _to_compute(self) -> Any:
        return self.construct if self._cell_hooks is None else self._cell_hooks.call

    def run_construct(self, cast_inputs: Any, kwargs: Any) -> Any:
        """What a call runs without a graph: construct, with its hooks.

        Args:
            cast_inputs: the arguments by position.
            kwargs: those by name.
        """
        return self._to_compute()(*cast_inputs, **kwargs)

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

    def recompute(
        self,
        *,
        use_reentrant: bool = True,
        output_recompute: bool = False,
        early_stop: bool = True,
        context_fn: Any = None,
        **options: Any,
    ) -> None:
        """Computes the inner values of this Cell again for its gradient instead of saving them for it.

        Args:
            use_reentrant, output_recompute, early_stop, context_fn: as of recompute (OPTIONS.md).
            options: MindSpore's, for several devices (OPTIONS.md).
        """
        given = {"use_reentrant": use_reentrant, "output_recompute": output_recompute, "early_stop": early_stop}
        take_all("recompute", {**given, "context_fn": context_fn})
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

    def register_saved_tensors_hooks(self, pack_hook: Any, unpack_hook: Any) -> NoReturn:
        """
        Raises:
            NotImplementedError: always; what gradients save is no Tensor that Python sees.
        """
        raise NotImplementedError(
            f"For 'Cell.register_saved_tensors_hooks', {pack_hook!r} and {unpack_hook!r} cannot be called: what gradients "
            "save is not seen by Python. recompute() saves memory."
        )

    def register_parameter_forward_hook(self, hook: Any) -> None:
        """Gives construct hook(parameter) where it reads a Parameter of its own Cell, as self.weight, in place of it. A
        later hook replaces an earlier one. As other hooks, and unlike MindSpore's, these are called without a graph, too.
        nn.BatchNorm and the recurrent Cells read theirs otherwise, and a ParameterTuple has Parameters themselves.

        Args:
            hook: a function, for all Parameters of this Cell and those in it; or a list of dicts of "params", a list of
                Parameters, and "hook", their function, which they keep if there is one for all.

        Raises:
            TypeError: it is neither, or they are of other types.
            ValueError: a dict has other keys.
        """
        hook_parameters(self, hook)

    def _check_name(self, function: str, argument: str, name: Any, held: dict[str, Any], dots: bool = False) -> None:
        if not isinstance(name, str):
            raise TypeError(f"For '{function}', the type of '{argument}' must be str, but got {type(name).__name__}.")
        if not name:
            raise KeyError(f"For '{function}', {argument} can not be empty string \"\", but got {argument} {name}")
        if not dots and "." in name:
            raise KeyError(f"For '{function}', {argument} can not contain \".\", but got {argument} {name}")
        if name not in held and (name in self.__dict__ or hasattr(self, name)):
            raise KeyError(f"For '{function}', '{type(self).__name__}' has another attribute '{name}' already.")

    def insert_child_to_cell(self, child_name: str, child_cell: Any) -> None:
        """Adds an inner Cell under a name. As in MindSpore, its Parameters keep their names, unless two would be the same.

        Raises:
            TypeError: child_name is no str, or child_cell no Cell and not None.
            KeyError: the name is empty, has a dot or is taken by something else.
        """
        self._check_name("insert_child_to_cell", "child_name", child_name, self._cells)
        if not isinstance(child_cell, Cell) and child_cell is not None:
            raise TypeError(
                f"For 'insert_child_to_cell', 'child_cell' must be a Cell or None, but got {type(child_cell).__name__}."
            )
        self._cells[child_name] = child_cell

    def insert_param_to_cell(self, param_name: str, param: Any, check_name_contain_dot: bool = True) -> None:
        """Adds a Parameter, or None, under a name, which becomes its own if it has none.

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

    def check_names(self) -> None:
        """
        Raises:
            ValueError: two Parameters have one name.
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
        """Parameters that do not."""
        return [parameter for parameter in self.get_parameters(recurse) if not guard_attribute(parameter, "requires_grad")]

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Any] | None:
        """Parameters by their names, those excepted that are layerwise_parallel; None if there are none."""
        found = {name: one for name, one in self.parameters_dict(recurse).items() if not one.layerwise_parallel}
        return OrderedDict(found) or None

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

    def set_train(self, mode: bool = True) -> Cell:
        """Switches this Cell and all within it to training, or to inference."""
        phase = "train" if mode else "predict"
        for _, cell in self.cells_and_names():
            if cell.training != mode or cell.phase != phase:
                cell.training, cell.phase = mode, phase
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Sets the attribute requires_grad, which nothing of emberjit's reads: Parameters say themselves."""
        take("Cell", "set_grad", requires_grad)
        self.requires_grad = requires_grad
        return self

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

    def _set_precision(self, dtype: Any) -> None:
        self._with_hooks().precision = dtype
        self._changed()

    def _set_rules(self, rules: Any) -> None:
        hooks = self._with_hooks()
        hooks.rules = rules if hooks.rules is None else {**hooks.rules, **rules}
        self._changed()

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
        inner = self.extend_repr().split("\n") if self.extend_repr() else []
        lines = [f"({name}): " + repr(cell).replace("\n", "\n  ") for name, cell in self._cells.items()]
        if len(inner) == 1 and not lines:
            return f"{type(self).__name__}({inner[0]})"
        text = "".join(f"\n  {line}" for line in (*inner, *lines))
        return f"{type(self).__name__}({text}\n)" if text else f"{type(self).__name__}()"
