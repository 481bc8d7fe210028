"""Nodes as steps of a program: the rule of an op, the graphs in its attributes, and functions of a model's own, whose nodes
stand for the call."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from emberjit.onnx import messages, qdq, table, tensors
from emberjit.onnx.numbers import KNOWN
from emberjit.onnx.program import Program, Step, Values
from emberjit.onnx.values import Known, declared

_RANDOM = {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli", "Dropout"}
_DEPTH = 64  # of functions that call each other
_MOST_NODES = 1 << 17
_FILLING = {"ConstantOfShape", "Expand"}  # whose last input is the shape of what they make
_MOST_FILLED = 1 << 24  # elements of a constant that they make
Scope = Callable[[], frozenset[str]]


@dataclasses.dataclass
class Library:
    """What is a model's own: the versions of its op sets, its functions, and the files beside it."""

    opsets: dict[str, int]
    functions: dict[tuple[str, str, str], messages.Function]
    files: tensors.Files
    entered: list[int] = dataclasses.field(default_factory=lambda: [0])  # nodes of functions by now

    def enter(self, count: int) -> None:
        """Counts nodes that stand for a call of a function.

        Raises:
            ValueError: there are more than a program has.
        """
        self.entered[0] += count
        if self.entered[0] > _MOST_NODES:
            raise ValueError(f"ONNX: calls of functions stand for more than {_MOST_NODES} nodes")


def program(graph: messages.Graph, library: Library, outer: Values, scope: frozenset[str] = frozenset()) -> Program:
    """A graph as what runs it.

    Args:
        graph: of the file.
        library: of its model.
        outer: constants of the graphs around it.
        scope: the names of all values of these.

    Raises:
        ValueError: the graph is damaged.
        NotImplementedError: it has an op, an attribute or a type that emberjit has not.
    """
    inputs = [info.name for info in graph.input]
    constants: Values = {each.name: tensors.value(each, library.files) for each in graph.initializer}
    for each in graph.sparse_initializer:
        if each.values is not None:
            constants[each.values.name] = tensors.sparse(each, library.files)
    known = {name: value for name, value in outer.items() if name not in inputs}
    known.update((name, value) for name, value in constants.items() if name not in inputs)
    entries = [entry for node in graph.node for entry in _entries(node, library)]
    outputs = [info.name for info in graph.output]
    steps, made = [], {*inputs, *constants}
    types = {info.name: declared(info) for info in graph.input}
    for entry in qdq.Rewriter(entries, outputs, set(made), known, types):
        step = _stepped(entry, known, lambda: scope | made)
        _enter(step, made, scope)
        if _is_folded(step, known):
            constants.update((name, known[name]) for name in step.outputs if name)
            continue
        steps.append(step)
        for name in step.outputs:
            known.pop(name, None)
    if unmade := [name for name in outputs if name not in made | scope]:
        raise ValueError(f"ONNX graph '{graph.name}' returns '{unmade[0]}', which nothing makes")
    return Program(steps, inputs, graph.output, constants)


def _is_folded(step: Step, known: Values) -> bool:
    """Whether a step's outputs are constants, which are known then. What fails, or would be large, is left for calls."""
    if not step.is_fixed or not all(name in known for name in step.inputs):
        return False
    shape = known.get(step.inputs[-1]) if step.fills else None
    if isinstance(shape, Known) and math.prod(shape.row()) > _MOST_FILLED:
        return False
    try:
        step(known)
    except (ValueError, TypeError, IndexError, NotImplementedError, RuntimeError):
        return False
    return True


def _enter(step: Step, made: set[str], scope: frozenset[str]) -> None:
    """Adds what a step makes to the names that are made.

    Raises:
        ValueError: it reads what is not made before.
    """
    for name in step.inputs:
        if name not in made and name not in scope:
            raise ValueError(f"ONNX {step.title} reads '{name}', which nothing makes before")
    made.update(filter(None, step.outputs))


def domain_of(name: str) -> str:
    """An op set's domain; the default one has two names."""
    return "" if name == "ai.onnx" else name


def _entries(node: messages.Node, library: Library, depth: int = 0) -> Iterator[qdq.Entry]:
    """A node, or those of the function that it calls."""
    domain = domain_of(node.domain)
    function = library.functions.get((domain, node.op_type, node.overload))
    title = (
        f"node '{node.name}' ({node.op_type})"
        if node.name
        else f"node {node.op_type} of '{node.output[0] if node.output else ''}'"
    )
    if function is None:
        for part in _parts(node, domain, title):
            yield qdq.Entry(part, (domain_of(part.domain), part.op_type), title, library)
        return
    if depth == _DEPTH:
        raise ValueError(f"ONNX {title}: its function calls itself")
    inner = library
    if function.opset_import:
        versions = {domain_of(each.domain): each.version for each in function.opset_import}
        inner = dataclasses.replace(library, opsets=versions)
    library.enter(len(function.node))
    for each in _inlined(node, function):
        yield from _entries(each, inner, depth + 1)


def _parts(node: messages.Node, domain: str, title: str) -> list[messages.Node]:
    """The nodes that one is divided into: mostly itself."""
    divide = table.PARTS.get((domain, node.op_type))
    try:
        return divide(node) if divide else [node]
    except (ValueError, NotImplementedError) as error:
        raise type(error)(f"ONNX {title}: {error}") from None


