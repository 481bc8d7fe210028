"""Graph breaks. A function of which not all can enter a graph runs as graphs and, between them, single instructions in
Python: where a graph has to end, its results are the variables and the stack; the instruction that no graph holds is
executed in Python, once, with the user's line (what it calls: frames.py); what follows is a function of variables and
stack, captured in turn. So effects happen in order, once in every call. Neither depth nor number of the breaks is
limited: a loop of Python's makes its trips in Driver.run. Where the graphs between breaks are too small to gain, the
function runs as Python has it.
"""

from __future__ import annotations

import functools
import math
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import executor, flow, instructions, purity, source, state, tree
from emberjit.capture.branches import Outcome
from emberjit.capture.executor import Nested, Run
from emberjit.capture.frame import NULL, Opaque, new_frame
from emberjit.capture.text import Text

Path = tuple[Any, ...]
Build = Callable[["Context"], Any]

_CONSTANTS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range)
_STATIC = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, core.dtype, type(NULL))
_COMPREHENSIONS = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")
_STORES = ("STORE_DEREF", "DELETE_DEREF")
_OPAQUE = [Opaque() for _ in range(64)]
END = -1
IMMEDIATE, EAGER = object(), object()  # instead of a result: the first instruction is for Python, or all that follows
EAGER_MISSES = 15  # between two captures, when all places for graphs are taken
FIRST_CALLS, TIMED_CALLS, TIMED_AGAIN = 8, 6, 500
MOST_FINISHES = 20  # calls that ended in Python, after which all do


class Context:
    """What a Plan is carried out with: results of the graph, what went into it, and what has been made so far."""

    def __init__(self, leaves: list[Any], inputs: Any):
        self.leaves, self.inputs = leaves, inputs
        self.made: dict[int, Any] = {}


class Plan:
    """Where a function goes on after a graph (`at`, or END), and how what it goes on with is made of the graph's results:
    the stack, the variables and the exception being handled, or the function's result."""

    def __init__(self, at: int, build: Build):
        self.at, self.build = at, build

    def made(self, leaves: list[Any], inputs: Any) -> Any:
        """What the function goes on with."""
        return self.build(Context(leaves, inputs))


