#!/usr/bin/env python3
"""Errors that ibsim's ports count, as perfquery prints them once OpenSM has routed, are found on the cables that have them.

Usage: counters_test.py BANYAN
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ibsim import Ibsim
from opensm import opensm, require


def lids(listed):
    """LID and number of ports of every node, as ibnetdiscover lists them."""
    found = re.findall(r'^Switch\s+(\d+) .* port 0 lid (\d+) ', listed, re.M)
    found += re.findall(r'^Ca\s+(\d+) .*\n(?:\[1\].*# lid (\d+) )', listed, re.M)
    return [(lid, int(ports)) for ports, lid in found]


def main():
    require()
    with tempfile.TemporaryDirectory(prefix="banyan-counters-") as folder:
        netlist, fabric, dump = Path(folder, "x.net"), Path(folder, "found.net"), Path(folder, "counters")
        subprocess.run([sys.argv[1], "convert", "2-ary 2-tree", netlist], check=True)
        with Ibsim(netlist, console=True) as sim:
            for port, counter, value in (('"s1-0"[3]', "SymbolErrorCounter", 12), ('"h3"[1]', "LinkDownedCounter", 2)):
                sim.tell(f"PerformanceSet {port} PortCounters.{counter}={value}")
                sim.wait(lambda: f"PortCounters.{counter} has been set to {value}" in sim.said(), counter)
            opensm(sim)
            listed = sim.run("ibnetdiscover")
            fabric.write_text(listed)
            dump.write_text("".join(sim.run("perfquery", lid, str(port)) for lid, ports in lids(listed)
                                    for port in range(1, ports + 1)))
        found = json.loads(subprocess.run([sys.argv[1], "fail", fabric, "--counters", dump, "--json"], check=True,
                                          capture_output=True, text=True).stdout)
        assert found["ports"] == 16, found["ports"]
        cables = [(c["cable"], c["errors"], c["counters"][0]["counter"], c["pairs_lost"]) for c in found["cables"]]
        assert cables == [("h3:1 - s1-1:2", 2, "LinkDownedCounter", 6), ("s1-0:3 - s2-0:1", 12, "SymbolErrorCounter", 0)], cables
        print(f"{found['ports']} ports, errors on {[c[0] for c in cables]}")


if __name__ == "__main__":
    main()
