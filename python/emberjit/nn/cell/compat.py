"""What MindSpore's programs read or set of a Cell and nothing of emberjit's computes with: attributes, names of scopes,
options of MindSpore's compiler and of several devices."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_int
from emberjit.nn.cell.calling import CellCalls
from emberjit.options import take, take_all
from emberjit.values.cells import CellMarker


class _Setting:
    """An attribute of Cells that holds what the user assigns, of one type, in a field of its name after "_".

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
        value = cell.__dict__.get("_" + self.name)
        if value is None and self.kind in (dict, list, set):
            value = cell.__dict__["_" + self.name] = self.kind()
        return value

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
        return sum(isinstance(item, CellMarker) for item in gc.get_objects())


class CellCompat(CellCalls):
    """The part of Cell that is there for MindSpore's programs alone."""

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
    phase = _Setting(str, "The name of what the graph is for: set_train sets it to 'train' or 'predict'.")
    compile_phase = _Setting(str, "As phase, of MindSpore's compiler; nothing of emberjit's reads it.")
    cell_init_args = _Setting(str, "A text of the arguments that the Cell was made with; lazy_inline sets it.")
    compile_cache = _Setting(set, "Phases that MindSpore's compiler has graphs of; nothing of emberjit's reads it.")
    phase_cache = _Setting(dict, "Graphs of MindSpore's compiler by phase; nothing of emberjit's reads it.")
    bprop_debug = _Setting(bool, "Of MindSpore's debugger; nothing of emberjit's reads it.")
    parameter_layout_dict = _Setting(dict, "Layouts of Parameters over devices: there is one device.")
    parallel_parameter_merge_net_dict = _Setting(dict, "Layouts of merged Parameters: there is one device.")
    parallel_parameter_name_list = _Setting(list, "Names of Parameters that devices share: there is one device.")
    pipeline_stage = _Setting(int, "The stage of a pipeline over devices: there is one device.", 0)
    pipeline_segment = _Setting(int, "The segment of a pipeline over devices: there is one device.", 0)

    @property
    def cls_name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    @property
    def create_time(self) -> int:
        """When the Cell was made, in nanoseconds since 1970."""
        return int(self.__dict__["_create_time"])

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
    def param_prefix(self) -> str:
        """The path of this Cell that update_cell_prefix has set."""
        return str(self.__dict__.get("_param_prefix", ""))

    def update_cell_prefix(self) -> None:
        """Sets param_prefix of this Cell and all within it to their paths of attributes."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def update_cell_type(self, cell_type: Any) -> None:
        """Sets the attribute cell_type, which nothing of emberjit's reads."""
        self.cell_type = cell_type

    def get_scope(self) -> str | None:
        """The name that generate_scope has given this Cell; None before."""
        return self.__dict__.get("_scope")

    def generate_scope(self) -> None:
        """Names all inner Cells by their paths and classes: "Default/layer-Dense"."""
        names = {"": "Default"}
        for path, cell in self.cells_and_names():
            if path:
                outer, _, name = path.rpartition(".")
                names[path] = f"{names[outer]}/{name}-{type(cell).__name__}"
                cell.__dict__["_scope"] = cell.__dict__.get("_scope") or names[path]

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
