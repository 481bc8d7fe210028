"""Records what MindSpore 2.10 gives for calls of every public name (mindspore_calls.py), which test_mindspore.py compares:

    .venv/bin/python tools/record_mindspore.py PYTHON_WITH_MINDSPORE

A process evaluates them; one that ends or hangs loses the call that it was at, and another goes on. What is done stands in
build/mindspore.jsonl, so a run that is stopped goes on there; with --new what is recorded stays. A result that
differs when computed again is random: of it only dtypes and shapes are kept.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROGRESS = ROOT / "build" / "mindspore.jsonl"
RECORD = ROOT / "tests" / "python" / "compat" / "mindspore_results.json.xz"
RANDOM = re.compile(r"[dD]ropout|[bB]ernoulli|rrelu|RReLU")  # where two results may be equal by chance
START, CALL = 120, 10  # seconds a process and a call may take
sys.path[:0] = [str(ROOT / "tests" / "python" / "compat"), str(ROOT / "tools")]


def without_elements(value: Any) -> Any:
    """A description of what is random."""
    if not isinstance(value, list):
        return value
    if len(value) == 3 and isinstance(value[0], str) and isinstance(value[1], list):
        return [*value[:2], None]
    return [without_elements(item) for item in value]


def serve(out: Any) -> None:
    """Answers each line of stdin, an expression, with a line: what it gives, and an exception's message."""
    import mindspore as ms
    import mindspore.numpy
    import mindspore.scipy
    from either_library import outcome

    ms.set_context(mode=ms.PYNATIVE_MODE, pynative_synchronize=True)  # errors belong to the call that they are raised in
    print("ready", file=out, flush=True)
    for line in sys.stdin:
        text = json.loads(line)
        first, message = outcome(text, ms)
        again = outcome(text, ms)[0] if not message else first
        print(json.dumps([first if repr(first) == repr(again) else without_elements(first), message]), file=out, flush=True)


class Worker:
    """A process with MindSpore."""

    def __init__(self, python: str) -> None:
        self.python = python
        self.process: Any = None

    def start(self) -> None:
        read, write = os.pipe()
        command = [self.python, "-W", "ignore", __file__, "--serve", str(write)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": {**os.environ, "GLOG_v": "4"}}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, pass_fds=[write], cwd=PROGRESS.parent, text=True, **quiet
        )
        os.close(write)
        self.answers = os.fdopen(read)
        if self.answer(START) is None:
            raise SystemExit(f"{self.python} does not import mindspore")

    def answer(self, seconds: int) -> str | None:
        ready, _, _ = select.select([self.answers], [], [], seconds)
        return (self.answers.readline() or None) if ready else None

    def outcome(self, text: str) -> list[Any]:
        if self.process is None:
            self.start()
        print(json.dumps(text), file=self.process.stdin, flush=True)
        line = self.answer(CALL)
        if line is not None:
            return json.loads(line)
        hangs = self.process.poll() is None and not select.select([self.answers], [], [], 0)[0]
        self.stop()
        return ["!hang" if hangs else "!crash", ""]

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.answers.close()
            self.process = None


def record(python: str, texts: list[str]) -> dict[str, Any]:
    from either_library import failure

    PROGRESS.parent.mkdir(exist_ok=True)
    lines = map(json.loads, PROGRESS.read_text().splitlines()) if PROGRESS.exists() else ()
    done = {text: (outcome, message) for text, outcome, message in lines}
    worker = Worker(python)
    with PROGRESS.open("a") as progress:
        for text in texts:
            if text not in done:
                outcome, message = worker.outcome(text)
                done[text] = outcome, message[:200]
                print(json.dumps([text, *done[text]]), file=progress, flush=True)
    worker.stop()
    outcomes = {text: failure(done[text][0][1:], done[text][1]) if done[text][1] else done[text][0] for text in texts}
    return {text: without_elements(one) if RANDOM.search(text) else one for text, one in outcomes.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", nargs="?")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--only", default="", help="a pattern of expressions")
    parser.add_argument("--new", action="store_true", help="those that are not recorded; the others stay as they are")
    options = parser.parse_args()
    if options.serve is not None:
        serve(os.fdopen(options.serve, "w"))
        return
    from mindspore_calls import calls

    known = json.loads(lzma.decompress(RECORD.read_bytes())) if options.new else {}
    texts = [text for text in calls() if re.search(options.only, text)]
    outcomes = known | record(options.python, [text for text in texts if text not in known])
    if not options.only:
        outcomes = {text: outcomes[text] for text in texts}
        RECORD.write_bytes(lzma.compress(json.dumps(outcomes, separators=(",", ":")).encode(), preset=9))
        print(f"{len(outcomes)} calls, {RECORD.stat().st_size} bytes")


if __name__ == "__main__":
    main()
