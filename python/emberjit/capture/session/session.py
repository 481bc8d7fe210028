"""A session is what one capture knows beside its graph: the guards of the graph, external objects, which captured code must
not mutate, those that it has created, and what calls share. One is current in each thread."""

from __future__ import annotations

import _thread
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture.session import call_depth
from emberjit.capture.session.effect_log import ALL as ALL_ITEMS
from emberjit.capture.session.effect_log import Effects
from emberjit.capture.session.errors import ItselfNeeded, RunInPython
from emberjit.capture.session.unfolding import Copies

Guard = tuple[str, Any, Any, Any]
Place = tuple[str, int, Any]  # the kind of a guard, the id of its owner, its key
MAX_STEPS = 1_000_000  # that one capture follows
ALL = "*"  # of the attributes of a class
_OF_ITEMS = frozenset(("item", "absent", "cell", "empty", "content"))  # guards


class Choice(NamedTuple):
    """A Tensor that a condition has chosen, in a graph another one than those it was chosen from."""

    chosen: Any
    condition: Any
    yes: Any  # None where this side gives nothing
    no: Any


def joined(path: str, key: Any) -> str:
    """What is in something by a key, as Python text; of what an object has the path ends with a dot."""
    return f"{path}{key}" if path.endswith(".") else f"{path}[{key!r}]"


class Engine(NamedTuple):
    """What follows the calls of captured code into the graph: functions of capture.dispatch, which knows all callables."""

    call: Callable[..., Any]  # (function, *args, **kwargs) calls anything; functions of the user's are followed
    interpret: Callable[..., Any]  # (function, args, kwargs) follows a function, though a decorator may want it otherwise
    share: Callable[..., Any]  # (session, function, args, kwargs, keep) calls a function by a graph that alike calls share
    call_library: Callable[..., Any]  # (function, args, kwargs) follows those of the user's alone that the function calls
    watched: Callable[..., Any]  # (function, *args) the same of what only Python's own machinery calls


