"""Writes an example of each public name that is declared, with its output, and what calls by its samples show of it: what it
returns, of what it has gradients, what its results view: tools/examples.py [--check]. help() and the reference show them
(publish/facts.py). Names without samples, or without a declaration, have examples in their docstrings. Needs the package.

--check: runs every example, also those written by hand, writes nothing, and fails if a file is not what it would be, or if
    an output is another (floating point may differ by 1e-4), or if a name has no example.
--by-hand MODULE...: of a module's docstrings alone; lists what fails, and parameters that are not told of.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import enum
import importlib.util
import inspect
import io
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import example_samples as samples
import numpy as np
import public_names
from example_data import example_data
from example_samples import Call, Sample, literal
from public_names import Name

import emberjit as ms
from emberjit import Parameter, Tensor, dataset, mint, nn, ops, train
from emberjit.dataset import audio, text, transforms, vision
from emberjit.publish import classes, describe, facts, registry, signature
from emberjit.publish.index import NAMES

FOLDER = Path(__file__).resolve().parent.parent / "python" / "emberjit" / "publish" / "facts"
PRINTED = 24  # elements of a result whose values are shown
LINE = 100
BLANK = "<BLANKLINE>"  # a doctest's
NAN = re.compile(r"(?<!np\.)\bnan\b")
NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]?\d+)?")
NAMESPACE = {"ms": ms, "np": np, "ops": ops, "mint": mint, "nn": nn, "Tensor": Tensor, "Parameter": Parameter}
NAMESPACE |= {
    "example_data": example_data,
    "ds": dataset,
    "vision": vision,
    "transforms": transforms,
    "text": text,
    "audio": audio,
    "train": train,
}
NEEDS = {f"text.SentencePiece{what}": ("sentencepiece",) for what in ("Tokenizer", "Vocab")}  # where it is, these run
SHORT = {"input": "x", "self": "x", "other": "y", "input_x": "x", "input_y": "y"}


def calls_of(scope: str, name: str) -> Iterator[Call]:
    """How a public name is called, by each of its declarations."""
    for declared in registry.declared(scope, name):
        if scope != "Tensor" and name[0].isupper():
            definition = signature.definition_of(declared.target)
            attributes, operands = classes.lists(declared, definition)
            fixed = signature.spell(name, attributes, definition).parameters if attributes else ()
            yield Call(f"{scope}.{name}", signature.spell(name, operands, definition), fixed, declared.target)
        else:
            yield Call(f"{scope}.{name}", registry.overloads([declared])[0][0], None, declared.target)


def _argument(parameter: signature.Parameter, text: str, by_place: bool) -> str:
    if parameter.passed == signature.VARIADIC:
        return text[1:-1].rstrip(",") if text[:1] in "([" else text
    return text if by_place and parameter.passed == signature.ANY_WAY else f"{parameter.name}={text}"


def _list(parameters: tuple[signature.Parameter, ...], texts: dict[str, str], sample: Sample) -> str:
    """The arguments of a call, those left out that have their defaults."""
    out: list[str] = []
    skipped = False
    variadic = any(p.passed == signature.VARIADIC and p.source in sample.values for p in parameters)
    for parameter in parameters:
        if parameter.name == "self":
            continue
        value = sample.values.get(parameter.source, parameter.default)
        left_out = parameter.source not in sample.values or (
            value is parameter.default or literal(value) == repr(parameter.default)
        )
        if left_out and parameter.default is not signature.REQUIRED:
            skipped = skipped or parameter.passed != signature.VARIADIC
            continue
        by_place = variadic or (parameter.kind in (*signature.OPERANDS, "object") and not skipped)
        out.append(_argument(parameter, texts[parameter.source], by_place))
        skipped = skipped or out[-1].startswith(f"{parameter.name}=")
    return ", ".join(out)


def fits(call: Call, sample: Sample) -> bool:
    """Whether a sample's values can be given by a spelling."""
    required = {p.source for p in call.parameters if p.default is signature.REQUIRED}
    return (
        call.takes(sample) and required <= sample.values.keys() and not call.spelled.constants.keys() & sample.values.keys()
    )


