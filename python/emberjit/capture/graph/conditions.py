"""If nodes: code that a Tensor decides about.

Each side of a condition runs into a graph of its own. Its side effects are rolled back and become results of the graph;
after the node all that changed on either side is set to the node's results. What else a side does cannot be undone, so it
is refused.

Where the sides do not end alike (one leaves a loop, say), the node also returns a number that tells how, and what follows
is under a condition on it. A side gives zeros for what belongs to an end that it never comes to.

A side that ends in an error of the user's has no results: the graph raises it (raises.py), and the other side is no side
any more, but what follows: its nodes become those of the enclosing graph, and its side effects are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture.code.lookup import defines
from emberjit.capture.graph import raises
from emberjit.capture.graph.subgraph import begin_graph
from emberjit.capture.session.errors import UnknownResult
from emberjit.capture.session.session import Choice, current_session, watched
from emberjit.capture.state.side_effects import ABSENT, SideEffects, Slot
from emberjit.values import tree

_PLAIN_NUMBERS = (bool, int, float)

# How code ends; in bytecode also a position where it goes on.
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
    return not value.known if isinstance(value, core.Number) else isinstance(value, core.Tensor) and value._captured


class Mismatch(core.CaptureError):  # type: ignore[misc]
    """The sides of a branch give things that no graph value can be both of."""

    def __init__(self, message: str, remedy: str = ""):
        super().__init__(message + remedy)
        self.remedy = remedy or message  # what they give, and what to do


_SIDES = "the two sides of a condition on a Tensor give "
_UNLIKE = "is not set alike on both sides of a condition on a Tensor: set it before, or to the same type on both"
_FELL_THROUGH = Undecided(ON, {ON: Way(None, {})})


def undecided(end: End) -> Undecided:
    """An end with the ways that it may be."""
    if isinstance(end, Undecided):
        return end
    return _FELL_THROUGH if end is None else Undecided(end.kind, {end.kind: Way(end.value, {})})


def enter(namespace: Any, way: Way) -> None:
    """Sets the variables as they are for this way."""
    for name, value in way.variables.items():
        if value is ABSENT:
            dict.pop(namespace, name, None)
            namespace.lost.setdefault(name, namespace.unlike.get(name, _UNLIKE))
        else:
            dict.__setitem__(namespace, name, value)


def decided(namespace: Any, end: Undecided) -> End:
    """The same; with one way left it is taken."""
    if len(end.ways) > 1:
        return end
    ((kind, way),) = end.ways.items()
    enter(namespace, way)
    return Outcome(kind, way.value)


def follow_on(namespace: Any, end: End, kind: int, run: Callable[[Any], End]) -> End:
    """Continues with run(value) where `end` is `kind`; other ways stay as they are."""
    if end is None:
        return run(None) if kind == ON else None
    end = undecided(end)
    if kind not in end.ways:
        return decided(namespace, end)
    way = end.ways[kind]
    others = Undecided(end.kind, {k: w for k, w in end.ways.items() if k != kind})

    def go_on() -> End:
        enter(namespace, way)
        return run(way.value)

    if not others.ways:
        return go_on()
    return conditional(namespace, end.kind != kind, lambda: decided(namespace, others), go_on)


def become(namespace: Any, end: End, old: int, new: int) -> End:
    """The end with one way made another, which has the same value."""
    if end is None:
        return None if old != ON else Outcome(new)
    end = undecided(end)
    if old not in end.ways:
        return decided(namespace, end)
    if set(end.ways) <= {old, new}:
        ways = list(end.ways.values())
        names = {name for way in ways for name in way.variables}
        if all(any(way.variables.get(name, ABSENT) is ABSENT for way in ways) for name in names):
            enter(namespace, Way(None, dict.fromkeys(names, ABSENT)))
            return Outcome(new, end.ways[old].value)
    return follow_on(namespace, end, old, lambda value: Outcome(new, value))


class _Blank:
    """In place of a Tensor or number that a side never computes."""

    def __init__(self, kind: Any, cls: type):
        self.type, self.cls = kind, cls


Key = tuple[Any, ...]  # of a value that a side gives: a Slot, KIND, ("end", way) or ("end", way, variable)
KIND: Key = ("kind",)


class _Side:
    """What one side of a branch has left: how it ended, what it changed, and its graph, which takes results yet."""

    def __init__(self, end: Undecided, changes: dict[Slot, Any], graph: int):
        self.ways = set(end.ways)
        self.end, self.changes, self.graph = end, changes, graph

    def give(self, rows: dict[Key, Any]) -> None:
        """Sets the values of the node that this side knows: `parts` are their leaves as the side's code has them, `leaves`
        as they are at its end."""
        type_of = core.current_capture().type_of
        self.rows = rows
        self.parts = {key: tree.leaves(row) for key, row in rows.items()}
        self.leaves = {key: [self.changes.get((-1, id(leaf)), leaf) for leaf in row] for key, row in self.parts.items()}
        self.types = {
            key: [type_of(leaf) if tree.is_graph_value(leaf) else None for leaf in row] for key, row in self.leaves.items()
        }

    def was_given(self, leaf: Any) -> bool:
        """Whether a leaf is, or may share memory with, a Tensor from before the side."""
        if not isinstance(leaf, core.Tensor):
            return False
        place = core.current_capture().place(leaf)
        return place is None or place[0] < self.graph or core.current_capture().shares_memory(leaf)


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
    if core.same(x, y) or not defines(x, "__reduce__") or type(x) is not type(y) or not defines(x, "__next__"):
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


class _Conditional:
    """An If node under construction. Its values are how it ends, the value of each way, and one for each slot that a side
    changes; variables that differ between the ways in what no graph holds are values of each way instead. Each side runs
    once: its graph gets results when it is known what both sides give."""

    def __init__(self, namespace: Any, test: Any):
        self.capture = core.current_capture()
        self.effects = SideEffects(namespace)
        self.condition = self.capture.truth(test)
        self.line = self.capture.source_line
        self.slots: dict[Slot, None] = {}
        self.apart: dict[str, None] = {}
        self.conversions: dict[tuple[Key, int], Any] = {}  # (key, leaf) -> type that the second side converts to
        self.dropped: set[Key] = set()
        self.ways: dict[int, None] = {}

    def run(self, yes: Callable[[], End], no: Callable[[], End], alone: Callable[[], End]) -> End:
        """Answers how the sides end, and sets what they change. If `yes` raises an error, the graph does, and what follows
        is alone()."""
        a = self._side(yes)
        if not a.ways:
            self.capture.if_else(self.condition, self._finished(a, {}, [], {}), self._nothing())
            return alone()
        b = self._side(no)
        if not b.ways:
            self.capture.if_else(self.condition, self._nothing(), self._finished(b, {}, [], {}))
            self.capture.splice_graph(a.graph)
            self.effects.store(a.changes)
            return decided(self.effects.namespace, a.end)
        for side in (a, b):
            self._note(side)
        self._check_order(a, b)
        while not self._agree(a, b):
            pass
        return self._end(self._join(a, b))

    def _nothing(self) -> Any:
        begin_graph("pass", [])
        return self.capture.end_graph([])

    def _side(self, run: Callable[[], End]) -> _Side:
        begin_graph("branch", [])
        try:
            end = followed(run, "a condition on a Tensor")
            changes = self.effects.roll_back()
        except BaseException:
            self.effects.roll_back()
            self.capture.abandon_graph()
            raise
        return _Side(end, changes, self.capture.suspend_graph())

    def _note(self, side: _Side) -> None:
        """Remembers what a side may change."""
        for container in (part for way in side.end.ways.values() for part in tree.containers(way.value)):
            if id(container) in self.effects.index:
                kind = type(container).__name__
                raise Mismatch(f"a side of a condition on a Tensor gives a {kind} that a variable holds: make a copy.")
        self.ways.update(dict.fromkeys(side.ways))
        returns = side.ways == {RETURN}
        for slot, what in shared(self.effects, side.changes).items():
            if not self.effects.is_variable(slot):
                raise Mismatch(f"{self.effects.describe(slot)} becomes {what} under a condition on a Tensor: make a copy.")
            if not returns:
                self.dropped.add(slot)
                self._explain(slot[1], f"it becomes {what}: make a copy")
        for name in [name for way in side.end.ways.values() for name in way.variables]:
            self._set_apart(name)
        for slot in side.changes:
            variable = self.effects.is_variable(slot)
            if not (variable and (returns or slot[1] in self.apart)):
                self.slots[slot] = None

    def _check_order(self, a: _Side, b: _Side) -> None:
        """Refuses what both sides add to a dict or an object in another order."""
        for i, before in enumerate(self.effects.before[1:], 1):
            added = [[key for j, key in side.changes if j == i and key not in before] for side in (a, b)]
            both = [[key for key in keys if key in other] for keys, other in (added, added[::-1])]
            if both[0] != both[1]:
                raise Mismatch(_SIDES + "the keys of a dict, or the attributes of an object, in another order.")

    def _explain(self, name: str, why: str) -> None:
        """Notes how the sides have set a variable that is lost."""
        hint = ": set it before the condition" if why.endswith("only") else ""
        what = "" if why.startswith("it ") else "they give "
        self.effects.namespace.unlike[name] = (
            f"is not set alike on both sides of the condition on a Tensor in line {self.line}: {what}{why}{hint}"
        )

    def _set_apart(self, name: str) -> None:
        self.apart[name] = None
        self.slots.pop((0, name), None)

    def _rows(self, side: _Side) -> dict[Key, Any]:
        def now(slot: Slot) -> Any:
            return side.changes.get(slot, self.effects.value(slot))

        rows: dict[Key, Any] = {KIND: side.end.kind} if len(self.ways) > 1 else {}
        for kind, way in side.end.ways.items():
            rows["end", kind] = way.value
            if kind != RETURN:
                rows.update({("end", kind, name): way.variables.get(name, now((0, name))) for name in self.apart})
        returns = side.ways == {RETURN}
        rows.update({slot: now(slot) for slot in self.slots if not (returns and self.effects.is_variable(slot))})
        for key in self.dropped:
            rows.pop(key, None)
        return rows

    def _agree(self, a: _Side, b: _Side) -> bool:
        """Gives the sides their values; whether these fit together, or others are needed."""
        known = len(self.apart)
        self.conversions.clear()
        for side in (a, b):
            side.give(self._rows(side))
        for key in {**a.rows, **b.rows}:
            sides = [side for side in (a, b) if key in side.rows]
            apart = key in self.slots and self.effects.is_variable(key) and a.ways != b.ways
            try:
                if len(sides) < 2:
                    self._check_leaves(sides[0], key)
                    continue
                conversions = _disagreements(a, b, key)
            except Mismatch as error:
                if apart:
                    self._set_apart(key[1])
                elif len(key) == 3 or (key[0] != "end" and self.effects.is_variable(key)):
                    once = any(side.rows.get(key) is ABSENT for side in (a, b))
                    self.dropped.add(key)
                    self._explain(key[-1], "it is set on one side only" if once else error.remedy)
                elif key[0] == "end":
                    raise
                else:
                    raise Mismatch(f"{self.effects.describe(key)}: {error}") from None
                continue
            if apart and any(_constants_differ(x, y) for x, y in zip(a.leaves[key], b.leaves[key])):
                self._set_apart(key[1])
            self.conversions.update({(key, k): kind for k, kind in conversions.items()})
        return len(self.apart) == known

    def _check_leaves(self, side: _Side, key: Key) -> None:
        """Refuses a value of one side alone that holds, where no graph can, what the side has computed."""
        for leaf, kind in zip(side.leaves[key], side.types[key]):
            if kind is None and self.effects.leads_to(leaf, side.graph):
                raise Mismatch(
                    f"a side of a condition on a Tensor makes a {type(leaf).__name__} of Tensors that it computes, which is "
                    "used outside of it: make it outside, or let the side give the Tensors."
                )

    def _join(self, a: _Side, b: _Side) -> dict[Key, Any]:
        """The values, by a node where a graph has to compute them."""
        known = {key: (a if key in a.rows else b) for key in (*a.rows, *b.rows) if key not in self.dropped}
        computed = [(key, k) for key in known for k in range(len(known[key].leaves[key])) if _is_computed(a, b, key, k)]
        graphs = [
            self._finished(side, known, computed, conversions) for side, conversions in ((a, {}), (b, self.conversions))
        ]
        joined = dict(zip(computed, self.capture.if_else(self.condition, *graphs)))
        for (key, k), result in joined.items():
            if not isinstance(result, core.Tensor) or key[0] == -1:
                continue
            sides = [side.parts[key][k] if key in side.rows else None for side in (a, b)]
            if (session := current_session()) is not None:
                session.choices[id(result)] = Choice(result, self.condition, *sides)
            for side, value in zip((a, b), sides):
                if side.was_given(value):
                    self.capture.share_memory(value, result)
        return {
            key: _refill(side.rows[key], [joined.get((key, k), leaf) for k, leaf in enumerate(side.leaves[key])])
            for key, side in known.items()
        }

    def _finished(self, side: _Side, known: dict[Key, _Side], computed: list[tuple[Key, int]], conversions: Any) -> Any:
        """The graph of a side, with zeros for what only the other one knows."""

        def result(key: Key, k: int) -> Any:
            if key not in side.rows:
                return zero(_blank_leaf(known[key].leaves[key][k], known[key].types[key][k]))
            kind = conversions.get((key, k))
            leaf = side.leaves[key][k]
            return leaf if kind is None else self.capture.convert(leaf, kind)

        self.capture.resume_graph(side.graph)
        try:
            return self.capture.end_graph([result(key, k) for key, k in computed])
        except BaseException:
            self.capture.abandon_graph()
            raise

    def _end(self, values: dict[Key, Any]) -> End:
        self.effects.store({slot: values[slot] for slot in self.slots if slot in values})
        if self.dropped:
            enter(self.effects.namespace, Way(None, {slot[1]: ABSENT for slot in self.slots if slot in self.dropped}))
        ways = {
            kind: Way(
                values["end", kind],
                {name: values.get(("end", kind, name), ABSENT) for name in self.apart} if kind != RETURN else {},
            )
            for kind in self.ways
        }
        return decided(self.effects.namespace, Undecided(values.get(KIND), ways))


def _is_computed(a: _Side, b: _Side, key: Key, k: int) -> bool:
    """Whether a graph has to compute a leaf: not what Python knows alike on all sides."""
    sides = [side for side in (a, b) if key in side.rows]
    leaves = [side.leaves[key][k] for side in sides]
    plain = type(leaves[0]) in _PLAIN_NUMBERS and core.same(leaves[0], leaves[-1])
    return sides[0].types[key][k] is not None and not plain


def _disagreements(a: _Side, b: _Side, key: Key) -> dict[int, Any]:
    left, right = a.rows[key], b.rows[key]
    if tree.structure(left) != tree.structure(right):
        difference = f"{tree.described(left)} and {tree.described(right)}: let both give the same structure."
        raise Mismatch(_SIDES, difference)
    conversions: dict[int, Any] = {}
    for k, (x, y) in enumerate(zip(a.types[key], b.types[key])):
        left, right = a.leaves[key][k], b.leaves[key][k]
        if x is None and y is None and same(left, right):
            continue
        if x is None or y is None:
            shown = [tree.described(leaf) if kind is None else str(kind) for kind, leaf in ((x, left), (y, right))]
            difference = f"{shown[0]} and {shown[1]}: a value that is neither Tensor nor number "
            raise Mismatch(_SIDES, difference + "must be the same on both sides.")
        if x != y and not x.agrees(y):
            raise Mismatch(_SIDES, f"{x} and {y}: types, shapes and dtypes must agree.")
        if x != y:
            conversions[k] = x  # sizes that are equal now; calls in which they are not are guarded against
    return conversions


def _constants_differ(x: Any, y: Any) -> bool:
    return type(x) in _PLAIN_NUMBERS and type(y) in _PLAIN_NUMBERS and not core.same(x, y)


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
        if raises.is_thrown(error):
            raise
        raise core.CaptureError(
            f"under {where} this raises {type(error).__name__}: {error}. A graph holds code whether it runs or not, so "
            "an exception there cannot be captured: decide by a Python value, or check outside."
        ) from error


def followed(run: Callable[[], End], where: str) -> Undecided:
    """How such code ends; in no way if it raises an error of the user's, as the graph does then."""
    try:
        return undecided(run_refusing(run, where))
    except BaseException as error:
        if not raises.is_thrown(error):
            raise
        raises.record(error)
        return Undecided(ON, {})


