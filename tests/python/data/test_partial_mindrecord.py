"""MindRecord files are written whole or not at all: a full disk, made up by a limit of files' sizes, leaves what was."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from emberjit.mindrecord import FileReader, FileWriter

ROWS = [{"data": bytes(1000), "label": i} for i in range(200)]
SCHEMA = {"data": {"type": "bytes"}, "label": {"type": "int64"}}
WRITE = f"""
import resource, signal, sys
from emberjit.mindrecord import FileWriter
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path, limit, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
writer = FileWriter.open_for_append(path) if how == "append" else FileWriter(path, 1, how == "overwrite")
try:
    if how != "append":
        writer.add_schema({SCHEMA!r}, "rows")
        writer.add_index(["label"])
    writer.write_raw_data([{{"data": bytes(1000), "label": i}} for i in range(200)])
    writer.commit()
except OSError as error:
    sys.exit(f"OSError {{error}}")
"""


def write(path: Path, limit: int, how: str = "new") -> str:
    """What a process says that writes while files may be of no more bytes."""
    command = [sys.executable, "-c", WRITE, str(path), str(limit), how]
    return subprocess.run(command, check=False, capture_output=True, text=True).stderr


def labels(path: Path) -> list[int]:
    reader = FileReader(str(path))
    try:
        return sorted(int(row["label"]) for row in reader.get_next())
    finally:
        reader.close()


@pytest.mark.parametrize("limit", [4096, 100_000])
def test_a_full_disk_leaves_no_new_file(tmp_path: Path, limit: int) -> None:
    assert "OSError" in write(tmp_path / "a.mindrecord", limit)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("how", ["overwrite", "append"])
@pytest.mark.parametrize("limit", [4096, 120_000])
def test_a_full_disk_leaves_the_file_before(tmp_path: Path, how: str, limit: int) -> None:
    path = tmp_path / "a.mindrecord"
    writer = FileWriter(str(path))
    writer.add_schema(SCHEMA, "rows")
    writer.add_index(["label"])
    writer.write_raw_data(ROWS[:5])
    writer.commit()
    assert "OSError" in write(path, limit, how)
    assert sorted(os.listdir(tmp_path)) == ["a.mindrecord", "a.mindrecord.db"]
    assert labels(path) == [0, 1, 2, 3, 4]
    assert write(path, 1 << 30, how) == ""
    assert labels(path) == sorted([*range(200), *([0, 1, 2, 3, 4] if how == "append" else [])])


def test_a_writer_without_commit_leaves_nothing(tmp_path: Path) -> None:
    writer = FileWriter(str(tmp_path / "a.mindrecord"))
    writer.add_schema(SCHEMA, "rows")
    writer.write_raw_data(ROWS[:5])
    del writer
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("how", ["new", "append"])
def test_a_child_gives_up_the_writer_of_its_parent(tmp_path: Path, how: str) -> None:
    path = str(tmp_path / "a.mindrecord")
    writer = FileWriter(path)
    writer.add_schema(SCHEMA, "rows")
    writer.write_raw_data(ROWS[:5])
    if how == "append":
        writer.commit()
        writer = FileWriter.open_for_append(path)
        writer.write_raw_data(ROWS[5:100])
    pid = os.fork()
    if pid == 0:
        del writer
        os._exit(0)
    os.waitpid(pid, 0)
    writer.write_raw_data(ROWS[100:])
    writer.commit()
    assert labels(Path(path)) == [*range(5 if how == "new" else 100), *range(100, 200)]
    assert sorted(os.listdir(tmp_path)) == ["a.mindrecord", "a.mindrecord.db"]


def test_a_relative_path_is_that_of_the_folder_where_rows_were_first_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    writer = FileWriter("a.mindrecord")
    writer.add_schema(SCHEMA, "rows")
    writer.write_raw_data(ROWS[:5])
    monkeypatch.chdir(tmp_path / "other")
    writer.commit()
    assert labels(tmp_path / "a.mindrecord") == [0, 1, 2, 3, 4] and os.listdir() == []


def test_shards_that_cannot_all_be_opened_leave_nothing(tmp_path: Path) -> None:
    writer = FileWriter(str(tmp_path / "a.mindrecord"), 100)
    writer.add_schema(SCHEMA, "rows")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 50, before[1]))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            writer.write_raw_data(ROWS)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    del writer
    assert os.listdir(tmp_path) == []
