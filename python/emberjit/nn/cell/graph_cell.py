"""GraphCell: a Cell that runs a graph of a file."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit.func_graph import FuncGraph, runner
from emberjit.nn.cell import Cell
from emberjit.values import tree


class GraphCell(Cell):
    """Runs a graph that load() has read, with Parameters of its own.

    Args:
        graph: the graph, which load() returns.
        params_init: Tensors or Parameters by the names of Parameters, whose values become these; other names are ignored;
            None: Parameters keep their values of the file.
        obf_random_seed: None; MindSpore no longer supports it.

    Inputs:
        inputs: the Tensors that the graph takes, which may lie in tuples, lists and dicts.

    Returns:
        What the graph returns.

    Raises:
        TypeError: graph is none, or params_init no dict of names and Tensors.
        ValueError: one of params_init has another shape or dtype than the Parameter.
        NotImplementedError: obf_random_seed is not None.

    Examples:
        >>> x = Tensor([[1.0, 2.0, 3.0]])
        >>> ms.export(nn.Dense(3, 2, weight_init="ones", bias_init="zeros"), x, file_name="dense", file_format="MINDIR")
        >>> net = nn.GraphCell(ms.load("dense.mindir"))
        >>> print(net(x))
        [[6. 6.]]
    """

    def __init__(self, graph: FuncGraph, params_init: dict[str, Any] | None = None, obf_random_seed: int | None = None):
        super().__init__(auto_prefix=True)
        if obf_random_seed is not None:
            raise NotImplementedError("For 'GraphCell', 'obf_random_seed' must be None: graphs are not obfuscated.")
        if not isinstance(graph, FuncGraph):
            raise TypeError(f"For 'GraphCell', 'graph' must be what load() returns, but got {type(graph)}.")
        values = _checked({} if params_init is None else params_init)
        self.graph = graph
        outside = dict(graph.outside)
        for name, parameter in outside.items():
            if isinstance(parameter, core.Parameter):
                value = values.get(name, parameter)
                if value.shape != parameter.shape or value.dtype != parameter.dtype:
                    raise ValueError(
                        f"For 'GraphCell', '{name}' of 'params_init' must have shape {parameter.shape} and "
                        f"{parameter.dtype}, but has {value.shape} and {value.dtype}."
                    )
                outside[name] = core.Parameter(value.copy(), parameter.name, requires_grad=parameter.requires_grad)
                self._params[name] = outside[name]
        self._run, self._count = runner(graph, outside), graph.count()

    def construct(self, *inputs: Any) -> Any:
        """What the graph returns.

        Args:
            inputs: the Tensors of the graph, which may lie in tuples, lists and dicts.

        Raises:
            TypeError: there are more or fewer, or one has another dtype.
            ValueError: one has a shape for which the graph was not made.
        """
        tensors = tree.leaves(inputs)
        if len(tensors) != self._count or not all(isinstance(tensor, core.Tensor) for tensor in tensors):
            raise TypeError(
                f"For 'GraphCell', the graph takes {self._count} Tensors, but got {tree.described(inputs)}: what else it "
                "was exported with is fixed."
            )
        return self._run(*tensors)


def _checked(values: Any) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise TypeError(f"For 'GraphCell', 'params_init' must be a dict, but got {type(values)}.")
    for name, value in values.items():
        if not isinstance(name, str) or not isinstance(value, core.Tensor):
            raise TypeError(
                f"For 'GraphCell', 'params_init' must have str names and Tensors, but got {type(name)} and {type(value)}."
            )
    return values
