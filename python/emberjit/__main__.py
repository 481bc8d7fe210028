"""The commands: `python -m emberjit [options] script.py [arguments]` runs a script with `mindspore` resolved to emberjit,
and tells at its end what the options ask for; `vmtool` looks into compiled modules.

Options stand before the script, or before -m or -c; what follows it is its own. What is told is told when the process ends,
also by an error or sys.exit, on standard error or into files, never on standard output.
"""

from __future__ import annotations

import argparse
import atexit
import importlib
import os
import platform
import runpy
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit import context
from emberjit.compat import alias
from emberjit.printing.config import show_config

MOST_ALIKE = 3  # jitted functions of one place that --explain tells of
_RUNNABLE = "script.py | -m module | -c code"
_VMTOOL = "disasm diff verify graph run stats trace profile"


def main() -> None:
    """Runs the script, module or code named on the command line; without any, says what there is."""
    options, program = _divided(sys.argv[1:])
    parser = _parser()
    if not options and not program:
        parser.print_help()
        return
    chosen = parser.parse_args(options)
    _check_program(parser, program)
    for file in filter(None, (chosen.trace, chosen.profile)):
        _check_file(parser, file)
    if chosen.explain:
        _at_end(_explaining())
    if chosen.trace is not None or chosen.profile is not None:
        _at_end(_profiling(chosen.trace, chosen.profile))
    alias.install()
    _run(program)


def _divided(arguments: list[str]) -> tuple[list[str], list[str]]:
    """The options, and from where it begins the program with its own arguments."""
    at = 0
    while at < len(arguments) and arguments[at][:1] == "-" and arguments[at] not in ("-m", "-c"):
        at += 2 if arguments[at] == "--trace" else 1
    return arguments[:at], arguments[at:]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m emberjit",
        usage=f"python -m emberjit [options] ({_RUNNABLE}) [arguments ...]",
        description="Runs a program written for MindSpore unchanged: `import mindspore` gives emberjit.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        epilog=_epilog(),
    )
    parser.add_argument("--version", action="version", version=f"emberjit {_version()}", help="the version")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="at the end: of each jitted function how its calls ran, which graphs it has, and what runs in Python and why",
    )
    parser.add_argument(
        "--trace", metavar="FILE", help="at the end: what ran when, in the trace event format, which Perfetto shows"
    )
    parser.add_argument(
        "--profile",
        nargs="?",
        const="",
        metavar="FILE",
        help="at the end: calls and times of ops, graphs and their steps, as a table; with --profile=FILE as CSV there",
    )
    return parser


def _version() -> str:
    return str(importlib.import_module("emberjit").__version__)


def _epilog() -> str:
    mode = "GRAPH_MODE" if context.get_context("mode") == context.GRAPH_MODE else "PYNATIVE_MODE"
    config, precision = show_config(), context.get_context("matmul_precision")
    paragraphs = (
        f"saved functions (fn.save(path)): vmtool {{{'|'.join(_VMTOOL.split())}}}; see vmtool --help",
        f"environment: {' '.join(core.environment_variables)}",
        "documentation: help() of any name; README.md of the project, and its pages in python/docs: options.md on what "
        "becomes of MindSpore's options, deviations.md on results that are not MindSpore's",
        f"emberjit {config['emberjit']}; CPython {platform.python_version()}; {config['instruction set']}, cores "
        f"{config['cores']}; {mode}, matmul_precision {precision}; more by emberjit.show_config()",
    )
    return "\n\n".join(textwrap.fill(paragraph, 90, subsequent_indent="  ") for paragraph in paragraphs)


def _check_program(parser: argparse.ArgumentParser, program: list[str]) -> None:
    if not program:
        parser.error(f"which program? ({_RUNNABLE})")
    if program[0] in ("-m", "-c"):
        if len(program) < 2:
            parser.error(f"argument {program[0]}: which {'module' if program[0] == '-m' else 'code'}?")
    elif not os.path.exists(program[0]):
        parser.error(f"cannot open '{program[0]}': there is no such file")


def _check_file(parser: argparse.ArgumentParser, file: str) -> None:
    """Before the program runs: whether the file can be written."""
    if file.endswith(".py"):
        parser.error(f"'{file}' would be overwritten: name a file for what is recorded before the program")
    try:
        with open(file, "a", encoding="utf-8"):
            pass
    except OSError as error:
        parser.error(f"cannot write '{file}': {error.strerror}")


def _run(program: list[str]) -> None:
    if program[0] == "-m":
        sys.argv = program[1:]
        sys.path.insert(0, "")
        runpy.run_module(program[1], run_name="__main__", alter_sys=True)
    elif program[0] == "-c":
        sys.argv = ["-c", *program[2:]]
        sys.path.insert(0, "")
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(program[1], "<string>", "exec"), vars(module))
    else:
        sys.argv = program
        sys.path.insert(0, os.path.dirname(os.path.abspath(program[0])))
        runpy.run_path(program[0], run_name="__main__")


def _at_end(tell: Callable[[], None]) -> None:
    """Calls when this process ends, not when one that it forks does."""
    process = os.getpid()
    atexit.register(lambda: tell() if os.getpid() == process else None)


def _explaining() -> Callable[[], None]:
    from emberjit.capture.session import listeners

    made: list[Any] = []
    listeners.on_made = made.append

    def tell() -> None:
        listeners.on_made = None
        print(_explained(made), file=sys.stderr)

    return tell


def _explained(functions: list[Any]) -> str:
    """What the functions tell about themselves, those that were called; of many of one place the first."""
    reports = [function.explain() for function in functions]
    called = [report for report in reports if report["entries"] or report["breaks"] or any(report["calls"].values())]
    by_title: dict[str, list[Any]] = {}
    for report in called:
        by_title.setdefault(report.title, []).append(report)
    lines = [f"--explain: {len(called)} of {len(reports)} jitted functions were called"]
    for title, alike in by_title.items():
        lines += [str(report) for report in alike[:MOST_ALIKE]]
        if len(alike) > MOST_ALIKE:
            lines.append(f"{title}: {len(alike) - MOST_ALIKE} more, each jitted by itself: jit it once, and call that")
    return "\n".join(lines)


def _profiling(trace: str | None, table: str | None) -> Callable[[], None]:
    from emberjit.profiler import Profiler

    recorder = Profiler()

    def tell() -> None:
        recorder.stop()
        if trace:
            recorder.write_trace(trace)
        if table:
            recorder.write_statistic(table)
        elif table is not None:
            print(recorder.statistic(), file=sys.stderr)

    return tell


def vmtool() -> None:
    """Runs a command of vmtool, which looks into compiled modules, with the arguments of the command line."""
    raise SystemExit(core.vmtool(sys.argv[1:]))


if __name__ == "__main__":
    main()
