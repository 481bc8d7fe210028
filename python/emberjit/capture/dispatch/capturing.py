"""The capture of one call: the arguments become inputs of a graph, the function is followed into it, and what it returns and
what it relies on become an entry of the jitted function."""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit import context
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.dispatch.ambient import unwarned
from emberjit.capture.dispatch.calls import ENGINE
from emberjit.capture.graph import raises
from emberjit.capture.guards.mutation import check_end, refused, restore
from emberjit.capture.guards.objects import guard_object
from emberjit.capture.session.errors import (
    BeginAnew,
    ErrorAfterEffect,
    Interrupted,
    ItselfNeeded,
    TensorsHeld,
    locate,
    show_expression,
)
from emberjit.capture.session.session import Session, active, is_plain_number
from emberjit.capture.session.unfolding import Copies, TakenWhole, keep_whole
from emberjit.capture.state.results import check_leaves, result_spec
from emberjit.values import tree

BEGINS_CAPTURES = True  # no frame further out belongs to a capture


def capture_call(
    jitted: Any,
    function: Any,
    follow: Callable[..., Any],
    args: Args,
    kwargs: Kwargs,
    finish: Callable[..., Any] = core.add_entry,
    strict: bool = False,
) -> Any:
    """Captures one call of `function`, and returns what `finish` makes of that: by default code, which it adds to what
    `jitted` knows. `strict`: what cannot be captured does not run in Python."""
    if not core.EVALUATES_FRAMES:
        raise core.CaptureError("what this version of CPython calls is not known, so functions run in Python.")
    with core.Undisturbed(Interrupted):
        try:
            arguments, result = _captured(jitted, function, follow, args, kwargs, strict)
            return finish(*arguments, **result)
        except Interrupted:
            pass
    core.take_interrupt()
    raise KeyboardInterrupt


def _captured(
    jitted: core.Jit, function: Callable[..., Any], follow: Callable[..., Any], args: Args, kwargs: Kwargs, strict: bool
) -> tuple[Args, Kwargs]:
    """What core.add_entry takes."""
    recursive: dict[Any, str | None] = {}
    pinned: dict[int, Any] = {}
    unreplayed = False
    while True:
        session = Session(ENGINE)
        session.varying = jitted.__dict__.get("varying", {})
        session.dynamic = jitted.__dict__.get("dynamic", False)
        session.recursive, session.pinned = recursive, pinned
        session.copies = Copies(jitted.unfolded)
        session.strict, session.effects.refused = strict, unreplayed
        try:
            result = _attempt(jitted, function, follow, args, kwargs, session)
        except BaseException as error:
            restore(session)
            if isinstance(error, core.CaptureError) and _hold_tensors(jitted, session, error):
                continue
            if isinstance(error, Interrupted) or not isinstance(error, BeginAnew):
                if strict and isinstance(error, core.CaptureError):
                    show_expression(error)
                raise
            if isinstance(error, ItselfNeeded):
                pinned.update(error.parameters)
            if isinstance(error, TakenWhole):
                keep_whole(jitted, (error.cls,))
            unreplayed |= isinstance(error, ErrorAfterEffect)
            continue
        finally:
            session.effects.undo()
            session.raised.clear()  # their tracebacks lead here
            session.created.clear()
        if core.take_interrupt():  # which a library has caught
            restore(session)
            raise Interrupted
        return result


