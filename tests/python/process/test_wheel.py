"""The wheel holds all that it needs: README's example and vmtool run from it where the system's copies of the libraries
that it carries are hidden."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CARRIED = ("mimalloc", "Zydis", "Zycore", "ffi")
README = (ROOT / "README.md").read_text()
MAPPED = """
import sys
print("MAPPED", *sorted({line.split()[-1] for line in open("/proc/self/maps") if "/" in line}))
"""


def system_copies() -> list[str]:
    """The system's files of the libraries that the wheel carries."""
    folders = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib")
    found = [path for folder in folders for name in CARRIED for path in glob.glob(f"{folder}/lib{name}.so*")]
    return sorted({os.path.realpath(path) for path in found})


def hiding() -> list[str]:
    """A command before another one, which then finds empty files where the system's copies are; [] if this user may not."""
    covers = " && ".join(f"mount --bind /dev/null {path}" for path in system_copies()) or "true"
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", f'{covers} && exec "$@"', "sh"]
    if shutil.which("unshare") is None:
        return []
    allowed = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    return command if allowed else []


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel, and NumPy from the one that runs the tests."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    wheels = list(ROOT.glob(f"build/wheel*/emberjit-*-{tag}-*.whl"))
    if not wheels:
        pytest.skip("no wheel: tools/test makes it")
    home = tmp_path_factory.mktemp("wheel")
    venv.create(home, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    target = ["--no-deps", "--ignore-installed", "--prefix", str(home), str(wheels[0])]
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", *target], check=True)
    (site / "numpy.pth").write_text(sysconfig.get_path("purelib"))
    return home


def run(home: Path, *command: str) -> str:
    """What a command of the environment prints."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
    program = [*hiding(), str(home / "bin" / command[0]), *command[1:]]
    done = subprocess.run(program, cwd=home, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def carried_by(home: Path, paths: list[str]) -> str:
    """Those of the paths that are libraries which the wheel carries; all lie in the environment."""
    carried = [path for path in paths if any(f"lib{name}.so" in path for name in CARRIED)]
    assert [path for path in carried if not path.startswith(str(home))] == []
    return " ".join(carried)


def test_the_example_runs_from_the_wheel_alone(installed: Path) -> None:
    found = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert found
    script = installed / "example.py"
    script.write_text(found[1] + MAPPED)
    printed = run(installed, "python", str(script))
    assert float(printed.split("\n", 1)[0]) < 0.5
    mapped = printed.split("MAPPED ", 1)[1].split()
    assert "libmimalloc" in carried_by(installed, mapped)


def test_vmtool_is_a_command(installed: Path) -> None:
    script = installed / "save.py"
    script.write_text('import emberjit as ms\nf = ms.jit(lambda x: x * 2 + 1)\nf(ms.Tensor([1.0, 2.0]))\nf.save("f.ebc")\n')
    run(installed, "python", str(script))
    assert "Fused" in run(installed, "vmtool", "disasm", "f.ebc")


def test_the_extension_links_what_lies_beside_it(installed: Path) -> None:
    extension = next(installed.glob("lib*/python*/site-packages/emberjit/_emberjit*.so"))
    done = subprocess.run(["ldd", extension], capture_output=True, text=True, check=True)
    found = carried_by(installed, re.findall(r"=> (\S+)", done.stdout))
    assert "Zydis" in found
