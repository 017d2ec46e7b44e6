#!/usr/bin/env python3
"""A study that is killed again and again ends with the rows of one that was not. Usage: kill_test.py BANYAN

SIGKILL comes dozens of times, at seeded moments: after so many points more are in the store, or after so many
milliseconds, whatever is going on. After each, the store must be sound, and what was finished must still be there,
untouched: a point that is done again would carry another time.
"""
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STUDY = """
fabrics = ["4-ary 2-tree", "HyperX(4x4; hosts=2)"]
without = ["", "share=0.1,seed=3"]
engines = ["minhop", "dfsssp", "updn"]
traffic = ["permutation", "uniform"]
seeds = [1, 2, 3]

[describe]
[cost]
[verdict]
[load]
samples = 500
[rates]
samples = 20
[simulate]
load = [0.3, 0.8]
cycles = 1500
"""
KILLS = 48
TABLES = ("rows", "points", "texts", "plan")


def query(folder, sql):
    store = folder / "results.sqlite"
    if not store.exists():
        return []
    with sqlite3.connect(store, timeout=60) as db:
        return db.execute(sql).fetchall()


def times(folder):
    """{point: seconds} of the finished points; nothing while there is no store yet."""
    try:
        return dict(query(folder, "SELECT point, seconds FROM times"))
    except sqlite3.OperationalError:
        return {}


class Study:
    def __init__(self, banyan, file, folder):
        self.command = [banyan, "study", str(file), "--out", str(folder), "--threads", "2"]
        self.folder = folder

    def finish(self):
        subprocess.run(self.command, check=True, stdout=subprocess.DEVNULL, timeout=120)

    def killed(self, points=None, seconds=None):
        """Killed when so many points more are finished, or after a while; whether it was still running then."""
        before = len(times(self.folder))
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + (seconds if seconds is not None else 60)
        while process.poll() is None and time.monotonic() < deadline:
            if points is not None and len(times(self.folder)) >= before + points:
                break
            time.sleep(0.0005)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


def main():
    banyan = sys.argv[1]
    draw = random.Random(6)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        file = scratch / "study.toml"
        file.write_text(STUDY)
        whole = Study(banyan, file, scratch / "whole")
        started = time.monotonic()
        whole.finish()
        duration = time.monotonic() - started
        total = len(times(whole.folder))
        torn = Study(banyan, file, scratch / "torn")
        finished, while_running = {}, 0
        for kill in range(KILLS):
            if kill % 2:
                while_running += torn.killed(points=draw.randint(1, 4))
            else:
                while_running += torn.killed(seconds=draw.random() * duration / 24)
            now = times(torn.folder)
            lost = [p for p, seconds in finished.items() if now.get(p) != seconds]
            assert not lost, f"kill {kill}: lost or done again: {lost}"
            assert query(torn.folder, "PRAGMA integrity_check") in ([("ok",)], []), f"kill {kill}: not sound"
            finished = now
        assert while_running >= KILLS // 2, f"only {while_running} of {KILLS} came before the end"
        torn.finish()
        for table in TABLES:
            sql = f"SELECT * FROM {table}"
            assert query(torn.folder, sql) == query(whole.folder, sql), f"{table} differs"
        print(f"{KILLS} kills, {while_running} while running; {len(finished)} of {total} points survived them; "
              f"{len(query(whole.folder, 'SELECT * FROM rows'))} rows are equal")


if __name__ == "__main__":
    main()