def _attempt(
    jitted: core.Jit, function: Callable[..., Any], follow: Callable[..., Any], args: Args, kwargs: Kwargs, session: Session
) -> tuple[Args, Kwargs]:
    """What core.add_entry takes."""
    name = getattr(function, "__qualname__", type(function).__name__).replace("<locals>.", "")
    capture = core.Capture(name)
    with capture, active(session), _located(function), unwarned():
        session.effects.level = capture.level()
        leaves = session.inputs
        once: dict[int, Any] = {}  # their lists, dicts and what is unfolded, likewise
        inputs = [_inputs(capture, session, arg, name, once) for arg, name in zip(args, _names(function, args))]
        keywords = {name: _inputs(capture, session, arg, name, once) for name, arg in kwargs.items()}
        if not str(type(function).__module__).startswith("emberjit.capture."):  # what runs parts of functions
            guard_object(function)
        try:
            value = follow(function, *inputs, **keywords)
        except BaseException as error:
            if not raises.is_thrown(error):
                raise
            raises.record(error)
            value = None
        finally:
            session.effects.undo()
        if capture.refused:
            raise core.CaptureError("something that cannot be captured into a graph was caught as an exception.")
        check_end(session)
        check_leaves(session, value)
        results: list[Any] = []
        places = {id(leaf): ("given", number) for number, leaf in enumerate(leaves) if isinstance(leaf, core.Tensor)}
        places |= {id(container): ("container", number) for number, container in enumerate(once.values())}
        spec, effects = _specs(session, value, results, places)
        if session.graph_errors:
            session.copies.check_not_raised()
        instances = session.copies.check_apart(session.external.values(), session.all_guards(), once)
        _check_read_anew(session, capture, results)
        apart = [*_apart(session, once), *instances]
        written = capture.written_inputs()
        _check_aliases(session, capture, {number for number, _ in written})
        pinned = [n for n, leaf in enumerate(leaves) if isinstance(leaf, core.Parameter) or id(leaf) in session.identified]
        _check_repeatable(jitted, capture, bool(written))
        writes = [(leaf, len(results) + i) for i, (leaf, _) in enumerate(written)]
        results.extend(tensor for _, tensor in written)
        core.check_writes(capture, args, kwargs, session.copies.classes, writes, pinned)
        own_memory = capture.own_memory(results)
    writer = context.graph_writer()
    dump = None if writer is None else functools.partial(writer, name)
    guards = session.all_guards()
    jitted.__dict__.setdefault("guard_names", {}).update(session.guard_names())
    if capture.depends_on_matmul_precision():
        guards.append(context.guard_of("matmul_precision"))
    core.set_load_elimination(context.load_elimination())
    return (jitted, capture, args, kwargs), {
        "results": results,
        "tree": spec,
        "guards": guards,
        "writes": writes,
        "errors": session.graph_errors,
        "effects": effects,
        "apart": apart,
        "lines": list(session.paths),
        "own_memory": own_memory,
        "pinned": pinned,
        "unfolded": session.copies.classes,
        "dump": dump,
    }


def _specs(session: Session, value: Any, results: list[Any], places: dict[int, Any]) -> tuple[Any, list[tuple[Any, ...]]]:
    """The trees of a captured function's result and of its effects."""
    effects = session.effects.recorded
    if not effects:
        return result_spec(value, results, arguments=places), []
    for effect in effects:
        check_leaves(session, effect.operands)
    _, (spec, *operands) = result_spec((value, *(effect.operands for effect in effects)), results, arguments=places)
    owners = [places.get(id(effect.owner), ("const", effect.owner)) for effect in effects]
    return spec, [(effect.kind, owner, content, effect.words) for effect, owner, content in zip(effects, owners, operands)]


def _apart(session: Session, arguments: dict[int, Any]) -> list[Any]:
    """What captured code knows otherwise than as an argument, if it matters that no argument is one of these."""
    effects = session.effects.recorded
    if not effects:
        return []
    copies = {id(copy) for copy in arguments.values()}
    owners = [guard[1] for guard in session.all_guards()] + [effect.owner for effect in effects]
    apart = {id(owner): owner for owner in owners if type(owner) in (list, dict) and id(owner) not in copies}
    if not apart.keys().isdisjoint(arguments):
        raise refused("a list or dict among the arguments, which is known otherwise too,")
    return list(apart.values())


def _check_repeatable(jitted: core.Jit, capture: core.Capture, written: bool) -> None:
    """Refuses a graph that may end by an error after it has changed what it does not undo, or Python would do once more."""
    if written and capture.raising():
        raise core.CaptureError("elements of an argument are assigned and an error is raised, which a graph does not undo.")
    fullgraph = getattr(jitted, "options", (None, False))[1]
    if (written or capture.acts()) and (capture.needs_trips() or (capture.checks_ints() and not fullgraph)):
        raise core.CaptureError(
            "an integer that a Tensor's elements or a loop give may take more than 31 bits, or a loop on a Tensor has "
            "to make a trip: else Python would repeat what the graph has done before. Compute with Tensors."
        )


@contextlib.contextmanager
def _located(function: Callable[..., Any]) -> Iterator[None]:
    """Names the function where a CaptureError does not say more."""
    try:
        yield
    except core.CaptureError as error:
        code = _code_of(function)
        if code is not None:
            locate(error, code.co_filename, code.co_firstlineno)
        raise