class Packer:
    """Says how values can be made anew in each call. Values that are one stay one. `code` goes on with them; if None does,
    they are only shown."""

    def __init__(self, inputs: Any, code: instructions.Code | None):
        self.code = code
        self.paths: dict[int, Path] = {}
        self._find_paths(inputs, ())
        self.leaves: list[Any] = []
        self.known: dict[int, Build | None] = {}  # None while it is being packed
        self.packed = [inputs]  # keeps alive what is known by its id

    def _find_paths(self, value: Any, path: Path) -> None:
        if isinstance(value, _CONSTANTS) and not isinstance(value, core.Number):
            return
        self.paths.setdefault(id(value), path)
        if type(value) in (tuple, list):
            for i, item in enumerate(value):
                self._find_paths(item, (*path, i))
        elif type(value) is dict:
            for key, item in value.items():
                self._find_paths(item, (*path, key))

    def pack(self, value: Any) -> Build:
        """A function that makes the value."""
        if isinstance(value, core.Number):
            return self._captured(value)
        bound = isinstance(value, types.BuiltinMethodType) and not isinstance(value.__self__, (types.ModuleType, type(None)))
        if isinstance(value, (*_CONSTANTS, *_STATIC)) and not bound:
            if any(core.is_captured(item) for item in tree.leaves(getattr(value, "__defaults__", None))):
                raise core.CaptureError(f"{value!r} is needed after a break, with Tensors as defaults.")
            return lambda context: value
        path = self.paths.get(id(value))
        if path is not None:
            return lambda context: _at(context.inputs, path)
        key = id(value)
        if key not in self.known:

            def build(context: Context) -> Any:
                return _once(context, key, made)

            self.packed.append(value)
            self.known[key] = build if isinstance(value, Nested) else None
            made = self._made(value)
            self.known[key] = build
        known = self.known[key]
        if known is None:
            raise core.CaptureError(f"a {type(value).__name__} that holds itself is needed after a break of the graph.")
        return known

    def _made(self, value: Any) -> Build:
        reads = state.current_reads()
        if core.is_captured(value):
            if self.code is not None and core.current_capture().shares_memory(value):
                raise core.CaptureError("a slice or reshape of a Tensor that lives on is needed after a break of the graph.")
            return self._captured(value)
        if isinstance(value, core.Tensor) or (reads is not None and id(value) in reads.known):
            return lambda context: value
        if isinstance(value, (tuple, list, set, frozenset, dict, slice)):
            return self._container(value)
        if type(value) is Text:
            write, args = value.function, self.pack(value.args)
            return lambda context: write(*args(context))
        if isinstance(value, types.MethodType):
            function, receiver = self.pack(value.__func__), self.pack(value.__self__)
            return lambda context: types.MethodType(function(context), receiver(context))
        if isinstance(value, types.BuiltinMethodType):
            owner, name = self.pack(value.__self__), value.__name__
            return lambda context: getattr(owner(context), name)
        if isinstance(value, Nested):
            return self._nested(value)
        if isinstance(value, BaseException):
            return self._error(value)
        if reads is not None and id(value) in reads.made and getattr(type(value), "__new__", None) is object.__new__:
            cls, fields = type(value), self.pack(value.__dict__)
            return lambda context: tree.instance(cls, fields(context))
        if hasattr(type(value), "__next__"):
            return self._iterator(value)
        raise core.CaptureError(f"a {type(value).__name__} that captured code made is needed after a break of the graph.")

    def _captured(self, value: Any) -> Build:
        path = self.paths.get(id(value))
        if path is not None:
            return lambda context: _at(context.inputs, path)
        self.leaves.append(value)
        number = len(self.leaves) - 1
        return lambda context: context.leaves[number]

    def _container(self, value: Any) -> Build:
        if isinstance(value, dict):
            keys, items = list(value), [self.pack(item) for item in value.values()]
            if type(value) is not dict:
                raise core.CaptureError(f"a {type(value).__name__} is needed after a break of the graph.")
            return lambda context: dict(zip(keys, (item(context) for item in items)))
        if isinstance(value, slice):
            parts = [self.pack(part) for part in (value.start, value.stop, value.step)]
            return lambda context: slice(*(part(context) for part in parts))
        items, kind = [self.pack(item) for item in value], type(value)
        if hasattr(value, "_fields"):
            return lambda context: kind(*(item(context) for item in items))
        return lambda context: kind(item(context) for item in items)

    def _error(self, value: BaseException) -> Build:
        kind, args, fields = type(value), self.pack(value.args), self.pack(value.__dict__)
        cause, before = self.pack(value.__cause__), self.pack(value.__context__)
        suppressed = value.__suppress_context__

        def build(context: Context) -> Any:
            made = kind.__new__(kind, *args(context))
            made.__dict__.update(fields(context))
            made.__cause__, made.__context__ = cause(context), before(context)
            made.__suppress_context__ = suppressed
            return made

        return build

    def _iterator(self, value: Any) -> Build:
        try:
            make, args, *rest = value.__reduce__()
        except TypeError:
            raise core.CaptureError(f"a {type(value).__name__} is needed after a break of the graph.") from None
        parts, state_of = self.pack(args), self.pack(rest[0]) if rest and rest[0] is not None else None

        def build(context: Context) -> Any:
            made: Any = make(*parts(context))
            if state_of is not None:
                made.__setstate__(state_of(context))
            return made

        return build

    def _nested(self, value: Nested) -> Build:
        owners = {name: value.frame.cells.get(name, value.frame) for name in value.__code__.co_freevars}
        own = {name: owner for name, owner in owners.items() if not isinstance(owner, types.CellType)}
        if not all(name in owner and self._keeps(value, name) for name, owner in own.items()):
            raise core.CaptureError(f"the function '{value.__name__}' is needed after a break, and its variables change.")
        variables = {name: self.pack(owner[name]) for name, owner in own.items()}
        defaults, kwdefaults = self.pack(value.__defaults__), self.pack(value.__kwdefaults__)

        def build(context: Context) -> Any:
            cells = [types.CellType() if name in own else owner for name, owner in owners.items()]
            made = types.FunctionType(
                value.__code__, value.frame.global_names, value.__name__, defaults(context), tuple(cells)
            )
            made.__kwdefaults__ = kwdefaults(context)
            context.made[id(value)] = made  # before its variables, which may lead to it
            for name, cell in zip(owners, cells):
                if name in own:
                    cell.cell_contents = variables[name](context)
            return made

        return build

    def _keeps(self, inner: Nested, name: str) -> bool:
        """Whether a variable that an inner function sees keeps its value."""
        if self.code is None:
            return False
        if inner.__name__ in _COMPREHENSIONS:
            return not assigns(inner.__code__, name)
        stores = [i for i, ins in enumerate(self.code.instructions) if ins.name == "STORE_DEREF" and ins.value == name]
        again = any(0 <= ins.target <= at <= i for at in stores for i, ins in enumerate(self.code.instructions))
        given = name in source.parameters(self.code.code)
        return len(stores) + given <= 1 and not again and not assigns(inner.__code__, name)


