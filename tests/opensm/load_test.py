#!/usr/bin/env python3
"""Stock OpenSM loads our tables, and what it dumps is what we wrote, entry for entry. Usage: load_test.py BANYAN"""
import sys
import unittest

from opensm import Ibsim, Opensm, Scratch, banyan, differences, opensm, require, table

PROGRAM = sys.argv[1]


def environment_of(sim, folder):
    sim.environment["OSM_CACHE_DIR"] = str(folder)  # where OpenSM looks for guid2lid, as the printed command says


class Load(unittest.TestCase):
    def load(self, notation, *options):
        """Routes, loads, dumps; the entries of both."""
        with Scratch() as folder:
            netlist, tables = folder / "x.net", folder / "tables"
            banyan(PROGRAM, "convert", notation, netlist)
            banyan(PROGRAM, "route", notation, *options, "--out", tables)
            ours = table(tables / "lfts")
            with Ibsim(netlist) as sim:
                environment_of(sim, tables)
                dump = opensm(sim, "-F", tables / "opensm.conf")
                theirs = table(dump)
                again = banyan(PROGRAM, "check", netlist, "--tables", dump, "--lids", tables / "guid2lid", "--json")
        self.assertEqual(differences(ours, theirs), [])
        self.assertIn('"reachable": true', again)
        return ours

    def test_a_real_life_fat_tree(self):
        self.load("RLFT(8 ports, 64 hosts)", "--engine", "dmodk")

    def test_a_4_ary_3_tree(self):
        tables = self.load("4-ary 3-tree", "--engine", "dmodk")
        self.assertEqual(len(tables), 48)
        for entries in tables.values():
            self.assertEqual(len(entries), 64 + 48)  # every host and every switch

    def test_four_addresses_a_host(self):
        for engine in "shift1", "disjoint":
            tables = self.load("4-ary 3-tree", "--engine", engine, "--paths", 4)
            for entries in tables.values():
                self.assertEqual(len(entries), 4 * 64 + 48)

    def test_parx(self):
        """Four addresses chosen by size and quadrant: LIDs say the quadrant, and what OpenSM dumps, lanes and choice
        beside it, is judged as what we routed."""
        notation = "HyperX(4x4; hosts=2)"
        with Scratch() as folder:
            netlist, tables = folder / "x.net", folder / "tables"
            banyan(PROGRAM, "convert", notation, netlist, "--without", "links=3,seed=2")
            banyan(PROGRAM, "route", notation, "--without", "links=3,seed=2", "--engine", "parx", "--out", tables)
            quadrants = {words[2]: words[3] for words in map(str.split, (tables / "address-choice").read_text().splitlines())
                         if words[0] == "host"}
            self.assertEqual(len(quadrants), 32)
            self.assertTrue(all(int(lid) // 1000 == int(quadrant) for lid, quadrant in quadrants.items()))
            with Ibsim(netlist) as sim:
                environment_of(sim, tables)
                dump = opensm(sim, "-F", tables / "opensm.conf")
                self.assertEqual(differences(table(tables / "lfts"), table(dump)), [])
                again = banyan(PROGRAM, "check", netlist, "--tables", dump, "--lids", tables / "guid2lid",
                               "--service-levels", tables / "service-levels", "--choice", tables / "address-choice",
                               "--json")
        self.assertIn('"deadlock_free": true', again)
        self.assertIn('"reachable": true', again)
        self.assertIn('"groups": 4', again)

    def test_layered(self):
        """Several addresses a host, each with its own tree over part of the cables, and lanes: what OpenSM dumps is what we
        wrote, and it is free of deadlocks, also on what is left of a damaged fabric."""
        for notation, missing in (("PolarFly(3; hosts=2)", "links=0"), ("SlimFly(5; hosts=1)", "links=6,seed=4")):
            with self.subTest(notation), Scratch() as folder:
                netlist, tables = folder / "x.net", folder / "tables"
                banyan(PROGRAM, "convert", notation, netlist, "--without", missing)
                banyan(PROGRAM, "route", notation, "--without", missing, "--engine", "layered:lmc=2", "--out", tables)
                with Ibsim(netlist) as sim:
                    environment_of(sim, tables)
                    dump = opensm(sim, "-F", tables / "opensm.conf")
                    self.assertEqual(differences(table(tables / "lfts"), table(dump)), [])
                    again = banyan(PROGRAM, "check", netlist, "--tables", dump, "--lids", tables / "guid2lid",
                                   "--service-levels", tables / "service-levels", "--json")
                self.assertIn('"deadlock_free": true', again)
                self.assertIn('"reachable": true', again)
                self.assertIn('"minimal": false', again)  # the layers lead around

    def test_a_tree_with_cables_missing(self):
        """Discovered by ibnetdiscover, so with its own numbers and LIDs."""
        with Scratch() as folder:
            netlist, found, tables = folder / "x.net", folder / "found.out", folder / "tables"
            banyan(PROGRAM, "convert", "4-ary 3-tree", netlist, "--without", "links=5,seed=3")
            with Ibsim(netlist) as sim:
                opensm(sim, "-R", "minhop")
                found.write_text(sim.run("ibnetdiscover"))
                banyan(PROGRAM, "route", found, "--engine", "dmodc", "--out", tables)
                environment_of(sim, tables)
                theirs = table(opensm(sim, "-F", tables / "opensm.conf"))
            self.assertEqual(differences(table(tables / "lfts"), theirs), [])

    def test_lanes_arrive_in_path_records(self):
        """DFSSSP on a HyperX needs two lanes; the policy gives each pair the one that the proof is about."""
        notation = "HyperX(3x3; hosts=2)"
        with Scratch() as folder:
            netlist, tables = folder / "x.net", folder / "tables"
            banyan(PROGRAM, "convert", notation, netlist)
            banyan(PROGRAM, "route", notation, "--engine", "dfsssp", "--out", tables)
            lids = {int(first, 16): int(guid, 16) for guid, first, _ in
                    (line.split() for line in (tables / "guid2lid").read_text().splitlines() if line)}
            wanted = [line.split() for line in (tables / "service-levels").read_text().splitlines()]
            wanted = [(int(node, 16) + 1, int(lid), int(level)) for node, lid, level in wanted]  # port GUID: one more
            source = {guid: lid for lid, guid in lids.items()}
            high = [w for w in wanted if w[2] > 0]
            self.assertTrue(high)
            with Ibsim(netlist, host="h0") as sim:
                environment_of(sim, tables)
                with Opensm(sim, (tables / "opensm.conf").read_text()):
                    for guid, lid, level in high[:4] + [w for w in wanted if w[2] == 0][:4]:
                        answer = sim.run("saquery", "--src-to-dst", f"{source[guid]}:{lid}")
                        self.assertRegex(answer, rf"(?m)^\s*sl\.+0x{level}$")


if __name__ == "__main__":
    require()
    unittest.main(argv=["load_test.py"])
