"""If and While nodes: code that a Tensor decides about.

Each side of a condition, and the body of a loop, runs into a graph of its own. What it changes (memory.py) is taken back
and becomes a result of the graph; after the node all that changed on either side is set to the node's results. What else
a side does cannot be undone, so it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.capture import tree
from emberjit.capture.memory import ABSENT, Memory, Slot

MOST_ROUNDS = 100  # of running code again, until it is known what it changes

_PLAIN_NUMBERS = (bool, int, float)


def decides(value: Any) -> bool:
    """Whether a condition is left to the graph: a captured tensor, or a number computed from one."""
    if isinstance(value, core.Number):
        return not value.known
    return isinstance(value, core.Tensor) and value._captured


class Mismatch(core.CaptureError):  # type: ignore[misc]
    """The sides of a branch give things that no graph value can be both of."""


class _Side(NamedTuple):
    """What one side of a branch left: values, their leaves, and the graph that computes those a graph can."""

    values: list[Any]
    leaves: list[list[Any]]
    types: list[list[Any]]
    graph: Any
    changed: list[Slot]


class _Branch:
    """An If node under construction. Values are the sides' own (first) and one for each slot that a side changes."""

    def __init__(self, frame: Any, test: Any, slots: Iterable[Slot]):
        self.capture = core.current_capture()
        self.memory = Memory(frame)
        self.condition = self.capture.truth(test)
        self.slots = list(slots)
        self.targets: dict[tuple[Any, int], Any] = {}  # (slot or None, leaf) -> type that both sides convert to
        self.dropped: set[Any] = set()

    def run(self, yes: Callable[[], Any], no: Callable[[], Any], returns: bool) -> Any:
        """Answers what the sides answer, and sets what they change. After a return the variables do not matter."""
        for _ in range(MOST_ROUNDS):
            dropped = len(self.dropped)
            a, b = self._side(yes), self._side(no)
            new = [slot for slot in dict.fromkeys([*a.changed, *b.changed]) if slot not in self.slots]
            if returns:
                new = [slot for slot in new if not self.memory.is_variable(slot)]
            if new:
                self.slots.extend(new)
            elif dropped == len(self.dropped) and self._agree(a, b):
                break
        else:
            raise core.CaptureError("what the sides of a condition on a Tensor change does not settle.")
        values = self._join(a, b)
        self.memory.store(dict(zip(self.slots, values[1:])))
        for slot in self.dropped:
            self.memory.frame.lost[slot[1]] = "is not set alike on both sides of a condition on a Tensor"
        return values[0]

    def _side(self, run: Callable[[], Any]) -> _Side:
        self.capture.begin_graph("branch", [])
        try:
            value = run_refusing(run, "a condition on a Tensor")
            for container in tree.containers(value):
                if id(container) in self.memory.index:
                    kind = type(container).__name__
                    raise Mismatch(f"a side of a condition on a Tensor gives a {kind} that a variable holds: make a copy.")
            changes = self.memory.take_back()
            for slot, what in shared(self.memory, changes).items():
                if not self.memory.is_variable(slot):
                    raise Mismatch(f"{self.memory.named(slot)} becomes {what} under a condition on a Tensor: make a copy.")
                self.dropped.add(slot)
            values = [value, *(changes.get(slot, self.memory.value(slot)) for slot in self.slots)]
            keys = [None, *self.slots]
            leaves = [[] if key in self.dropped else list(tree.leaves(value)) for key, value in zip(keys, values)]
            for (key, k), wanted in self.targets.items():
                if key not in self.dropped:
                    row = leaves[keys.index(key)]
                    row[k] = self.capture.convert(row[k], wanted)
            types = [[self.capture.type_of(leaf) if tree.is_graph_value(leaf) else None for leaf in row] for row in leaves]
            results = [leaf for row, kinds in zip(leaves, types) for leaf, kind in zip(row, kinds) if kind is not None]
            return _Side(values, leaves, types, self.capture.end_graph(results), list(changes))
        except BaseException:
            self.memory.take_back()
            self.capture.abandon_graph()
            raise

    def _agree(self, a: _Side, b: _Side) -> bool:
        agree = True
        for i, key in enumerate([None, *self.slots]):
            if key in self.dropped:
                continue
            try:
                wanted = _disagreements(a, b, i)
            except Mismatch as error:
                if key is None:
                    raise
                if not self.memory.is_variable(key):
                    raise Mismatch(f"{self.memory.named(key)}: {error}") from None
                self.dropped.add(key)
                agree = False
                continue
            self.targets.update({(key, k): kind for k, kind in wanted.items()})
            agree = agree and not wanted
        return agree

    def _join(self, a: _Side, b: _Side) -> list[Any]:
        joined = iter(self.capture.if_else(self.condition, a.graph, b.graph))
        values: list[Any] = []
        for i, key in enumerate([None, *self.slots]):
            row = []
            for x, y, kind in zip(a.leaves[i], b.leaves[i], a.types[i]):
                value = x if kind is None else next(joined)
                row.append(x if type(x) in _PLAIN_NUMBERS and core.same(x, y) else value)
            values.append(ABSENT if key in self.dropped else _refill(a.values[i], row))
        return values


