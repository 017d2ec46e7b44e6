#!/usr/bin/env python3
"""Line coverage of src/ by folder, from what an instrumented build's runs left behind.
Usage: coverage.py PROFILES LEAST PROGRAM... ; exit status 1 if a folder is covered by less than LEAST per cent."""
import collections
import json
import subprocess
import sys
from pathlib import Path

LLVM = "16"


def export(profiles, programs):
    raw = [str(p) for p in Path(profiles).glob("*.profraw")]
    if not raw:
        sys.exit(f"no profiles in {profiles}: nothing ran")
    merged = Path(profiles, "merged.profdata")
    subprocess.run([f"llvm-profdata-{LLVM}", "merge", "-sparse", "-o", merged, *raw], check=True)
    objects = [word for program in programs[1:] for word in ("-object", program)]
    command = [f"llvm-cov-{LLVM}", "export", "-summary-only", f"-instr-profile={merged}", programs[0], *objects]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["data"][0]["files"]


def folders(files):
    """folder -> (lines, lines that ran, files by the lines that did not run)"""
    out = collections.defaultdict(lambda: [0, 0, []])
    root = Path.cwd() / "src"
    for file in files:
        path = Path(file["filename"]).resolve()
        if root not in path.parents:
            continue
        lines = file["summary"]["lines"]
        here = out[path.relative_to(root).parts[0]]
        here[0] += lines["count"]
        here[1] += lines["covered"]
        here[2].append((lines["count"] - lines["covered"], path.relative_to(root).as_posix()))
    return out


def main():
    profiles, least, programs = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    too_low = []
    print(f"{'folder':<16} {'lines':>7} {'ran':>7}   least covered")
    for folder, (lines, ran, files) in sorted(folders(export(profiles, programs)).items()):
        share = 100 * ran / max(1, lines)
        worst = ", ".join(f"{name} ({missed})" for missed, name in sorted(files, reverse=True)[:3] if missed)
        print(f"{folder:<16} {lines:>7} {share:>5.1f} %   {worst}")
        if share < least:
            too_low.append(folder)
    if too_low:
        print(f"below {least:g} %: {' '.join(too_low)}")
    sys.exit(1 if too_low else 0)


if __name__ == "__main__":
    main()
