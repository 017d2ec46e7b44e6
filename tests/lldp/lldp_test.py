#!/usr/bin/env python3
"""Real lldpd on systems in network namespaces, with veth cables: what lldpcli says on each is read as the fabric
that was cabled. Needs root, as network namespaces do.

Usage: lldp_test.py BANYAN
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

PATIENCE = 120  # seconds until a condition that does not become true counts as failed

# leaf1 and leaf2 hang on spine1; oob is a switch of the management network that nobody collects.
CABLES = [("leaf1", "swp1", "host1", "eth0"), ("leaf1", "swp2", "host2", "eth0"), ("leaf2", "swp1", "host3", "eth0"),
          ("leaf1", "swp49", "spine1", "swp1"), ("leaf2", "swp49", "spine1", "swp2"), ("spine1", "eth0", "oob", "swp1")]
SWITCHES = ["leaf1", "leaf2", "spine1", "oob"]
PLAN = """from,from_port,to,to_port,from_kind,to_kind
leaf1,swp1,host1,eth0,switch,host
leaf1,swp2,host2,eth0,switch,host
leaf2,swp1,host3,eth0,switch,host
leaf1,swp49,spine1,swp1,switch,switch
leaf2,swp49,spine1,swp2,switch,switch
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Systems:
    """Namespaces, cables and daemons; all of them end with the `with` block."""

    def __init__(self, folder):
        self.folder, self.mark, self.daemons, self.namespaces = folder, uuid.uuid4().hex[:8], {}, []

    def space(self, system):
        return f"banyan-{self.mark}-{system}"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def start(self):
        for system in sorted({c[0] for c in CABLES} | {c[2] for c in CABLES}):
            run("ip", "netns", "add", self.space(system))
            self.namespaces.append(system)
            bridge = system in SWITCHES
            if bridge:  # then the daemon announces the capability
                run("ip", "-n", self.space(system), "link", "add", "br0", "type", "bridge")
        for a, port_a, b, port_b in CABLES:
            run("ip", "link", "add", port_a, "netns", self.space(a), "type", "veth", "peer", "name", port_b, "netns",
                self.space(b))
            for system, port in (a, port_a), (b, port_b):
                run("ip", "-n", self.space(system), "link", "set", port, "up")
                if system in SWITCHES and port != "eth0":
                    run("ip", "-n", self.space(system), "link", "set", port, "master", "br0")
        for system in self.namespaces:
            # Some call themselves with their domain, some without: lldpd asks for the host's name.
            name = system if system in ("leaf2", "host3") else system + ".fabric.example"
            self.daemons[system] = subprocess.Popen(
                ["unshare", "--uts", "--mount", "sh", "-c",
                 f"hostname {name} && exec ip netns exec {self.space(system)} "
                 f"{shutil.which('lldpd', path=PATH)} -d -u {self.socket(system)}"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def socket(self, system):
        return self.folder / f"{system}.socket"

    def stop(self):
        for daemon in self.daemons.values():
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
        for daemon in self.daemons.values():
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for system in self.namespaces:
            subprocess.run(["ip", "netns", "del", self.space(system)], capture_output=True, check=False)

    def __exit__(self, *_):
        self.stop()

    def neighbours(self, system):
        done = subprocess.run([shutil.which("lldpcli", path=PATH), "-u", self.socket(system), "-f", "json0", "show",
                               "neighbors"], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    def wait(self):
        """Until everyone sees all neighbours that it has."""
        wanted = {s: sum(s in (c[0], c[2]) for c in CABLES) for s in self.namespaces}
        deadline = time.monotonic() + PATIENCE
        for system, count in wanted.items():
            while True:
                said = self.neighbours(system)
                seen = [i for part in json.loads(said).get("lldp", []) for i in part.get("interface", [])] if said else []
                if len(seen) == count and all(i["chassis"][0].get("name") for i in seen):
                    break
                if self.daemons[system].poll() is not None:
                    raise RuntimeError(f"lldpd of {system} ended with status {self.daemons[system].returncode}")
                if time.monotonic() > deadline:
                    raise RuntimeError(f"waited {PATIENCE} s for the {count} neighbours of {system}: {said}")
                time.sleep(0.05)


PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def main():
    banyan = Path(sys.argv[1]).resolve()
    if not shutil.which("lldpd", path=PATH):
        sys.exit("not installed: lldpd")
    with tempfile.TemporaryDirectory(prefix="banyan-lldp-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # lldpcli runs as a user of its own
        seen, plan = folder / "seen", folder / "plan.csv"
        seen.mkdir()
        plan.write_text(PLAN)
        with Systems(folder) as systems:
            systems.wait()
            for system in systems.namespaces:
                if system != "oob":
                    (seen / f"{system}.json").write_text(systems.neighbours(system))
            one = folder / "one.json"
            one.write_text("".join(run(shutil.which("lldpcli", path=PATH), "-u", systems.socket(s), "-f", "json0", "show",
                                       "chassis") + systems.neighbours(s) for s in systems.namespaces if s != "oob"))
        # Exit status 0: nothing differs. From all, from the switches alone (each host is seen once), from one file.
        print(run(banyan, "diff", plan, seen), end="")
        print(run(banyan, "diff", plan, one), end="")
        for host in "host1", "host2", "host3":
            (seen / f"{host}.json").unlink()
        print(run(banyan, "diff", plan, seen), end="")


if __name__ == "__main__":
    main()
