#!/usr/bin/env python3
"""Our netlists, played by ibsim, are discovered by ibnetdiscover as the fabric they were written from.

Usage: roundtrip_test.py BANYAN
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from ibsim import Ibsim, require_tools

NOTATIONS = [
    "4-ary 3-tree",
    "PGFT(3; 18,18,6; 1,18,3; 1,1,6)",
    "HyperX(12x8; hosts=7)",
    "XGFT(2; 4,4; 1,4; hosts=3)",
    "Dragonfly(2,4,2)",
]


def banyan(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(f"banyan {' '.join(map(str, arguments))}: exit status {done.returncode}\n"
                           f"{done.stdout}{done.stderr}")


def round_trip(program, notation):
    with tempfile.TemporaryDirectory(prefix="banyan-roundtrip-") as folder:
        netlist, discovered = Path(folder, "x.net"), Path(folder, "y.out")
        banyan(program, "convert", notation, netlist)
        with Ibsim(netlist) as sim:
            discovered.write_text(sim.run("ibnetdiscover"))
        banyan(program, "diff", netlist, discovered)  # exit status 0: nothing differs
        banyan(program, "diff", notation, discovered)


def main():
    require_tools()
    failed = 0
    for notation in NOTATIONS:
        try:
            round_trip(sys.argv[1], notation)
            print(f"{notation}: the same")
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            print(f"{notation}: {error}")
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
