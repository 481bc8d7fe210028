"""Interpreters that have other libraries, and lines of measurements that processes of their own print."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

Row = dict[str, Any]


def interpreters(pythons: list[str], packages: Mapping[str, str]) -> dict[str, str]:
    """Of each system the first interpreter that can import its packages, if there is one."""
    result: dict[str, str] = {}
    for system, needed in packages.items():
        for python in pythons:
            if subprocess.run([python, "-c", f"import {needed}"], capture_output=True, check=False).returncode == 0:
                result[system] = python
                break
    return result


def lines_of(command: list[str]) -> Iterator[Row]:
    """The lines of JSON that a command prints, as they come; at its failure the end of what it complained of."""
    with tempfile.TemporaryFile("w+") as complaints:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True) as running:
            for line in running.stdout or ():
                if line.startswith("{"):
                    yield json.loads(line)
        if running.returncode:
            complaints.seek(0)
            yield {"error": complaints.read()[-300:]}


def last_line(
    command: list[str], about: Row, folder: str | None = None, environment: Mapping[str, str] | None = None
) -> Row:
    """The last line of JSON that a command prints; without one `about`, with the end of what it complained of."""
    process = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    lines = [line for line in process.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {**about, "error": process.stderr[-300:]}
