"""What a Cell has to say of its graph, and of devices of which there is one: phases, scopes, flags, precision, shards."""

from __future__ import annotations

import enum
import gc
import weakref
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit.transform import compiled
from emberjit.functions.checks import check_int
from emberjit.options import take, take_all
from emberjit.values.cells import CellMarker

_PRECISIONS = {"fp16": core.float16, "fp32": core.float32, "bf16": core.bfloat16}


class _Kept:
    """An attribute of Cells that is kept for the user, of one type; a field of the name with a "_" before has it.

    Args:
        kind: the type.
        least: of an int, the least value.
    """

    def __init__(self, kind: Any, doc: str, least: int | None = None):
        self.kind, self.least, self.__doc__ = kind, least, doc

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name = name

    def __get__(self, cell: Any, _owner: type) -> Any:
        if cell is None:
            return self
        found = cell.__dict__.get("_" + self.name)
        if found is None and self.kind in (dict, list, set):
            found = cell.__dict__["_" + self.name] = self.kind()
        return found

    def __set__(self, cell: Any, value: Any) -> None:
        if not isinstance(value, self.kind) or (self.kind is int and isinstance(value, bool)):
            kinds = f"must be {self.kind.__name__} type, but got {type(value).__name__}"
            raise TypeError(f"For 'Cell', the property '{self.name}' {kinds}: {value!r}.")
        if self.least is not None and value < self.least:
            raise ValueError(f"For 'Cell', the property '{self.name}' must be at least {self.least}, but got {value}.")
        cell.__dict__["_" + self.name] = value


class _CountOfCells:
    """How many Cells there are."""

    def __get__(self, _cell: Any, _owner: type) -> int:
        return sum(isinstance(each, CellMarker) for each in gc.get_objects())


class MixedPrecisionType(enum.IntEnum):
    """The precision that a Cell alone computes in; NOTSET: that of what it is given."""

    NOTSET = 0
    FP16 = 1
    FP32 = 2
    BF16 = 3


_NOT_SET = MixedPrecisionType.NOTSET


