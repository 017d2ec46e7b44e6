#!/usr/bin/env python3
"""Our netlists, played by ibsim, are read from what iblinkinfo lists as the fabric they were written from.

Usage: iblinkinfo_test.py BANYAN
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from ibsim import Ibsim, require_tools

NOTATIONS = ["4-ary 2-tree", "HyperX(3x2; hosts=2)", "XGFT(2; 4,4; 1,4; hosts=3)"]


def main():
    require_tools()
    for notation in NOTATIONS:
        with tempfile.TemporaryDirectory(prefix="banyan-iblinkinfo-") as folder:
            netlist = Path(folder, "x.net")
            subprocess.run([sys.argv[1], "convert", notation, netlist], check=True)
            with Ibsim(netlist) as sim:
                for options in [], ["-l"]:
                    listed = Path(folder, "listed")
                    listed.write_text(sim.run("iblinkinfo", *options))
                    subprocess.run([sys.argv[1], "diff", netlist, listed], check=True)  # 0: nothing differs
        print(f"{notation}: the same")


if __name__ == "__main__":
    main()
