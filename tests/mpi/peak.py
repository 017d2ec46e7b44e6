#!/usr/bin/env python3
"""Runs a command and appends the largest resident size it had, in kB, to a file. Usage: peak.py FILE COMMAND..."""
import os
import resource
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
with open(sys.argv[1], "a", encoding="utf-8") as log:
    log.write(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}\n")
sys.exit(status)