def code_of(call: Call, sample: Sample) -> list[str]:
    """The lines of a call: its Tensors, then what it gives."""
    lines, texts = [], {}
    for parameter in call.parameters:
        if parameter.source not in sample.values:
            continue
        value, text = sample.values[parameter.source], sample.text(parameter.source)
        if parameter.kind == "ref" or parameter.source in sample.written:
            text = f"Parameter({text})"
        if isinstance(value, np.ndarray) or (isinstance(value, (list, tuple)) and "Tensor" in text and len(text) > 40):
            variable = SHORT.get(parameter.name, parameter.name)
            lines.append(f"{variable} = {text}")
            text = variable
        texts[parameter.source] = text
    if call.path.startswith("Tensor."):
        own = texts[call.spelled.parameters[0].source]
        function = f"{own}.{call.spelled.name}"
    else:
        scope = call.path.split(".")[0]
        function = call.path if scope in ("ops", "mint", "nn") else f"ms.{call.path}"
        function += "" if call.attributes is None else f"({_list(call.attributes, texts, sample)})"
    return [*lines, f"{function}({_list(call.spelled.parameters, texts, sample)})"]


def _shown(name: str, value: Any) -> list[str]:
    if not isinstance(value, Tensor):
        return [name]
    text = f"{name}.asnumpy()" if isinstance(value, Parameter) else name
    return [f"print({text})"] if value.size <= PRINTED else [f"print({name}.shape, {name}.dtype)"]


def with_output(call: Call, lines: list[str], seeded: bool) -> str | None:
    """The example as a doctest; None if it shows nothing."""
    *first, expression = lines
    first = [*(["ms.set_seed(1)"] if seeded else []), *first]
    namespace = dict(NAMESPACE)
    exec("\n".join(first), namespace)
    value = eval(expression, namespace)
    if signature.is_in_place(call.spelled) or value is None or isinstance(value, Parameter):
        first.append(expression if value is None else f"_ = {expression}")
        name = next((line.split(" = ")[0] for line in lines if " = " in line), None)
        if name is None:
            return None
        shown = _shown(name, namespace[name])
    elif isinstance(value, (tuple, list)) and value and all(isinstance(part, Tensor) for part in value):
        names = ["first", "second", "third", "fourth", "fifth", "sixth"][: len(value)]
        if len(names) < len(value) or len(value) == 1:
            shown = (
                [f"for part in {expression}: print(part)"]
                if all(p.size <= PRINTED for p in value)
                else [f"len({expression})"]
            )
        else:
            first.append(f"{', '.join(names)} = {expression}")
            shown = [line for name, part in zip(names, value) for line in _shown(name, part)]
    elif isinstance(value, Tensor) and (value.size > PRINTED or len(expression) > LINE - 12):
        first.append(f"result = {expression}")
        shown = _shown("result", value)
    else:
        shown = _shown(expression, value)
    return run([*first, *shown])


def wrapped(line: str) -> str:
    """A line as a session has it: the rows of a long Tensor one below the other."""
    head, opening, rest = line.partition("Tensor([")
    if len(line) <= LINE or not rest.startswith("["):
        return f">>> {line}"
    rows = re.split(r"(?<=\]), (?=\[)", rest) if "[[" not in rest else re.split(r"(?<=\]\]), (?=\[\[)", rest)
    return ">>> " + head + opening + (",\n... " + " " * len(head + opening)).join(rows)


def run(lines: list[str]) -> str:
    """What a session shows that enters these lines."""
    namespace, out = dict(NAMESPACE), []
    for line in lines:
        out.append(wrapped(line))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(line + "\n", "<example>", "single"), namespace)
        shown = printed.getvalue().rstrip("\n").split("\n") if printed.getvalue() else []
        out += [row or BLANK for row in shown]
    return "\n".join(out)


def _candidates(call: Call) -> Iterator[Sample]:
    """Samples that a spelling takes; then others, without what it does not take."""
    every = [one for seed in range(1, 6) for one in sorted(samples.of(call.target, seed), key=Sample.strangeness)]
    if word := re.search(r"^nan|nan$|inf$|finite$", call.spelled.name.lower()):
        every = [one.with_number(np.nan if word[0] == "nan" else np.inf) for one in every]
    for sample in [*every, *(one.of(call.sources) for one in every if not fits(call, one))]:
        if fits(call, sample):
            yield sample


def flaw(text: str) -> int:
    """What an example lacks: its numbers are not shown (3), are all the same (2), or are in blocks (1)."""
    elements = re.findall(r"[\w.+-]+", text.rpartition(">>> ")[2].partition("\n")[2])
    same = len(elements) > 1 and len(set(elements)) == 1
    return 3 if ".shape," in text else 2 if same else 1 if BLANK in text else 0


