#!/usr/bin/env python3
"""The job script of `banyan study --slurm`, submitted to a real Slurm: the store is that of a study run here. Needs root,
as slurmd does. Usage: slurm_test.py BANYAN"""
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from slurm import PATIENCE, Cluster

BANYAN = Path(sys.argv.pop(1)).resolve()
STUDY = """
fabrics = ["{fabric}"]
without = ["", "share=0.1,seed=3"]
engines = ["minhop", "updn"]
traffic = ["permutation", "uniform"]

[verdict]
[load]
samples = 200
[simulate]
load = [0.3, 0.8]
cycles = 500
"""


def tables(folder):
    with sqlite3.connect(Path(folder) / "results.sqlite") as db:
        return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in ("rows", "points", "texts", "plan")}


class JobScripts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="banyan-slurm-")
        cls.addClassCleanup(cls.holder.cleanup)
        scratch = Path(cls.holder.name)
        (scratch / "cluster").mkdir()
        cls.cluster = Cluster(scratch / "cluster")
        cls.cluster.__enter__()
        cls.addClassCleanup(cls.cluster.__exit__)
        cls.work = scratch / "work 'of' mine"  # a name that must be quoted
        cls.work.mkdir()
        for name, fabric in (("tree", "4-ary 2-tree"), ("cube", "HyperX(4x4; hosts=2)")):
            (cls.work / f"{name}.toml").write_text(STUDY.format(fabric=fabric))
            cls.run_here([BANYAN, "study", f"{name}.toml", "--out", f"{name}-here"])

    @classmethod
    def run_here(cls, command):
        done = subprocess.run(command, cwd=cls.work, capture_output=True, text=True, timeout=PATIENCE,
                              env=dict(cls.cluster.environment, OMPI_ALLOW_RUN_AS_ROOT="1",
                                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TMPDIR=cls.holder.name,
                                       OMPI_MCA_rmaps_base_oversubscribe="1"))
        said = "".join(f"\n{out.name}: {out.read_text()}" for out in cls.work.glob("*.out"))
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}{said}{cls.cluster.said()}"
        return done.stdout

    def submit(self, script):
        (self.work / "job.sh").write_text(script)
        self.run_here(["sbatch", "--wait", "job.sh"])

    def test_one_study(self):
        script = self.run_here([BANYAN, "study", "tree.toml", "--slurm", "--ranks", "3", "--out", "tree-one"])
        self.assertIn("#SBATCH --ntasks=3\n", script)
        self.submit(script)
        self.assertEqual(tables(self.work / "tree-one"), tables(self.work / "tree-here"))
        said = "".join(out.read_text() for out in self.work.glob("banyan-tree-*.out"))
        self.assertEqual(said.count("measured now"), 1, said)

    def test_an_array_of_studies(self):
        script = self.run_here([BANYAN, "study", "tree.toml", "cube.toml", "--slurm", "--ranks", "2", "--threads", "2"])
        self.assertIn("#SBATCH --array=0-1\n", script)
        self.submit(script)
        for name in ("tree", "cube"):
            self.assertEqual(tables(self.work / f"{name}-results"), tables(self.work / f"{name}-here"))


if __name__ == "__main__":
    unittest.main()
