#!/usr/bin/env python3
"""Every verb with memory that runs out, once or for good, at one allocation after another: it ends with a message and a
status, never by a signal. Usage: memory_test.py BANYAN"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "memory.c"
PLACES = 40  # of each verb, spread over all its allocations
VERBS = [["describe", "PGFT(2; 4,4; 1,2; 1,2)"], ["check", "4-ary 2-tree", "--engine", "dmodc", "--threads", "1"],
         ["load", "HyperX(3x3; hosts=2)", "--engine", "dor", "--traffic", "uniform", "--rates"],
         ["load", "Mesh(3x3)", "--engine", "minhop", "--traffic", "shift:1", "--optimum"],
         ["simulate", "4-ary 2-tree", "--engine", "dmodk", "--cycles", "50"],
         ["route", "Torus(4x4)", "--engine", "nue", "--out", "tables"], ["path", "4-ary 2-tree", "h0", "h9"],
         ["fail", "4-ary 2-tree", "--engine", "dmodc", "--without", "link=s1-0:5", "--samples", "3"],
         ["convert", "4-ary 2-tree", "x.json"], ["patterns", "allreduce", "--ranks", "4"]]


def refuses_threads(banyan):
    """Threads that the system does not give are a message too."""
    done = subprocess.run(["bash", "-c", 'ulimit -v 400000; exec "$0" simulate "8-ary 3-tree" --engine dmodk --cycles 100 '
                           "--threads 10000", banyan], capture_output=True, text=True, timeout=120)
    if done.returncode != 2 or "the system does not give 192 threads; expected fewer" not in done.stderr:
        sys.exit(f"10,000 threads in 400 MB: exit status {done.returncode}\n{done.stderr}")


def main():
    banyan = str(Path(sys.argv[1]).resolve())
    refuses_threads(banyan)
    tried = refused = 0
    with tempfile.TemporaryDirectory(prefix="banyan-memory-") as folder:
        library, count = Path(folder, "memory.so"), Path(folder, "count")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE], check=True)
        environment = os.environ | {"LD_PRELOAD": str(library), "BANYAN_MEMORY_COUNT": str(count)}

        def run(verb, memory):
            done = subprocess.run([banyan, *verb], cwd=folder, env=environment | {"BANYAN_MEMORY": memory},
                                  capture_output=True, text=True, timeout=120)
            if done.returncode < 0:
                sys.exit(f"banyan {' '.join(verb)}: ended by signal {-done.returncode} with BANYAN_MEMORY={memory}\n"
                         f"{done.stderr}")
            return done.returncode

        for verb in VERBS:
            if run(verb, "0") > 1:
                sys.exit(f"banyan {' '.join(verb)} fails with memory")
            calls = int(count.read_text())
            for place in range(PLACES):
                for end in ("", "-"):
                    tried += 1
                    refused += run(verb, f"{1 + place * calls // PLACES}{end}") > 1
    print(f"{tried} runs with too little memory, {refused} refused")
    sys.exit(0 if refused > tried // 4 else "too few were refused: does the library work?")


if __name__ == "__main__":
    main()
