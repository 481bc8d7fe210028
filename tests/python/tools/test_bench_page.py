"""Figures become a section of a page, with the circumstances of the run; others stay."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))

import bench_page

ROWS = [
    {"system": "torch", "network": "mlp", "kind": "no cache", "import": 1.0, "build": 0.5, "start": 2.0, "warm": 0.5},
    {"system": "emberjit", "network": "mlp", "kind": "no cache", "import": 0.1, "build": 0.1, "start": 0.2, "warm": 0.1},
    {"system": "emberjit", "network": "mlp", "kind": "filled cache", "import": 9.0, "build": 9.0, "start": 9.0, "warm": 9.0},
    {"system": "jax", "network": "mlp", "kind": "no cache", "error": "no jax"},
]


def test_a_section_takes_the_place_of_the_former_one(tmp_path: Path) -> None:
    page = tmp_path / "figures.md"
    page.write_text("# Figures\n\nWords.\n\n## Whole networks\n\nold\n\n## Single functions\n\nother\n")
    bench_page.write(
        page, "networks", bench_page.section("networks", "tools/bench --networks", '{"a": 1}\n\n| x |\n|---|\n', [])
    )
    text = page.read_text()
    head, networks, functions = text.split("## ")
    assert head == "# Figures\n\nWords.\n\n" and functions == "Single functions\n\nother\n"
    assert "| x |\n|---|" in networks and "old" not in networks and "{" not in networks
    assert "`tools/bench --networks`, 2" in networks and "cores of an " in networks and "numpy " in networks


def test_a_new_section_comes_last(tmp_path: Path) -> None:
    page = tmp_path / "figures.md"
    page.write_text("# Figures\n\n## Whole networks\n\nold\n")
    bench_page.write(page, "starts", "## From the start of a process to a warm step\n\nnew\n")
    assert page.read_text().split("## ")[1:] == [
        "Whole networks\n\nold\n\n",
        "From the start of a process to a warm step\n\nnew\n",
    ]


def test_of_long_tables_the_first_rows_are_kept() -> None:
    row = "| a | b |\n"
    text = f"before\n{row * 90}after\n{row * 3}"
    assert bench_page.shortened(text) == f"before\n{row * 42}\n48 more rows are left out.\nafter\n{row * 3}"


def test_the_picture_has_a_bar_for_each_system_without_a_cache() -> None:
    root = xml.fromstring(bench_page.picture(ROWS, "mlp"))
    kind = "{http://www.w3.org/2000/svg}"
    bars = [float(bar.get("width", "")) for bar in root.iter(f"{kind}rect")]
    texts = [text.text for text in root.iter(f"{kind}text")]
    assert len(bars) == 2 and bars[0] == pytest.approx(bars[1] * 0.5 / 4, abs=1)
    assert texts[1:] == ["emberjit", "0.50 s", "PyTorch, torch.compile", "4.00 s"]
