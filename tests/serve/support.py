"""What the tests of the server share: a server on a free port, ended by its id, and requests to it."""
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
from contextlib import contextmanager

BANYAN = sys.argv[1] if len(sys.argv) > 1 else "build/release/banyan"


class Server:
    def __init__(self, *options, **more):
        self.process = subprocess.Popen([BANYAN, "serve", "--port", "0", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, **more)
        line = self.process.stdout.readline()
        found = re.search(r"http://(\S+):(\d+)/#token=(\S+)$", line)
        if not found:
            raise AssertionError(f"no address in {line!r}; {self.process.stderr.read()}")
        self.host, self.port, self.token = found[1].strip("[]"), int(found[2]), urllib.parse.unquote(found[3])
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def connect(self, timeout=60):
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, timeout=60):
        """Status, headers, body as bytes. The token is shown unless the headers say otherwise."""
        connection = self.connect(timeout)
        try:
            if isinstance(body, dict):
                body = json.dumps(body)
            connection.request(method, path, body, {**self.headers, **(headers or {})})
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    def verb(self, name, timeout=60, headers=None, **body):
        status, _, text = self.ask("POST", f"/api/{name}", body, headers, timeout)
        return status, json.loads(text)

    def upload(self, name, content, timeout=60):
        path = "/api/files?" + urllib.parse.urlencode({"name": name})
        status, _, text = self.ask("POST", path, content, timeout=timeout)
        return status, json.loads(text)

    def children(self):
        """Process ids of what it runs now."""
        out = set()
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            try:
                with open(f"/proc/{self.process.pid}/task/{task}/children", encoding="ascii") as file:
                    out.update(int(pid) for pid in file.read().split())
            except FileNotFoundError:
                pass  # the thread has ended
        return out

    def memory(self, key="VmHWM"):
        """In bytes: VmHWM the most so far, VmRSS now."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(key))

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


@contextmanager
def serving(*options, **more):
    server = Server(*options, **more)
    try:
        yield server
    finally:
        server.end()


def wait_for(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"did not happen: {what}")


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def in_background(function, *arguments, **more):
    """A thread and the list that its result is put into."""
    out = []
    thread = threading.Thread(target=lambda: out.append(function(*arguments, **more)), daemon=True)
    thread.start()
    return thread, out


def command_output(*arguments):
    done = subprocess.run([BANYAN, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def equal(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r}")


def holds(what, truth):
    if not truth:
        raise AssertionError(what)


def run(tests):
    """Every function whose name starts with test_, in order."""
    for name, test in list(tests.items()):
        if name.startswith("test_"):
            test()
            print("passed", name, flush=True)
