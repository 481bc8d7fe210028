"""tools/run_notebook.py: what it makes of a file's blocks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[3] / "tools" / "run_notebook.py"
FILE = """
```python
%matplotlib inline
import requests, mindspore
from IPython import display
!pip list
lr, num_epochs, batch_size = .5, 9, 2
```

```python
display.clear_output()
asked = dict(batch_size=1), dict(batch_size=3), dict(pretrained=True)
print(num_epochs, batch_size, asked, requests.get("http://x/y/text?z=1").content, mindspore.Tensor(3))
```

- indented

  ```python
  1 // 0
  ```
"""


def test_blocks_run_within_limits(tmp_path):
    (tmp_path / "text").write_text("made up")
    (tmp_path / "file.md").write_text(FILE)
    limits = [f"--limit={each}" for each in ("num_epochs=1", "batch_size=2", "pretrained=False")]
    command = [sys.executable, str(TOOL), "file.md", "--files", ".", *limits]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    printed, failure, summary = done.stdout.splitlines()
    assert printed == "1 2 ({'batch_size': 1}, {'batch_size': 2}, {'pretrained': False}) b'made up' 3"
    assert failure.startswith("cell 2: ZeroDivisionError") and summary.startswith("file.md: 1 of 3 cells failed")
    assert done.returncode == 1
