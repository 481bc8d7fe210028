"""If nodes: code that a Tensor decides about.

Each side of a condition runs into a graph of its own. What it changes (memory.py) is taken back and becomes a result of
the graph; after the node all that changed on either side is set to the node's results. What else a side does cannot be
undone, so it is refused.

Where the sides do not end alike (one leaves a loop, say), the node also answers a number that tells how, and what follows
stands under a condition on it. A side gives zeros for what belongs to an end that it never comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture import tree
from emberjit.capture.memory import ABSENT, Memory, Slot

MOST_ROUNDS = 100  # of running code again, until it is known what it changes

_PLAIN_NUMBERS = (bool, int, float)

# How code ends; in executor.py also a position where it goes on.
ON, BREAK, CONTINUE, FAILED, RETURN, YIELD = range(0, -6, -1)


class Outcome(NamedTuple):
    """How code ended, and what a return returns."""

    kind: int
    value: Any = None


class Way(NamedTuple):
    """One of the ways in which code may end, with the variables that are as they are for this way only."""

    value: Any
    variables: dict[str, Any]


class Undecided(NamedTuple):
    """Code that ended as a Tensor decided: `kind` is a number of the graph, a key of `ways`."""

    kind: Any
    ways: dict[int, Way]


End = Outcome | Undecided | None  # None: ON


def decides(value: Any) -> bool:
    """Whether a condition is left to the graph: a captured tensor, or a number computed from one."""
    if isinstance(value, core.Number):
        return not value.known
    return isinstance(value, core.Tensor) and value._captured


class Mismatch(core.CaptureError):  # type: ignore[misc]
    """The sides of a branch give things that no graph value can be both of."""


_UNLIKE = "is not set alike on both sides of a condition on a Tensor"


def undecided(end: End) -> Undecided:
    """An end with the ways that it may be."""
    if isinstance(end, Undecided):
        return end
    return Undecided(ON, {ON: Way(None, {})}) if end is None else Undecided(end.kind, {end.kind: Way(end.value, {})})


def enter(frame: Any, way: Way) -> None:
    """Sets the variables as they are for this way."""
    for name, value in way.variables.items():
        if value is ABSENT:
            dict.pop(frame, name, None)
            frame.lost.setdefault(name, _UNLIKE)
        else:
            dict.__setitem__(frame, name, value)


def decided(frame: Any, end: Undecided) -> End:
    """The same; with one way left it is taken."""
    if len(end.ways) > 1:
        return end
    ((kind, way),) = end.ways.items()
    enter(frame, way)
    return Outcome(kind, way.value)


def follow_on(frame: Any, end: End, kind: int, run: Callable[[Any], End]) -> End:
    """Continues with run(value) where `end` is `kind`; other ways stay as they are."""
    end = undecided(end)
    if kind not in end.ways:
        return decided(frame, end)
    way = end.ways[kind]
    others = Undecided(end.kind, {k: w for k, w in end.ways.items() if k != kind})

    def go_on() -> End:
        enter(frame, way)
        return run(way.value)

    if not others.ways:
        return go_on()
    return fork(frame, end.kind != kind, lambda: decided(frame, others), go_on)


def become(frame: Any, end: End, old: int, new: int) -> End:
    """The end with one way made another, which has the same value."""
    end = undecided(end)
    if old not in end.ways:
        return decided(frame, end)
    if set(end.ways) <= {old, new}:
        ways = list(end.ways.values())
        names = {name for way in ways for name in way.variables}
        if all(any(way.variables.get(name, ABSENT) is ABSENT for way in ways) for name in names):
            enter(frame, Way(None, dict.fromkeys(names, ABSENT)))
            return Outcome(new, end.ways[old].value)
    return follow_on(frame, end, old, lambda value: Outcome(new, value))


class _Blank:
    """Stands for a Tensor or number that a side never computes."""

    def __init__(self, kind: Any, cls: type):
        self.type, self.cls = kind, cls


Key = tuple[Any, ...]  # of a value that a side gives: a Slot, KIND, ("end", way) or ("end", way, variable)
KIND: Key = ("kind",)


class _Side(NamedTuple):
    """What one side of a branch left: values by key, their leaves, and the graph that computes those a graph can."""

    ways: set[int]
    rows: dict[Key, Any]
    blanks: dict[Key, Any]
    leaves: dict[Key, list[Any]]
    types: dict[Key, list[Any]]
    graph: Any
    results: list[Key]  # which value each of the graph's results is a part of
    slots: list[Slot]
    apart: list[str]

    def specs(self) -> dict[Key, Any]:
        """What the values consist of."""
        pairs = {key: zip(self.leaves[key], self.types[key]) for key in self.rows}
        return {key: _refill(row, [_blank_leaf(*pair) for pair in pairs[key]]) for key, row in self.rows.items()}


def _blank_leaf(leaf: Any, kind: Any) -> Any:
    return _Blank(kind, leaf.__class__) if isinstance(leaf, (core.Tensor, core.Number)) else leaf


def blank(value: Any) -> Any:
    """A value with all that a graph computes left open."""
    capture = core.current_capture()
    return tree.rebuild(value, lambda leaf: _blank_leaf(leaf, capture.type_of(leaf) if tree.is_graph_value(leaf) else None))


def zero(leaf: Any) -> Any:
    """A leaf; zeros of its type for what was left open."""
    if not isinstance(leaf, _Blank):
        return leaf
    return core.current_capture().convert(0 if leaf.type.is_tensor else leaf.cls(0), leaf.type)


def same(x: Any, y: Any) -> bool:
    """Whether values that no graph computes are the same; iterators are that would go on alike."""
    if core.same(x, y) or not hasattr(type(x), "__reduce__") or type(x) is not type(y) or not hasattr(type(x), "__next__"):
        return bool(core.same(x, y))
    try:
        left, right = x.__reduce__(), y.__reduce__()
    except TypeError:
        return False
    return len(left) == len(right) and left[0] is right[0] and all(map(_same_state, left[1:], right[1:]))


def _same_state(x: Any, y: Any) -> bool:
    if type(x) is tuple and type(y) is tuple and len(x) == len(y):
        return all(map(_same_state, x, y))
    return x is y or (type(x) in (int, range) and x == y) or same(x, y)


class _Fork:
    """An If node under construction. Its values are how it ends, the value of each way, and one for each slot that a side
    changes; variables that differ between the ways in what no graph holds are values of each way instead."""

    def __init__(self, frame: Any, test: Any, slots: Iterable[Slot], jumps: bool):
        self.capture = core.current_capture()
        self.jumps = jumps
        self.memory = Memory(frame)
        self.condition = self.capture.truth(test)
        self.slots = list(slots)
        self.apart: list[str] = []
        self.targets: dict[tuple[Key, int], Any] = {}  # (key, leaf) -> type that sides convert to
        self.wanted: dict[tuple[Key, int], Any] = {}  # further ones, which one side has already
        self.dropped: set[Key] = set()
        self.ways: dict[int, None] = {}
        self.keys: dict[Key, None] = {}
        self.fixed: dict[Key, dict[int, Any]] = {}  # variables that Python knows, by way

    def run(self, yes: Callable[[], End], no: Callable[[], End]) -> End:
        """Answers how the sides end, and sets what they change."""
        a = self._side(yes, None)
        b = self._side(no, a)
        for _ in range(MOST_ROUNDS):
            if self._is_stale(a, b):
                a = self._side(yes, b)
            elif self._is_stale(b, a):
                b = self._side(no, a)
            elif self._agree(a, b):
                if not self.wanted:
                    return self._end(self._join(a, b))
                self.targets.update(self.wanted)
                a, b = (self._side(yes, b), b) if self.jumps else (a, self._side(no, a))
            else:
                a = self._side(yes, b)
                b = self._side(no, a)
        raise core.CaptureError("what the sides of a condition on a Tensor change does not settle.")

    def _has_kind(self) -> bool:
        return self.jumps or len(self.ways) > 1

    def _is_stale(self, side: _Side, other: _Side) -> bool:
        if side.slots != self.slots or side.apart != self.apart or (KIND in side.rows) != self._has_kind():
            return True
        wanted = {key: spec for key, spec in other.specs().items() if key not in side.rows}
        return side.blanks.keys() != wanted.keys() or not all(_alike(side.blanks[key], wanted[key]) for key in wanted)

    def _side(self, run: Callable[[], End], other: _Side | None) -> _Side:
        self.capture.begin_graph("branch", [])
        try:
            end = undecided(run_refusing(run, "a condition on a Tensor"))
            self._check_values(end)
            changes = self.memory.take_back()
            self._note(end, changes)
            rows = self._rows(end, changes)
            blanks = {key: spec for key, spec in (other.specs() if other else {}).items() if key not in rows}
            values = {**rows, **{key: tree.rebuild(spec, zero) for key, spec in blanks.items()}}
            leaves = {key: list(tree.leaves(value)) for key, value in values.items()}
            for (key, k), wanted in self.targets.items():
                if key in leaves:
                    leaves[key][k] = self.capture.convert(leaves[key][k], wanted)
            types = {
                key: [self.capture.type_of(leaf) if tree.is_graph_value(leaf) else None for leaf in row]
                for key, row in leaves.items()
            }
            self.keys.update(dict.fromkeys(leaves))
            pairs = [(key, k) for key in self.keys for k, kind in enumerate(types.get(key, ())) if kind is not None]
            graph = self.capture.end_graph([leaves[key][k] for key, k in pairs])
        except BaseException:
            self.memory.take_back()
            self.capture.abandon_graph()
            raise
        return _Side(
            set(end.ways), rows, blanks, leaves, types, graph, [key for key, _ in pairs], list(self.slots), list(self.apart)
        )

    def _check_values(self, end: Undecided) -> None:
        for way in end.ways.values():
            for container in tree.containers(way.value):
                if id(container) in self.memory.index:
                    kind = type(container).__name__
                    raise Mismatch(f"a side of a condition on a Tensor gives a {kind} that a variable holds: make a copy.")

    def _note(self, end: Undecided, changes: dict[Slot, Any]) -> None:
        """Remembers what a side may change."""
        self.ways.update(dict.fromkeys(end.ways))
        returns = set(end.ways) == {RETURN}
        for slot, what in shared(self.memory, changes).items():
            if not self.memory.is_variable(slot):
                raise Mismatch(f"{self.memory.named(slot)} becomes {what} under a condition on a Tensor: make a copy.")
            if not returns:
                self.dropped.add(slot)
        for name in [name for way in end.ways.values() for name in way.variables]:
            self._set_apart(name)
        for slot in changes:
            variable = self.memory.is_variable(slot)
            if slot not in self.slots and not (variable and (returns or slot[1] in self.apart)):
                self.slots.append(slot)

    def _set_apart(self, name: str) -> None:
        if name not in self.apart:
            self.apart.append(name)
        if (0, name) in self.slots:
            self.slots.remove((0, name))

    def _rows(self, end: Undecided, changes: dict[Slot, Any]) -> dict[Key, Any]:
        def now(slot: Slot) -> Any:
            return changes.get(slot, self.memory.value(slot))

        rows: dict[Key, Any] = {KIND: end.kind} if self._has_kind() else {}
        for kind, way in end.ways.items():
            rows["end", kind] = way.value
            if kind != RETURN:
                rows.update({("end", kind, name): way.variables.get(name, now((0, name))) for name in self.apart})
        if set(end.ways) == {RETURN}:
            rows.update({slot: now(slot) for slot in self.slots if not self.memory.is_variable(slot)})
        else:
            rows.update({slot: now(slot) for slot in self.slots})
        return {key: value for key, value in rows.items() if key not in self.dropped}

    def _agree(self, a: _Side, b: _Side) -> bool:
        agree = True
        self.fixed.clear()
        self.wanted.clear()
        for key in [key for key in a.rows if key in b.rows and key not in self.dropped]:
            apart = self._may_stand_apart(key, a, b)
            try:
                wanted = _disagreements(b, a, key) if self.jumps else _disagreements(a, b, key)
            except Mismatch as error:
                if apart:
                    agree = self._stand_apart(key, a, b) and agree
                    continue
                if len(key) == 3 or (key[0] != "end" and self.memory.is_variable(key)):
                    self.dropped.add(key)
                    agree = agree and self._may_leave_out(key, a, b)
                    continue
                elif key[0] == "end":
                    raise
                else:
                    raise Mismatch(f"{self.memory.named(key)}: {error}") from None
                agree = False
                continue
            if apart and any(_constants_differ(x, y) for x, y in zip(a.leaves[key], b.leaves[key])):
                agree = self._stand_apart(key, a, b) and agree
                continue
            self.wanted.update({(key, k): kind for k, kind in wanted.items()})
        return agree

    def _may_stand_apart(self, key: Key, a: _Side, b: _Side) -> bool:
        return key in self.slots and self.memory.is_variable(key) and a.ways != b.ways

    def _may_leave_out(self, key: Key, a: _Side, b: _Side) -> bool:
        return key not in (*a.results[:1], *b.results[:1])

    def _stand_apart(self, key: Key, a: _Side, b: _Side) -> bool:
        """Makes a variable one of each way; answers whether the sides as they are will do."""
        computed = any(isinstance(leaf, (core.Tensor, core.Number)) for leaf in (*a.leaves[key], *b.leaves[key]))
        if computed or (a.ways & b.ways) - {RETURN} or not self._may_leave_out(key, a, b):
            self._set_apart(key[1])
            return False
        self.fixed[key] = {kind: side.rows[key] for side in (a, b) for kind in side.ways}
        return True

    def _join(self, a: _Side, b: _Side) -> dict[Key, Any]:
        for side in (a, b):
            kept = [i for i, key in enumerate(side.results) if key not in self.dropped and key not in self.fixed]
            if len(kept) < len(side.results):
                self.capture.keep_results(side.graph, kept)
        joined = iter(self.capture.if_else(self.condition, a.graph, b.graph))
        values: dict[Key, Any] = {}
        for key in [key for key in self.keys if key in a.leaves and key not in self.dropped and key not in self.fixed]:
            row = []
            for x, y, kind in zip(a.leaves[key], b.leaves[key], a.types[key]):
                value = x if kind is None else next(joined)
                row.append(x if type(x) in _PLAIN_NUMBERS and core.same(x, y) else value)
            values[key] = _refill((a if key in a.rows else b).rows[key], row)
        return values

    def _end(self, values: dict[Key, Any]) -> End:
        changed = {slot: values[slot] for slot in self.slots if slot in values}
        own = {kind: {key[1]: known[kind] for key, known in self.fixed.items()} for kind in self.ways if kind != RETURN}
        self.memory.store(changed)
        lost = [slot for slot in self.slots if slot in self.dropped]
        enter(self.memory.frame, Way(None, {slot[1]: ABSENT for slot in lost}))
        ways = {
            kind: Way(
                values["end", kind],
                {**own[kind], **{n: values.get(("end", kind, n), ABSENT) for n in self.apart}} if kind != RETURN else {},
            )
            for kind in self.ways
        }
        return decided(self.memory.frame, Undecided(values.get(KIND), ways))


def _disagreements(a: _Side, b: _Side, key: Key) -> dict[int, Any]:
    left, right = a.rows[key], b.rows[key]
    if tree.structure(left) != tree.structure(right):
        raise Mismatch(
            f"the two sides of a condition on a Tensor give {tree.described(left)} and {tree.described(right)}: let both "
            "give the same structure."
        )
    wanted: dict[int, Any] = {}
    for k, (x, y) in enumerate(zip(a.types[key], b.types[key])):
        left, right = a.leaves[key][k], b.leaves[key][k]
        if x is None and y is None and same(left, right):
            continue
        if x is None or y is None:
            raise Mismatch(
                f"the two sides of a condition on a Tensor give {tree.described(left)} and {tree.described(right)}: a value "
                "that is neither Tensor nor number must be the same on both sides."
            )
        if x != y:
            wanted[k] = _common(x, y)
    return wanted


def _constants_differ(x: Any, y: Any) -> bool:
    return type(x) in _PLAIN_NUMBERS and type(y) in _PLAIN_NUMBERS and not core.same(x, y)


def _alike(x: Any, y: Any) -> bool:
    """Whether two specs are of values that stand for each other."""
    if tree.structure(x) != tree.structure(y):
        return False
    pairs = zip(tree.leaves(x), tree.leaves(y))
    return all(a.type == b.type if isinstance(a, _Blank) and isinstance(b, _Blank) else same(a, b) for a, b in pairs)


def _common(a: Any, b: Any) -> Any:
    if a.agrees(b):  # sizes that are equal now; calls in which they are not are guarded against
        return a
    raise Mismatch(f"the two sides of a condition on a Tensor give {a} and {b}: types, shapes and dtypes must agree.")


def _refill(value: Any, leaves: Iterable[Any]) -> Any:
    items = iter(leaves)
    return tree.rebuild(value, lambda _: next(items))


def run_refusing(run: Callable[[], Any], where: str) -> Any:
    """Runs code that Python might not run: if it raises, eager execution might not have."""
    try:
        return run()
    except core.CaptureError:
        raise
    except Exception as error:
        raise core.CaptureError(
            f"under {where} this raises {type(error).__name__}: {error}. A graph holds code whether it runs or not, so "
            "an exception there cannot be captured: decide by a Python value, or check outside."
        ) from error


def shared(memory: Memory, changes: dict[Slot, Any]) -> dict[Slot, str]:
    """The slots whose new value holds a list or dict that another slot holds as well: a graph would lose that."""
    found: dict[Slot, str] = {}
    seen: set[int] = set()
    for slot, value in changes.items():
        own = {id(container) for container in tree.containers(memory.value(slot))}
        for container in tree.containers(value):
            others = memory.references.get(id(container), 0) - (id(container) in own)
            if id(container) not in memory.outer and (id(container) in seen or others > 0):
                found[slot] = f"a {type(container).__name__} that another variable holds as well"
            seen.add(id(container))
    return found


def fork(
    frame: Any,
    test: Any,
    yes: Callable[[], End],
    no: Callable[[], End],
    names: Iterable[str] = (),
    jumps: bool = True,
) -> End:
    """How `yes` or `no` ends, as the captured `test` decides. Types are brought together by running the sides again.
    `names` are variables that the sides are known to assign; `jumps`: they may end in several ways."""
    return _Fork(frame, test, [(0, name) for name in names], jumps).run(yes, no)


def branch(frame: Any, test: Any, yes: Callable[[], Any], no: Callable[[], Any], names: Iterable[str] = ()) -> Any:
    """What `yes` or `no` answers, as the captured `test` decides."""
    end = fork(frame, test, lambda: Outcome(ON, yes()), lambda: Outcome(ON, no()), names, jumps=False)
    return undecided(end).ways[ON].value
