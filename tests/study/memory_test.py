#!/usr/bin/env python3
"""Every verb with memory that runs out, once or for good, at each of its allocations in turn: it ends with a message and
a status, never by a signal. Usage: memory_test.py BANYAN"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "memory.c"
TREE = "2-ary 2-tree"
# Not load --optimum and --csv: memory that runs out inside Clp makes its destructors free twice, and JSON's destructors
# need some themselves.
VERBS = [["describe", TREE], ["check", TREE, "--engine", "dmodc", "--threads", "1"],
         ["load", TREE, "--engine", "minhop", "--traffic", "uniform", "--rates", "--threads", "1"],
         ["simulate", TREE, "--engine", "dmodk", "--cycles", "20"],
         ["route", "Mesh(2x2)", "--engine", "nue", "--threads", "1"], ["path", TREE, "h0", "h3"],
         ["fail", TREE, "--engine", "dmodc", "--without", "link=s1-0:3", "--samples", "2", "--threads", "1"],
         ["diff", TREE, "2-ary 2-tree", "--without", "link=s1-0:3"], ["convert", TREE, "-", "--format", "json"],
         ["convert", TREE, "x.json"], ["describe", "x.json"], ["patterns", "allreduce", "--ranks", "3"]]
WRITES = ("x.json",)  # children would write over each other's files: such a verb runs once for each place


def refuses_threads(banyan):
    """Threads that the system does not give are a message too."""
    done = subprocess.run(["bash", "-c", 'ulimit -v 400000; exec "$0" simulate "8-ary 3-tree" --engine dmodk --cycles 100 '
                           "--threads 10000", banyan], capture_output=True, text=True, timeout=120)
    if done.returncode != 2 or "the system does not give 192 threads; expected fewer" not in done.stderr:
        sys.exit(f"10,000 threads in 400 MB: exit status {done.returncode}\n{done.stderr}")


def main():
    banyan = str(Path(sys.argv[1]).resolve())
    refuses_threads(banyan)
    with tempfile.TemporaryDirectory(prefix="banyan-memory-") as folder:
        library, count = Path(folder, "memory.so"), Path(folder, "count")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE], check=True)
        environment = os.environ | {"LD_PRELOAD": str(library), "BANYAN_MEMORY_COUNT": str(count)}

        def run(verb, memory):
            """The exit status, what it said, and the count."""
            done = subprocess.run([banyan, *verb], cwd=folder, env=environment | {"BANYAN_MEMORY": memory},
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=280)
            return done.returncode, done.stderr, int(count.read_text())

        # What comes before a verb is known is the same for all, and for 18 verbs alike: with --version, each seventh fails.
        _, _, shared = run(["--version"], "0")
        runs = refused = 0
        for verb in [["--version"], *VERBS]:
            status, said, calls = run(verb, "0")
            if status > 1 or calls < shared:
                sys.exit(f"banyan {' '.join(verb)} with memory: status {status}, {calls} allocations\n{said}")
            first, stride = (1, 7) if verb[0] == "--version" else (shared, 1)
            if verb[0] == "convert" and verb[-1] in WRITES:
                status, said, tried = 0, "", 2 * (calls - first)
                for place in range(first, calls):
                    for end in ("", "-"):
                        one, text, _ = run(verb, f"{place}{end}")
                        said += text
                        if one < 0:
                            sys.exit(f"banyan {' '.join(verb)}: ended by signal {-one} at allocation {place}{end}\n{text}")
            else:
                status, said, tried = run(verb, f"every:{first}:{stride}")
            if status > 1 or tried < 2 * (calls - first) // stride:
                sys.exit(f"banyan {' '.join(verb)}, each of {calls} allocations failing: {tried} runs\n{said[-2000:]}")
            runs += tried
            refused += said.count("banyan: not enough memory for this\n")
    print(f"{runs} runs with too little memory, {refused} refused")
    sys.exit(0 if refused > runs // 4 else "too few were refused: does the library work?")


if __name__ == "__main__":
    main()
