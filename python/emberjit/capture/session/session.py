"""A session is what one capture knows beside its graph: the guards of the graph, external objects, which captured code must
not mutate, those that it has created, and what calls share. One is current in each thread."""

from __future__ import annotations

import _thread
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture.session import call_depth
from emberjit.capture.session.effects import ALL as ALL_ITEMS
from emberjit.capture.session.effects import Effects
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


class Session:
    """The guards and objects of one capture."""

    def __init__(self) -> None:
        self.strict = False  # whether what cannot be captured is an error, and does not run in Python
        self.guards: dict[tuple[str, int, Any], Guard] = {}
        self.classes: dict[type, tuple[Any, set[str]]] = {}  # that are guarded: their state, which attributes were read
        self.namespaces: dict[type, Any] = {}  # what these classes and their bases define
        self.checked: dict[int, int] = {}  # classes that are followed, by id, in which state (core.class_version)
        self.external: dict[int, Any] = {}  # objects that captured code has read, and not created
        self.unobserved: dict[int, Any] = {}  # external containers whose items captured code has not read so far
        self.created: dict[int, Any] = {}  # instances that captured code has made
        self.inputs: list[Any] = []  # Tensors and numbers among the arguments, as the function sees them
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
        self.varying: dict[Place, Any] = {}  # where numbers from outside differ from call to call, with their owners
        self.dynamic = False  # whether all may
        self.numbers: dict[Place, Any] = {}  # those of these that are read, as symbols
        self.names: dict[int, str] = {}  # how captured code came to what is external: "self.cfg"
        self.lines: dict[Place, str] = {}  # where it read what is guarded alone: "file:line"
        self.graph_errors: list[Any] = []  # what makes those that the graph raises, by number (graph/raises.py)

    def class_of(self, tensor: Any) -> Any:
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
        given = {id(value): self.parameters[id(value)] for value in self.inputs if id(value) in self.parameters}
        apart = {id(parameter): parameter for parameter in given.values() if id(parameter) not in self.pinned}
        by_parameter = any(isinstance(value, core.Parameter) or id(value) in given for value in variables)
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
        """What captured code reads: guarded, or a symbol for a number that each call reads anew."""
        place = kind, id(owner), key
        known = self.numbers.get(place)
        if known is not None:
            return known
        if not self.varies(place, value):
            self.guard(kind, owner, key, value)
            self.lines.setdefault(place, core.current_capture().source_place())
            return value
        number = core.current_capture().add_outside(kind, owner, key, value, self.name_of(owner, key))
        self.numbers[place] = number
        return number

    def varies(self, place: Place, value: Any) -> bool:
        """Whether what is read there is a number that each call reads anew."""
        return (self.dynamic or place in self.varying) and is_plain_number(value)

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
            bases = [base for base in cls.__mro__ if core.can_change(base)]
            for base in bases:
                if base not in self.namespaces:
                    self.namespaces[base] = base, core.class_content(base)
            self.classes[cls] = (cls.__mro__, *(self.namespaces[base] for base in bases)), set()
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


def is_plain_number(value: Any) -> bool:
    """Whether a number can be a symbol: of no subclass, and of 64 bits."""
    return type(value) in (bool, float) or (type(value) is int and -(1 << 63) <= value < 1 << 63)


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


class active:
    """Makes a session the current one while a capture runs."""

    def __init__(self, session: Session | None = None):
        self.session = session or Session()

    def __enter__(self) -> Session:
        self.given = call_depth.let_nest()
        self.outer = _current.session
        _current.session = self.session
        return self.session

    def __exit__(self, *_: Any) -> None:
        _current.session = self.outer
        core.give_recursions(-self.given)
