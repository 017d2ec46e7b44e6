"""Real OpenSM on a fabric that ibsim plays, for tests.

    with Ibsim(netlist) as sim:
        run = opensm(sim, "-R", "file,no_fallback", "-U", lfts)   # one sweep, then it ends
        table(run.dump)                                           # {switch GUID: {LID: port}}
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from daemon import Daemon, DaemonError, tool
from ibsim import Ibsim

TOOLS = ("ibsim", "opensm", "ibdmchk", "saquery")


def require():
    """Ends the test as failed where the tools are not installed: it would have shown nothing."""
    missing = [name for name in TOOLS if not tool(name)]
    if missing:
        sys.exit("not installed: " + " ".join(missing))


def banyan(program, *arguments, expect=0):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=120)
    if done.returncode != expect:
        raise AssertionError(f"banyan {' '.join(map(str, arguments))}: exit status {done.returncode}, "
                             f"expected {expect}\n{done.stdout}{done.stderr}")
    return done.stdout


def table(path):
    """The entries of a forwarding table dump: {switch GUID: {LID: port}}."""
    out, at = {}, None
    for line in Path(path).read_text().splitlines():
        if found := re.match(r"Unicast lids .* guid (0x[0-9a-f]+) ", line):
            at = out.setdefault(int(found[1], 16), {})
        elif found := re.match(r"(0x[0-9a-f]+) (\d+)", line):
            at[int(found[1], 16)] = int(found[2])
    return out


def differences(ours, theirs, most=10):
    """Entries that are not the same, as lines of text."""
    out = []
    for switch in sorted(ours.keys() | theirs.keys()):
        a, b = ours.get(switch, {}), theirs.get(switch, {})
        out += [f"switch {switch:#x} LID {lid:#x}: {a.get(lid)} is {b.get(lid)}"
                for lid in sorted(a.keys() | b.keys()) if a.get(lid) != b.get(lid)]
    return out[:most]


def opensm(sim, *arguments, timeout=60):
    """One sweep. Its files are in sim.folder: dump, subnet list, log."""
    sim.run("opensm", "-o", "-e", "-D", "0x43", "-n", "64", "-f", str(sim.folder / "osm.log"), *map(str, arguments),
            timeout=timeout)
    return sim.folder / "opensm-lfts.dump"


def ibdmchk(folder):
    """The independent judge: (all pairs reachable, no credit loops)."""
    said = subprocess.run(
        [tool("ibdmchk"), "-s", folder / "opensm-subnet.lst", "-f", folder / "opensm.fdbs", "-m",
         folder / "opensm.mcfdbs", *(["-c", folder / "service-levels"] if (folder / "service-levels").exists() else [])],
        capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL, timeout=60).stdout
    return not re.search(r"-E-(?! credit loops)", said), "no credit loops found" in said


class Opensm(Daemon):
    """An OpenSM that keeps running until the `with` block ends. Its configuration is text."""

    def __init__(self, sim, configuration, *arguments, patience=60, level="0x43"):
        super().__init__(sim.folder, sim.with_tools(), patience)
        self.sim, self.arguments, self.level = sim, [str(a) for a in arguments], level
        self.configuration = sim.folder / "running.conf"
        self.configuration.write_text(configuration + "\nforce_log_flush TRUE\n")

    def command(self):
        return [tool("opensm"), "-e", "-D", self.level, "-n", "64", "-f", str(self.log), "-F", str(self.configuration),
                *self.arguments]

    def ready(self):
        return "SUBNET UP" in self.said()

    @property
    def log(self):
        return self.folder / "osm.log"


class Scratch:
    """A folder for the time of a test."""

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix="banyan-opensm-"))
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


__all__ = ["DaemonError", "Ibsim", "Opensm", "Scratch", "banyan", "differences", "ibdmchk", "opensm", "require", "table", "tool"]
