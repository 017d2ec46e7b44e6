#!/usr/bin/env python3
"""A part of another version of the program is not called: its functions may differ. Usage: stale_parts_test.py BANYAN"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import expect, run

program = Path(sys.argv[1]).resolve()
version = run(program, "--version").strip()
CALLS = "const void *banyan_{0}_calls(void) {{ __builtin_trap(); }}\n"
VERSION = 'const char *banyan_part_version(void) {{ return "{}"; }}\n'
GPU = ["load", "4-ary 3-tree", "--engine", "dmodk", "--device", "gpu"]
MPI = ["simulate", "4-ary 2-tree", "--engine", "dmodk", "--cycles", "100"]


def made(folder, name, source):
    file = folder / "part.c"
    file.write_text(source)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / name, file], check=True)


def refused(copy, part, source, status, words, command, **variables):
    made(copy.parent, part, source)
    done = subprocess.run([copy, *command], capture_output=True, text=True, timeout=60, env={**os.environ, **variables}, check=False)
    expect(done.returncode == status and words in done.stderr, f"{part}, {source!r}: status {done.returncode}, {done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as scratch:
    copied = Path(shutil.copy(program, scratch))
    anew = f"this program of version {version}: build or install both anew"
    for part, calls, status, command, more in (("libbanyan_gpu.so", CALLS.format("device"), 3, GPU, {}),
                                               ("libbanyan_mpi.so", CALLS.format("rank"), 2, MPI, {"OMPI_COMM_WORLD_SIZE": "2"})):
        refused(copied, part, calls, status, f"{part} is of an older version, {anew}", command, **more)
        refused(copied, part, calls + VERSION.format("0.0.1+0123456789ab"), status,
                f"{part} is of version 0.0.1+0123456789ab, {anew}", command, **more)
        refused(copied, part, VERSION.format(version), status, f"{part} is not of this program", command, **more)
print("6 parts refused")
