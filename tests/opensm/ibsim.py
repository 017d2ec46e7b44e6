"""Plays a fabric with ibsim, so that real InfiniBand tools can look at it. No hardware, no subnet manager needed:

    with Ibsim("fabric.net") as sim:
        text = sim.run("ibnetdiscover")

Every simulation has a folder and a socket name of its own, so that several can run at once.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from daemon import Daemon, DaemonError, tool

TOOLS = ("ibsim", "ibnetdiscover")


def preload():
    """The library that makes InfiniBand tools talk to ibsim instead of the kernel."""
    listed = subprocess.run(["dpkg", "-L", "libumad2sim0"], capture_output=True, text=True).stdout.split("\n")
    found = [line for line in listed if line.endswith("/libumad2sim.so")]
    if not found:
        raise DaemonError("libumad2sim.so is not installed (package libumad2sim0, which ibsim-utils brings)")
    return found[0]


def require_tools():
    """Ends the test as failed where the tools are not installed: it would have shown nothing."""
    missing = [name for name in TOOLS if not tool(name)]
    if missing:
        sys.exit("not installed: " + " ".join(missing))


def sizes(netlist):
    """ibsim's tables for this netlist: its own defaults are small."""
    nodes = switches = ports = 0
    with open(netlist, encoding="utf-8") as file:
        for line in file:
            word = line.split(None, 2)
            if len(word) == 3 and word[0] in ("Switch", "Hca", "Ca", "Rt") and word[1].isdigit():
                nodes += 1
                ports += int(word[1]) + 1
                switches += word[0] == "Switch"
    return nodes + 64, switches + 64, ports + nodes + 256


class Ibsim(Daemon):
    def __init__(self, netlist, host=None, patience=120, console=False):
        """host: the node (its quoted name in the netlist) where tools run; by default the first in the file."""
        self.netlist = Path(netlist).resolve()
        folder = Path(tempfile.mkdtemp(prefix="banyan-ibsim-"))
        environment = dict(os.environ, IBSIM_SOCKNAME=f"banyan-{os.getpid()}-{uuid.uuid4().hex[:8]}",
                           OSM_TMP_DIR=str(folder), OSM_CACHE_DIR=str(folder))
        if host:
            environment["SIM_HOST"] = host
        super().__init__(folder, environment, patience, console)

    def command(self):
        nodes, switches, ports = sizes(self.netlist)
        return [tool("ibsim") or "ibsim", *([] if self.has_console else ["-n"]), "-s", "-N", str(nodes), "-S",
                str(switches), "-P", str(ports), str(self.netlist)]

    def ready(self):
        """It has read the netlist and listens."""
        name = f"@{self.environment['IBSIM_SOCKNAME']}:ctl"
        return "Network simulator ready" in self.said() and name in Path("/proc/net/unix").read_text()

    def stop(self):
        super().stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def with_tools(self):
        """The environment of a program that shall see the simulated fabric."""
        return dict(self.environment, LD_PRELOAD=preload())

    def run(self, *command, timeout=120):
        """Standard output of a tool that runs on the simulated fabric; DaemonError if it fails."""
        done = subprocess.run([tool(command[0]) or command[0], *command[1:]], cwd=self.folder, timeout=timeout,
                              env=self.with_tools(), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise DaemonError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout
