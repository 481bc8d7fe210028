"""Compares what CPython's own tests do plainly and jitted: each module and mode in processes of its own.

    python tests/cpython/compare.py MODES MODULE...

MODES are names of capture modes with commas between. The methods that exclusions.txt names are not run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECONDS = 60.0  # that one method may take
MAX_EXCLUDED = 0.01  # of the methods of the modules that are compared

sys.path.insert(0, str(HERE))
from outcomes import exclusions  # noqa: E402

Outcomes = dict[str, Any]


def outcomes(mode: str, module: str) -> Outcomes:
    """What each method of a module does; one that crashes or hangs has that as its outcome."""
    found: Outcomes = {}
    first = 0
    while True:
        ended, why = _process(mode, module, first, found)
        if ended:
            return found
        last = [name for name, value in found.items() if value is None]
        if not last:
            found[module] = why
            return found
        found[last[0]] = why
        first = len(found)


def _process(mode: str, module: str, first: int, found: Outcomes) -> tuple[bool, str]:
    """Runs methods in a new process up to the end of the module, or to one that ends or hangs the process, and why."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "lines")
        lines.touch()
        command = [sys.executable, "-X", "faulthandler", str(HERE / "outcomes.py"), mode, module, str(first), str(lines)]
        with open(Path(folder, "errors"), "w+", encoding="utf-8", errors="replace") as errors:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path[1:]))},
            )
            why = _wait(process, lines)
            errors.seek(0)
            said = errors.read().strip()[-600:]
        ended = False
        for line in lines.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            ended = ended or "end" in record
            if "name" in record:
                found[record["name"]] = record.get("outcomes")
        return ended, f"{why}: {said}" if why == "crash" else why


def _wait(process: subprocess.Popen[Any], lines: Path) -> str:
    """Waits for a process that writes lines; one that writes none for long is killed."""
    size, since = 0, time.monotonic()
    while process.poll() is None:
        time.sleep(0.02)
        if (now := lines.stat().st_size) != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > SECONDS:
            process.kill()
            process.wait()
            return "hang"
    return "crash"


def differences(modes: list[str], module: str) -> tuple[int, list[tuple[str, str, str]]]:
    """The number of methods of a module, and those that do otherwise when jitted: mode, name, what is otherwise."""
    plain = outcomes("plain", module)
    found = []
    for mode in modes:
        jitted, excluded = outcomes(mode, module), exclusions(mode)
        for name, expected in plain.items():
            got = jitted.get(name)
            if got != expected and name not in excluded:
                found.append((mode, name, _difference(expected, got)))
    return len(plain), found


def _difference(expected: Any, got: Any) -> str:
    if not isinstance(expected, list) or not isinstance(got, list):
        return f"{expected}  ->  {got}"
    for call, before, now in zip(("first", "second"), expected, got):
        if before != now:
            return f"{call} call: {before}  ->  {now}"
    return ""


def main(modes: str, *modules: str) -> int:
    total = differ = 0
    for module in modules:
        start = time.monotonic()
        count, found = differences(modes.split(","), module)
        for mode, name, what in found:
            print(f"{mode} {name}\n    {what}", flush=True)
        print(f"{module}: {count} methods, {len(found)} differ, {time.monotonic() - start:.0f} s", flush=True)
        total, differ = total + count, differ + len(found)
    excluded = [name for name in exclusions() if any(name.startswith(module + ".") for module in modules)]
    print(f"{total} methods, {differ} differ, {len(excluded)} excluded")
    if len(excluded) > MAX_EXCLUDED * total:
        print(f"more than {MAX_EXCLUDED:.0%} are excluded")
        return 1
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
