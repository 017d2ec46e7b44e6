#!/usr/bin/env python3
"""The golden runner accepts what is right, shows what is not, and updates without losing comments."""
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

RUNNER = Path(__file__).resolve().parents[1] / "golden/run.py"
PROGRAM = """#!/bin/sh
case $1 in
  say) shift; printf '%s\\n' "$@" ;;
  where) echo "$DATA/x" ;;
  version) echo 'version 0.1.0+3f9a1c2b4d5e' ;;
  fail) echo "bad input: line 7" >&2; exit 2 ;;
esac
"""
GOOD = r"""# What this is about.

$ banyan say a '' b
a

b

# Marks are escaped.
$ banyan say '# a' '$ b' '\c' | tac
\\c
\$ b
\# a

$ banyan fail
? 2
! line 7
$ banyan version
version 0.1.0
$ banyan where; banyan say 1 >file
\$DATA/x
$ for f in *; do
>   echo $f; done
file
"""


def alive(process):
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


class GoldenRunner(unittest.TestCase):
    def run_on(self, text, *options):
        """(exit status, output, the file afterwards)"""
        with tempfile.TemporaryDirectory(prefix="golden runner ") as folder:
            program, file = Path(folder, "program"), Path(folder, "a b.test")
            program.write_text(PROGRAM)
            program.chmod(0o755)
            file.write_text(text)
            done = subprocess.run([sys.executable, "-B", RUNNER, "--program", program, *options, file],
                                  capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr, file.read_text()

    def test_what_is_right_passes(self):
        status, output, _ = self.run_on(GOOD)
        self.assertEqual(status, 0, output)

    def test_each_difference_fails_and_is_shown(self):
        for right, wrong, shown in [("a\n\nb", "a\n\nc", "-c\n+b"), ("? 2", "? 3", "exit status 2, expected 3"),
                                    ("! line 7", "! line 8", "does not contain: line 8"),
                                    ("\nfile\n", "\nfile\nfile\n", "-file"), ("\\# a\n", "", "+# a")]:
            status, output, _ = self.run_on(GOOD.replace(right, wrong))
            self.assertEqual(status, 1, wrong)
            self.assertIn(shown, output)

    def test_update_restores_what_was_expected(self):
        broken = GOOD.replace("a\n\nb", "x").replace("\\# a\n", "").replace("? 2\n", "")
        self.assertEqual(self.run_on(broken, "--update")[2], GOOD)
        self.assertEqual(self.run_on(GOOD, "--update")[2], GOOD)

    def test_output_that_looks_like_a_mark_is_refused(self):
        status, output, _ = self.run_on("$ banyan say !x\n!x\n")
        self.assertEqual(status, 1)
        self.assertIn("needs a \\ before it", output)

    def test_a_runner_that_is_ended_ends_what_it_started(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe, file = Path(folder, "pipe"), Path(folder, "a.test")
            os.mkfifo(pipe)
            file.write_text(f"$ sleep 1000 & echo $! >{pipe}; wait\n")
            runner = subprocess.Popen([sys.executable, "-B", RUNNER, "--program", "/bin/true", file])
            sleeper = int(pipe.read_text())
            runner.terminate()
            runner.wait()
            while alive(sleeper):  # one that is left alone runs into the time limit
                time.sleep(0.01)


if __name__ == "__main__":
    unittest.main()
