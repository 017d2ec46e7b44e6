#!/usr/bin/env python3
"""Hosts with several NICs in one subnet: every LID reaches every LID, whatever rail. Usage: nics_test.py BANYAN [FOLDER]

FOLDER holds libbanyan.so; without it nothing was built that could be tested.
"""
import json
import sys
import unittest
from pathlib import Path

from opensm import Ibsim, Opensm, Scratch, banyan, ibdmchk, require, table
from walk import Subnet, walk

PROGRAM = sys.argv[1]
FOLDER = str(Path(sys.argv[2]).resolve()) if len(sys.argv) > 2 else ""

RAILS = "XGFT(2; 4,8; 1,4; rails=2)"  # 16 hosts, 32 NICs
HEADER = "from,from_port,to,to_port,from_kind,to_kind,from_rail,to_rail\n"


def ring(nics):
    """Switches in a ring, a NIC on each; nics: the host and the slot of each."""
    n = len(nics)
    return HEADER + "".join(f"s{i},1,s{(i + 1) % n},2,switch,switch,,\n" for i in range(n)) + "".join(
        f"{host},1,s{i},3,host,switch,n{slot},\n" for i, (host, slot) in enumerate(nics))


ONE = ring([(f"h{i}", 0) for i in range(6)])
TWO = ring([(f"h{i // 2}", i % 2) for i in range(6)])
UNEVEN = ring([("h0", 0), ("h0", 1), ("h1", 0), ("h0", 2), ("h1", 1), ("h2", 0)])


def verdict(fabric, *arguments, expect):
    return json.loads(banyan(PROGRAM, "check", fabric, *arguments, "--json", expect=expect))


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = Scratch()
        self.folder = scratch.__enter__()
        self.addCleanup(scratch.__exit__)

    def file(self, text):
        path = self.folder / "ring.csv"
        path.write_text(text)
        return path


class Rings(Folder):
    def test_a_circle_is_found_however_many_nics_a_host_has(self):
        for text in ONE, TWO, UNEVEN:
            found = verdict(self.file(text), "--engine", "minhop", expect=1)
            self.assertEqual((found["pairs"], found["deadlock_free"], found["pair_scope"]), (30, False, "all"))
            self.assertIn("wait for each other", found["counterexample"])

    def test_ibdmchk_agrees(self):
        for text in ONE, TWO, UNEVEN:
            for engine, yes in ("minhop", False), ("nue", True), ("dfsssp", True):
                banyan(PROGRAM, "route", self.file(text), "--engine", engine, "--out", self.folder, "--force",
                       expect=0 if yes else 1)
                self.assertEqual(ibdmchk(self.folder), (True, yes), f"{engine} on\n{text}")


class WrongEntries(Folder):
    def test_each_entry_of_a_leaf_in_turn(self):
        """An entry that is missing is found, and ibdmchk finds it too; both look at all 992 pairs."""
        banyan(PROGRAM, "route", RAILS, "--engine", "dmodk", "--out", self.folder)
        good, fdbs = ((self.folder / name).read_text() for name in ("lfts", "opensm.fdbs"))
        self.assertEqual(verdict(RAILS, "--tables", self.folder / "lfts", expect=0)["pairs"], 992)
        begin = good.index("Unicast lids")
        end = good.index("Unicast lids", begin + 1)
        lids = [line.split()[0] for line in good[begin:end].splitlines() if line.startswith("0x")]
        self.assertGreaterEqual(len(lids), 32)
        own = [line for line in good[begin:end].splitlines() if "Switch portguid" in line]
        nics = [lid for lid in lids if not any(line.startswith(lid) for line in own)]
        self.assertEqual(len(nics), 32)
        for i, lid in enumerate(nics):
            at = good.index(f"\n{lid} ", begin)
            (self.folder / "lfts").write_text(good[:at] + f"\n{lid} 255" + good[at + len(lid) + 5:])
            found = verdict(RAILS, "--tables", self.folder / "lfts", expect=1)
            self.assertFalse(found["reachable"], lid)
            if i % 8 == 0:
                there = fdbs.index(f"\n{lid} : ", fdbs.index("Unicast" if "Unicast" in fdbs else "Switch"))
                stop = fdbs.index("\n", there + 1)
                (self.folder / "opensm.fdbs").write_text(fdbs[:there] + f"\n{lid} : UNREACHABLE" + fdbs[stop:])
                self.assertFalse(ibdmchk(self.folder)[0], lid)


class Plugin(Folder):
    def test_every_lid_reaches_every_lid(self):
        for fabric, engine, host in (RAILS, "dmodk", "h0.r0"), (self.file(UNEVEN), "dfsssp nue", "h0.n0"):
            banyan(PROGRAM, "convert", fabric, self.folder / "x.net")
            with Ibsim(self.folder / "x.net", host=host, console=True) as sim:
                sim.environment["LD_LIBRARY_PATH"] = FOLDER
                (self.folder / "banyan.conf").write_text(f"engines {engine}\n")
                configuration = (f"event_plugin_name banyan\nevent_plugin_options {self.folder}/banyan.conf\n"
                                 "routing_engine banyan,no_fallback\nqos TRUE\n")
                with Opensm(sim, configuration, patience=30) as sm:
                    sm.wait(lambda: "verdict yes" in sm.said() and (sim.folder / "opensm-lfts.dump").exists(), "tables")
                    subnet = Subnet(sim.folder / "opensm-subnet.lst")
                    found = walk(subnet, table(sim.folder / "opensm-lfts.dump"))
                    nics = len(subnet.hosts)
                    self.assertEqual((found.pairs, found.lost), (nics * (nics - 1), 0))
                    self.assertEqual(nics, 32 if fabric == RAILS else 6)


if __name__ == "__main__":
    require()
    if not FOLDER:
        sys.exit("libbanyan.so was not built: libopensm-dev and libibumad-dev are not installed")
    unittest.main(argv=["nics_test.py"])
