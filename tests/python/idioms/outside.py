"""What acts beside the graph: files, clocks, progress, global counters, callbacks, threads, the interpreter."""

import atexit
import contextlib
import csv
import gc
import io
import json
import os
import os.path
import re
import sys
import threading
import time
import uuid
import weakref
from pathlib import Path

from idiom import Row, floats, jit

from emberjit import Tensor, ops

A, B = floats(2, 4), floats(3, 4)
steps = 0
_total = 0.0
elapsed: list[bool] = []
listeners: list = []
seen: list[str] = []
watched: set = set()
local = threading.local()
event = threading.Event()
stream = io.StringIO()
PATTERN = re.compile(r"layer\.(\d+)\.weight")


class Progress:
    """What tqdm gives: counts, a description, and what it goes through."""

    def __init__(self, items=(), total=None):
        self.items, self.total, self.n, self.text = items, total or len(items), 0, ""

    def update(self, n=1):
        self.n += n

    def set_postfix(self, **kwargs):
        self.text = ", ".join(f"{k}={v}" for k, v in kwargs.items())

    def __iter__(self):
        for item in self.items:
            yield item
            self.update()


class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.seconds = time.perf_counter() - self.start
        elapsed.append(self.seconds >= 0)


class Events:
    def __init__(self):
        self.handlers = {}

    def on(self, name, handler):
        self.handlers.setdefault(name, []).append(handler)

    def fire(self, name, *args):
        for handler in self.handlers.get(name, ()):
            handler(*args)


progress, events = Progress(total=10), Events()
events.on("step", lambda n: seen.append(f"step of {n}"))


@jit
def global_counter(x):
    global steps
    steps += 1
    return x * 2


@jit
def global_sum(x):
    global _total
    _total = _total + x.shape[0]
    return x / _total


@jit
def global_of_losses(x):
    global _total
    loss = (x * x).mean()
    _total += loss.item()
    return loss


@jit
def progress_updated(x):
    progress.update(x.shape[0])
    return x * 2


@jit
def progress_with_text(x):
    progress.set_postfix(rows=x.shape[0], kind="train")
    progress.update()
    return x * 2


@jit
def progress_iterated(x):
    for i in Progress(range(3)):
        x = x * (i + 1)
    return x


@jit
def timed(x):
    start = time.time()
    y = x * 2
    elapsed.append(time.time() >= start)
    return y


@jit
def timer_of_a_with(x):
    with Timer():
        return x * 2


@jit
def file_written(x):
    with open("out.txt", "a") as file:
        file.write(f"{x.shape[0]} rows\n")
    return x * 2


@jit
def json_written(x):
    Path("settings.json").write_text(json.dumps({"rows": x.shape[0]}))
    return x * 2


@jit
def csv_written(x):
    with open("rows.csv", "a", newline="") as file:
        csv.writer(file).writerow(["rows", x.shape[0]])
    return x + 1


@jit
def paths_joined(x):
    path = Path("runs") / "first" / f"{'model'}.ckpt"
    seen.append(os.path.join("a", path.name) + path.suffix + os.path.splitext("b.txt")[1])
    return x * len(path.parts)


@jit
def folder_made(x):
    os.makedirs("made/inside", exist_ok=True)
    return x * (2 if os.path.isdir("made") else 3)


@jit
def text_stream(x):
    stream.write(f"{x.shape}\n")
    return x * 2


@jit
def stdout_redirected(x):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        print("inside")
    seen.append(out.getvalue())
    return x * 2


@jit
def names_by_pattern(x, name):
    found = PATTERN.match(name)
    return x * int(found.group(1)) if found else x


@jit
def events_fired(x):
    events.fire("step", x.shape[0])
    return x * 2


@jit
def listeners_called(x):
    for listener in listeners:
        listener(x)
    return x * 2


@jit
def thread_local(x):
    local.depth = getattr(local, "depth", 0) + 1
    return x * local.depth


@jit
def stopped_by_an_event(x):
    return x if event.is_set() else x * 2


@jit
def identifier_made(x):
    seen.append(len(str(uuid.uuid4())))
    return x * 2


@jit
def collected(x):
    y = x * 2
    gc.collect()
    return y


@jit
def slept(x):
    time.sleep(0)
    return x * 2


@jit
def weak_reference(x):
    found = weakref.ref(progress)
    total = found().total
    return x * total


@jit
def version_checked(x):
    return x * 2 if sys.version_info >= (3, 8) and os.name == "posix" else x


@jit
def module_imported(x):
    import math

    from emberjit import mint

    return mint.add(x, math.pi)


