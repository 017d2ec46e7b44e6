#!/usr/bin/env python3
"""The layers of src/: which folder may include which, and no two folders, subfolders too, include each other, be it by way
of others. Usage: layers.py SRC"""
import re
import sys
from pathlib import Path

# Each folder may include itself and what is listed here, nothing else.
BELOW = "base fabric topology routing"
SIBLINGS = "engines traffic verify flow flit qsnet size formats gpu"
MAY_INCLUDE = {
    "base": "",
    "fabric": "base",
    "topology": "base fabric",
    "routing": "base fabric topology",
    "engines": BELOW,
    "traffic": BELOW,
    "verify": BELOW,  # the judge: never engines
    "gpu": "base",  # kernels, and the device that runs them
    "flow": BELOW + " traffic gpu",
    "flit": BELOW + " traffic gpu",
    "qsnet": BELOW,
    "size": "base fabric topology",
    "formats": BELOW,
    "ask": f"{BELOW} {SIBLINGS}",
    "study": f"{BELOW} {SIBLINGS} ask",
    "papers": f"{BELOW} {SIBLINGS} ask study",
    "report": f"{BELOW} {SIBLINGS} ask study papers",
    "serve": f"{BELOW} {SIBLINGS} ask study papers report",
    "cli": f"{BELOW} {SIBLINGS} ask study papers report serve",
    "library": f"{BELOW} {SIBLINGS} ask study",  # the C interface
    "python": f"{BELOW} {SIBLINGS} ask study papers library",
    "opensm_plugin": f"{BELOW} {SIBLINGS}",
}

# Headers of others that only some files may include: pattern, which files may, why not the others.
OTHERS = [
    (r"CLI/.*", r"cli/.*", "CLI11 belongs to src/cli"),
    (r"nlohmann/json\.hpp", r".*\.cpp", "nlohmann/json.hpp is too slow to compile for a header"),
    (r"fstream", r"base/file\.hpp", "files are opened by base/file.hpp, which knows which may be"),
    (r"pybind11/.*", r"python/.*", "pybind11 belongs to src/python"),
    (r"mpi\.h", r"study/.*", "MPI belongs to src/study"),
    (r"cuda_runtime\.h", r"gpu/cuda/.*", "CUDA belongs to src/gpu/cuda"),
]
ONE_FILE_ONLY = r"CLI/.*"  # so slow to compile that a single file may include it

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def includes(path):
    """The includes of a file: (line number, name, whether in quotes)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found[1] or found[2], found[1] is not None


def check_own(src, folder, name, quoted):
    """What is wrong with a folder including our own header `name`, or None."""
    other = name.split("/")[0] if "/" in name else None
    if other not in MAY_INCLUDE:
        if not quoted:
            return None  # the standard library or a package
        return f'"{name}" is not in a folder of src: write "folder/file.hpp"'
    if not quoted:
        return f'<{name}> is ours: write "{name}"'
    if not (src / name).is_file():
        return f'"{name}" does not exist'
    if other != folder and other not in MAY_INCLUDE[folder].split():
        return f'{folder}/ must not include {other}/ ("{name}")'
    return None


def cycle(arrows):
    """A way from a folder back to itself, as the folders and the place of each include; empty if there is none."""
    done, way = set(), []

    def visit(folder):
        if folder in [step[0] for step in way]:
            return way[[step[0] for step in way].index(folder):]
        if folder in done:
            return []
        for other, place in sorted(arrows.get(folder, {}).items()):
            way.append((folder, other, place))
            if found := visit(other):
                return found
            way.pop()
        done.add(folder)
        return []

    return next(filter(None, map(visit, sorted(arrows))), [])


def check(src):
    """All violations below src, as 'file:line: what'."""
    found, single, arrows = [], [], {}
    for path in sorted(p for p in src.rglob("*") if p.suffix in (".cpp", ".hpp", ".def", ".h", ".ipp", ".cu", ".cuh")):
        here = path.relative_to(src).as_posix()
        folder = here.split("/")[0]
        if folder not in MAY_INCLUDE or "/" not in here:
            found.append(f"{here}: is in none of the folders {' '.join(MAY_INCLUDE)}")
            continue
        for number, name, quoted in includes(path):
            place = f"{here}:{number}"
            if quoted and (src / name).is_file() and Path(name).parent != Path(here).parent:
                arrows.setdefault(Path(here).parent.as_posix(), {}).setdefault(Path(name).parent.as_posix(), place)
            others = [rule for rule in OTHERS if re.fullmatch(rule[0], name)]
            wrong = [why for _, files, why in others if not re.fullmatch(files, here)]
            if not others and (own := check_own(src, folder, name, quoted)):
                wrong.append(own)
            if re.fullmatch(ONE_FILE_ONLY, name):
                single.append((here, place))
            found += [f"{place}: {why}" for why in wrong]
    if not found and (way := cycle(arrows)):
        steps = ", ".join(f"{a}/ includes {b}/ ({place})" for a, b, place in way)
        found.append(f"folders include each other: {steps}")
    if len({file for file, _ in single}) > 1:
        found += [f"{place}: CLI11 is included in more than one file" for _, place in single]
    return found


if __name__ == "__main__":
    violations = check(Path(sys.argv[1]))
    print("\n".join(violations) or "every include keeps to the layers")
    sys.exit(1 if violations else 0)