def example(calls: list[Call]) -> tuple[str, list[str]]:
    """The best example of a name, the first of those with the least flaw, and why samples gave none."""
    reasons, best = [], ""
    least = 4
    for call in calls:
        seeded = registry_module(call).startswith("random") or samples.draws(call.target)
        for sample in _candidates(call):
            try:
                text = with_output(call, code_of(call, sample), seeded)
            except Exception as error:
                reasons.append(f"{type(error).__name__}: {error}")
                continue
            if not text or NAN.search(text):
                reasons.append("it shows NaN, or nothing")
            elif flaw(text) < least:
                best, least = text, flaw(text)
            if least == 0:
                return best, reasons
    return best, reasons


def registry_module(call: Call) -> str:
    """The module of functions that declares it."""
    scope, _, name = call.path.rpartition(".")
    return NAMES[scope][name]


def entry(scope: str, name: str) -> tuple[str, list[str]]:
    """All that is told of a name; without an example where the definition's documentation has one."""
    calls = list(calls_of(scope, name))
    by_hand = any(describe.EXAMPLES.search(inspect.cleandoc(call.target.__doc__ or "")) for call in calls)
    text, reasons = ("", []) if by_hand else example(calls)
    return facts.write(samples.observed(calls)._replace(example=text)), reasons


def alike(old: str, new: str) -> bool:
    """Whether two texts differ by blanks and the last digits of numbers at most."""
    form = lambda text: re.sub(r"\s*([\[\]])\s*", r"\1", NUMBER.sub("#", text)).split()
    if form(old) != form(new):
        return False
    ours, theirs = (np.array([float(x) for x in NUMBER.findall(text)]) for text in (old, new))
    return bool(np.allclose(ours, theirs, rtol=1e-4, atol=1e-5))


class _Checker(doctest.OutputChecker):
    def check_output(self, want: str, got: str, flags: int) -> bool:
        return alike(want, got) or super().check_output(want, got, flags | doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)


def failures(name: Name) -> str:
    """What is wrong with the examples of a docstring."""
    told = inspect.getdoc(name.value) or ""
    test = doctest.DocTestParser().get_doctest(told, dict(NAMESPACE), name.path, None, None)
    if not test.examples:
        return f"{name.path} has no example\n"
    if any(importlib.util.find_spec(package) is None for package in NEEDS.get(name.path, ())):
        return ""
    out = io.StringIO()
    runner, back = doctest.DocTestRunner(_Checker(), verbose=False), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            runner.run(test, out=out.write)
        finally:
            os.chdir(back)
    return out.getvalue()


def untold(name: Name) -> list[str]:
    """The parameters of a name that its docstring does not tell of; an enumeration has none of its own."""
    if inspect.isclass(name.value) and issubclass(name.value, enum.Enum):
        return []
    try:
        parameters = [*inspect.signature(name.value).parameters]
    except (TypeError, ValueError):
        return []
    told = set(re.findall(r"\w+", " ".join(re.findall(r"^ *\*{0,2}(\w[\w, *]*):", inspect.getdoc(name.value) or "", re.M))))
    return [parameter for parameter in parameters if parameter not in {*told, "self", "args", "kwargs"}]


def check_by_hand(modules: list[str]) -> bool:
    """Whether all docstrings of modules have examples that hold; prints what is wrong."""
    names = [name for name in public_names.written_by_hand() if not modules or name.module in modules]
    wrong = [failures(name) for name in names]
    if modules:
        for name in names:
            if parameters := untold(name):
                print(f"{name.path} does not tell of {', '.join(parameters)}")
    print("".join(wrong), end="")
    return not any(wrong)


def write(check: bool) -> bool:
    """Writes the files, or checks them; whether all is well."""
    well = True
    for scope, names in NAMES.items():
        written = []
        for name in sorted(names):
            text, reasons = entry(scope, name)
            written.append(f"== {name}\n{text}\n")
            if ">>>" not in text and (wrong := failures(public_names.of(scope, name))):
                well = False
                print(wrong, *dict.fromkeys(reasons), sep="; ")
        path, text = FOLDER / f"{scope}.txt", "\n".join(written)
        if not check:
            path.write_text(text)
        elif not (path.exists() and alike(path.read_text(), text)):
            well = False
            print(f"{path} is not what tools/examples.py writes", file=sys.stderr)
    return well


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--by-hand", metavar="MODULE", nargs="+", default=[])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.by_hand:
        return not check_by_hand(options.by_hand)
    well = write(options.check)
    return not (well and (not options.check or check_by_hand([])))


if __name__ == "__main__":
    sys.exit(main())
