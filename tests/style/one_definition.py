#!/usr/bin/env python3
"""No two types of one name in one namespace: the linker would take either for both. Usage: one_definition.py SRC"""
import re
import sys
from pathlib import Path

OPENS = re.compile(r"^namespace(?: ([A-Za-z_:]+))? \{$")
CLOSES = re.compile(r"^\}  // namespace")
TYPE = re.compile(r"^(?:struct|class|union|enum(?: class)?) (?:alignas\(\d+\) )?([A-Za-z_]\w*)(?: final)?(?: :[^:].*)?(?: \{.*)?$")


def types(path):
    """(namespace, name, line) of the types that are defined outside functions and other types."""
    spaces, template = [], ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if opened := OPENS.match(line):
            spaces.append(opened[1] or f"only in {path}")
        elif CLOSES.match(line) and spaces:
            spaces.pop()
        elif (found := TYPE.match(line)) and not line.endswith(";") and not template.startswith("template"):
            yield "::".join(spaces), found[1], number
        template = line


def check(src):
    first, wrong = {}, []
    for path in sorted(p for p in src.rglob("*") if p.suffix in (".cpp", ".hpp", ".h")):
        for space, name, number in types(path):
            place = f"{path.relative_to(src)}:{number}"
            other = first.setdefault((space, name), place)
            if other != place:
                wrong.append(f"{place}: {name} is also defined in {other}")
    return wrong


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "every name means one type")
    sys.exit(1 if found else 0)
