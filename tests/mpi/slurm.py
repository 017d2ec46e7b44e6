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
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
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
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
"""


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
    def command(self):
        return [tool("slurmd"), "-D", "-f", str(self.folder / "slurm.conf")]

    def ready(self):
        done = subprocess.run(["sinfo", "--noheader", "--format=%t"], env=self.environment, capture_output=True, text=True)
        return done.stdout.strip() in ("idle", "mix", "alloc")


class Cluster:
    """All three, until the `with` block ends. `environment` makes Slurm's commands speak to them."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "plugstack.conf").write_text("")
        controller, node = free_ports(2)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], controller=controller, node=node, folder=self.folder))
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        self.daemons = [kind(self.folder, self.environment, PATIENCE) for kind in (Munged, Slurmctld, Slurmd)]
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
