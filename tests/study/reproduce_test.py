#!/usr/bin/env python3
"""A reproduction that is stopped with Ctrl-C goes on where it was. Usage: reproduce_test.py BANYAN"""
import json
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAPER = ["reproduce", "petrini01", "--quick", "--json", "--threads", "2", "--out"]


def points(folder):
    store = folder / "results.sqlite"
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", timeout=60, uri=True) as db:
            return db.execute("SELECT count(*) FROM points").fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # not made yet


def stopped(banyan, folder):
    """Ctrl-C when some points are finished: how many were."""
    process = subprocess.Popen([banyan, *PAPER, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and points(folder) < 5:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=120)
    assert process.returncode == 130 and "the same command goes on" in said, f"{process.returncode}: {said}"
    assert out == "", "it answered before it was finished"
    return points(folder)


def main():
    banyan = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        whole, parts = Path(scratch) / "whole", Path(scratch) / "parts"
        at_once = json.loads(subprocess.check_output([banyan, *PAPER, str(whole)], timeout=600))
        first = stopped(banyan, parts)
        started = time.time()
        again = json.loads(subprocess.check_output([banyan, *PAPER, str(parts)], timeout=600))
        assert 0 < first < points(whole) == points(parts), f"{first}, {points(parts)} of {points(whole)} points"
        assert again == at_once, "a reproduction that was stopped answers otherwise"
        assert (parts / "report.html").is_file()
        print(f"{first} of {points(whole)} points, then the rest in {time.time() - started:.1f} s")


if __name__ == "__main__":
    main()
