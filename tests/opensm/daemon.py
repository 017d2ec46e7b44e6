"""A program that runs beside a test until the `with` block ends, whatever happens inside. Waiting is for a condition,
never for a time."""
import os
import shutil
import signal
import subprocess
import time


class DaemonError(RuntimeError):
    pass


def tool(name):
    """Where a tool is; the diagnostics may live in sbin, which is not in every user's PATH."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class Daemon:
    """What it is and when it is ready its kinds say: command(), ready(). All that it says goes to its output."""

    def __init__(self, folder, environment, patience, console=False):
        """patience: seconds until a condition that does not become true counts as failed; console: tell() is used."""
        self.folder, self.environment, self.patience, self.has_console = folder, environment, patience, console
        self.process = None

    def __enter__(self):
        try:
            with open(self.output, "wb") as out:
                self.process = subprocess.Popen(
                    self.command(), cwd=self.folder, env=self.environment, stdout=out, stderr=out,
                    stdin=subprocess.PIPE if self.has_console else subprocess.DEVNULL, preexec_fn=end_with_parent)
            self.wait(self.ready, "it to be ready")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def name(self):
        return type(self).__name__.lower()

    @property
    def output(self):
        return self.folder / f"{self.name}.out"

    @property
    def log(self):
        return self.output

    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def tell(self, line):
        """A line for its console."""
        self.process.stdin.write((line + "\n").encode())
        self.process.stdin.flush()

    def check(self):
        """An error once it has ended."""
        if self.process.poll() is not None:
            raise DaemonError(f"{self.name} ended with status {self.process.returncode}:\n{self.said()[-2000:]}")

    def wait(self, condition, what):
        deadline = time.monotonic() + self.patience
        while not condition():
            self.check()
            if time.monotonic() > deadline:
                raise DaemonError(f"{self.name}: waited {self.patience} s for {what}:\n{self.said()[-2000:]}")
            time.sleep(0.01)

    def stop(self):
        if not self.process:
            return
        if self.process.stdin:
            self.process.stdin.close()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def end_with_parent():
    """In the child: the kernel ends it should the test be killed before it can."""
    try:
        import ctypes
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):
        pass
