#!/usr/bin/env python3
"""A real run of 16 ranks is recorded, and what was recorded is replayed: every message that the program sends is there once,
it ends, and it takes no less time than its longest chain.

Usage: record_test.py BANYAN"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import job

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from full_device import full_device  # noqa: E402
from odd_path import ODD  # noqa: E402

HERE = Path(__file__).resolve().parent
BANYAN = Path(sys.argv.pop(1)).resolve()
RECORDER = BANYAN.parent / "libbanyan_recorder.so"
RANKS = 16


def run_recorded(folder, source, ranks, goal):
    """The program, compiled, run under the recorder. A space in LD_PRELOAD would end a name: the folder is LD_LIBRARY_PATH's."""
    program = Path(folder, "program")
    library = Path(folder, "lib")
    library.mkdir(exist_ok=True)
    (library / RECORDER.name).symlink_to(RECORDER)
    subprocess.run(["mpicc", "-Wall", "-Werror", "-pthread", "-rdynamic", "-o", program, HERE / source, "-ldl"], check=True)
    command = job.mpirun(ranks, "--mca", "btl", "self,vader", "--mca", "pml", "^ucx", "-x", f"LD_PRELOAD={RECORDER.name}",
                         "-x", f"LD_LIBRARY_PATH={library}:{os.environ.get('LD_LIBRARY_PATH', '')}", "-x", f"BANYAN_PROGRAM={goal}")
    return subprocess.run([*command, program], env=job.environment(folder), timeout=300, capture_output=True, text=True)


def recorded(folder, source="record_program.c", ranks=RANKS):
    """What it did: a file in GOAL."""
    goal = Path(folder, "run.goal")
    run = run_recorded(folder, source, ranks, goal)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return goal


def banyan(*arguments):
    return json.loads(subprocess.run([BANYAN, *map(str, arguments), "--json"], check=True, capture_output=True,
                                     text=True).stdout)


class Record(unittest.TestCase):
    def test_what_was_recorded_is_replayed(self):
        with tempfile.TemporaryDirectory(prefix=ODD) as folder:
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

    def test_every_way_to_complete_a_request_is_recorded(self):
        with tempfile.TemporaryDirectory(prefix=ODD) as folder:
            ranks, count, phases = 4, 4, 6  # as record_requests.c has them
            goal = recorded(folder, "record_requests.c", ranks)
            text = goal.read_text()
            self.assertNotIn("?", text)
            found = banyan("check", "--program", goal)
            messages = ranks * (2 * phases * count + 1)
            self.assertTrue(found["deadlock_free"])
            self.assertEqual(found["messages"], messages)
            self.assertEqual(found["bytes"], 100 * messages)
            self.assertEqual(text.count("calc 0 cpu 2"), ranks)  # the receive that was cancelled
            for rank in text.split("rank ")[2:]:  # every send but the one that was freed is waited for
                sends = re.findall(r"^(l\d+): send", rank, re.M)
                waited = set(re.findall(r"requires (l\d+)$", rank, re.M))
                self.assertEqual(len(sends), 2 * phases * count + 1)
                self.assertGreaterEqual(len(waited & set(sends)), 2 * (phases - 1) * count)

    def test_a_handle_that_a_receive_had_may_become_that_of_a_send(self):
        with tempfile.TemporaryDirectory(prefix=ODD) as folder:
            text = recorded(folder, "record_reused.c", 2).read_text()  # it comes back though MPI_Finalize calls MPI
            self.assertNotIn("from -1", text)
            self.assertNotIn("?", text)
            for rank in text.split("rank ")[1:]:
                self.assertEqual(len(re.findall(r"^l\d+: send 100b to [01] tag [12] ", rank, re.M)), 2)
                self.assertEqual(len(re.findall(r"^l\d+: calc 0 cpu 2", rank, re.M)), 1)  # nobody saw its end
                self.assertEqual(len(re.findall(r"^l\d+: recv 100b from [01] tag 2 ", rank, re.M)), 1)

    def test_a_full_disk_is_an_error(self):
        with tempfile.TemporaryDirectory(prefix=ODD) as folder:
            run = run_recorded(folder, "record_program.c", 2, full_device(folder))
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("banyan recorder: No space left on device", run.stderr)


if __name__ == "__main__":
    unittest.main()
