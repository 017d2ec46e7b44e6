#!/usr/bin/env python3
"""The helper itself: a hand-written netlist is played, looked at and ended, and a bad one is refused in words."""
import tempfile
import unittest
from pathlib import Path

from daemon import DaemonError
from ibsim import Ibsim, require_tools

NETLIST = """Switch 4 "leaf"
[1] "one"[1]
[2] "two"[1]

Hca 1 "one"
[1] "leaf"[1]

Hca 1 "two"
[1] "leaf"[2]
"""


class Helper(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.netlist = Path(folder.name, "x.net")
        self.netlist.write_text(NETLIST)

    def test_two_at_once_and_both_end(self):
        with Ibsim(self.netlist) as first, Ibsim(self.netlist, host="two") as second:
            for sim in first, second:
                found = sim.run("ibnetdiscover")
                self.assertEqual([found.count(f'"{name}"') for name in ("leaf", "one", "two")], [3, 2, 2], found)
        for sim in first, second:
            self.assertIsNotNone(sim.process.poll())
            self.assertFalse(sim.folder.exists())

    def test_it_ends_when_the_test_fails(self):
        with self.assertRaises(ZeroDivisionError):
            with Ibsim(self.netlist) as sim:
                1 / 0
        self.assertIsNotNone(sim.process.poll())

    def test_a_failing_tool_is_an_error(self):
        with Ibsim(self.netlist) as sim:
            with self.assertRaises(DaemonError):
                sim.run("ibnetdiscover", "--no-such-option")

    def test_a_bad_netlist_is_an_error(self):
        self.netlist.write_text('Switch many "leaf"\n')
        with self.assertRaises(DaemonError):
            with Ibsim(self.netlist):
                pass


if __name__ == "__main__":
    require_tools()
    unittest.main(argv=["ibsim_test.py"])
