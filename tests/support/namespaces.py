"""Systems in network namespaces of their own, with cables between them and daemons in them. Needs root.

A namespace lives as long as the process that sleeps in it, and is entered by nsenter. `ip netns exec` and `ip -n` would
also change mounts, which a chroot refuses unless its root is a mount point.
"""
import contextlib
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "opensm"))
from daemon import Daemon, tool  # noqa: E402

PATIENCE = 120  # seconds until a condition that does not become true counts as failed


def run(*command):
    """What a command says; an error unless its exit status is 0."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Namespace(Daemon):
    name = ""

    def command(self):
        return ["unshare", "--net", "sleep", "infinity"]

    def ready(self):
        return os.readlink(f"/proc/{self.process.pid}/ns/net") != os.readlink("/proc/self/ns/net")


class Inside(Daemon):
    """A daemon in a namespace, which is ready once a file is there: its socket."""
    name = ""

    def command(self):
        return self.words

    def ready(self):
        return self.socket.exists()


class Systems:
    """Namespaces, cables and daemons; all of them end with the `with` block. Its kinds say what is there: start()."""

    def __init__(self, folder):
        self.folder, self.namespaces, self.daemons, self.stack = folder, {}, [], contextlib.ExitStack()

    def __enter__(self):
        with self.stack:
            self.start()
            self.stack = self.stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def add(self, system):
        self.namespaces[system] = self.begin(Namespace(self.folder, None, PATIENCE), system).process.pid

    def begin(self, daemon, name):
        daemon.name = name
        return self.stack.enter_context(daemon)

    def inside(self, system, *command):
        return ["nsenter", f"--net=/proc/{self.namespaces[system]}/ns/net", *command]

    def ip(self, system, *words):
        run(*self.inside(system, tool("ip"), *words))

    def connect(self, a, port_a, b, port_b):
        """A cable, both ends of which are up."""
        run(tool("ip"), "link", "add", port_a, "netns", str(self.namespaces[a]), "type", "veth",
            "peer", "name", port_b, "netns", str(self.namespaces[b]))
        self.ip(a, "link", "set", port_a, "up")
        self.ip(b, "link", "set", port_b, "up")

    def daemon(self, system, name, socket, *command):
        """Starts a daemon in a system, and waits for its socket."""
        daemon = Inside(self.folder, None, PATIENCE)
        daemon.words, daemon.socket = self.inside(system, *command), socket
        self.daemons.append(self.begin(daemon, f"{name} of {system}"))

    def wait(self, condition, what):
        """Until a condition is true; an error once a daemon has ended."""
        def met():
            for daemon in self.daemons:
                daemon.check()
            return condition()
        self.daemons[0].wait(met, what)