def assigns(code: types.CodeType, name: str) -> bool:
    """Whether a function, or one within it, assigns a variable of the function around it."""
    inner = (item for item in code.co_consts if isinstance(item, types.CodeType))
    here = any(ins.name in _STORES and ins.value == name for ins in instructions.decoded(code).instructions)
    return here or any(assigns(item, name) for item in inner)


def planned(at: int, value: Any, packer: Packer) -> Any:
    """What a graph returns so that a function can go on."""
    plan = Plan(at, packer.pack(value))
    reads = state.current_reads()
    if reads is not None:
        reads.known[id(plan)] = plan
    return (plan, *packer.leaves)


def _at(place: Any, path: Path) -> Any:
    for key in path:
        place = place[key]
    return place


def _once(context: Context, key: int, make: Build) -> Any:
    if key not in context.made:
        context.made[key] = make(context)
    return context.made[key]


class Continuation:
    """A function from one of its instructions on: of (stack, variables, exception being handled)."""

    def __init__(self, driver: Driver, at: int):
        self.driver, self.at = driver, at
        self.__name__ = self.__qualname__ = f"{driver.name} at {driver.code.instructions[at].line}"
        self.immediate = driver.code.instructions[at].name == "PUSH_EXC_INFO"  # handlers see what Python has raised
        self.objects: dict[Path, Any] = {}
        self.changing: set[Path] = set()  # where each call has another object: seen as Opaque
        self.captures = self.passed = 0
        self.graph = core.Jit(self._capture, lambda args, kwargs: EAGER, self)

    def _capture(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Captures up to the end or the first instruction that is for Python."""
        from emberjit.capture import jit

        if self.captures >= core.MOST_GRAPHS and self.passed < EAGER_MISSES:
            self.passed += 1
            return EAGER
        self.captures, self.passed = self.captures + 1, 0
        limit = -1
        while True:
            try:
                segment = functools.partial(self._segment, limit)
                finish = jit.followed(self.graph, self, segment, args, kwargs, "bytecode")
                break
            except core.CaptureError as error:
                steps = getattr(error, "steps", None)
                self.driver.note(str(error))
                if isinstance(error, state.ForPython):
                    self.driver.finishes = MOST_FINISHES
                    return EAGER
                if steps is None or 0 <= limit <= steps:
                    return EAGER
                if steps == 0:
                    self.immediate = True
                    return IMMEDIATE
                limit = steps
            except Exception:
                return EAGER
        return finish().run(args, kwargs)

    def _segment(self, limit: int, _: Any, stack: Any, variables: Any, handled: Any) -> Any:
        driver = self.driver
        packer = Packer((stack, variables, handled), driver.code)
        run = driver.run_from(self.at, stack, variables, handled)
        try:
            outcome = run.until(limit)
        except core.CaptureError as error:
            error.steps = min([run.steps, *run.lost.values()])
            raise
        if isinstance(outcome, Outcome):
            return planned(END, outcome.value, packer)
        wanted = flow.live(driver.code)[run.at]
        for name, steps in run.lost.items():
            if name in wanted:
                lost = core.CaptureError(f"'{name}' is not set alike on both sides of a condition on a Tensor.")
                lost.steps = steps
                raise lost
        kept = {name: run.frame[name] for name in wanted if name in run.frame}
        return planned(run.at, (run.stack, kept, run.handled), packer)

    def hidden(self, inputs: Any) -> Any:
        """The inputs with an Opaque in place of what captured code can't depend on: iterators, and objects that are
        others in each call."""
        return self._hidden(inputs, (), iter(_OPAQUE))

    def _hidden(self, value: Any, path: Path, veils: Iterator[Opaque]) -> Any:
        closure = isinstance(value, types.FunctionType) and value.__closure__
        if isinstance(value, (*_CONSTANTS, *_STATIC, core.Tensor)) and not closure:
            return value
        if type(value) in (tuple, list):
            items = [self._hidden(item, (*path, i), veils) for i, item in enumerate(value)]
            return value if all(a is b for a, b in zip(items, value)) else type(value)(items)
        if type(value) is dict:
            fields = {key: self._hidden(item, (*path, key), veils) for key, item in value.items()}
            return value if all(fields[key] is value[key] for key in value) else fields
        if self.objects.setdefault(path, value) is not value:
            self.changing.add(path)
        if path in self.changing or hasattr(type(value), "__next__") or isinstance(value, BaseException):
            return next(veils)
        return value


class Choice:
    """Graphs or Python: whichever has been faster. Both are timed once the graphs are there, and again now and then."""

    def __init__(self) -> None:
        self.calls = 0
        self.least = {True: math.inf, False: math.inf}

    def graphs(self) -> bool:
        """Which way the next call goes."""
        self.calls += 1
        if self.calls <= FIRST_CALLS:
            return True
        if (self.calls - FIRST_CALLS) % TIMED_AGAIN == 0:
            self.least = {True: math.inf, False: math.inf}
        if self.timing():
            return self.calls % 2 == 0
        return self.least[True] <= self.least[False]

    def timing(self) -> bool:
        """Whether the last call's time counts."""
        return (self.calls - FIRST_CALLS) % TIMED_AGAIN < TIMED_CALLS

    def rest(self) -> int:
        """How many calls to come go the way of the last one; they count as made."""
        left = TIMED_AGAIN - 1 - (self.calls - FIRST_CALLS) % TIMED_AGAIN
        self.calls += left
        return left

    def took(self, graphs: bool, start: float) -> None:
        """How long a call took that has just ended."""
        self.least[graphs] = min(self.least[graphs], time.perf_counter() - start)


class Driver:
    """Runs a function that breaks."""

    def __init__(self, function: Any, note: Callable[[str], None]):
        from emberjit.capture import frames

        plain = getattr(function, "__func__", function)
        self.function, self.receiver = plain, (function.__self__,) if plain is not function else ()
        self.name = plain.__qualname__
        self.code = instructions.decoded(plain.__code__)
        self.note = note
        self.continuations: dict[int, Continuation] = {}
        self.callees = frames.Callees()
        self.finishes = 0
        self.choice = Choice()

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls the function."""
        if self.finishes >= MOST_FINISHES:
            return self.function(*self.receiver, *args, **kwargs)
        graphs = self.choice.graphs()
        start = time.perf_counter()
        try:
            if not graphs:
                return self.function(*self.receiver, *args, **kwargs)
            return self.run(source.bind(self.function, (*self.receiver, *args), kwargs))
        finally:
            self.choice.took(graphs, start)

    def run(self, variables: dict[str, Any]) -> Any:
        """Runs the function as graphs, with instructions in Python between them."""
        at, inputs = 0, ((), variables, None)
        while True:
            continuation = self.continuations.get(at)
            if continuation is None:
                continuation = self.continuations[at] = Continuation(self, at)
            if not continuation.immediate and inputs[2] is None:
                result = continuation.graph(*continuation.hidden(inputs))
                if result is EAGER:
                    return self._finish(at, inputs)
                if result is not IMMEDIATE:
                    plan, *leaves = result
                    at, inputs = plan.at, plan.made(leaves, inputs)
                    if at == END:
                        return inputs
            run = self.run_from(at, *inputs)
            outcome = _as_user_code(run.step)
            if outcome is not None:
                return outcome.value
            wanted = flow.live(self.code)[run.at]
            at, inputs = run.at, (tuple(run.stack), {k: run.frame[k] for k in wanted if k in run.frame}, run.handled)

    def run_from(self, at: int, stack: Any, variables: Any, handled: Any, *, own_cells: bool = False) -> Run:
        """The function at an instruction."""
        code = self.code.code
        cells = dict(zip(code.co_freevars, self.function.__closure__ or ()))
        frame = new_frame(code, cells, self.function.__globals__, variables, own_cells)
        run = Run(self.code, frame, list(stack), at)
        run.handled, run.callees = handled, self.callees
        return run

    def _finish(self, at: int, inputs: Any) -> Any:
        """Runs the rest of the function in Python."""
        self.finishes += 1
        if self.finishes == MOST_FINISHES:
            self.note("what its graphs depend on keeps changing or cannot be kept: all runs in Python from now on")
        run = self.run_from(at, *inputs, own_cells=True)
        outcome = _as_user_code(lambda: run.until())
        return outcome.value if outcome is not None else None


def _as_user_code(run: Callable[[], Any]) -> Any:
    """What `run` answers; the traceback of an exception does not show the frames of the interpreter."""
    try:
        return run()
    except BaseException as error:
        executor.show_user_code(error)
        raise


def driver(function: Any, note: Callable[[str], None]) -> Driver | None:
    """What runs a function that breaks, or None if it is not a Python function whose code is understood, or is debugged."""
    plain = getattr(function, "__func__", function)
    if not isinstance(plain, types.FunctionType) or not executor.supports(plain.__code__):
        return None
    if not purity.STOPS.isdisjoint(plain.__code__.co_names):
        return None
    return Driver(function, note)
