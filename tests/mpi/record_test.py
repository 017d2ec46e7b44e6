#!/usr/bin/env python3
"""A real run of 16 ranks is recorded, and what was recorded is replayed: every message that the program sends is there once,
it ends, and it takes no less time than its longest chain.

Usage: record_test.py BANYAN"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import job

HERE = Path(__file__).resolve().parent
BANYAN = Path(sys.argv.pop(1)).resolve()
RECORDER = BANYAN.parent / "libbanyan_recorder.so"
RANKS = 16


def recorded(folder):
    """The program, compiled, run under the recorder: a file in GOAL."""
    program, goal = Path(folder, "program"), Path(folder, "run.goal")
    subprocess.run(["mpicc", "-Wall", "-Werror", "-o", program, HERE / "record_program.c"], check=True)
    command = job.mpirun(RANKS, "--mca", "btl", "self,vader", "--mca", "pml", "^ucx", "-x", f"LD_PRELOAD={RECORDER}",
                         "-x", f"BANYAN_PROGRAM={goal}")
    subprocess.run([*command, program], check=True, env=job.environment(folder), timeout=300)
    return goal


def banyan(*arguments):
    return json.loads(subprocess.run([BANYAN, *map(str, arguments), "--json"], check=True, capture_output=True,
                                     text=True).stdout)


class Record(unittest.TestCase):
    def test_what_was_recorded_is_replayed(self):
        with tempfile.TemporaryDirectory() as folder:
            goal = recorded(folder)
            halo, token, to_root = 3 * 2 * RANKS, RANKS - 1, RANKS - 1
            collectives = 3 * 4 * RANKS + (RANKS - 1) + 4 * RANKS  # allreduce, bcast, barrier: log2 of 16 rounds each
            size = 1000 * halo + 4 * (token + to_root) + 3 * 4 * RANKS * 8 + 4 * (RANKS - 1) + 4 * RANKS
            found = banyan("check", "--program", goal)
            self.assertTrue(found["deadlock_free"])
            self.assertEqual(found["ranks"], RANKS)
            self.assertEqual(found["messages"], halo + token + to_root + collectives)
            self.assertEqual(found["bytes"], size)
            for level in ["loggops", "fluid", "flit"]:
                replay = banyan("time", "XGFT(2; 4,4; 1,4)", "--program", goal, "--level", level)
                self.assertEqual(replay["messages"], found["messages"])
                self.assertEqual(replay["bytes"], size)
                self.assertGreaterEqual(replay["seconds"], replay["critical_path_seconds"] * (1 - 1e-9))
                self.assertGreater(replay["critical_path_seconds"], 0)


if __name__ == "__main__":
    unittest.main()
