#!/usr/bin/env python3
"""Stock OpenSM routes by our plugin: tables, lanes, links that go down and up. Usage: plugin_test.py BANYAN [FOLDER]

FOLDER holds libbanyan.so; without it nothing was built that could be tested.
"""
import sys
import unittest
from pathlib import Path

from opensm import Ibsim, Opensm, Scratch, banyan, differences, require, table

PROGRAM = sys.argv[1]
FOLDER = str(Path(sys.argv[2]).resolve()) if len(sys.argv) > 2 else ""


class Plugin(unittest.TestCase):
    def setUp(self):
        scratch = Scratch()
        self.folder = scratch.__enter__()
        self.addCleanup(scratch.__exit__)

    def simulation(self, notation):
        banyan(PROGRAM, "convert", notation, self.folder / "x.net")
        sim = Ibsim(self.folder / "x.net", host="h0", console=True)
        sim.environment["LD_LIBRARY_PATH"] = FOLDER
        return sim

    def configuration(self, engines, routing_engine="banyan,no_fallback", more=""):
        (self.folder / "banyan.conf").write_text(f"engines {engines}  # tried in this order\n")
        return (f"event_plugin_name banyan\nevent_plugin_options {self.folder}/banyan.conf\n"
                f"routing_engine {routing_engine}\nsweep_interval 1\n{more}\n")

    def expected(self, sim, engine):
        """What `route` makes of the fabric as it is now."""
        found, tables = self.folder / "found.out", self.folder / "tables"
        found.write_text(sim.run("ibnetdiscover"))
        banyan(PROGRAM, "route", found, "--engine", engine, "--out", tables)
        return table(tables / "lfts")

    def wait_for(self, sm, wanted):
        try:
            sm.wait(lambda: not differences(wanted, table(sm.sim.folder / "opensm-lfts.dump")), "these tables")
        except RuntimeError as error:
            self.fail(f"{differences(wanted, table(sm.sim.folder / 'opensm-lfts.dump'))}\n{error}")

    def test_a_link_goes_down_and_up(self):
        with self.simulation("4-ary 2-tree") as sim, Opensm(sim, self.configuration("dmodc"), patience=30) as sm:
            whole = self.expected(sim, "dmodc")
            self.wait_for(sm, whole)
            sim.tell('Unlink "s1-0"[6]')
            sm.wait(lambda: self.expected(sim, "dmodc") != whole, "the link to be down")
            self.wait_for(sm, self.expected(sim, "dmodc"))
            sim.tell('Relink "s1-0"[6]')
            self.wait_for(sm, whole)
            self.assertNotIn("NO TABLES", sm.said())

    def test_lanes_are_in_path_records(self):
        notation = "HyperX(3x3; hosts=2)"
        with self.simulation(notation) as sim:
            with Opensm(sim, self.configuration("dfsssp", more="qos TRUE"), patience=30) as sm:
                self.wait_for(sm, self.expected(sim, "dfsssp"))
                first = {int(guid, 16): int(lid, 16) for guid, lid, _ in
                         (line.split() for line in (self.folder / "tables/guid2lid").read_text().split("\n") if line)}
                wanted = [line.split() for line in (self.folder / "tables/service-levels").read_text().splitlines()]
                some = [w for w in wanted if w[2] != "0"][:4] + [w for w in wanted if w[2] == "0"][:4]
                self.assertEqual(len(some), 8)
                for node, lid, level in some:
                    answer = sim.run("saquery", "--src-to-dst", f"{first[int(node, 16) + 1]}:{lid}")
                    self.assertRegex(answer, rf"(?m)^\s*sl\.+0x{level}$")

    def test_four_addresses_a_host(self):
        with self.simulation("4-ary 2-tree") as sim:
            with Opensm(sim, self.configuration("disjoint", more="lmc 2"), patience=30) as sm:
                self.wait_for(sm, self.expected(sim, "disjoint:paths=4"))

    def test_a_verdict_of_no_is_loud(self):
        with self.simulation("Torus(5x5; hosts=1)") as sim:
            with Opensm(sim, self.configuration("minhop", "banyan,dfsssp"), patience=30) as sm:
                self.assertIn("minhop does not route this subnet: THE VERDICT IS NO", sm.said())
                self.assertIn("NO TABLES: OpenSM goes on to its next routing engine", sm.said())


if __name__ == "__main__":
    require()
    if not FOLDER:
        sys.exit("libbanyan.so was not built: libopensm-dev and libibumad-dev are not installed")
    unittest.main(argv=["plugin_test.py"])
