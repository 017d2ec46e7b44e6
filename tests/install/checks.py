"""What the tests of an installed tree share."""
import subprocess
import sys


def run(*command, **more):
    """The standard output of a command; ends the test if it fails."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=280, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(truth, what):
    if not truth:
        sys.exit(f"it does not hold: {what}")
