"""While nodes: loops that a Tensor decides about.

The condition and the body run into graphs of their own. Loop-carried are the slots that the body changes, found by running
it again. A number stays of its class: for one that becomes a Tensor in the first trip, that trip comes before the loop,
and Python runs a call that makes none. A loop that its body may leave carries how it goes on as well, and what each way of
leaving needs, which is zeros until then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph import raises
from emberjit.capture.graph.conditions import (
    ON,
    RETURN,
    End,
    Outcome,
    Undecided,
    Way,
    blank,
    branch,
    decided,
    enter,
    followed,
    run_refusing,
    shared,
    undecided,
    zero,
)
from emberjit.capture.graph.subgraph import begin_graph
from emberjit.capture.session.errors import UnknownResult
from emberjit.capture.state.side_effects import ABSENT, SideEffects, Slot
from emberjit.values import tree

MAX_ROUNDS = 100  # of running code again, until it is known what it changes


class _ClassChanges(core.CaptureError):  # type: ignore[misc]
    """A loop makes a number what it was not before."""


class _Loop:
    """A While node under construction. `exits` has what leads out of the body, as it is before the first trip."""

    def __init__(self, namespace: Any, names: Iterable[str], start: Undecided, on: int):
        self.capture = core.current_capture()
        self.on, self.kind = on, start.kind
        self.exits = {kind: way for kind, way in start.ways.items() if kind != on}
        enter(namespace, start.ways[on])
        self.effects = SideEffects(namespace)
        known = [(0, name) for name in names]
        self.initial = {slot: value for slot in known if (value := self.effects.value(slot)) is not ABSENT}
        self.started = set(self.exits)
        self.carried: list[Any] = []
        self.sources: list[tuple[int, Any]] = []  # of what is carried by number, Tensors from outside that it may be
        self.unset: set[tuple[int, str]] = set()  # variables that a way out does not set
        self.endless = False

    def run(self, test: Callable[[], Any], body: Callable[[], End], done: Any) -> End:
        """Runs both until what is carried, and its types, stay as they are; then makes the node."""
        for _ in range(MAX_ROUNDS):
            leaves = [leaf for leaf in tree.leaves(self._state()) if tree.is_graph_value(leaf)]
            condition = self._graph("condition", leaves, lambda params: self._test(test, params))
            self.new: dict[Slot, Any] = {}
            self.new_exits: dict[int, Any] = {}
            self.carried, self.sources = leaves, []
            trip = self._graph("body", leaves, lambda params: self._trip(body, params))
            if self.new or self.new_exits:
                self.initial.update({slot: self.effects.value(slot) for slot in self.new})
                self.exits.update(tree.rebuild(self.new_exits, zero))
            else:
                break
        else:
            raise core.CaptureError("what a `while` on a Tensor changes does not settle.")
        results = self.capture.while_loop(leaves, condition, trip)
        for k, source in self.sources:
            if isinstance(source, core.Tensor):
                self.capture.share_memory(source, results[k])
        _, kind, exits = self._set(results)
        if not exits and self.endless:
            raises.throw(AssertionError("a loop has ended that only an error ends"))
        if not exits:
            return Outcome(self.on, done)
        namespace = self.effects.namespace
        names = {name for way in exits.values() for name in way.variables}
        on = Way(done, {name: dict.get(namespace, name, ABSENT) for name in names})
        return decided(namespace, Undecided(kind, exits if self.endless else {self.on: on, **exits}))

    def _state(self) -> Any:
        return [self.initial, [self.kind] if self.exits else [], self.exits]

    def _graph(self, name: str, examples: list[Any], run: Callable[[list[Any]], list[Any]]) -> Any:
        params = begin_graph(name, examples)
        try:
            return self.capture.end_graph(run(params))
        except BaseException:
            self.effects.roll_back()
            self.capture.abandon_graph()
            raise

    def _set(self, params: Iterable[Any]) -> tuple[dict[Slot, Any], Any, dict[int, Way]]:
        """Sets the slots; returns them, how the last trip ended, and the values of the ways out."""
        values = iter(params)
        state = tree.rebuild(self._state(), lambda old: next(values) if tree.is_graph_value(old) else old)
        self.effects.store(state[0])
        return state[0], next(iter(state[1]), self.on), state[2]

    def _test(self, test: Callable[[], Any], params: list[Any]) -> list[Any]:
        entered, kind, _ = self._set(params)

        def tested() -> Any:
            result = run_refusing(test, "a `while` on a Tensor")
            self.endless = result is True
            return self.capture.truth(result)

        if self.exits and not self.endless:
            result = branch(self.effects.namespace, kind == self.on, tested, lambda: False)
        else:
            result = tested()
        if self.exits and self.endless:
            result = kind == self.on
        for slot, value in self.effects.roll_back().items():
            if slot[0] >= 0 and value is not entered.get(slot, ABSENT):
                raise core.CaptureError(f"the condition of a `while` on a Tensor changes {self.effects.describe(slot)}.")
        return [result]

    def _trip(self, body: Callable[[], End], params: list[Any]) -> list[Any]:
        graph = self.capture.latest()
        _, _, exits = self._set(params)
        end = followed(body, "a `while` on a Tensor")
        if not end.ways:
            self.effects.roll_back()
            return list(params)
        last = dict(self.effects.namespace)
        if self.on in end.ways:
            enter(self.effects.namespace, end.ways[self.on])
        changes = self.effects.roll_back()
        self._note_sources(graph, params, changes)
        inner = {slot: value for slot, value in changes.items() if slot not in self.initial}
        for slot, what in shared(self.effects, inner).items():
            if self.effects.value(slot) is not ABSENT:
                raise core.CaptureError(
                    f"{self.effects.describe(slot)} becomes {what} in a `while` on a Tensor: make a copy."
                )
            last.pop(slot[1], None)
        for slot in inner:
            if self.effects.value(slot) is not ABSENT:
                self.new[slot] = changes[slot]
            elif self.effects.is_variable(slot):
                self.effects.namespace.lost[slot[1]] = "is set only inside a `while` on a Tensor, which may make no trip"
            else:
                raise core.CaptureError(f"{self.effects.describe(slot)} is added in a `while` on a Tensor.")
        created = [slot[1] for slot in inner if self.effects.value(slot) is ABSENT]
        left = self._left({kind: way for kind, way in end.ways.items() if kind != self.on}, created, last)
        results: list[Any] = []
        for slot in self.initial:
            value = changes.get(slot, self.effects.value(slot))
            parts = [leaf for leaf in tree.leaves(value) if tree.is_graph_value(leaf)]
            results.extend(changes.get((-1, id(leaf)), leaf) for leaf in parts)
        results.extend([end.kind] if self.exits else [])
        for kind in self.exits:
            ended = left.get(kind, exits[kind]) if kind not in self.new_exits else exits[kind]
            results.extend(leaf for leaf in tree.leaves(ended) if tree.is_graph_value(leaf))
        if any(self.capture.has_written(old) and new is not old for old, new in zip(params, results)):
            raise core.CaptureError(
                "a variable becomes another Tensor in a `while` on a Tensor, which has assigned elements of what it was "
                "before: make a copy()."
            )
        return [self._carried(old, new) for old, new in zip(params, results)]

    def _note_sources(self, graph: int, params: list[Any], changes: dict[Slot, Any]) -> None:
        """Remembers which Tensors from before the loop, or the trip, variables may be after it."""
        numbers = {id(param): number for number, param in enumerate(params)}
        k = -1
        for slot, before in self.initial.items():
            after = changes.get(slot, self.effects.value(slot))
            self._check_structure(slot, before, after)
            for leaf in tree.leaves(after):
                k += tree.is_graph_value(leaf)
                if slot[0] == -1 or not isinstance(leaf, core.Tensor):
                    continue
                self.sources.append((k, self.carried[k]))
                place, number = self.capture.place(leaf), numbers.get(id(leaf))
                of_trip = number is None and place is not None and place[0] >= graph
                if number == k or (of_trip and not self.capture.shares_memory(leaf)):
                    continue
                self.sources.append((k, leaf if number is None else self.carried[number]))
                if any(changed[0] == -1 for changed in changes):
                    raise core.CaptureError(
                        f"{self.effects.describe(slot)} becomes a Tensor that another variable is, and elements are "
                        "assigned, in a `while` on a Tensor: make a copy()."
                    )

    def _left(self, ways: dict[int, Way], created: list[str], last: dict[str, Any]) -> dict[int, Way]:
        """The ways out of a trip, with all variables that any way out has or that are `created` in the trip; notes those
        that are not as they were known."""
        names = {name: None for way in (*ways.values(), *self.exits.values()) for name in way.variables}
        names.update(dict.fromkeys(created))
        left: dict[int, Way] = {}
        for kind, way in ways.items():
            own = {} if kind == RETURN else {n: way.variables.get(n, last.get(n, ABSENT)) for n in names}
            own.update({n: ABSENT for n in own if (kind, n) in self.unset})
            known = self.exits.get(kind)
            if known is None:
                self.new_exits[kind] = Way(blank(way.value), blank(own))
                continue
            if not _fits(known.value, way.value):
                raise core.CaptureError(
                    f"ways out of a `while` on a Tensor give {tree.described(known.value)} and "
                    f"{tree.described(way.value)}: let all give the same structure."
                )
            variables = {n: self._before(kind, n, value) for n, value in own.items()}
            if variables.keys() != known.variables.keys() or any(v is not known.variables[n] for n, v in variables.items()):
                self.new_exits[kind] = Way(known.value, variables)
            left[kind] = Way(way.value, own)
        return left

    def _before(self, kind: int, name: str, value: Any) -> Any:
        """What a way out has as a variable before the first trip, if it gets `value` in one."""
        known = self.exits[kind].variables
        if name not in known:
            return self.effects.value((0, name)) if kind in self.started else blank(value)
        if _fits(known[name], value):
            return known[name]
        self.unset.add((kind, name))
        return ABSENT

    def _check_structure(self, slot: Slot, before: Any, after: Any) -> None:
        if not _fits(before, after):
            raise core.CaptureError(
                f"{self.effects.describe(slot)} changes in a `while` on a Tensor from {tree.described(before)} to "
                f"{tree.described(after)}: keep the structure, and what is neither Tensor nor number."
            )

    def _carried(self, old: Any, new: Any) -> Any:
        have, get = self.capture.type_of(old), self.capture.type_of(new)
        if have == get:
            return new
        if not have.is_tensor and not have.agrees(get):
            raise _ClassChanges(
                f"a number of a `while` on a Tensor becomes {get} in some trip: let it be that from the start."
            )
        if have.is_tensor and get.is_tensor and not have.agrees(get):
            raise core.CaptureError(f"a Tensor changes from {have} to {get} in a `while` on a Tensor: keep shape and dtype.")
        return self.capture.convert(new, have)


def _fits(known: Any, value: Any) -> bool:
    """Whether values differ only in what a graph computes."""
    if tree.structure(known) != tree.structure(value):
        return False
    pairs = zip(tree.leaves(known), tree.leaves(value))
    return all(core.same(x, y) for x, y in pairs if not (tree.is_graph_value(x) and tree.is_graph_value(y)))


def loop(
    namespace: Any,
    test: Callable[[], Any],
    body: Callable[[], End],
    names: Iterable[str],
    start: Undecided | None = None,
    on: int = ON,
    done: Any = None,
) -> End:
    """A While node, whose body ends with `on` to go on; returns how it ends: with `on`, and the value `done`, if the test
    fails, which it never does if it returns True. `names` are variables that the body is known to assign; `start` is how a
    trip before ended."""
    capture = core.current_capture()
    refused, begun = capture.refused, start or Undecided(on, {on: Way(None, {})})
    try:
        return _Loop(namespace, names, begun, on).run(test, body, done)
    except _ClassChanges:
        if start is not None:
            raise
        capture.refused = refused
        return _after_a_trip(namespace, test, body, names, on, done)
    except UnknownResult:  # in a graph that will not be used; this will do to learn what the function returns
        return decided(namespace, begun._replace(ways={**begun.ways, on: begun.ways[on]._replace(value=done)}))


def _after_a_trip(
    namespace: Any, test: Callable[[], Any], body: Callable[[], End], names: Iterable[str], on: int, done: Any
) -> End:
    """A While node after a trip that a call has to make: in one without, Python runs instead of the graph."""
    condition = test()
    if condition is not True:
        core.current_capture().require_trip(condition)
    first = undecided(body())
    return loop(namespace, test, body, names, first, on, done) if on in first.ways else decided(namespace, first)