def _code_of(function: Callable[..., Any]) -> types.CodeType | None:
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def _names(function: Callable[..., Any], args: Args) -> list[str]:
    code = _code_of(function)
    first = isinstance(function, types.MethodType)
    names = [] if code is None else code.co_varnames[first : code.co_argcount]
    return [*names[: len(args)], *(f"x{i}" for i in range(len(names), len(args)))]


def _inputs(capture: core.Capture, session: Session, argument: Any, name: str, once: dict[int, Any]) -> Any:
    known = len(once)
    value = _copied(capture, session, argument, name, once)
    for container in list(once.values())[known:]:
        if type(container) is list or type(container) is dict:
            session.external[id(container)] = container
            session.arguments.append((container, core.content(container)))
        else:
            session.created[id(container)] = container
    return value


def _copied(capture: core.Capture, session: Session, argument: Any, name: str, once: dict[int, Any]) -> Any:
    return tree.rebuild(argument, lambda leaf: _input(capture, session, leaf, name, once), once)


def _input(capture: core.Capture, session: Session, leaf: Any, name: str, once: dict[int, Any]) -> Any:
    number = is_plain_number(leaf)
    if session.copies.unfolds(leaf):
        return session.copies.copy(leaf, once, lambda fields: _copied(capture, session, fields, name, once))
    if not number and type(leaf) not in (core.Tensor, core.Parameter):
        session.name(leaf, name)
        return guard_object(leaf)
    value = capture.add_input(leaf, name)
    if type(leaf) is core.Tensor:
        session.input_of.setdefault(id(leaf), (leaf, value))
    if id(leaf) in session.pinned:
        value = guard_object(leaf)
    elif type(leaf) is core.Parameter:
        session.parameters[id(value)] = leaf
    if isinstance(leaf, core.Tensor) and core.hooks_of(leaf):
        session.hooked[id(value)] = leaf
    session.inputs.append(value)
    return value


def _hold_tensors(jitted: core.Jit, session: Session, error: core.CaptureError) -> bool:
    """After a capture that has failed: whether it read Tensors anew, of which graphs hold each for one value from now on."""
    places = session.outside_tensors()
    if not places or (isinstance(error, BeginAnew) and not isinstance(error, TensorsHeld)):
        return False
    for place in places:
        jitted.__dict__.setdefault("held", {})[place] = session.varying.pop(place)
    return True


def _check_read_anew(session: Session, capture: Any, results: list[Any]) -> None:
    """Begins anew if Tensors that would be read anew in each call are written or returned themselves, or known otherwise."""
    places = session.outside_tensors()
    if not places:
        return
    arguments, read = set(map(id, session.inputs)), set(map(id, places.values()))
    known = {id(session.input_of[id(tensor)][1]) for tensor, _ in capture.hidden_inputs() if id(tensor) in session.input_of}
    sides = [side for choice in session.choices.values() for side in (choice.yes, choice.no)]
    tensors = [tensor for tensor in places.values() if id(tensor) not in arguments]
    themselves = {id(tensor) for tensor in tensors}.isdisjoint(map(id, [*results, *sides]))
    chosen = bool(sides) and any(map(capture.shares_memory, tensors))
    if capture.writes_outside_tensor() or chosen or not (themselves and read.isdisjoint(known)):
        raise TensorsHeld("a Tensor from outside is needed itself.")


def _check_aliases(session: Session, capture: core.Capture, written: set[int]) -> None:
    """Begins anew if a Parameter is written by one name and is, or may be, read by another, or if it is written while a tape
    records: no gradient flows to what is written to it."""
    hidden = {id(tensor): assigned for tensor, assigned in capture.hidden_inputs()}
    positions: dict[int, list[int]] = {}
    for number, value in enumerate(session.inputs):
        if id(value) in session.parameters:
            positions.setdefault(id(session.parameters[id(value)]), []).append(number)
    aliased = {
        parameter
        for parameter, numbers in positions.items()
        if hidden.get(parameter)
        or (written.intersection(numbers) and (parameter in hidden or len(numbers) > 1 or core.recording()))
    }
    if aliased:
        raise ItselfNeeded({id(p): p for p in session.parameters.values() if id(p) in aliased})
