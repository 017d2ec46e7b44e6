#!/usr/bin/env python3
"""OpenSM's own tables are read back and judged, and ibdmchk agrees with our verdict. Usage: judge_test.py BANYAN"""
import json
import sys
import unittest

from opensm import Ibsim, Scratch, banyan, ibdmchk, opensm, require

PROGRAM = sys.argv[1]


def verdict(*arguments, expect):
    v = json.loads(banyan(PROGRAM, "check", *arguments, "--json", expect=expect))
    return v["reachable"] and v["loop_free"], v["deadlock_free"]


class TheirTables(unittest.TestCase):
    def judge(self, notation, engine, yes, *options):
        with Scratch() as folder:
            netlist = folder / "x.net"
            banyan(PROGRAM, "convert", notation, netlist)
            with Ibsim(netlist) as sim:
                dump = opensm(sim, "-R", engine + ",no_fallback", *options)
                for lids in "guid2lid", "opensm-subnet.lst":
                    ours = verdict(netlist, "--tables", dump, "--lids", sim.folder / lids, expect=0 if yes else 1)
                    self.assertEqual(ours, (True, yes), f"{engine} on {notation}, LIDs of {lids}")
                self.assertEqual(ibdmchk(sim.folder), ours, f"{engine} on {notation}")
                live = folder / "live"
                live.write_text(sim.run("dump_fts"))
                self.assertEqual(verdict(netlist, "--tables", live, expect=0 if yes else 1), ours)

    def test_minhop_ftree_updn_dfsssp_on_a_tree(self):
        for engine in "minhop", "updn", "ftree", "dfsssp":
            self.judge("4-ary 2-tree", engine, True)

    def test_minhop_has_a_credit_loop_on_a_torus(self):
        self.judge("Torus(5x5; hosts=1)", "minhop", False)


class PlantedFaults(unittest.TestCase):
    """The same fault in the tables we judge and in those that ibdmchk reads."""

    def setUp(self):
        scratch = Scratch()
        self.folder = scratch.__enter__()
        self.addCleanup(scratch.__exit__)
        banyan(PROGRAM, "route", "4-ary 2-tree", "--engine", "dmodk", "--out", self.folder)

    def plant(self, name, old, new):
        """In the table of the first switch."""
        text = (self.folder / name).read_text()
        self.assertIn(old, text)
        (self.folder / name).write_text(text.replace(old, new, 1))

    def judge(self, expect):
        return verdict("4-ary 2-tree", "--tables", self.folder / "lfts", expect=expect)

    def test_good(self):
        self.assertEqual(self.judge(0), (True, True))
        self.assertEqual(ibdmchk(self.folder), (True, True))

    def test_a_missing_entry(self):
        self.plant("lfts", "\n0x0005 005", "\n0x0005 255")
        self.plant("opensm.fdbs", "\n0x0005 : 005", "\n0x0005 : UNREACHABLE")
        self.assertFalse(self.judge(1)[0])
        self.assertFalse(ibdmchk(self.folder)[0])

    def test_a_wrong_port(self):
        self.plant("lfts", "\n0x0005 005", "\n0x0005 001")
        self.plant("opensm.fdbs", "\n0x0005 : 005", "\n0x0005 : 001")
        self.assertFalse(self.judge(1)[0])
        self.assertFalse(ibdmchk(self.folder)[0])

    def test_lanes_that_break_the_cycle(self):
        """DFSSSP's tables are free of credit loops with their lanes, and not without: both judges say so."""
        notation = "HyperX(3x3; hosts=2)"
        banyan(PROGRAM, "route", notation, "--engine", "dfsssp", "--out", self.folder)
        self.assertEqual(verdict(notation, "--engine", "dfsssp", expect=0), (True, True))
        self.assertEqual(verdict(notation, "--tables", self.folder / "lfts", expect=0), (True, True))
        self.assertEqual(ibdmchk(self.folder), (True, True))
        (self.folder / "service-levels").unlink()
        self.assertEqual(verdict(notation, "--tables", self.folder / "lfts", expect=1), (True, False))
        self.assertEqual(ibdmchk(self.folder), (True, False))


if __name__ == "__main__":
    require()
    unittest.main(argv=["judge_test.py"])
