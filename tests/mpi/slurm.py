"""A cluster of one machine: munged, slurmctld and slurmd from a folder of their own, with their own key, socket and
ports. Nothing of the system's configuration is read or written."""
import os
import socket
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "opensm"))
from daemon import Daemon, tool  # noqa: E402

PATIENCE = 120
CONFIGURATION = """
ClusterName=banyan
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
PlugStackConfig={folder}/plugstack.conf
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SchedulerParameters=sched_interval=1,sched_min_interval=1,batch_sched_delay=0
MailProg=/bin/true
ReturnToService=2
{nodes}
{more}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
"""
# None of the plugins above uses cgroups, but slurmd loads the plugin for them, and looks which version is mounted unless it
# is told one. Version 1 needs nothing to be mounted until it is used.
CGROUPS = "CgroupPlugin=cgroup/v1\n"


def free_ports(count):
    """Ports that nobody listens on just now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]
    finally:
        for s in sockets:
            s.close()


class Munged(Daemon):
    def command(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        return [tool("munged"), "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                f"--seed-file={self.folder}/munged.seed", "--num-threads=2"]

    def ready(self):
        done = subprocess.run(["munge", "--no-input", f"--socket={self.folder}/munge.socket"], capture_output=True)
        return done.returncode == 0


class Slurmctld(Daemon):
    def command(self):
        return [tool("slurmctld"), "-D", "-i", "-f", str(self.folder / "slurm.conf")]

    def ready(self):
        return subprocess.run(["scontrol", "ping"], env=self.environment, capture_output=True).returncode == 0


class Slurmd(Daemon):
    name = ""

    def command(self):
        return [tool("slurmd"), "-D", "-N", self.name, "-f", str(self.folder / "slurm.conf")]

    def ready(self):
        done = subprocess.run(["sinfo", "--noheader", f"--nodes={self.name}", "--format=%t"], env=self.environment,
                              capture_output=True, text=True)
        return done.stdout.strip() in ("idle", "mix", "alloc")


class Cluster:
    """All of them, until the `with` block ends, a slurmd for each of `hosts` (this machine, where none is named).
    `environment` makes Slurm's commands speak to them; `more` are further lines of the configuration."""

    def __init__(self, folder, hosts=(), more=""):
        self.folder = Path(folder)
        (self.folder / "state").mkdir()
        (self.folder / "plugstack.conf").write_text("")
        (self.folder / "cgroup.conf").write_text(CGROUPS)
        here = socket.gethostname().split(".")[0]
        hosts = list(hosts) or [here]
        controller, node, *ports = free_ports(2 + len(hosts))
        nodes = "\n".join(f"NodeName={name} NodeHostname={here} NodeAddr=127.0.0.1 Port={port} CPUs=8 State=UNKNOWN"
                          for name, port in zip(hosts, ports))
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=here, controller=controller, node=node, folder=self.folder, nodes=nodes, more=more))
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        self.daemons = [kind(self.folder, self.environment, PATIENCE) for kind in (Munged, Slurmctld)]
        for name in hosts:
            (self.folder / f"spool-{name}").mkdir()
            self.daemons.append(Slurmd(self.folder, self.environment, PATIENCE))
            self.daemons[-1].name = name
        self.running = []

    def __enter__(self):
        try:
            for daemon in self.daemons:
                self.running.append(daemon.__enter__())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        while self.running:
            self.running.pop().stop()

    def said(self):
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}"
                         for log in sorted(self.folder.glob("*.log")))
