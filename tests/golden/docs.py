#!/usr/bin/env python3
"""The lists in README.md and docs/ are those that the program prints: docs.py BANYAN [--write]."""
import json
import re
import subprocess
import sys

banyan, write = sys.argv[1], "--write" in sys.argv


def listed(verb):
    return json.loads(subprocess.check_output([banyan, verb, "--json"]))


engines = listed("engines")["engines"]
families = listed("topologies")["topologies"]
traffic = listed("patterns")


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def fill(text, name, content):
    """What stands between <!-- NAME --> and <!-- end -->."""
    return re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + content + m[2], text, flags=re.S)


def count(text, what, number):
    words = what.replace(" ", r"\s+")
    text, found = re.subn(rf"\b\d+(\s+{words})\b", rf"{number}\1", text)
    if not found:
        sys.exit(f"README.md does not say how many {what} there are")
    return text


def readme(text):
    text = count(text, "families of fabrics", len(families))
    text = count(text, "engines", len(engines))
    return count(text, "patterns and collectives", len(traffic["patterns"]) + len(traffic["collectives"]))


def engines_page(text):
    rows = [[f"[`{e['name']}`](#{anchor(text, e['name'])})", e["summary"], e["source"]] for e in engines]
    return fill(text, "engines", table(["engine", "what it routes and how", "source"], rows))


def anchor(text, name):
    """Of the section whose heading names the engine."""
    for heading in re.findall(r"^### (.*)$", text, flags=re.M):
        if name in heading.split(", "):
            return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
    sys.exit(f"docs/engines.md has no section for {name}")


differ = []
for file, made in (("README.md", readme), ("docs/engines.md", engines_page)):
    with open(file, encoding="utf-8") as f:
        text = f.read()
    if made(text) == text:
        continue
    differ.append(file)
    if write:
        with open(file, "w", encoding="utf-8") as f:
            f.write(made(text))
if differ and not write:
    sys.exit(f"{', '.join(differ)}: not what the program lists; tests/golden/docs.py {banyan} --write mends it")
