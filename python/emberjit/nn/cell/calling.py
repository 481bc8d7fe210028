"""How a call of a Cell runs: in Python or by a graph, with which arguments, and what its gradient recomputes."""

from __future__ import annotations

import inspect
from typing import Any

from emberjit import _emberjit as core
from emberjit import context
from emberjit.capture.guards.record import guard_configuration
from emberjit.capture.jit.transform import compiled
from emberjit.capture.session.session import follow, shared
from emberjit.nn.cell.precision import CellPrecision
from emberjit.options import take_all
from emberjit.values.input_signature import InputSignature


class CellCalls(CellPrecision):
    """The part of Cell that runs construct."""

    _fullgraph: bool
    _input_signature: InputSignature | None

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The computation; subclasses define it."""
        of = f"For 'Cell', the method 'construct' of '{type(self).__name__}' must be implemented"
        raise AttributeError(of + (": it is PyTorch's forward." if hasattr(type(self), "forward") else "."))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if core.current_capture() is not None:
            guard_configuration(self)
            if self._cell_hooks is not None:
                return self._cell_hooks.call(*args, **kwargs)
            if "_cell_init_args" in self.__dict__:
                return shared(self.construct, args, kwargs, self.__dict__.get("no_inline", True))
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
        """Runs construct with its hooks, without a graph.

        Args:
            cast_inputs: the positional arguments.
            kwargs: the keyword arguments.
        """
        return self._to_compute()(*cast_inputs, **kwargs)

    def _jit(self) -> Any:
        function = self._to_compute()
        if self._jitted is None or self._jitted.__wrapped__ != function:
            self.__dict__["_jitted"] = compiled(function, fullgraph=self._fullgraph)
        return self._jitted

    def _jitted_construct(self, value: Any) -> Any:
        """The value to assign to construct: if it is jit of this Cell itself, jit of its present construct instead."""
        inner = value
        while isinstance(inner, core.Jit):
            inner = inner.__wrapped__
        return compiled(self.construct, *value.options) if inner is self else value

    @property
    def compiled(self) -> bool:
        """Whether a call in graph mode, or compile, has made a graph."""
        return self._jitted is not None

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Captures the graph of a call, which is not run."""
        self._jit().prepare(args, kwargs)

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """A call by its graph, whatever the mode."""
        return self._jit()(*args, **kwargs)

    def set_jit_config(self, jit_config: Any) -> None:
        """Sets options of the graph of calls in graph mode, by a JitConfig: with jit_syntax_level "STRICT" code that cannot
        be captured is an error."""
        config = self.__dict__["_jit_config_dict"] = jit_config.jit_config_dict
        self.__dict__["_fullgraph"] = config["jit_syntax_level"] == "STRICT"
        self.__dict__["_jitted"] = None

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """The options that set_jit_config has set."""
        options: dict[str, Any] = self.__dict__.get("_jit_config_dict", {})
        return options

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Declares the arguments of calls, which calls by a graph (in graph mode, or of a jitted construct) check. Graphs
        adapt to shapes in any case.

        Args:
            inputs: an example of each argument. Tensor(shape=[None, 3], dtype=float32) is one of a Tensor of unknown sizes,
                with shape=None of unknown rank; a Tensor admits its own shape, any other value its type.
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
        """The examples that set_inputs has set: a tuple, or a dict by name; None if there are none."""
        return self._input_signature and self._input_signature.examples

    def recompute(
        self,
        *,
        use_reentrant: bool = True,
        output_recompute: bool = False,
        early_stop: bool = True,
        context_fn: Any = None,
        **options: Any,
    ) -> None:
        """Makes the gradient of this Cell recompute intermediate values instead of saving them.

        Args:
            use_reentrant, output_recompute, early_stop, context_fn: as of recompute (page Options).
            options: MindSpore's, for several devices (page Options).
        """
        own = {"use_reentrant": use_reentrant, "output_recompute": output_recompute, "early_stop": early_stop}
        take_all("recompute", {**own, "context_fn": context_fn})
        take_all("Cell.recompute", options)
        self._with_hooks().recompute = True
        self._changed()
