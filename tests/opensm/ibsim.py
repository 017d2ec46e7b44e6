"""Plays a fabric with ibsim, so that real InfiniBand tools can look at it. No hardware, no subnet manager needed:

    with Ibsim("fabric.net") as sim:
        text = sim.run("ibnetdiscover")

Every simulation has a folder and a socket name of its own, so that several can run at once, and it ends with the
`with` block, whatever happens inside. Waiting is for a condition, never for a time.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

TOOLS = ("ibsim", "ibnetdiscover")


class IbsimError(RuntimeError):
    pass


def preload():
    """The library that makes InfiniBand tools talk to ibsim instead of the kernel."""
    listed = subprocess.run(["dpkg", "-L", "libumad2sim0"], capture_output=True, text=True).stdout.split("\n")
    found = [line for line in listed if line.endswith("/libumad2sim.so")]
    if not found:
        raise IbsimError("libumad2sim.so is not installed (package libumad2sim0, which ibsim-utils brings)")
    return found[0]


def tool(name):
    """Where a tool is; the diagnostics may live in sbin, which is not in every user's PATH."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


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


class Ibsim:
    def __init__(self, netlist, host=None, patience=120, console=False):
        """host: the node (its quoted name in the netlist) where tools run; by default the first in the file.
        console: whether tell() will be used.
        patience: seconds until a simulation that does not become ready counts as failed."""
        self.netlist = Path(netlist).resolve()
        self.patience = patience
        self.folder = Path(tempfile.mkdtemp(prefix="banyan-ibsim-"))
        self.environment = dict(os.environ, IBSIM_SOCKNAME=f"banyan-{os.getpid()}-{uuid.uuid4().hex[:8]}",
                                OSM_TMP_DIR=str(self.folder), OSM_CACHE_DIR=str(self.folder))
        if host:
            self.environment["SIM_HOST"] = host
        self.process = None
        self.has_console = console

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        nodes, switches, ports = sizes(self.netlist)
        command = [tool("ibsim") or "ibsim", *([] if self.has_console else ["-n"]), "-s", "-N", str(nodes), "-S",
                   str(switches), "-P", str(ports), str(self.netlist)]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log,
                                            stdin=subprocess.PIPE if self.has_console else subprocess.DEVNULL,
                                            preexec_fn=end_with_parent)
        deadline = time.monotonic() + self.patience
        while not self.ready():
            if self.process.poll() is not None:
                raise IbsimError(f"ibsim ended with status {self.process.returncode}:\n{self.said()}")
            if time.monotonic() > deadline:
                raise IbsimError(f"ibsim was not ready after {self.patience} s:\n{self.said()}")
            time.sleep(0.01)

    def ready(self):
        """It has read the netlist and listens."""
        name = f"@{self.environment['IBSIM_SOCKNAME']}:ctl"
        return "Network simulator ready" in self.said() and name in Path("/proc/net/unix").read_text()

    def tell(self, command):
        """A command for the simulator's console, such as Unlink "s1-0"[3]."""
        self.process.stdin.write((command + "\n").encode())
        self.process.stdin.flush()

    def stop(self):
        if self.process and self.process.stdin:
            self.process.stdin.close()
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def log(self):
        return self.folder / "ibsim.log"

    def said(self):
        return self.log.read_text(errors="replace")

    def run(self, *command, timeout=120):
        """Standard output of a tool that runs on the simulated fabric; IbsimError if it fails."""
        done = subprocess.run([tool(command[0]) or command[0], *command[1:]], cwd=self.folder, timeout=timeout,
                              env=dict(self.environment, LD_PRELOAD=preload()), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise IbsimError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


def end_with_parent():
    """In the child: the kernel ends it should the test be killed before it can."""
    try:
        import ctypes
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):
        pass
