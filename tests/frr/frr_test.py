#!/usr/bin/env python3
"""Real FRR (zebra and bgpd) on switches in network namespaces, with veth cables: what `show ip route json` and
`show bgp ipv4 unicast json` say on each is read as the tables of the fabric. Needs root, as network namespaces do.

Usage: frr_test.py BANYAN
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from namespaces import Systems, run, tool  # noqa: E402

FRR = Path("/usr/lib/frr")
LEAVES, SPINES, HOSTS = 3, 2, 2  # hosts of each leaf


def cables():
    """Switch, port, other end, its port: hosts first."""
    for leaf in range(LEAVES):
        for host in range(HOSTS):
            yield f"leaf{leaf + 1}", f"swp{host + 1}", f"host{leaf * HOSTS + host + 1}", "eth1"
    for leaf in range(LEAVES):
        for spine in range(SPINES):
            yield f"leaf{leaf + 1}", f"swp{49 + spine}", f"spine{spine + 1}", f"swp{leaf + 1}"


def is_switch(system):
    return not system.startswith("host")


class Fabric(Systems):
    """The systems; zebra and bgpd run on the switches."""

    def start(self):
        for system in sorted({c[0] for c in cables()} | {c[2] for c in cables()}):
            self.add(system)
            self.ip(system, "link", "set", "lo", "up")
        self.neighbours = {s: [] for s in self.namespaces}  # (address, number of the system)
        self.addresses = {}
        for i, (a, port_a, b, port_b) in enumerate(cables()):
            self.connect(a, port_a, b, port_b)
            ends = [(a, port_a, f"10.{i + 1}.0.0"), (b, port_b, f"10.{i + 1}.0.1")]
            for system, port, address in ends:
                self.ip(system, "address", "add", address + "/31", "dev", port)
            if is_switch(b):
                self.neighbours[a].append((ends[1][2], b))
                self.neighbours[b].append((ends[0][2], a))
            else:
                self.addresses[b] = ends[1][2]
        for number, system in enumerate(s for s in self.namespaces if is_switch(s)):
            self.route(system, number)

    def number(self, system):  # of the autonomous system; all spines share one, as is usual
        return 65000 if system.startswith("spine") else 65000 + int(system[4:])

    def route(self, system, number):
        folder = self.folder / system
        folder.mkdir()
        shutil.chown(folder, "frr", "frr")
        lines = [f"hostname {system}", f"router bgp {self.number(system)}", f" bgp router-id 192.0.2.{number + 1}", " no bgp ebgp-requires-policy",
                 " bgp bestpath as-path multipath-relax", " timers bgp 1 3"]
        for address, other in self.neighbours[system]:
            lines += [f" neighbor {address} remote-as {self.number(other)}", f" neighbor {address} timers connect 1"]
        lines += [" address-family ipv4 unicast", "  redistribute connected", "  maximum-paths 8", " exit-address-family"]
        (folder / "bgpd.conf").write_text("\n".join(lines) + "\n")
        (folder / "zebra.conf").write_text("")
        for daemon in "zebra", "bgpd":
            more = ["-p", "179"] if daemon == "bgpd" else []
            self.daemon(system, daemon, folder / f"{daemon}.vty", FRR / daemon, "-z", folder / "zserv.api", "--vty_socket",
                        folder, "-i", folder / f"{daemon}.pid", "-f", folder / f"{daemon}.conf", "-P", "0", *more)

    def routes(self, system, command="show ip route json"):
        return run(tool("vtysh"), "--vty_socket", self.folder / system, "-c", command)

    def hops(self, system, address):
        """The interfaces that zebra has installed towards an address."""
        entries = json.loads(self.routes(system)).get(address, [])
        return {h.get("interfaceName") for e in entries if e.get("selected") for h in e["nexthops"] if h.get("fib")}

    def settle(self, uplinks):
        """Until each leaf has as many next hops to the hosts of the others as it has uplinks, and no more."""
        prefixes = {h: a.rsplit(".", 1)[0] + ".0/31" for h, a in self.addresses.items()}
        def settled():
            for a, _, host, _ in cables():
                if is_switch(host):
                    continue
                for leaf, count in uplinks.items():
                    if leaf != a and len(self.hops(leaf, prefixes[host])) != min(count, uplinks[a]):
                        return False
            return True
        self.wait(settled, "the routes of all leaves")

    def save(self, name, command="show ip route json"):
        out = self.folder / name
        out.mkdir()
        for system in self.namespaces:
            if is_switch(system):
                (out / f"{system}.json").write_text(self.routes(system, command))
        return out


def main():
    banyan = Path(sys.argv[1]).resolve()
    for program in FRR / "zebra", FRR / "bgpd":
        if not program.exists():
            sys.exit(f"not installed: {program}")
    with tempfile.TemporaryDirectory(prefix="banyan-frr-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the daemons run as a user of their own
        plan = folder / "plan.dot"
        plan.write_text("graph {\n" + "".join(f'{a}:{p} -- {b}:{q}\n' for a, p, b, q in cables()) + "}\n")
        with Fabric(folder) as fabric:
            whole = {f"leaf{i + 1}": SPINES for i in range(LEAVES)}
            fabric.settle(whole)
            before = fabric.save("before")
            bgp = fabric.save("bgp", "show bgp ipv4 unicast json")
            (bgp / "addresses").write_text("".join(f"{a} {h}\n" for h, a in fabric.addresses.items()))
            fabric.ip("leaf1", "link", "set", "swp49", "down")
            fabric.settle(whole | {"leaf1": SPINES - 1})
            after = fabric.save("after")

        def ask(verb, *arguments):
            done = subprocess.run([banyan, verb, plan, *arguments, "--json"], capture_output=True, text=True, check=False)
            if done.returncode > 1:
                raise RuntimeError(f"{verb} {arguments}: {done.stderr}")
            return json.loads(done.stdout)

        # All pairs arrive by shortest paths, as the engine ecmp on the same cables.
        verdict = ask("check", "--tables", before)
        assert verdict["yes"] and verdict["minimal"] and verdict["pairs"] == (LEAVES * HOSTS) * (LEAVES * HOSTS - 1), verdict
        for traffic in "shift:2", "shift:3":
            loads = [ask("load", *how, "--traffic", traffic, "--hashes", "200")
                     for how in (["--tables", before], ["--engine", "ecmp"])]
            assert loads[0]["max_load_mean"] == loads[1]["max_load_mean"], loads
        # bgpd names neighbours where zebra names ports: the groups are the same.
        assert ask("check", "--tables", bgp)["yes"]
        same = ask("fail", "--tables", before, "--against", bgp, "--traffic", "shift:2")
        assert same["entries_changed"] == 0 and same["worth"] == "same", same
        path = ask("path", "host1", "host3", "--tables", before)["paths"][0]
        assert path["arrives"] and path["names"][0] == "host1" and path["names"][2].startswith("spine"), path
        # Without the cable, FRR's own new tables serve all; the old ones lose what their hash sends there.
        cut = ["--without", "link=leaf1:swp49"]
        assert ask("check", "--tables", after, *cut)["yes"]
        stale = ask("check", "--tables", before, *cut)
        assert not stale["yes"] and stale["failing_pairs"] > 0, stale
        change = ask("fail", "--tables", before, "--against", after, *cut)
        assert change["worth"] == "better" and change["pairs_gained"] == stale["failing_pairs"], change
        assert 0 < change["entries_changed"] < change["entries"], change
        same = ask("fail", "--tables", before, "--against", before)
        assert same["worth"] == "same" and same["entries_changed"] == 0 and same["pairs_moved"] == 0, same
        sent = ask("simulate", "--tables", before, "--traffic", "shift:2", "--load", "0.2", "--cycles", "2000")
        assert sent["accepted"] > 0.15, sent
        print(f"{verdict['pairs']} pairs, {change['entries_changed']} of {change['entries']} entries changed, "
              f"{change['pairs_gained']} pairs gained")


if __name__ == "__main__":
    main()
