"""Programs under mpirun: started, watched and ended by process id."""
import os
import signal
import subprocess
import time
from pathlib import Path

PATIENCE = 120  # seconds until a condition that does not become true counts as failed


def environment(scratch):
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TMPDIR=str(scratch))


def mpirun(ranks, *options):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", *options, "-n",
            str(ranks)]


def wait_for(condition, what, process):
    """What the condition gives once it is true; fails should the process end before that."""
    deadline = time.monotonic() + PATIENCE
    while True:
        if found := condition():
            return found
        assert process.poll() is None, f"ended with status {process.returncode} before {what}"
        assert time.monotonic() < deadline, f"waited {PATIENCE} s for {what}"
        time.sleep(0.005)


class Job:
    """mpirun and its ranks, until the `with` block ends, whatever happens inside."""

    def __init__(self, command, scratch):
        self.process = subprocess.Popen(command, env=environment(scratch), text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            for pid in [*self.pids().values(), self.process.pid]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def pids(self):
        """{rank: process id} of those that run now."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if parent != self.process.pid:
                    continue
                for entry in (folder / "environ").read_bytes().split(b"\0"):
                    if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                        found[int(entry.split(b"=")[1])] = int(folder.name)
            except (OSError, ValueError):
                pass  # it ended just now
        return found

    def finish(self):
        """Exit status, standard output, standard error."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err
