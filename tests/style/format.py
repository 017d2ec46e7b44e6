#!/usr/bin/env python3
"""All sources are as clang-format writes them. `tests/style/format.py --fix` makes them so."""
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
files = sorted(str(path.relative_to(root)) for folder in ("src", "tests", "bench") for kind in ("*.cpp", "*.hpp", "*.cu", "*.cuh")
               for path in (root / folder).rglob(kind))
how = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "--Werror"]
status = 0
if files:
    status = subprocess.run(["clang-format-16", *how, *files], cwd=root).returncode
if status:
    print("run tests/style/format.py --fix")
sys.exit(status)