class Session:
    """The guards and objects of one capture."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.strict = False  # whether what cannot be captured is an error, and does not run in Python
        self.guards: dict[tuple[str, int, Any], Guard] = {}
        self.classes: dict[type, tuple[Any, set[str]]] = {}  # that are guarded: their state, which attributes were read
        self.namespaces: dict[type, Any] = {}  # what these classes and their bases define
        self.checked: dict[int, int] = {}  # classes that are followed, by id, in which state (core.class_version)
        self.external: dict[int, Any] = {}  # objects that captured code has read, and not created
        self.unobserved: dict[int, Any] = {}  # external containers whose items captured code has not read so far
        self.created: dict[int, Any] = {}  # instances that captured code has made
        self.inputs: list[Any] = []  # Tensors and numbers among the arguments, as the function sees them
        self.input_of: dict[int, tuple[Any, Any]] = {}  # of Tensors: arguments and those read anew, by id
        self.parameters: dict[int, Any] = {}  # of the inputs those that stand for Parameters, by id
        self.hooked: dict[int, Any] = {}  # of the inputs those that stand for Tensors with hooks, by id
        self.identified: set[int] = set()  # of these, whose hooks the graph has, so that it serves no other Tensor
        self.pinned: dict[int, Any] = {}  # Parameters that are themselves where they are arguments, by id
        self.copies = Copies(())  # of what is unfolded among the arguments (session/unfolding.py)
        self.arguments: list[tuple[Any, Any]] = []  # containers among the arguments as the function sees them, their content
        self.effects = Effects()
        self.handled = sys.exc_info()[1]  # what the caller handles
        self.graphs = 0  # that have been begun within the capture's own
        self.steps = -core.executed()  # statements that have been followed, and instructions, but for those of the thread
        self.bodies: dict[int, Any] = {}  # functions that have been followed, with what runs them, by id
        self.recursive: dict[Any, str | None] = {}  # code that calls itself; why calls of it share no graph
        self.changing: dict[Any, str] = {}  # code that calls itself with arguments of other types, and how these change
        self.calls: dict[Any, list[Any]] = {}  # those that are being followed, by code (graph/recursion.py)
        self.subgraphs: dict[Any, list[Any]] = {}  # those that calls share, by what they depend on
        self.subgraph_keys: list[Any] = []  # in the order in which they were begun
        self.raised: dict[int, BaseException] = {}  # errors that the user's code has raised
        self.paths: dict[tuple[Any, ...], int] = {}  # the user's lines that lead to ops that may raise, numbered from 1
        self.generators: list[Any] = []  # that captured code has started
        self.choices: dict[int, Choice] = {}  # Tensors that conditions on Tensors have chosen, by id
        self.varying: dict[
            Place, Any
        ] = {}  # where numbers and Tensors from outside differ from call to call, with their owners
        self.dynamic = False  # whether all numbers may
        self.outside: dict[Place, Any] = {}  # those of these that are read, as symbols and inputs
        self.names: dict[int, str] = {}  # how captured code came to what is external: "self.cfg"
        self.lines: dict[Place, str] = {}  # where it read what is guarded alone: "file:line"
        self.graph_errors: list[Any] = []  # what makes those that the graph raises, by number (graph/raises.py)

    def class_of(self, tensor: core.Tensor) -> Any:
        """The class that the user's code knows a Tensor to be of."""
        return core.Parameter if id(tensor) in self.parameters else type(tensor)

    def may_be_parameter(self, value: Any) -> bool:
        """Whether the user's code has, or a condition may have chosen, a Parameter."""
        choice = self.choices.get(id(value))
        known = isinstance(value, core.Tensor) and self.class_of(value) is core.Parameter
        return known or (choice is not None and any(self.may_be_parameter(side) for side in (choice.yes, choice.no)))

    def need_itself(self, value: Any) -> None:
        """Begins the capture anew with a Parameter among the arguments as itself, which graphs have as other Tensors."""
        parameter = self.parameters.get(id(value))
        if parameter is None:
            return
        if id(parameter) in self.pinned or core.is_captured(parameter):
            raise core.CaptureError("a Parameter, of which a graph has a part only, is kept or asked for what it is.")
        raise ItselfNeeded({id(parameter): parameter})

    def need_variables(self, variables: Sequence[Any]) -> None:
        """Begins the capture anew with all Parameters among the arguments as themselves, if a gradient is by a Parameter:
        another of them may be the same one.

        Raises:
            CaptureError: a condition on a Tensor decides which Parameter is read.
        """
        parameters = {id(value): self.parameters[id(value)] for value in self.inputs if id(value) in self.parameters}
        apart = {id(parameter): parameter for parameter in parameters.values() if id(parameter) not in self.pinned}
        by_parameter = any(isinstance(value, core.Parameter) or id(value) in parameters for value in variables)
        if by_parameter and apart:
            raise ItselfNeeded(apart)
        sides = [side for choice in self.choices.values() for side in (choice.yes, choice.no)]
        chosen = by_parameter or any(id(value) in self.choices for value in variables)
        if chosen and any(map(self.may_be_parameter, sides)):
            raise core.CaptureError(
                "a gradient by Parameters is taken where a condition on a Tensor decides which Parameter is read: decide by "
                "a Python value."
            )

    def check_steps(self) -> None:
        """Notes that instructions are followed that may have been before.

        Raises:
            RunInPython: there have been so many that Python, which is far faster, had better run them all.
        """
        if self.steps + core.executed() > MAX_STEPS:
            raise RunInPython(
                f"more than {MAX_STEPS} instructions are followed, as of a loop of Python's that makes many trips: compute "
                "what it makes outside the jitted function, or use a loop on Tensors."
            )

    def guard(self, kind: str, owner: Any, key: Any, expected: Any) -> None:
        """The captured graph serves only calls that find the same, but for what captured code has written itself."""
        if kind in _OF_ITEMS and self.effects.wrote(owner, key if kind != "content" else ALL_ITEMS):
            return
        self.guards.setdefault((kind, id(owner), key), (kind, owner, key, expected))

    def read(self, kind: str, owner: Any, key: Any, value: Any) -> Any:
        """What captured code reads: guarded, or a symbol for a number, an input for a Tensor, that each call reads anew."""
        place = kind, id(owner), key
        known = self.outside.get(place)
        if known is not None:
            return known
        if not self.varies(place, value):
            self.guard(kind, owner, key, value)
            self.lines.setdefault(place, core.current_capture().source_place())
            return value
        capture = core.current_capture()
        if id(value) in self.input_of:
            self.outside[place] = self.input_of[id(value)][1]
            capture.add_alias(kind, owner, key, self.outside[place])
            return self.outside[place]
        self.outside[place] = capture.add_outside(kind, owner, key, value, self.name_of(owner, key))
        if type(value) is core.Tensor:
            self.input_of[id(value)] = value, self.outside[place]
        return self.outside[place]

    def varies(self, place: Place, value: Any) -> bool:
        """Whether what is read there is a number or a Tensor that each call reads anew."""
        if type(value) is core.Tensor:
            return place in self.varying and is_plain_tensor(value)
        return (self.dynamic or place in self.varying) and is_plain_number(value)

    def outside_tensors(self) -> dict[Place, Any]:
        """The Tensors from outside that each call reads anew, as captured code has them."""
        return {place: value for place, value in self.outside.items() if isinstance(value, core.Tensor)}

    def name(self, value: Any, name: str) -> None:
        """Notes how captured code came to something."""
        self.names.setdefault(id(value), name)

    def guard_names(self) -> dict[Place, tuple[str, str]]:
        """How captured code came to what is guarded alone, and where."""
        return {
            place: (self.name_of(owner, key), self.lines.get(place, ""))
            for place, (_, owner, key, _) in self.guards.items()
            if id(owner) in self.names
        }

    def name_of(self, owner: Any, key: Any) -> str:
        """How captured code came to what an owner has by a key."""
        path = self.names.get(id(owner), type(owner).__name__)
        return path if key is None or isinstance(key, frozenset) else joined(path, key)

    def guard_type(self, cls: type, name: str | None = None) -> None:
        """Guards how instances of a class behave, and that an attribute of the class, or each, is as it is."""
        if not core.can_change(cls):
            return
        if cls not in self.classes:
            self.classes[cls] = class_state(cls, self.namespaces), set()
        if name is not None:
            self.classes[cls][1].add(name)

    def all_guards(self) -> list[Guard]:
        """What the captured graph relies on."""
        classes: list[Guard] = [
            ("type", cls, None if ALL in read else frozenset(read), state) for cls, (state, read) in self.classes.items()
        ]
        return classes + list(self.guards.values())

    def guard_content(self, container: Any) -> None:
        """Guards the items of a container."""
        self.guard("content", container, None, self.effects.content(container))

    def share(self, key: Any, subgraph: Any) -> None:
        """Remembers a graph for later calls."""
        self.subgraphs.setdefault(key, []).append(subgraph)
        self.subgraph_keys.append(key)

    def forget_shared(self, mark: int) -> None:
        """Forgets all graphs for later calls but the first `mark`."""
        while len(self.subgraph_keys) > mark:
            self.subgraphs[self.subgraph_keys.pop()].pop()

    def changed(self) -> Any:
        """Something external that is no longer as it was read, or None."""
        for guard in self.all_guards():
            if not core.holds(*guard):
                return guard[1]
        for container, content in self.arguments:
            if not core.same(core.content(container), content):
                return container
        return None


