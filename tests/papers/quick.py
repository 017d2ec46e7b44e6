#!/usr/bin/env python3
"""Reproduces every paper with --quick and compares the verdict on each statement with verdicts.txt: a change of
Banyan that turns one is seen. A quick run must say what the whole run said (whole.txt), or nothing ("undecided").
Usage: quick.py BANYAN [--update]; quick.py BANYAN --whole FOLDER writes whole.txt from PAPER.json, the answers of
whole runs with --json."""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERDICTS = Path(__file__).with_name("verdicts.txt")
WHOLE = Path(__file__).with_name("whole.txt")


def papers():
    return sorted(folder.parent.name for folder in (ROOT / "src/papers").glob("*/statements.csv"))


def verdicts(program, paper):
    """Lines 'paper statement verdict'. One thread each, and papers side by side: in a build that counts lines, threads of one
    process wait for each other's counters."""
    with tempfile.TemporaryDirectory(prefix="banyan-papers-") as folder:
        done = subprocess.run([program, "reproduce", paper, "--quick", "--json", "--threads", "1", "--out", folder],
                              check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if not done.stdout.startswith("{"):
        sys.exit(f"reproduce {paper}: exit status {done.returncode}\n{done.stderr}")
    return listed(paper, done.stdout)


def listed(paper, answer):
    return [f"{paper} {s['id']} {s['verdict'].replace(' ', '-')}" for s in json.loads(answer)["statements"]]


def contradictions(quick):
    """Verdicts of a quick run that the whole run does not share."""
    whole = dict(line.rsplit(" ", 1) for line in WHOLE.read_text().splitlines())
    said = dict(line.rsplit(" ", 1) for line in quick)
    return [f"{name}: quick {verdict}, whole {whole.get(name, 'nothing')}" for name, verdict in said.items()
            if verdict not in ("undecided", whole.get(name))]


def main():
    program = str(Path(sys.argv[1]).resolve())
    if "--whole" in sys.argv[2:]:
        folder = Path(sys.argv[sys.argv.index("--whole") + 1])
        lines = [line for paper in papers() for line in listed(paper, (folder / f"{paper}.json").read_text())]
        WHOLE.write_text("\n".join(lines) + "\n")
        return
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        seen = [line for lines in pool.map(lambda paper: verdicts(program, paper), papers()) for line in lines]
    if "--update" in sys.argv[2:]:
        VERDICTS.write_text("\n".join(seen) + "\n")
        return
    wanted = VERDICTS.read_text().splitlines()
    different = sorted(set(seen) ^ set(wanted))
    for line in different:
        print(("now     " if line in seen else "before  ") + line)
    against = contradictions(seen)
    for line in against:
        print(line)
    print(f"{len(seen)} statements of {len(papers())} papers, {len(different)} lines differ, "
          f"{len(against)} contradict the whole run")
    sys.exit(1 if different or against else 0)


if __name__ == "__main__":
    main()
