#!/usr/bin/env python3
"""One simulation over the ranks of a real mpirun: the same bits as alone, and each rank holds its share of the memory.
Random networks are tests/property's business. Usage: simulate_test.py BANYAN"""
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from job import PATIENCE, environment, mpirun

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from odd_path import ODD  # noqa: E402

BANYAN = sys.argv.pop(1)
CASES = [
    ["4-ary 2-tree", "--engine", "dmodk", "--traffic", "uniform", "--load", "0.6", "--cycles", "150"],
    ["4-ary 3-tree", "--engine", "shift1", "--paths", "4", "--message-packets", "3", "--cycles", "100"],
    ["4-ary 2-tree", "--engine", "dmodk", "--traffic", "shift:5", "--complete"],
    ["HyperX(3x3; hosts=2)", "--engine", "minhop", "--traffic", "ring", "--complete", "--rounds", "barrier"],
    ["HyperX(3x3; hosts=2)", "--engine", "dal", "--load", "0.9", "--cycles", "100"],
    ["HyperX(3x3; hosts=2)", "--engine", "minhop", "--flow-control", "wormhole", "--buffer-flits", "4", "--load",
     "0.9", "--cycles", "100"],
]


class SimulateOverRanks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix=ODD)
        cls.addClassCleanup(cls.holder.cleanup)
        cls.scratch = Path(cls.holder.name)

    def run_it(self, command):
        return subprocess.run(command, env=environment(self.scratch), capture_output=True, text=True, timeout=PATIENCE)

    def test_the_same_bits(self):
        for case in CASES:
            command = [BANYAN, "simulate", *case, "--json"]
            alone = self.run_it(command)
            self.assertIn(alone.returncode, (0, 1), alone.stderr)
            for ranks, threads in ((1, 1), (2, 1), (4, 1)) if case is CASES[0] else ((2, 2),):
                with self.subTest(case=case, ranks=ranks, threads=threads):
                    done = self.run_it([*mpirun(ranks), *command, "--threads", str(threads)])
                    self.assertEqual(done.stdout, alone.stdout, done.stderr)

    def test_what_is_wrong_is_told_once(self):
        for case, word in ((["4-ary 2-tree", "--engine", "dmodk", "--buffer-flits", "3"], "room for a whole packet"),
                           (["4-ary 2-tree", "--engine", "minhop", "--without", "switch=s1-0", "--cycles", "100"],
                            "has no way")):
            done = self.run_it([*mpirun(3), BANYAN, "simulate", *case])
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count(word), 1, done.stderr)

    def test_the_first_rank_writes_the_page(self):
        """The others have no such folder: each rank runs in one of its own."""
        page = "$(if [ $OMPI_COMM_WORLD_RANK = 0 ]; then echo .; else echo nowhere; fi)/page.html"
        folder, program = shlex.quote(str(self.scratch)), shlex.quote(BANYAN)
        command = (f"cd {folder} && exec {program} simulate '4-ary 2-tree' --engine dmodk --curve 0.2,0.4 --cycles 500 "
                   f"--report {page}")
        done = self.run_it([*mpirun(2), "sh", "-c", command])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.scratch / "page.html").exists())

    def test_each_rank_holds_its_share(self):
        """Of a fabric of 11,664 hosts with 16 lanes and virtual output queues; largest resident sizes in kB."""
        case = [BANYAN, "simulate", "PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "--engine", "dmodk", "--lanes", "16", "--queueing",
                "voq", "--cycles", "10", "--json"]
        sizes = {}
        for ranks in (1, 2):
            logs = self.scratch / f"sizes-{ranks}"
            measured = [sys.executable, Path(__file__).parent / "peak.py", logs, *case]
            done = self.run_it([*mpirun(ranks), *measured])
            self.assertEqual(done.returncode, 0, done.stderr)
            sizes[ranks] = [int(line) for line in logs.read_text().split()]
        print(f"alone {sizes[1]} kB, of two {sizes[2]} kB")
        self.assertEqual(len(sizes[2]), 2)
        self.assertLessEqual(max(sizes[2]), 0.6 * sizes[1][0])


if __name__ == "__main__":
    unittest.main()
