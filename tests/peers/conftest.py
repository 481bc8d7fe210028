"""What runs in an environment with PyTorch, JAX, pandas, SciPy and scikit-learn: `tools/test --peers`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
