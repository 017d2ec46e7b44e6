#!/usr/bin/env python3
"""Runs golden files: commands and the output they must have.

A .test file:

    # A comment.
    $ banyan describe '4-ary 3-tree'
    the lines expected on standard output
    ? 0
    ! a text that standard error must contain

`? N` is the expected exit status, 0 if absent; `! text` may be repeated. Lines that begin with `> ` right after a
command continue it. An output line that itself begins with one of # $ ? ! > \\ is written with a \\ before it.
Blank lines at the end of an output do not count.

Commands are run by bash, one after another, in a new empty folder per file, with `banyan` being the program under
test and "$DATA" the folder tests/golden/data; where output contains the path of that folder, it reads $DATA. All these
paths have a space, a quote and an umlaut in them, as a user's may. Where output contains the program's version, the hash
of the sources in it is left out.

Usage: run.py --program PROGRAM [--update] FILE...      --update writes the output seen into the files
"""
import argparse
import difflib
import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from odd_path import ODD  # noqa: E402

DATA = Path(__file__).resolve().parent / "data"
MARKS = "#$?!>\\"
SOURCES = re.compile(r"(?<=\d\.\d\.\d)\+[0-9a-f]{12}\b")  # in a version
TIME_LIMIT = 240  # seconds; a command that hangs is a failure, not a hang of the test


@dataclass
class Step:
    line: int
    command: list  # its lines
    output: list = field(default_factory=list)
    status: int = 0
    errors: list = field(default_factory=list)  # texts wanted on standard error
    comments: list = field(default_factory=list)  # inside the expected output
    tail: list = field(default_factory=list)  # blank lines and comments before the next command


def parse(text):
    """(lines before the first command, steps)"""
    head, steps, continues = [], [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            steps.append(Step(number, [line[2:]]))
            continues = True
            continue
        if not steps:
            if line and not line.startswith("#"):
                raise ValueError(f"line {number}: expected a comment or a command, '$ ...'")
            head.append(line)
            continue
        step = steps[-1]
        if continues and line.startswith("> "):
            step.command.append(line[2:])
            continue
        continues = False
        read_line(step, line, number)
    return head, steps


def read_line(step, line, number):
    if not line or line.startswith("#"):
        step.tail.append(line)
        return
    if line.startswith("? "):
        step.status = int(line[2:].split()[0])
    elif line.startswith("! "):
        step.errors.append(line[2:])
    elif line[0] in "$?!":
        raise ValueError(f"line {number}: output that begins with '{line[0]}' needs a \\ before it")
    else:
        # What was taken for the gap before the next command was inside the output.
        step.output += [gap for gap in step.tail if not gap]
        step.comments += [gap for gap in step.tail if gap]
        step.tail = []
        step.output.append(line[1:] if line[0] == "\\" else line)


def write(head, steps):
    lines = list(head)
    for step in steps:
        lines.append("$ " + step.command[0])
        lines += ["> " + line for line in step.command[1:]]
        lines += step.comments
        lines += ["\\" + line if line and line[0] in MARKS else line for line in step.output]
        lines += [f"? {step.status}"] if step.status else []
        lines += ["! " + text for text in step.errors]
        lines += step.tail
    return "\n".join(lines) + "\n"


class Ending:
    """SIGTERM ends the runner, but never between the start of a command and the point where it would be killed."""
    wanted, may_end = False, True

    @classmethod
    def ask(cls, *_):
        cls.wanted = True
        if cls.may_end:
            sys.exit(1)


def run(step, folder, environment):
    """(output lines, status, standard error)"""
    Ending.may_end = False
    process = subprocess.Popen(["bash", "-c", "\n".join(step.command)], cwd=folder, env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    try:
        Ending.may_end = True
        if Ending.wanted:
            sys.exit(1)
        output, errors = process.communicate(timeout=TIME_LIMIT)
    except BaseException as reason:
        os.killpg(process.pid, signal.SIGKILL)  # with everything the command started
        process.communicate()
        if not isinstance(reason, subprocess.TimeoutExpired):
            raise
        return [], -1, f"did not end in {TIME_LIMIT} s"
    clean = lambda raw: SOURCES.sub("", raw.decode("utf-8", "replace").replace(environment["DATA"], "$DATA"))
    return clean(output).rstrip("\n").splitlines(), process.returncode, clean(errors)


def compare(name, step, output, status, errors):
    """What differs, as text; empty if nothing does."""
    found = []
    if output != step.output:
        found += difflib.unified_diff(step.output, output, f"{name} expected", f"{name} seen", lineterm="")
    if status != step.status:
        found.append(f"exit status {status}, expected {step.status}")
    found += [f"standard error does not contain: {text}" for text in step.errors if text not in errors]
    if not found:
        return ""
    where = f"{name}:{step.line}: $ {step.command[0]}"
    said = ["standard error was:", errors.rstrip("\n")] if errors else []
    return "\n".join([where, *found, *said, ""])


def run_file(path, program, update):
    try:
        head, steps = parse(path.read_text(encoding="utf-8"))
    except ValueError as error:
        print(f"{path}: {error}")
        return False
    good = True
    with tempfile.TemporaryDirectory(prefix="banyan-golden-") as folder:
        commands, work, data = (Path(folder, ODD, name) for name in ("bin", "work", "data"))
        commands.mkdir(parents=True)
        work.mkdir()
        (commands / "banyan").symlink_to(program)
        data.symlink_to(DATA)
        environment = {name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE")
                       if name in os.environ}
        environment |= {"PATH": f"{commands}:{os.environ['PATH']}", "DATA": str(data), "HOME": str(work),
                        "LC_ALL": "C.UTF-8", "TERM": "dumb", "TMPDIR": folder}
        for step in steps:
            output, status, errors = run(step, work, environment)
            if update:
                step.output, step.status = output, status
                for text in (text for text in step.errors if text not in errors):
                    print(f"{path}:{step.line}: standard error does not contain: {text}\n{errors}")
                    good = False
            elif difference := compare(path, step, output, status, errors):
                print(difference)
                good = False
    if update:
        path.write_text(write(head, steps), encoding="utf-8")
    elif good:
        print(f"{path}: {len(steps)} commands as expected")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(__file__).resolve().parents[2] / "build/release/banyan"
    parser.add_argument("--program", type=Path, default=default, help="default: build/release/banyan")
    parser.add_argument("--update", action="store_true", help="write the output seen into the files")
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, Ending.ask)
    if not options.program.is_file():
        sys.exit(f"{options.program}: no such program; ./run builds it")
    results = [run_file(file, options.program.resolve(), options.update) for file in options.files]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
