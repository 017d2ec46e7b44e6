#!/usr/bin/env python3
"""Reproduces every paper with --quick and compares the verdict on each statement with verdicts.txt: a change of
Banyan that turns one is seen. Usage: quick.py BANYAN [--update]"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERDICTS = Path(__file__).with_name("verdicts.txt")


def papers():
    return sorted(folder.parent.name for folder in (ROOT / "src/papers").glob("*/statements.csv"))


def verdicts(program, paper):
    """Lines 'paper statement verdict'."""
    with tempfile.TemporaryDirectory(prefix="banyan-papers-") as folder:
        done = subprocess.run([program, "reproduce", paper, "--quick", "--json", "--out", folder], check=False,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if not done.stdout.startswith("{"):
        sys.exit(f"reproduce {paper}: exit status {done.returncode}\n{done.stderr}")
    return [f"{paper} {s['id']} {s['verdict'].replace(' ', '-')}" for s in json.loads(done.stdout)["statements"]]


def main():
    program = str(Path(sys.argv[1]).resolve())
    seen = [line for paper in papers() for line in verdicts(program, paper)]
    if "--update" in sys.argv[2:]:
        VERDICTS.write_text("\n".join(seen) + "\n")
        return
    wanted = VERDICTS.read_text().splitlines()
    different = sorted(set(seen) ^ set(wanted))
    for line in different:
        print(("now     " if line in seen else "before  ") + line)
    print(f"{len(seen)} statements of {len(papers())} papers, {len(different)} lines differ")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