@jit
def optional_import(x):
    try:
        import no_such_module_here  # noqa: F401
    except ImportError:
        return x * 2
    return x


@jit
def names_of_globals(x):
    return x * (2 if "steps" in globals() else 3) + len(locals())


@jit
def array_handed_out(x):
    values = (x * 2).asnumpy()
    seen.append(str(values.sum()))
    return Tensor(values) + 1


@jit
def numbers_handed_out(x):
    top = x.max().item()
    if top > 0.5:
        seen.append(f"top {top:.2f}")
    return x * top


@jit
def list_of_elements(x):
    return sum(x.tolist()[0])


@jit
def at_exit(x):
    if steps < 0:
        atexit.register(print, "never")
    return ops.relu(x)


@jit
def shapes_kept(x):
    watched.add(x.shape)
    return x


ROWS = [
    Row("global counter", global_counter, [(A,), (B,), (A,), (A,)], captured=2),
    Row("global sum of sizes", global_sum, [(A,), (B,), (A,), (A,)], captured=2),
    Row("global sum of losses", global_of_losses, [(A,), (B,), (A,), (A,)], captured=2),
    Row("progress updated", progress_updated, [(A,), (B,), (A,), (A,)], captured=2),
    Row("progress with text", progress_with_text, [(A,), (B,), (A,), (A,)], captured=2),
    Row("progress iterated", progress_iterated, [(A,), (B,), (A,)]),
    Row("time.time", timed, [(A,), (A,), (B,)], graphs=4, breaks=3, wanted=(3, 2)),
    Row("timer by with", timer_of_a_with, [(A,), (A,), (B,)], graphs=3, breaks=2),
    Row("file written", file_written, [(A,), (A,), (B,)], graphs=5, breaks=3, wanted=(2, 1)),
    Row("json written", json_written, [(A,), (A,), (B,)], graphs=0, breaks=2, wanted=(2, 1)),
    Row("csv written", csv_written, [(A,), (A,), (B,)], graphs=5, breaks=3, wanted=(2, 1)),
    Row("paths joined", paths_joined, [(A,), (B,), (A,)]),
    Row("folder made", folder_made, [(A,), (A,), (B,)], graphs=3, breaks=2),
    Row("text stream", text_stream, [(A,), (A,), (B,)], graphs=2, breaks=2, wanted=(2, 1)),
    Row("stdout redirected", stdout_redirected, [(A,), (A,)], graphs=5, breaks=4, wanted=(2, 1)),
    Row("names by a pattern", names_by_pattern, [(A, "layer.2.weight"), (B, "layer.2.weight"), (A, "bias")], graphs=2),
    Row("events", events_fired, [(A,), (B,), (A,), lambda: events.on("step", seen.append), (A,)], graphs=2),
    Row(
        "listeners",
        listeners_called,
        [(A,), (B,), lambda: listeners.append(lambda x: seen.append(str(x.shape))), (A,), (B,)],
        graphs=2,
    ),
    Row("thread-local", thread_local, [(A,), (A,), (B,)], graphs=5, breaks=4, wanted=(2, 1)),
    Row("threading.Event", stopped_by_an_event, [(A,), (B,), event.set, (A,)], graphs=3, breaks=1),
    Row("uuid", identifier_made, [(A,), (A,)], graphs=4, breaks=2, wanted=(2, 1)),
    Row("gc.collect", collected, [(A,), (A,)], graphs=2, breaks=1),
    Row("time.sleep", slept, [(A,), (A,)], graphs=2, breaks=1),
    Row("weakref", weak_reference, [(A,), (A,)], graphs=3, breaks=2, wanted=(1, 0)),
    Row("version of Python", version_checked, [(A,), (B,), (A,)]),
    Row("import inside", module_imported, [(A,), (B,), (A,)]),
    Row("optional import", optional_import, [(A,), (B,), (A,)], graphs=2, breaks=1),
    Row("globals and locals", names_of_globals, [(A,), (B,), (A,)], graphs=4, breaks=2, wanted=(1, 0)),
    Row("asnumpy inside", array_handed_out, [(A,), (A,), (B,)], graphs=4, breaks=3, wanted=(2, 1)),
    Row("item inside", numbers_handed_out, [(A,), (A * 0.25,), (B,)], graphs=4, breaks=2, wanted=(3, 1)),
    Row("tolist inside", list_of_elements, [(A,), (A,), (B,)], graphs=3, breaks=1, wanted=(2, 1)),
    Row("atexit that is not reached", at_exit, [(A,), (B,), (A,)]),
    Row("set of shapes", shapes_kept, [(A,), (A,), (B,), (A,)], graphs=2),
]
