"""The benchmarks are scripts: their folder is where they import from."""

import sys
from pathlib import Path

FOLDER = str(Path(__file__).resolve().parents[2] / "benchmarks")
if FOLDER not in sys.path:
    sys.path.insert(0, FOLDER)
