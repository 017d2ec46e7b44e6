#!/usr/bin/env python3
"""Studies over the ranks of a real mpirun: the same rows for any number of ranks, and a rank that dies costs its point
and not the run. Usage: study_test.py BANYAN"""
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from job import PATIENCE, Job, environment, mpirun, wait_for

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from odd_path import ODD  # noqa: E402

BANYAN = sys.argv.pop(1)
STUDY = """
fabrics = ["4-ary 2-tree", "HyperX(4x4; hosts=2)"]
without = ["", "share=0.1,seed=3"]
engines = ["minhop", "dfsssp"]
traffic = ["permutation", "uniform"]
seeds = {seeds}

[describe]
[cost]
[verdict]
[load]
samples = 500
[simulate]
load = [0.3, 0.8]
cycles = {cycles}
"""
TABLES = ("rows", "points", "texts", "plan")


def tables(folder):
    with sqlite3.connect(Path(folder) / "results.sqlite") as db:
        return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}


def finished(folder):
    store = Path(folder) / "results.sqlite"
    try:
        if store.exists():
            with sqlite3.connect(store, timeout=60) as db:
                return db.execute("SELECT count(*) FROM points").fetchone()[0]
    except sqlite3.OperationalError:
        pass  # not made yet
    return 0


class StudyOverRanks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix=ODD)
        cls.scratch = Path(cls.holder.name)
        cls.quick, cls.slow, cls.endless = (cls.scratch / f"{name}.toml" for name in ("quick", "slow", "endless"))
        cls.quick.write_text(STUDY.format(cycles=500, seeds=1))
        cls.slow.write_text(STUDY.format(cycles=10000, seeds=1))
        cls.endless.write_text(STUDY.format(cycles=10000, seeds=[*range(1, 200)]))
        for file in (cls.quick, cls.slow):
            cls.run_plain([BANYAN, "study", file, "--out", cls.scratch / f"{file.stem}-alone"])

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    @classmethod
    def run_plain(cls, command, status=0):
        done = subprocess.run(command, env=environment(cls.scratch), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def job(self, file, name, *options):
        """A job, and its folder."""
        folder = self.scratch / name
        return Job([*mpirun(4, *options), BANYAN, "study", file, "--out", folder], self.scratch), folder

    def test_the_same_rows_for_any_number_of_ranks(self):
        whole = tables(self.scratch / "quick-alone")
        self.assertGreater(len(whole["rows"]), 100)
        for ranks, threads in ((1, 1), (2, 1), (4, 1), (2, 3)):
            with self.subTest(ranks=ranks, threads=threads):
                folder = self.scratch / f"quick-{ranks}-{threads}"
                done = self.run_plain([*mpirun(ranks), BANYAN, "study", self.quick, "--out", folder, "--threads",
                                       str(threads)])
                self.assertEqual(tables(folder), whole)
                self.assertEqual(done.stdout.count("measured now"), 1, "only the first rank speaks")
                self.assertEqual(done.stderr, "")
                again = self.run_plain([*mpirun(ranks), BANYAN, "study", self.quick, "--out", folder])
                self.assertIn(" 0 of them measured now", again.stdout)

    def test_a_dry_run_is_listed_once(self):
        done = self.run_plain([*mpirun(3), BANYAN, "study", self.quick, "--dry-run"])
        self.assertEqual(done.stdout.count(" to do: roughly"), 1)
        self.assertEqual(done.stderr, "")

    def test_a_study_that_is_wrong_is_told_once(self):
        wrong = self.scratch / "wrong.toml"
        wrong.write_text("fabrics = ['4-ary 2-tree']\nengine = ['minhop']\n[verdict]\n")
        done = self.run_plain([*mpirun(3), BANYAN, "study", wrong], status=2)
        self.assertEqual(done.stderr.count("wrong.toml:2"), 1)

    def lose_a_rank(self, name, deadly):
        job, folder = self.job(self.slow, name, "--enable-recovery")
        with job:
            wait_for(lambda: finished(folder) > 1, "two points", job.process)
            victim = job.pids()[2]
            os.kill(victim, deadly)
            wait_for(lambda: 2 not in job.pids(), "the death of rank 2", job.process)
            status, out, err = job.finish()
        self.assertEqual(status, 0, err)
        self.assertEqual(tables(folder), tables(self.scratch / "slow-alone"))
        self.assertEqual(out.count("measured now"), 1)

    def test_with_recovery_the_others_do_what_a_dead_rank_had(self):
        self.lose_a_rank("left", signal.SIGTERM)  # leaves by _exit
        self.lose_a_rank("killed", signal.SIGKILL)

    def test_without_recovery_what_was_finished_stays(self):
        job, folder = self.job(self.endless, "ended", "--mca", "odls_base_sigkill_timeout", "0")
        with job:
            wait_for(lambda: finished(folder) > 1, "two points", job.process)
            os.kill(job.pids()[1], signal.SIGKILL)
            status, _, _ = job.finish()
        self.assertNotEqual(status, 0)
        before = tables(folder)
        self.assertGreater(len(before["points"]), 1)
        self.run_plain([*mpirun(2), BANYAN, "study", self.slow, "--out", folder])  # seed 1 of the same
        after = tables(folder)
        for table in ("rows", "points", "texts"):
            self.assertLessEqual(set(before[table]), set(after[table]))
            self.assertLessEqual(set(tables(self.scratch / "slow-alone")[table]), set(after[table]))

    def test_control_c_stops_cleanly(self):
        # Ranks get ten seconds to end, not one (mpirun always waits that long): the machine may be busy.
        job, folder = self.job(self.endless, "stopped", "--mca", "odls_base_sigkill_timeout", "10")
        with job:
            wait_for(lambda: finished(folder) > 1, "two points", job.process)
            os.kill(job.process.pid, signal.SIGINT)
            status, out, err = job.finish()
        self.assertNotEqual(status, 0)
        self.assertEqual(err.count("banyan: interrupted"), 1, err)
        self.assertIn(f"; {finished(folder)} of ", err)
        self.assertIn(" points are finished, the same command goes on from there", err)
        self.assertEqual(out, "")


if __name__ == "__main__":
    unittest.main()
