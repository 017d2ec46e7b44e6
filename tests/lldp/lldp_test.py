#!/usr/bin/env python3
"""Real lldpd on systems in network namespaces, with veth cables: what lldpcli says on each is read as the fabric
that was cabled. Needs root, as network namespaces do.

Usage: lldp_test.py BANYAN
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from namespaces import Systems, run, tool  # noqa: E402

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


class Lldp(Systems):
    """The systems, on each of which lldpd runs."""

    def start(self):
        for system in sorted({c[0] for c in CABLES} | {c[2] for c in CABLES}):
            self.add(system)
            if system in SWITCHES:  # then the daemon announces the capability
                self.ip(system, "link", "add", "br0", "type", "bridge")
        for a, port_a, b, port_b in CABLES:
            self.connect(a, port_a, b, port_b)
            for system, port in (a, port_a), (b, port_b):
                if system in SWITCHES and port != "eth0":
                    self.ip(system, "link", "set", port, "master", "br0")
        for system in self.namespaces:
            # Some call themselves with their domain, some without: lldpd asks for the host's name.
            name = system if system in ("leaf2", "host3") else system + ".fabric.example"
            self.daemon(system, "lldpd", self.socket(system), "unshare", "--uts", "sh", "-c",
                        f"hostname {name} && exec {tool('lldpd')} -d -u {self.socket(system)}")

    def socket(self, system):
        return self.folder / f"{system}.socket"

    def neighbours(self, system):
        done = subprocess.run([tool("lldpcli"), "-u", self.socket(system), "-f", "json0", "show", "neighbors"],
                              capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    def settle(self):
        """Until everyone sees all neighbours that it has."""
        def sees(system, count):
            said = self.neighbours(system)
            seen = [i for part in json.loads(said).get("lldp", []) for i in part.get("interface", [])] if said else []
            return len(seen) == count and all(i["chassis"][0].get("name") for i in seen)
        for system in self.namespaces:
            count = sum(system in (c[0], c[2]) for c in CABLES)
            self.wait(lambda: sees(system, count), f"the {count} neighbours of {system}")


def main():
    banyan = Path(sys.argv[1]).resolve()
    if not tool("lldpd"):
        sys.exit("not installed: lldpd")
    with tempfile.TemporaryDirectory(prefix="banyan-lldp-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # lldpcli runs as a user of its own
        seen, plan = folder / "seen", folder / "plan.csv"
        seen.mkdir()
        plan.write_text(PLAN)
        with Lldp(folder) as systems:
            systems.settle()
            for system in systems.namespaces:
                if system != "oob":
                    (seen / f"{system}.json").write_text(systems.neighbours(system))
            one = folder / "one.json"
            one.write_text("".join(run(tool("lldpcli"), "-u", systems.socket(s), "-f", "json0", "show", "chassis")
                                   + systems.neighbours(s) for s in systems.namespaces if s != "oob"))
        # Exit status 0: nothing differs. From all, from the switches alone (each host is seen once), from one file.
        print(run(banyan, "diff", plan, seen), end="")
        print(run(banyan, "diff", plan, one), end="")
        for host in "host1", "host2", "host3":
            (seen / f"{host}.json").unlink()
        print(run(banyan, "diff", plan, seen), end="")


if __name__ == "__main__":
    main()