def _disagreements(a: _Side, b: _Side, i: int) -> dict[int, Any]:
    left, right = a.values[i], b.values[i]
    if tree.structure(left) != tree.structure(right):
        raise Mismatch(
            f"the two sides of a condition on a Tensor give {tree.described(left)} and {tree.described(right)}: let both "
            "give the same structure."
        )
    wanted: dict[int, Any] = {}
    for k, (x, y) in enumerate(zip(a.types[i], b.types[i])):
        if x is None and y is None and core.same(a.leaves[i][k], b.leaves[i][k]):
            continue
        if x is None or y is None:
            raise Mismatch(
                f"the two sides of a condition on a Tensor give {tree.described(a.leaves[i][k])} and "
                f"{tree.described(b.leaves[i][k])}: a value that is neither Tensor nor number must be the same on both "
                "sides."
            )
        if x != y:
            wanted[k] = _common(x, y)
    return wanted


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


def branch(
    frame: Any, test: Any, yes: Callable[[], Any], no: Callable[[], Any], names: Iterable[str] = (), returns: bool = False
) -> Any:
    """What `yes` or `no` answers, as the captured `test` decides. Types are brought together by running the sides again.
    `names` are variables that the sides are known to assign."""
    return _Branch(frame, test, [(0, name) for name in names]).run(yes, no, returns)


