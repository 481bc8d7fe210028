"""Checks built documentation: every link within it leads to a page and a place that exist: tools/check_docs.py FOLDER."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag


class _Page(HTMLParser):
    """The links of a page, and its places."""

    def __init__(self, text: str):
        super().__init__()
        self.links: set[str] = set()
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name in ("id", "name"):
                self.places.add(value)
            elif (tag, name) in (("a", "href"), ("img", "src"), ("link", "href"), ("script", "src")):
                self.links.add(value)


def main(folder: Path) -> int:
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            if ":" in link.split("/")[0]:
                continue
            target, place = urldefrag(link)
            to = (path.parent / unquote(target.split("?")[0])).resolve() if target else path.resolve()
            known = pages.get(to)
            if not to.exists() or (place and known is not None and unquote(place) not in known.places):
                wrong.append(f"{path.relative_to(folder)}: {link}")
    print("\n".join(wrong[:50]))
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(wrong)} of them lead nowhere")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
