"""HTML for notebooks: folded sections, tables and plain text. Text is escaped here and nowhere else; nothing is loaded from
elsewhere, and no colour is set, so that dark themes stay dark."""

from __future__ import annotations

import html
from collections.abc import Iterable

_LEFT = ' style="text-align:left"'


def pre(text: str) -> str:
    """Text as it is, in a font of one width."""
    return f"<pre>{html.escape(text)}</pre>"


def details(summary: str, *parts: str, is_open: bool = False) -> str:
    """A section that folds.

    Args:
        summary: a text, which stays.
        parts: HTML, which folds; without any, the text alone.
        is_open: whether it begins unfolded.
    """
    head = f"<code>{html.escape(summary)}</code>"
    if not parts:
        return f"<div>{head}</div>"
    inside = f'<div style="margin-left:1.5em">{"".join(parts)}</div>'
    return f"<details{' open' * is_open}><summary>{head}</summary>{inside}</details>"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of texts, in which leading spaces count."""
    titles = "".join(f"<th{_LEFT}>{html.escape(title)}</th>" for title in head)
    cell = '<td style="text-align:left;white-space:pre">'
    lines = ("".join(f"{cell}{html.escape(text)}</td>" for text in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"
