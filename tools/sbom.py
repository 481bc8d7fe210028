"""Writes into an unpacked wheel what was built in: tools/sbom.py FOLDER. The list is CycloneDX 1.6 (ECMA-424), where PEP 770
wants it. Versions are those of the Debian packages that the headers and libraries came from, or "unknown".
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

BUILT_IN = {  # Debian package: name, licence, what for
    "libxbyak-dev": ("xbyak", "BSD-3-Clause"),
    "libmimalloc-dev": ("mimalloc", "MIT"),
    "libffi-dev": ("libffi", "MIT"),
    "libzydis-dev": ("Zydis", "MIT"),
    "libzycore-dev": ("Zycore", "MIT"),
}


def _debian_version(package: str) -> str:
    query = ["dpkg-query", "-W", "-f=${Version}", package]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else "unknown"


def components() -> list[dict[str, Any]]:
    """What the wheel holds beside emberjit's own code."""
    rows = [(name, _debian_version(package), licence) for package, (name, licence) in BUILT_IN.items()]
    rows.append(("pybind11", importlib.metadata.version("pybind11"), "BSD-3-Clause"))
    return [
        {"type": "library", "name": name, "version": version, "licenses": [{"license": {"id": licence}}]}
        for name, version, licence in rows
    ]


def main(folder: Path) -> None:
    (info,) = folder.glob("*.dist-info")
    name, version = info.name.removesuffix(".dist-info").split("-")
    whole = {"type": "library", "name": name, "version": version, "licenses": [{"license": {"id": "Apache-2.0"}}]}
    listed = {"bomFormat": "CycloneDX", "specVersion": "1.6", "metadata": {"component": whole}, "components": components()}
    path = info / "sboms" / f"{name}.cdx.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(listed, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
