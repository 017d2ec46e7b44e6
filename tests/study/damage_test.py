#!/usr/bin/env python3
"""Single bits of a store change: a study prints the right rows, or ends with an error. Usage: damage_test.py BANYAN [STEP]

For each bit that is changed, the study runs again and --verify looks. Status 0 means that the rows are those of the sound store;
--verify with status 0 means that every table holds what it held. STEP is the number of bits from one to the next.
"""
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

STUDY = ('fabrics = ["4-ary 2-tree", "2-ary 3-tree"]\nengines = "minhop"\nwithout = ["", "switch=s1-0"]\n'
         '[describe]\n[verdict]\n')
STEP = 2503


class Study:
    def __init__(self, banyan, scratch):
        self.banyan, self.scratch = banyan, scratch
        self.file, self.folder, self.rows = scratch / "study.toml", scratch / "results", scratch / "rows.csv"
        self.store = self.folder / "results.sqlite"
        self.file.write_text(STUDY)

    def run(self, *options):
        command = [self.banyan, "study", str(self.file), "--out", str(self.folder), *options]
        return subprocess.run(command, capture_output=True, timeout=120)

    def measure(self):
        self.rows.unlink(missing_ok=True)
        return self.run("--csv", str(self.rows), "--no-report", "--threads", "1")

    def tables(self):
        with sqlite3.connect(self.store) as db:
            names = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
            return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def main():
    step = int(sys.argv[2]) if len(sys.argv) > 2 else STEP
    counts = {"harmless": 0, "measured again": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as scratch:
        study = Study(str(Path(sys.argv[1]).resolve()), Path(scratch))
        done = study.measure()
        assert done.returncode == 0, done
        rows, sound, tables = study.rows.read_bytes(), study.store.read_bytes(), study.tables()
        done = study.run("--verify")
        assert done.returncode == 0 and b"all as they were written" in done.stdout, done
        for bit in range(0, 8 * len(sound), step):
            damaged = bytearray(sound)
            damaged[bit // 8] ^= 1 << bit % 8
            study.store.write_bytes(damaged)
            looked = study.run("--verify")
            assert looked.returncode in (0, 1, 2), f"bit {bit}: {looked}"
            if looked.returncode == 0:
                assert study.tables() == tables, f"bit {bit}: --verify noticed nothing"
            done = study.measure()
            assert done.returncode in (0, 2), f"bit {bit}: {done}"
            assert (looked.returncode == 2) <= (done.returncode == 2), f"bit {bit}: {done}"
            if done.returncode == 2:
                assert b"results.sqlite: " in done.stderr, f"bit {bit}: {done}"
                counts["refused"] += 1
                continue
            assert study.rows.read_bytes() == rows, f"bit {bit}: other rows"
            assert (looked.returncode == 1) == (b"is damaged" in done.stderr), f"bit {bit}: {done}"
            counts["measured again" if b" 0 of them" not in done.stdout else "harmless"] += 1
        print(", ".join(f"{count} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    main()
