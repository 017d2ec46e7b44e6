#!/usr/bin/env python3
"""The commands of a page, with the output that stands below them: pages.py BANYAN [--write] FILE...

In fenced blocks of a page, a line `$ ./run VERB ...` or `$ banyan VERB ...` is a command and the lines below it are its
output, of which a line `...` stands for any lines. Commands run one after another in a new folder in which examples/ is
that of the project; its path, and that of the program, have a space, a quote and an umlaut in them, as a user's may.
--write writes the output seen into the page, where no line is `...`.
"""
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from odd_path import ODD  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TIME_LIMIT = 240  # seconds; a command that hangs is a failure, not a hang of the test


def blocks(lines):
    """(number of the line, command lines, output lines) of every command."""
    inside, found = False, []
    for number, line in enumerate(lines):
        if line.startswith("```"):
            inside = not inside
        elif inside and line.startswith("$ "):
            found.append((number, [line[2:]], []))
        elif inside and found and found[-1][1][-1].endswith("\\"):
            found[-1][1].append(line)
        elif inside and found and found[-1][0] + len(found[-1][1]) + len(found[-1][2]) == number:
            found[-1][2].append(line)
    return found


def matches(wanted, seen):
    if "..." not in wanted:
        return wanted == seen
    at = wanted.index("...")
    rest = wanted[at + 1:]
    return wanted[:at] == seen[:at] and any(matches(rest, seen[i:]) for i in range(at, len(seen) + 1))


def run(command, folder, program):
    quoted = shlex.quote(str(program))
    script = re.sub(r"\./run\b|\bbanyan\b(?=\s)", lambda _: quoted, "\n".join(command), count=1)
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT,
                          stdin=subprocess.DEVNULL)
    return done.stdout.rstrip("\n").splitlines(), done.returncode, done.stderr


def check(page, program, write):
    text = page.read_text(encoding="utf-8").splitlines()
    good = True
    with tempfile.TemporaryDirectory(prefix="banyan-page-") as scratch:
        folder, banyan = Path(scratch, ODD), Path(scratch, ODD + " too", "banyan")
        folder.mkdir()
        banyan.parent.mkdir()
        banyan.symlink_to(program)
        (folder / "examples").symlink_to(ROOT / "examples")
        commands = blocks(text)
        edits = []
        for number, command, wanted in commands:
            seen, status, errors = run(command, folder, banyan)
            if status not in (0, 1):  # 1: the answer is no
                print(f"{page}:{number + 1}: {command[0]}: exit status {status}\n{errors}")
                good = False
            if matches(wanted, seen):
                continue
            if write and "..." not in wanted:
                edits.append((number + len(command), len(wanted), seen))
                continue
            print(f"{page}:{number + 1}: {command[0]}\nexpected:\n" + "\n".join(wanted) + "\nseen:\n" + "\n".join(seen))
            good = False
    for start, count, seen in reversed(edits):
        text[start:start + count] = seen
    if edits:
        page.write_text("\n".join(text) + "\n", encoding="utf-8")
    if good and not edits:
        print(f"{page}: {len(commands)} commands as expected")
    return good


def main():
    program, write = Path(sys.argv[1]).resolve(), "--write" in sys.argv
    pages = [Path(name) for name in sys.argv[2:] if name != "--write"]
    sys.exit(0 if all([check(page, program, write) for page in pages]) else 1)


if __name__ == "__main__":
    main()