class CellGraph:
    """The part of Cell that this module is about."""

    IGNORE_LIST = [
        "_auto_prefix",
        "_cells",
        "_create_time",
        "_params",
        "_phase",
        "requires_grad",
        "cell_type",
    ]  # no settings
    global_cells: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
    total_instance_count = _CountOfCells()
    phase = _Kept(str, "The name of what the graph is for: set_train sets it to 'train' or 'predict'.")
    compile_phase = _Kept(str, "As phase, of MindSpore's compiler; nothing of emberjit's reads it.")
    cell_init_args = _Kept(str, "A text of the arguments that the Cell was made with; lazy_inline sets it.")
    compile_cache = _Kept(set, "Phases that MindSpore's compiler has graphs of; nothing of emberjit's reads it.")
    phase_cache = _Kept(dict, "Graphs of MindSpore's compiler by phase; nothing of emberjit's reads it.")
    bprop_debug = _Kept(bool, "Of MindSpore's debugger; nothing of emberjit's reads it.")
    parameter_layout_dict = _Kept(dict, "Layouts of Parameters over devices: there is one device.")
    parallel_parameter_merge_net_dict = _Kept(dict, "Layouts of merged Parameters: there is one device.")
    parallel_parameter_name_list = _Kept(list, "Names of Parameters that devices share: there is one device.")
    pipeline_stage = _Kept(int, "The stage of a pipeline over devices: there is one device.", 0)
    pipeline_segment = _Kept(int, "The segment of a pipeline over devices: there is one device.", 0)

    _jitted: Any
    _fullgraph: bool
    _cell_hooks: Any
    cells_and_names: Any
    _to_compute: Any
    _set_precision: Any

    @property
    def cls_name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    @property
    def create_time(self) -> int:
        """When the Cell was made, in nanoseconds since 1970."""
        return int(self.__dict__["_create_time"])

    @property
    def enable_backward_hook(self) -> bool:
        """Whether the Cell has hooks on its gradient."""
        hooks = self._cell_hooks
        return hooks is not None and bool(hooks.backward or hooks.backward_before)

    @property
    def exist_objs(self) -> set[Any]:
        """The Parameters in lists and tuples that are attributes."""
        listed = [value for value in self.__dict__.values() if isinstance(value, (list, tuple)) and value]
        return {one for values in listed if all(isinstance(v, core.Parameter) for v in values) for one in values}

    @property
    def exist_names(self) -> set[str]:
        """Their names."""
        return {one.name for one in self.exist_objs}

    @property
    def compiled(self) -> bool:
        """Whether a call in graph mode, or compile, has made a graph."""
        return self._jitted is not None

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """What set_jit_config was given."""
        found: dict[str, Any] = self.__dict__.get("_jit_config_dict", {})
        return found

    @property
    def param_prefix(self) -> str:
        """The path that update_cell_prefix has found."""
        return str(self.__dict__.get("_param_prefix", ""))

    def update_cell_prefix(self) -> None:
        """Sets param_prefix of this Cell and all within it to their paths."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def update_cell_type(self, cell_type: Any) -> None:
        """Sets the attribute cell_type, which nothing of emberjit's reads."""
        self.cell_type = cell_type

    def get_scope(self) -> str | None:
        """What generate_scope has named this Cell; None before."""
        return self.__dict__.get("_scope")

    def generate_scope(self) -> None:
        """Names all inner Cells by their paths and classes: "Default/layer-Dense"."""
        names = {"": "Default"}
        for path, cell in self.cells_and_names():
            if path:
                outer, _, name = path.rpartition(".")
                names[path] = f"{names[outer]}/{name}-{type(cell).__name__}"
                cell.__dict__["_scope"] = cell.__dict__.get("_scope") or names[path]

    def _jit(self) -> Any:
        computed = self._to_compute()
        if self._jitted is None or self._jitted.__wrapped__ != computed:
            self.__dict__["_jitted"] = compiled(computed, fullgraph=self._fullgraph)
        return self._jitted

    def _jitted_construct(self, value: Any) -> Any:
        """What is assigned to construct: in place of this Cell, jitted, the construct that it has so far, jitted."""
        inner = value
        while isinstance(inner, core.Jit):
            inner = inner.__wrapped__
        return compiled(self.construct, *value.options) if inner is self else value

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Captures the graph of a call, which is not run."""
        self._jit().prepare(args, kwargs)

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """A call by its graph, whatever the mode."""
        return self._jit()(*args, **kwargs)

    def add_flags(self, **flags: Any) -> Any:
        """Sets attributes. One of fp16, fp32 and bf16, if True, is the precision of to_float, of this Cell alone."""
        self.__dict__.setdefault("_flags", {}).update(flags)
        for name, value in flags.items():
            self.__dict__[name] = value
            if name in _PRECISIONS and value:
                self._set_precision(_PRECISIONS[name])
        return self

    def add_flags_recursive(self, **flags: Any) -> Any:
        """Sets attributes of this Cell and all within it, as add_flags does."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """What add_flags has set."""
        flags: dict[str, Any] = self.__dict__.setdefault("_flags", {})
        return flags

    def to_float(self, dst_type: Any) -> Any:
        """Computes this Cell and all within it in a precision: calls of each convert their arguments of floating point, and
        construct finds its Parameters converted. Of a user's class those that require no gradient stay as they are, so that
        construct can assign to them.

        Args:
            dst_type: float16, bfloat16 or float32.

        Raises:
            ValueError: another dtype.
        """
        if dst_type not in _PRECISIONS.values():
            wanted = "mstype.float32, mstype.float16 or mstype.bfloat16"
            raise ValueError(f"For 'to_float', the argument 'dst_type' must be {wanted}, but got {dst_type!r}.")
        return self.add_flags_recursive(**{name: dtype == dst_type for name, dtype in _PRECISIONS.items()})

    def set_mixed_precision_type(self, mixed_precision_type: MixedPrecisionType) -> None:
        """Computes this Cell alone in a precision, as to_float says.

        Raises:
            TypeError: it is no MixedPrecisionType.
        """
        if not isinstance(mixed_precision_type, MixedPrecisionType):
            wanted = "must be a MixedPrecisionType"
            raise TypeError(
                f"For 'set_mixed_precision_type', 'mixed_precision_type' {wanted}, but got {mixed_precision_type!r}."
            )
        self._set_precision(_PRECISIONS.get(mixed_precision_type.name.lower()))

    def get_mixed_precision_type(self) -> MixedPrecisionType:
        """The precision that to_float, add_flags or set_mixed_precision_type has set."""
        dtype = None if self._cell_hooks is None else self._cell_hooks.precision
        return next((MixedPrecisionType[name.upper()] for name, one in _PRECISIONS.items() if one == dtype), _NOT_SET)

    def set_jit_config(self, jit_config: Any) -> None:
        """Options of the graph that a call in graph mode makes, a JitConfig: under jit_syntax_level "STRICT" what cannot
        enter it is an error."""
        config = self.__dict__["_jit_config_dict"] = jit_config.jit_config_dict
        self.__dict__["_fullgraph"] = config["jit_syntax_level"] == "STRICT"
        self.__dict__["_jitted"] = None

    def set_boost(self, boost_type: str) -> Any:
        """
        Raises:
            ValueError: always: MindSpore's only kind, "less_bn", changes networks for other devices.
        """
        take("Cell", "set_boost", boost_type)
        return self

    def set_broadcast_flag(self, mode: bool = True) -> Any:
        """Sets the flag broadcast_flag: there is one device."""
        return self.add_flags_recursive(broadcast_flag=mode)

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Any:
        """Checks its argument: there are no gradients of other processes whose messages could be fused.

        Raises:
            TypeError, ValueError: fusion_type is no int, or negative.
        """
        check_int("Cell.set_comm_fusion", "fusion_type", fusion_type, 0)
        take("Cell", "recurse", recurse)
        return self

    def set_data_parallel(self) -> None:
        """Nothing: with one device each op has the whole batch."""

    def shard(self, in_strategy: Any, out_strategy: Any = None, parameter_plan: Any = None) -> None:
        """Nothing, as in MindSpore with one device: there is nothing to divide.

        Args:
            in_strategy, out_strategy, parameter_plan: how inputs, outputs and Parameters would be divided.
        """
        take_all("Cell.shard", {"in_strategy": in_strategy, "out_strategy": out_strategy, "parameter_plan": parameter_plan})

    def offload(self, backward_prefetch: Any = "Auto") -> None:
        """
        Raises:
            RuntimeError: always; all values are in the CPU's memory, where MindSpore would move them.
        """
        raise RuntimeError(
            f"For 'Cell.offload' ({backward_prefetch!r}), no device has values that could be moved to the CPU's memory: "
            "recompute() saves memory."
        )

    def get_func_graph_proto(self) -> Any:
        """
        Raises:
            NotImplementedError: always; explain tells the graphs of a jitted function.
        """
        raise NotImplementedError(
            "For 'Cell.get_func_graph_proto', there is no protobuf of a graph: emberjit.explain(jit(cell)) shows graphs."
        )

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Any, Any]:
        """Nothing, as Parameters have their data when they are made: the dict of those replaced, which is empty."""
        take("Cell", "auto_parallel_mode", auto_parallel_mode)
        return {}

    def remove_redundant_parameters(self) -> None:
        """Nothing, as in MindSpore."""

    def cast_inputs(self, inputs: Any, dst_type: Any) -> None:
        """Nothing, as in MindSpore: to_float converts arguments.

        Args:
            inputs, dst_type: what MindSpore once converted, and to which dtype.
        """
        take_all("Cell.cast_inputs", {"inputs": inputs, "dst_type": dst_type})
