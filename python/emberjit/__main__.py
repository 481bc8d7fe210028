"""The commands: `python -m emberjit script.py [args]` runs a script with `mindspore` resolved to emberjit; `vmtool` looks
into compiled modules."""

from __future__ import annotations

import os
import runpy
import sys

from emberjit import _emberjit
from emberjit.compat import alias


def main() -> None:
    """Runs the script or, after -m, the module named on the command line."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print("usage: python -m emberjit (script.py | -m module) [arguments ...]")
        raise SystemExit(0 if arguments else 2)
    alias.install()
    if arguments[0] == "-m":
        if len(arguments) < 2:
            raise SystemExit("usage: python -m emberjit -m module [arguments ...]")
        sys.argv = arguments[1:]
        sys.path.insert(0, "")
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
    runpy.run_path(arguments[0], run_name="__main__")


def vmtool() -> None:
    """Runs a command of vmtool, which looks into compiled modules, with the arguments of the command line."""
    raise SystemExit(_emberjit.vmtool(sys.argv[1:]))


if __name__ == "__main__":
    main()
