#!/usr/bin/env python3
"""The job script of `banyan study --slurm`, submitted to a real Slurm: the store is that of a study run here. And the prolog
that tells the fabric what a job will send. Needs root, as slurmd does. Usage: slurm_test.py BANYAN"""
import os
import shlex
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from slurm import PATIENCE, Cluster

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from odd_path import ODD  # noqa: E402

BANYAN = Path(sys.argv.pop(1)).resolve()
TOOL = Path(__file__).resolve().parent.parent.parent / "tools" / "slurm" / "banyan-demands"
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


def copied_program(folder):
    """A job script names the program by its own path, whatever link it was started by."""
    folder.mkdir()
    for part in BANYAN.parent.glob("libbanyan_*.so"):
        (folder / part.name).symlink_to(part)
    return shutil.copy(BANYAN, folder)


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
        # Two mpirun that start at once fail where both try to make Open MPI's folder: it is there before, and stays.
        sessions = scratch / f"ompi.{socket.gethostname().split('.')[0]}.{os.getuid()}"
        sessions.mkdir(0o700)
        (sessions / "stays").touch()
        cls.work = scratch / ODD
        cls.work.mkdir()
        cls.banyan = copied_program(scratch / f"{ODD} too")
        for name, fabric in (("tree", "4-ary 2-tree"), ("cube", "HyperX(4x4; hosts=2)")):
            (cls.work / f"{name}.toml").write_text(STUDY.format(fabric=fabric))
            cls.run_here([cls.banyan, "study", f"{name}.toml", "--out", f"{name}-here"])

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
        script = self.run_here([self.banyan, "study", "tree.toml", "--slurm", "--ranks", "3", "--out", "tree-one"])
        self.assertIn("#SBATCH --ntasks=3\n", script)
        self.submit(script)
        self.assertEqual(tables(self.work / "tree-one"), tables(self.work / "tree-here"))
        said = "".join(out.read_text() for out in self.work.glob("banyan-tree-*.out"))
        self.assertEqual(said.count("measured now"), 1, said)

    def test_an_array_of_studies(self):
        script = self.run_here([self.banyan, "study", "tree.toml", "cube.toml", "--slurm", "--ranks", "2", "--threads", "2"])
        self.assertIn("#SBATCH --array=0-1\n", script)
        self.submit(script)
        for name in ("tree", "cube"):
            self.assertEqual(tables(self.work / f"{name}-results"), tables(self.work / f"{name}-here"))


class Prolog(unittest.TestCase):
    """tools/slurm/banyan-demands as prolog and epilog of Slurm's controller; tests/opensm goes on from its files."""

    def test_demands_are_there_while_the_job_runs(self):
        with tempfile.TemporaryDirectory(prefix="banyan-prolog-") as folder:
            scratch, odd = Path(folder), Path(folder, ODD)  # Slurm itself takes no spaces in its file
            for path in (scratch / "cluster", odd, odd / "profiles", odd / "demands"):
                path.mkdir()
            tool = shutil.copy(TOOL, odd)
            quoted = lambda path: shlex.quote(str(path))
            (odd / "profiles" / "ring.3.csv").write_text("from,to,bytes\n0,1,1000\n1,2,500\n2,0,1\n")
            subprocess.run([BANYAN, "convert", "4-ary 2-tree", odd / "fabric.json"], check=True,
                           stdout=subprocess.DEVNULL)
            settings = {"BANYAN": BANYAN, "BANYAN_PROFILES": odd / "profiles", "BANYAN_DEMANDS": odd / "demands",
                        "BANYAN_FABRIC": odd / "fabric.json", "BANYAN_RESWEEP": f"touch {quoted(odd / 'swept')}"}
            (odd / "demands.conf").write_text("".join(f"{name}={quoted(value)}\n" for name, value in settings.items()))
            prolog = scratch / "prolog"
            prolog.write_text(f"#!/bin/sh\nexport SLURM_CONF={scratch}/cluster/slurm.conf PATH=/usr/bin:/bin\n"
                              f"export BANYAN_DEMANDS_CONF={quoted(odd / 'demands.conf')}\nexec {quoted(tool)}\n")
            prolog.chmod(0o755)
            with Cluster(scratch / "cluster", ["h0", "h5", "h10"],
                         f"PrologSlurmctld={prolog}\nEpilogSlurmctld={prolog}") as cluster:
                (scratch / "job.sh").write_text(
                    f"#!/bin/sh\ncd {quoted(odd)}; cat demands/$SLURM_JOB_ID > seen; ls > then\n")
                done = subprocess.run(["sbatch", "--wait", "--nodes=3", "--job-name=ring", "job.sh"], cwd=scratch,
                                      env=cluster.environment, capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr + cluster.said())
                self.assertEqual((odd / "seen").read_text(), "h0 h5 255\nh5 h10 128\nh10 h0 1\n", cluster.said())
                self.assertIn("swept", (odd / "then").read_text())
                deadline = time.monotonic() + PATIENCE
                while list((odd / "demands").iterdir()) and time.monotonic() < deadline:
                    time.sleep(0.05)
                self.assertEqual(list((odd / "demands").iterdir()), [], "the epilog forgets the job")


if __name__ == "__main__":
    unittest.main()
