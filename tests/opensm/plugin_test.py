#!/usr/bin/env python3
"""Stock OpenSM routes by our plugin: tables, lanes, links that go down and up. Usage: plugin_test.py BANYAN [FOLDER]

FOLDER holds libbanyan.so; without it nothing was built that could be tested.
"""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

from opensm import Ibsim, Opensm, Scratch, banyan, differences, require, table

PROGRAM = sys.argv[1]
FOLDER = str(Path(sys.argv[2]).resolve()) if len(sys.argv) > 2 else ""


def shortest_ways(path):
    """{(switch GUID, LID): (hops, the ports that lead there in so many)}, from OpenSM's dump of its LID matrix."""
    out, at = {}, None
    for line in Path(path).read_text().splitlines():
        if line.startswith("Switch: guid "):
            at = line.split()[2]
        elif line.startswith("0x"):
            lid, hops = line.split("#")[0].split(":")
            least, *ports = hops.split()
            out[at, lid] = int(least, 16), [port for port, there in enumerate(ports, 1) if there == least]
    return out


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
            self.assertEqual(sm.said().count("dmodc routes"), 2)  # the whole subnet was remembered

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

    def test_demands_of_a_job_route_anew(self):
        """A job starts under Slurm: its prolog writes demands, OpenSM sweeps, and routes for them; and back."""
        demands, bin_ = self.folder / "demands", self.folder / "bin"
        demands.mkdir(), bin_.mkdir(), (self.folder / "profiles").mkdir()
        (bin_ / "scontrol").write_text("#!/bin/sh\nfor h in 0 5 10 15; do echo h$h; done\n")
        (bin_ / "scontrol").chmod(0o755)
        (self.folder / "profiles/ring.4").write_text("0 255 0 0\n0 0 9 0\n0 0 0 255\n1 0 0 0\n")
        engine = f"parx:demands={demands}"
        with self.simulation("HyperX(4x4; hosts=1)") as sim:
            more = "lmc 2\nqos TRUE\nqos_max_vls 8"
            with Opensm(sim, self.configuration(engine, more=more), patience=30) as sm:
                tables = lambda: table(sim.folder / "opensm-lfts.dump")
                before = tables()
                self.assertEqual(len(before), 16)
                (self.folder / "fabric.out").write_text(sim.run("ibnetdiscover"))

                def slurm(context):
                    environment = {"PATH": f"{bin_}:/usr/bin:/bin", "BANYAN": str(Path(PROGRAM).resolve()),
                                   "BANYAN_PROFILES": str(self.folder / "profiles"), "BANYAN_DEMANDS": str(demands),
                                   "BANYAN_FABRIC": str(self.folder / "fabric.out"),
                                   "BANYAN_RESWEEP": f"kill -HUP {sm.process.pid}", "SLURM_JOB_ID": "17",
                                   "SLURM_JOB_NAME": "ring", "SLURM_JOB_NODELIST": "h[0,5,10,15]",
                                   "SLURM_SCRIPT_CONTEXT": context}
                    subprocess.run(["tools/slurm/banyan-demands"], env=environment, check=True, timeout=60)

                slurm("prolog_slurmctld")
                self.assertEqual((demands / "17").read_text(), "h0 h5 255\nh5 h10 9\nh10 h15 255\nh15 h0 1\n")
                sm.wait(lambda: tables() != before, "tables for the job")
                slurm("epilog_slurmctld")
                self.assertFalse((demands / "17").exists())
                self.wait_for(sm, before)
                self.assertNotIn("NO TABLES", sm.said())

    def test_lanes_that_openSM_will_not_use_are_not_counted_on(self):
        """With max_op_vls 1 all service levels share one lane, on which dfsssp's tables would have a cycle."""
        with self.simulation("HyperX(3x3; hosts=2)") as sim:
            more = "qos TRUE\nmax_op_vls 1"
            with Opensm(sim, self.configuration("dfsssp nue", more=more), patience=30) as sm:
                self.assertIn("dfsssp does not route this subnet: it needs 2 lanes, and there is 1", sm.said())
                self.assertRegex(sm.said(), r"nue routes HyperX\(3x3; hosts=2\), 1 lane, verdict yes")

    def test_an_engine_that_does_not_apply_is_no_error_while_another_routes(self):
        with self.simulation("HyperX(3x3; hosts=2)") as sim:
            with Opensm(sim, self.configuration("dmodc nue"), patience=30) as sm:
                refusals = [line for line in sm.said().splitlines() if "dmodc does not route" in line]
                self.assertTrue(refusals)
                self.assertNotIn(" ERR ", "".join(refusals))
                self.assertFalse([line for line in refusals if " 0x81 " in line or " 0x01 " in line], refusals[0])

    def test_an_adapter_with_two_ports_in_the_subnet(self):
        """Each of its ports is an endpoint: all others reach it, and it reaches them."""
        banyan(PROGRAM, "convert", "XGFT(2; 3,3; 1,3)", self.folder / "x.net")
        netlist = (self.folder / "x.net").read_text()
        # h8 goes, and its cable becomes the second port of h0's adapter.
        netlist = re.sub(r'(?ms)^vendid[^"]*?caguid=\S+\nCa\t1 "h8".*', "", netlist)
        netlist = netlist.replace('Ca\t1 "h0"', 'Ca\t2 "h0"').replace('"h8"[1]', '"h0"[2]')
        netlist += '[2](2c9030000ffff) \t"s1-2"[3]\t\t# lid 0 lmc 0 "s1-2" lid 0 4xEDR\n'
        h0 = re.search(r'(?m)^Ca\t2 "h0".*\n\[1\].*\n', netlist)[0]
        second = netlist.splitlines()[-1] + "\n"
        (self.folder / "x.net").write_text(netlist.replace(second, "").replace(h0, h0 + second))
        sim = Ibsim(self.folder / "x.net", host="h0", console=True)
        sim.environment["LD_LIBRARY_PATH"] = FOLDER
        with sim, Opensm(sim, self.configuration("dmodc nue"), patience=30) as sm:
            self.assertIn("verdict yes", sm.said())
            found = self.folder / "found.out"
            found.write_text(sim.run("ibnetdiscover"))
            dump = sim.folder / "opensm-lfts.dump"
            self.assertEqual({len(entries) for entries in table(dump).values()}, {9 + 6})
            judged = json.loads(banyan(PROGRAM, "check", found, "--tables", dump, "--json"))
            self.assertTrue(judged["yes"], judged)
            described = json.loads(banyan(PROGRAM, "describe", found, "--json"))
            self.assertEqual((described["hosts"], described["rails"], described["nics"]), (8, 1, 9))
            banyan(PROGRAM, "route", found, "--engine", "nue", "--out", self.folder / "tables")

    def test_multicast_knows_the_way(self):
        """OpenSM's multicast reads hops and the ports of shortest paths from the LID matrix: ours are its own."""
        ways = {}
        for engine in ("minhop", "banyan,no_fallback"):
            with self.simulation("PGFT(2; 4,4; 1,2; 1,2)") as sim:
                with Opensm(sim, self.configuration("dmodc", engine), patience=30):
                    ways[engine] = shortest_ways(sim.folder / "opensm-lid-matrix.dump")
        self.assertEqual(len(ways["minhop"]), 6 * 6)
        self.assertEqual(ways["minhop"], ways["banyan,no_fallback"])

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
