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
    constants: Values = {tensor.name: tensors.value(tensor, library.files) for tensor in graph.initializer}
    for tensor in graph.sparse_initializer:
        if tensor.values is not None:
            constants[tensor.values.name] = tensors.sparse(tensor, library.files)
    known = {name: value for name, value in outer.items() if name not in inputs}
    known.update((name, value) for name, value in constants.items() if name not in inputs)
    entries = [entry for node in graph.node for entry in _entries(node, library)]
    outputs = [info.name for info in graph.output]
    steps, defined = [], {*inputs, *constants}
    types = {info.name: declared(info) for info in graph.input}
    for entry in qdq.Rewriter(entries, outputs, set(defined), known, types):
        step = _stepped(entry, known, lambda: scope | defined)
        _enter(step, defined, scope)
        if _is_folded(step, known):
            constants.update((name, known[name]) for name in step.outputs if name)
            continue
        steps.append(step)
        for name in step.outputs:
            known.pop(name, None)
    if undefined := [name for name in outputs if name not in defined | scope]:
        raise ValueError(f"ONNX graph '{graph.name}' returns '{undefined[0]}', which nothing makes")
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


def _enter(step: Step, defined: set[str], scope: frozenset[str]) -> None:
    """Adds a step's outputs to the names that are defined.

    Raises:
        ValueError: it reads a name that is not defined before.
    """
    for name in step.inputs:
        if name not in defined and name not in scope:
            raise ValueError(f"ONNX {step.title} reads '{name}', which nothing makes before")
    defined.update(filter(None, step.outputs))


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
        versions = {domain_of(opset.domain): opset.version for opset in function.opset_import}
        inner = dataclasses.replace(library, opsets=versions)
    library.enter(len(function.node))
    for inlined in _inlined(node, function):
        yield from _entries(inlined, inner, depth + 1)


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
    free = [name for inner in programs.values() for name in inner.free]
    fold = KNOWN.get(node.op_type) if not domain_of(node.domain) and not programs else None

    def run(values: Values) -> Any:
        operands = [values[name] if name else None for name in node.input]
        if fold is not None and all(x is None or isinstance(x, Known) for x in operands):
            result = fold(*operands, **attributes)
            if result is not None:
                return (result,)
        bodies = {name: _Body(inner, values) for name, inner in programs.items()}
        result = table.called(rule, node.op_type, operands, {**attributes, **bodies})
        return result if isinstance(result, tuple) else (result,)

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

    def __call__(self, *inputs: Any) -> list[Any]:
        return self._program({**self._free, **dict(zip(self._program.inputs, inputs))})


def _attributes(node: messages.Node, rule: table.Rule, library: Library) -> Values:
    """The attributes by name, with the defaults of those that are absent.

    Raises:
        NotImplementedError: there is one that the rule does not know.
        ValueError: one is missing, or damaged.
    """
    present = {attribute.name: table.attribute(attribute, library.files) for attribute in node.attribute}
    if unknown := [name for name in present if name not in rule.attributes]:
        raise NotImplementedError(f"emberjit knows no attribute '{unknown[0]}' of it")
    attributes = {name: present.get(name, default) for name, default in rule.attributes.items()}
    if missing := [name for name, value in attributes.items() if value is table.NEEDED]:
        raise ValueError(f"the attribute '{missing[0]}' is missing")
    own = {"opset": library.opsets.get(domain_of(node.domain), 1), "outputs": len(node.output)}
    return {**attributes, **{name: value for name, value in own.items() if name in rule.context}}


_calls = itertools.count()


def _inlined(node: messages.Node, function: messages.Function) -> Iterator[messages.Node]:
    """The nodes of a function, with names of their own, and the attributes of the call."""
    prefix = f"{function.name}.{next(_calls)}."
    names = {"": ""}
    names.update(itertools.zip_longest(function.input, node.input[: len(function.input)], fillvalue=""))
    names.update((name, actual) for name, actual in zip(function.output, node.output) if actual)
    attributes = {attribute.name: attribute for attribute in (*function.attribute_proto, *node.attribute)}

    def name(old: str) -> str:
        return names.setdefault(old, prefix + old)

    def of_graph(graph: messages.Graph) -> messages.Graph:
        return messages.Graph(
            of_nodes(graph.node),
            graph.name,
            [dataclasses.replace(item, name=name(item.name)) for item in graph.initializer],
            [dataclasses.replace(item, name=name(item.name)) for item in graph.input],
            [dataclasses.replace(item, name=name(item.name)) for item in graph.output],
            [
                dataclasses.replace(item, values=dataclasses.replace(item.values, name=name(item.values.name)))
                for item in graph.sparse_initializer
                if item.values is not None
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
                part,
                input=list(map(name, part.input)),
                output=list(map(name, part.output)),
                attribute=[new for old in part.attribute for new in of_attribute(old)],
            )
            for part in nodes
        ]

    yield from of_nodes(function.node)
