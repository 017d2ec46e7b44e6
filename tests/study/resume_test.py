#!/usr/bin/env python3
"""A study is stopped with Ctrl-C, changed, and run with any number of threads. Usage: resume_test.py BANYAN"""
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STUDY = """
fabrics = ["4-ary 2-tree"]
engines = ["minhop", "random:paths=2"]
traffic = ["permutation", "uniform"]
seeds = [1, 2]

[verdict]
[load]
samples = {samples}
[simulate]
load = [0.2, 0.4, 0.6]
cycles = {cycles}
"""


def run(banyan, file, folder, *more):
    done = subprocess.run([banyan, "study", str(file), "--out", str(folder), *more], check=True, text=True,
                          stdout=subprocess.PIPE, timeout=120)
    return int(re.search(r"(\d+) of them measured now", done.stdout)[1])


def rows(folder):
    with sqlite3.connect(folder / "results.sqlite") as db:
        return db.execute("SELECT * FROM rows").fetchall()


def interrupted(banyan, file, folder):
    """Ctrl-C as soon as a point is finished."""
    process = subprocess.Popen([banyan, "study", str(file), "--out", str(folder), "--threads", "1"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    store, points = folder / "results.sqlite", 0
    while process.poll() is None and not points:
        time.sleep(0.001)
        try:
            if store.exists():
                with sqlite3.connect(store, timeout=60) as db:
                    points = db.execute("SELECT count(*) FROM points").fetchone()[0]
        except sqlite3.OperationalError:
            pass  # not made yet
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    return process.returncode, said


def main():
    banyan = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        file = scratch / "study.toml"
        file.write_text(STUDY.format(samples=50, cycles=2000))
        all_points = run(banyan, file, scratch / "one", "--threads", "1")
        assert run(banyan, file, scratch / "one") == 0, "a finished study was run again"
        assert run(banyan, file, scratch / "three", "--threads", "3") == all_points
        assert rows(scratch / "one") == rows(scratch / "three"), "the number of threads changed the rows"

        # Only what an option concerns is done again.
        file.write_text(STUDY.format(samples=60, cycles=2000))
        assert run(banyan, file, scratch / "one") == 8, "expected the loads, and nothing else"
        assert run(banyan, file, scratch / "new") == all_points
        assert rows(scratch / "one") == rows(scratch / "new"), "changed points differ from new ones"

        file.write_text(STUDY.format(samples=60, cycles=200000))
        status, said = interrupted(banyan, file, scratch / "stopped")
        assert status == 130 and "the same command goes on" in said, f"exit status {status}: {said}"
        file.write_text(STUDY.format(samples=60, cycles=2000))
        assert 0 < run(banyan, file, scratch / "stopped") <= all_points
        assert rows(scratch / "stopped") == rows(scratch / "new"), "a study that was stopped ended differently"
        print(f"{all_points} points")


if __name__ == "__main__":
    main()