def class_state(cls: type, namespaces: dict[type, Any]) -> tuple[Any, ...]:
    """What decides how instances of a class behave; `namespaces`: what classes define, as far as that is known."""
    bases = [base for base in cls.__mro__ if core.can_change(base)]
    for base in bases:
        if base not in namespaces:
            namespaces[base] = base, core.class_content(base)
    return cls.__mro__, *(namespaces[base] for base in bases)


def is_plain_number(value: Any) -> bool:
    """Whether a number can be a symbol: of no subclass, and of 64 bits."""
    return type(value) in (bool, float) or (type(value) is int and -(1 << 63) <= value < 1 << 63)


def is_plain_tensor(value: Any) -> bool:
    """Whether a Tensor can be read anew in each call: neither a Parameter nor of a user's class, and without hooks."""
    return type(value) is core.Tensor and not core.is_captured(value) and not core.hooks_of(value)


class _Current(_thread._local):
    session: Session | None = None


_current = _Current()


def current_session() -> Session | None:
    """The session of the innermost capture of this thread; None outside captures."""
    return _current.session


def guard(kind: str, owner: Any, key: Any, expected: Any) -> None:
    """A guard of the current session, if there is one."""
    if _current.session is not None:
        _current.session.guard(kind, owner, key, expected)


def follow(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Calls anything, following functions of the user's into the graph if one is being captured."""
    session = _current.session
    return function(*args, **kwargs) if session is None else session.engine.call(function, *args, **kwargs)


def interpreted(function: Callable[..., Any], /, *args: Any) -> Any:
    """Calls a function of the library's that branches on Tensors, into the graph if one is being captured."""
    session = _current.session
    return function(*args) if session is None else session.engine.interpret(function, args, {})


def shared(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], keep: bool) -> Any:
    """Calls a function, if a graph is being captured through one that calls alike share; `keep`: it is not inlined."""
    session = _current.session
    return function(*args, **kwargs) if session is None else session.engine.share(session, function, args, kwargs, keep)


def call_library(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Calls a function that is not followed into the graph; those of the user's that it calls are."""
    session = _current.session
    return function(*args, **kwargs) if session is None else session.engine.call_library(function, args, kwargs)


def watched(function: Callable[..., Any], /, *args: Any) -> Any:
    """Calls what only Python's own machinery calls: functions of the user's that it comes to are followed."""
    session = _current.session
    return function(*args) if session is None else session.engine.watched(function, *args)


class active:
    """Makes a session the current one while a capture runs."""

    def __init__(self, session: Session):
        self.session = session

    def __enter__(self) -> Session:
        self.recursions = call_depth.let_nest()
        self.outer = _current.session
        _current.session = self.session
        return self.session

    def __exit__(self, *_: Any) -> None:
        _current.session = self.outer
        core.give_recursions(-self.recursions)