def _stepped(entry: qdq.Entry, known: Values, scope: Scope) -> Step:
    node, title, library = entry.node, entry.title, entry.library
    rule = table.RULES.get(entry.op)
    if rule is None:
        domain, op = entry.op
        place = f"opset {library.opsets.get(domain, '?')} of '{domain or 'ai.onnx'}'"
        raise NotImplementedError(f"ONNX {title}: emberjit has no op '{op}' ({place})")
    try:
        return _step(node, rule, title, library, known, scope)
    except (ValueError, NotImplementedError) as error:
        raise error if str(error).startswith("ONNX ") else type(error)(f"ONNX {title}: {error}") from None


def _step(node: messages.Node, rule: table.Rule, title: str, library: Library, known: Values, scope: Scope) -> Step:
    attributes = _attributes(node, rule, library)
    programs = {
        name: program(graph, library, known, scope())
        for name, graph in attributes.items()
        if isinstance(graph, messages.Graph)
    }
    if len(node.input) < rule.least or (len(node.input) > len(rule.inputs) and not rule.repeats):
        raise ValueError(f"it has {len(node.input)} inputs")
    if "" in node.input[: rule.least]:
        raise ValueError(f"its input {node.input.index('')} is absent")
    free = [name for each in programs.values() for name in each.free]
    fold = KNOWN.get(node.op_type) if not domain_of(node.domain) and not programs else None

    def run(values: Values) -> Any:
        given = [values[name] if name else None for name in node.input]
        if fold is not None and all(each is None or isinstance(each, Known) for each in given):
            made = fold(*given, **attributes)
            if made is not None:
                return (made,)
        bodies = {name: _Body(each, values) for name, each in programs.items()}
        made = table.called(rule, node.op_type, given, {**attributes, **bodies})
        return made if isinstance(made, tuple) else (made,)

    return Step(
        title,
        run,
        list(dict.fromkeys([*filter(None, node.input), *free])),
        list(node.output),
        is_plain=not programs,
        is_fixed=not programs and node.op_type not in _RANDOM,
        fills=node.op_type in _FILLING,
        programs=tuple(programs.values()),
    )


class _Body:
    """A graph in an attribute, with the values around it: a function of its inputs. `infos` says what its outputs are."""

    def __init__(self, program: Program, values: Values):
        self._program, self._free, self.infos = program, {name: values[name] for name in program.free}, program.infos

    def __call__(self, *given: Any) -> list[Any]:
        return self._program({**self._free, **dict(zip(self._program.inputs, given))})


def _attributes(node: messages.Node, rule: table.Rule, library: Library) -> Values:
    """The attributes by name, with the defaults of those that are absent.

    Raises:
        NotImplementedError: there is one that the rule does not know.
        ValueError: one is missing, or damaged.
    """
    found = {each.name: table.attribute(each, library.files) for each in node.attribute}
    if unknown := [name for name in found if name not in rule.attributes]:
        raise NotImplementedError(f"emberjit knows no attribute '{unknown[0]}' of it")
    given = {name: found.get(name, default) for name, default in rule.attributes.items()}
    if missing := [name for name, value in given.items() if value is table.NEEDED]:
        raise ValueError(f"the attribute '{missing[0]}' is missing")
    own = {"opset": library.opsets.get(domain_of(node.domain), 1), "outputs": len(node.output)}
    return {**given, **{name: value for name, value in own.items() if name in rule.given}}


_calls = itertools.count()


def _inlined(node: messages.Node, function: messages.Function) -> Iterator[messages.Node]:
    """The nodes of a function, with names of their own, and the attributes of the call."""
    prefix = f"{function.name}.{next(_calls)}."
    names = {"": ""}
    names.update(itertools.zip_longest(function.input, node.input[: len(function.input)], fillvalue=""))
    names.update((name, given) for name, given in zip(function.output, node.output) if given)
    attributes = {each.name: each for each in (*function.attribute_proto, *node.attribute)}

    def name(old: str) -> str:
        return names.setdefault(old, prefix + old)

    def of_graph(graph: messages.Graph) -> messages.Graph:
        return messages.Graph(
            of_nodes(graph.node),
            graph.name,
            [dataclasses.replace(each, name=name(each.name)) for each in graph.initializer],
            [dataclasses.replace(each, name=name(each.name)) for each in graph.input],
            [dataclasses.replace(each, name=name(each.name)) for each in graph.output],
            [
                dataclasses.replace(each, values=dataclasses.replace(each.values, name=name(each.values.name)))
                for each in graph.sparse_initializer
                if each.values is not None
            ],
        )

    def of_attribute(old: messages.Attribute) -> Iterator[messages.Attribute]:
        if old.ref_attr_name:
            if old.ref_attr_name in attributes:
                yield dataclasses.replace(attributes[old.ref_attr_name], name=old.name)
        else:
            yield old if old.g is None else dataclasses.replace(old, g=of_graph(old.g))

    def of_nodes(nodes: Iterable[messages.Node]) -> list[messages.Node]:
        return [
            dataclasses.replace(
                each,
                input=list(map(name, each.input)),
                output=list(map(name, each.output)),
                attribute=[new for old in each.attribute for new in of_attribute(old)],
            )
            for each in nodes
        ]

    yield from of_nodes(function.node)
