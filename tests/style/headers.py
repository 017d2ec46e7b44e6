#!/usr/bin/env python3
"""Every header of src/ opens with its contract, a comment, and compiles alone: it includes what it names. Usage: headers.py SRC
[STAMP]

A header that the source of its name includes first is left to the build in which each source is compiled by itself.

A header that passed is not compiled again until it changes, or one that it includes: STAMP keeps what passed.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# Those of the Python module read Python's.
PYTHON = subprocess.check_output(["/usr/bin/python3", "-c", "import sysconfig; print(sysconfig.get_path('include'))"], text=True).strip()
COMPILER = [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-isystem", PYTHON, "-x", "c++"]


def closure(src, name, seen):
    """The names of all our files that a header reads, itself included."""
    if name not in seen and (src / name).is_file():
        seen.add(name)
        for other in INCLUDE.findall((src / name).read_text(encoding="utf-8")):
            closure(src, other, seen)
    return seen


def fingerprint(src, name):
    """Of all that decides whether a header compiles."""
    digest = hashlib.sha256()
    for file in sorted(closure(src, name, set())):
        digest.update(file.encode() + b"\0" + (src / file).read_bytes() + b"\0")
    return digest.hexdigest()


def fault(src, name):
    """The first error of a unit that includes this header alone, or None."""
    done = subprocess.run([*COMPILER, "-I", src, "-"], input=f'#include "{name}"\n', capture_output=True, text=True)
    if done.returncode == 0:
        return None
    return next((line for line in done.stderr.splitlines() if "error" in line), done.stderr)


def is_first_of_its_source(src, name):
    source = (src / name).with_suffix(".cpp")
    return source.is_file() and INCLUDE.findall(source.read_text(encoding="utf-8"))[:1] == [name]


def without_contract(src):
    """Headers that do not open with a comment."""
    return [f"{path.relative_to(src)}: it does not open with its contract" for path in sorted(src.rglob("*.hpp"))
            if not path.read_text(encoding="utf-8").startswith("//")]


def check(src, passed):
    """All faults below src, as 'header: error'; `passed` maps headers to fingerprints, and is brought up to date."""
    names = [path.relative_to(src).as_posix() for path in sorted(src.rglob("*.hpp"))]
    names = [name for name in names if not is_first_of_its_source(src, name)]
    now = {name: fingerprint(src, name) for name in names}
    changed = [name for name in now if passed.get(name) != now[name]]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = dict(zip(changed, pool.map(lambda name: fault(src, name), changed)))
    passed.clear()
    passed.update((name, now[name]) for name in names if not faults.get(name))
    return [f"{name}: {what}" for name, what in faults.items() if what]


def main():
    src = Path(sys.argv[1]).resolve()
    stamp = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    passed = json.loads(stamp.read_text()) if stamp and stamp.exists() else {}
    faults = without_contract(src) + check(src, passed)
    if stamp:
        stamp.write_text(json.dumps(passed, indent=0))
    print("\n".join(faults) or "every header has a contract and compiles alone")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