def shared(effects: SideEffects, changes: dict[Slot, Any]) -> dict[Slot, str]:
    """The slots whose new value holds a list or dict that another slot holds as well: a graph would lose that."""
    reasons: dict[Slot, str] = {}
    seen: set[int] = set()
    for slot, value in changes.items():
        containers, before = tree.containers(value), tree.containers(effects.value(slot))
        for container in before:
            held = id(container) in effects.external or effects.references.get(id(container), 0) > 1
            if held and not any(container is one for one in containers):
                reasons[slot] = f"another {type(container).__name__} than one that is held elsewhere"
        own = {id(container) for container in before}
        for container in containers:
            others = effects.references.get(id(container), 0) - (id(container) in own)
            if id(container) not in effects.external and (id(container) in seen or others > 0):
                reasons[slot] = f"a {type(container).__name__} that another variable holds as well"
            seen.add(id(container))
    return reasons


def conditional(
    namespace: Any, test: Any, yes: Callable[[], End], no: Callable[[], End], alone: Callable[[], End] | None = None
) -> End:
    """How `yes` or `no` ends, as the captured `test` decides. `alone`: how `no` ends where `yes` raises an error, if not by
    running it."""
    node = _Conditional(namespace, test)
    try:
        return node.run(yes, no, alone or no)
    except UnknownResult:
        return _known(node.effects, yes, no)


def _known(effects: SideEffects, *sides: Callable[[], End]) -> End:
    """How the side ends of which that is known, in a graph that will not be used: the other one waits for its result."""
    waiting: list[UnknownResult] = []
    for side in sides:
        effects.roll_back()
        try:
            return decided(effects.namespace, undecided(run_refusing(side, "a condition on a Tensor")))
        except UnknownResult as error:
            waiting.append(error)
        except BaseException as error:
            if not raises.is_thrown(error):
                effects.roll_back()
                raise
    effects.roll_back()
    raise min(waiting, key=lambda error: error.subgraph.number)


def branch(namespace: Any, test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """What `yes` or `no` returns, as the captured `test` decides."""
    end = conditional(namespace, test, lambda: Outcome(ON, yes()), lambda: Outcome(ON, no()))
    return undecided(end).ways[ON].value


def logical_not(value: Any) -> Any:
    """`not`, whose operand may be a Tensor."""
    if not decides(value):
        return not watched(bool, value)
    return core.ops.logical_not(core.current_capture().truth(value))