class _Loop:
    """A While node under construction. Carried are the slots that the body changes; a number that becomes a Tensor in the
    loop is one from the start, found by running the body again."""

    def __init__(self, frame: Any, names: Iterable[str]):
        self.capture = core.current_capture()
        self.memory = Memory(frame)
        known = [(0, name) for name in names]
        self.initial = {slot: value for slot in known if (value := self.memory.value(slot)) is not ABSENT}

    def run(self, test: Callable[[], Any], body: Callable[[], Any]) -> None:
        """Runs both until what is carried, and its types, stay as they are; then makes the node."""
        for _ in range(MOST_ROUNDS):
            leaves = [leaf for value in self.initial.values() for leaf in tree.leaves(value)]
            graph_leaves = [leaf for leaf in leaves if tree.is_graph_value(leaf)]
            condition = self._graph("condition", graph_leaves, lambda params: self._test(test, params))
            self.wanted: dict[int, Any] = {}
            self.new: dict[Slot, Any] = {}
            trip = self._graph("body", graph_leaves, lambda params: self._trip(body, params))
            if self.new:
                self.initial.update({slot: self.memory.value(slot) for slot in self.new})
            elif not self.wanted:
                break
            else:
                self._convert()
        else:
            raise core.CaptureError("what a `while` on a Tensor changes does not settle.")
        self._set(self.capture.while_loop(graph_leaves, condition, trip))

    def _graph(self, name: str, examples: list[Any], run: Callable[[list[Any]], list[Any]]) -> Any:
        params = self.capture.begin_graph(name, examples)
        try:
            return self.capture.end_graph(run(params))
        except BaseException:
            self.memory.take_back()
            self.capture.abandon_graph()
            raise

    def _set(self, params: Iterable[Any]) -> dict[Slot, Any]:
        values = iter(params)
        carried = {
            slot: tree.rebuild(value, lambda old: next(values) if tree.is_graph_value(old) else old)
            for slot, value in self.initial.items()
        }
        self.memory.store(carried)
        return carried

    def _test(self, test: Callable[[], Any], params: list[Any]) -> list[Any]:
        entered = self._set(params)
        result = self.capture.truth(run_refusing(test, "a `while` on a Tensor"))
        for slot, value in self.memory.take_back().items():
            if slot[0] >= 0 and value is not entered.get(slot, ABSENT):
                raise core.CaptureError(f"the condition of a `while` on a Tensor changes {self.memory.named(slot)}.")
        return [result]

    def _trip(self, body: Callable[[], Any], params: list[Any]) -> list[Any]:
        self._set(params)
        run_refusing(body, "a `while` on a Tensor")
        changes = self.memory.take_back()
        inner = {slot: value for slot, value in changes.items() if slot not in self.initial}
        for slot, what in shared(self.memory, inner).items():
            if self.memory.value(slot) is not ABSENT:
                raise core.CaptureError(f"{self.memory.named(slot)} becomes {what} in a `while` on a Tensor: make a copy.")
        for slot in changes:
            if slot in self.initial:
                continue
            if self.memory.value(slot) is not ABSENT:
                self.new[slot] = changes[slot]
            elif self.memory.is_variable(slot):
                self.memory.frame.lost[slot[1]] = "is set only inside a `while` on a Tensor, which may make no trip"
            else:
                raise core.CaptureError(f"{self.memory.named(slot)} is added in a `while` on a Tensor.")
        results: list[Any] = []
        for slot, before in self.initial.items():
            value = changes.get(slot, self.memory.value(slot))
            self._check_structure(slot, before, value)
            results.extend(leaf for leaf in tree.leaves(value) if tree.is_graph_value(leaf))
        return [self._carried(k, old, new) for k, (old, new) in enumerate(zip(params, results))]

    def _check_structure(self, slot: Slot, before: Any, after: Any) -> None:
        def kinds(value: Any) -> list[Any]:
            return [None if tree.is_graph_value(leaf) else leaf for leaf in tree.leaves(value)]

        same = tree.structure(after) == tree.structure(before)
        if not same or not all(core.same(x, y) for x, y in zip(kinds(before), kinds(after))):
            raise core.CaptureError(
                f"{self.memory.named(slot)} changes in a `while` on a Tensor from {tree.described(before)} to "
                f"{tree.described(after)}: keep the structure, and what is neither Tensor nor number."
            )

    def _carried(self, k: int, old: Any, new: Any) -> Any:
        have, get = self.capture.type_of(old), self.capture.type_of(new)
        if have == get:
            return new
        if (get.is_tensor and not have.is_tensor) or (get.is_float and not have.is_float and not have.is_tensor):
            self.wanted[k] = get
            return old
        if have.is_tensor and get.is_tensor and not have.agrees(get):
            raise core.CaptureError(f"a Tensor changes from {have} to {get} in a `while` on a Tensor: keep shape and dtype.")
        return self.capture.convert(new, have)

    def _convert(self) -> None:
        position = iter(range(1 << 62))

        def lifted(old: Any) -> Any:
            if not tree.is_graph_value(old):
                return old
            kind = self.wanted.get(next(position))
            return old if kind is None else self.capture.convert(old, kind)

        self.initial = {slot: tree.rebuild(value, lifted) for slot, value in self.initial.items()}


def loop(frame: Any, test: Callable[[], Any], body: Callable[[], Any], names: Iterable[str]) -> None:
    """A While node; `names` are variables that the body is known to assign."""
    _Loop(frame, names).run(test, body)
