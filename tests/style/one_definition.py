#!/usr/bin/env python3
"""A name means one type wherever it is seen: no type outside functions and other types has the name of another in its folder,
or in a folder below or above it (tests/style/layers.py). Siblings such as flit/ and qsnet/ may share a name. The types of one
file alone, in an unnamed namespace, are compared within their folder. Usage: one_definition.py SRC"""
import collections
import re
import sys
from pathlib import Path

import layers

OPENS = re.compile(r"^(?:inline )?namespace(?: ([A-Za-z_0-9:]+))? \{$")
CLOSES = re.compile(r"^\}  // namespace")
# On one line: an optional template head, the kind, attributes, the name, and what follows it unless that is a ';'.
TYPE = re.compile(
    r"^(?:template <.*> )?(?:struct|class|union|enum(?: class| struct)?) (?:alignas\(\w+\) |\[\[\w+\]\] )?"
    r"([A-Za-z_]\w*)(?: final)?(?: :[^:].*)?(?: \{.*)?$"
)
ALIAS = re.compile(r"^(?:template <.*> )?using ([A-Za-z_]\w*) =")


def types(path):
    """(whether it is of this file alone, name, line) of the types that are defined outside functions and other types."""
    spaces = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if opened := OPENS.match(line):
            spaces.append(opened[1])
        elif CLOSES.match(line) and spaces:
            spaces.pop()
        elif found := ALIAS.match(line) or (TYPE.match(line) if is_definition(line) else None):
            yield None in spaces, found[1], number


def is_definition(line):
    """Not a declaration, and not the specialisation of a template."""
    return not re.match(r"^[^{]*;$", line)


def sees(folder, other):
    """Whether a file of one folder may include the other's headers."""
    return folder == other or other in layers.MAY_INCLUDE.get(folder, "").split()


def check(src):
    known, wrong = collections.defaultdict(list), []
    for path in sorted(p for p in src.rglob("*") if p.suffix in (".cpp", ".hpp", ".h")):
        here = path.relative_to(src)
        folder = here.parts[0]
        for is_local, name, number in types(path):
            place = f"{here}:{number}"
            for other, other_is_local, other_place in known[name]:
                if other == folder or not (is_local or other_is_local) and (sees(folder, other) or sees(other, folder)):
                    wrong.append(f"{place}: {name} is also defined in {other_place}")
                    break
            known[name].append((folder, is_local, place))
    return wrong


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "every name means one type")
    sys.exit(1 if found else 0)
