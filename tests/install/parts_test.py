#!/usr/bin/env python3
"""What may be left out of a build: CMake says which parts it leaves out and builds none of them, and a program without them says
so when it is asked for one.
Usage: parts_test.py SOURCE PROGRAM, which was linked without Clp and the explorer and has no parts beside it"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import expect, run

source, program = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
PARTS = {"BANYAN_SHARED": "libbanyan.so", "BANYAN_PYTHON": "Python module", "BANYAN_MPI": "MPI", "BANYAN_GPU": "GPU",
         "BANYAN_OPENSM": "OpenSM plugin", "BANYAN_CLP": "Clp", "BANYAN_EXPLORER": "explorer"}
WITHOUT = ("banyan_shared", "banyan_python", "banyan_mpi", "banyan_gpu", "opensm_plugin")


def configured():
    """A build with every part off."""
    with tempfile.TemporaryDirectory() as folder:
        said = run("cmake", "-S", source, "-B", folder, "-G", "Ninja", *(f"-D{option}=OFF" for option in PARTS))
        listed = next((line for line in said.splitlines() if "Banyan is built without: " in line), "")
        for option, part in PARTS.items():
            expect(f"{part} ({option}=OFF" in listed, f"{part}: {listed or said}")
        expect(listed.split("without: ")[1] in (Path(folder) / "cmake_install.cmake").read_text(), "installing says it, too")
        targets = run("ninja", "-C", folder, "-t", "targets", "all")
        expect("banyan: " in targets, "the program is built")
        for target in WITHOUT:
            expect(f"CMakeFiles/{target}.dir" not in targets, f"{target} is left out")
        units = "".join(file.read_text() for file in Path(folder).glob("CMakeFiles/banyan_*.dir/Unity/*.cxx"))
        for file, stands_in in (("flow/linear_program.cpp", "flow/no_solver.cpp"), ("serve/server.cpp", "serve/no_server.cpp")):
            expect(f"{file}.o" not in targets and f"src/{file}" not in units and f"src/{stands_in}" in units, f"{stands_in} for {file}")
        linked = next(line for line in (Path(folder) / "build.ninja").read_text().split("\nbuild ") if line.startswith("banyan: "))
        for library in ("Clp", "httplib", "mpi", "python"):
            expect(library not in linked.replace(folder, ""), f"{library} is not linked: {linked}")


def refused(status, words, *arguments, **variables):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, env={**os.environ, **variables}, check=False)
    expect(done.returncode == status and words in done.stderr + done.stdout and not done.stdout.startswith("maximum"),
           f"{arguments}: status {done.returncode}, {done.stdout}{done.stderr}")


def asked():
    """The program without them."""
    needed = run("readelf", "--dynamic", program)
    for library in ("Clp", "httplib", "mpi", "cuda"):
        expect(f"[lib{library}" not in needed and f"lib{library}." not in needed, needed)
    expect("yes" in run(program, "check", "4-ary 3-tree", "--engine", "dmodk"), "it works")
    refused(2, "this build has no explorer (BANYAN_EXPLORER=OFF)", "serve")
    refused(3, "this build has no linear programs (BANYAN_CLP=OFF)", "load", "Torus(4x4)", "--engine", "dor", "--optimum")
    refused(3, "this build has no linear programs (BANYAN_CLP=OFF)", "load", "Torus(4x4)", "--engine", "dor", "--oblivious")
    refused(2, "the part for MPI is not there", "simulate", "4-ary 2-tree", OMPI_COMM_WORLD_SIZE="2")
    refused(3, "this build has no part for GPUs", "load", "4-ary 3-tree", "--engine", "dmodk", "--device", "gpu")


asked()
configured()
print(f"{len(PARTS)} parts left out")
