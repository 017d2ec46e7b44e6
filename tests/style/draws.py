#!/usr/bin/env python3
"""At most one argument of a call, and one operand of an operator, draws random numbers: C++ leaves open which of two draws comes first,
so that a seed names another case on another machine. Braces fix the order and are left alone. Usage: draws.py FOLDER..."""
import re
import sys
from pathlib import Path

import clocks

DRAW = re.compile(
    r"\b(?:(?:draw\w*|random_[a-z_]+|degraded_tree|small_topology|broken_\w+|build_in_planes)\s*\("  # of property tests
    r"|(?:\w*random_?|draw|luck_)(?:\.\w+)?\()"  # of a base::Random
)
ORDERED = re.compile(r"[;{}?,]|(?<!:):(?!:)|&&|\|\||(?<![=<>!])=(?!=)")  # what stands before one of these comes first
ARITHMETIC = re.compile(r"(?<= )[*+/%-](?= )")


def draws(text):
    """Whether it draws; the body of a lambda is not run by the call."""
    return not re.match(r"\s*\[", text) and bool(DRAW.search(text))


def pieces(text, separator):
    """Begins and texts between separators that stand outside of parentheses."""
    depth, begin, at = 0, 0, 0
    while at < len(text):
        depth += (text[at] == "(") - (text[at] == ")")
        found = separator.match(text, at) if depth == 0 else None
        if found:
            yield begin, text[begin:at]
            begin = found.end()
        at = max(at + 1, begin)
    yield begin, text[begin:]


def faults(source):
    """Numbers of lines where two arguments of a call, or two operands, draw."""
    if not DRAW.search(source):
        return []
    code, out = clocks.without_text(source), set()

    def look(parts, at):
        if sum(draws(part) for part in parts) > 1:
            out.add(code.count("\n", 0, at) + 1)

    def look_at_operands(text, at):
        for begin, piece in pieces(text, ORDERED):
            first = at + begin + len(piece) - len(piece.lstrip())
            look([operand for _, operand in pieces(piece, ARITHMETIC)], first)

    look_at_operands(code, 0)
    for at, letter in enumerate(code):
        if letter != "(":
            continue
        before = clocks.WORD.search(code[max(0, at - 80) : at])
        each = clocks.arguments(code, at)
        if before and before[1] not in clocks.NO_CALL:
            look(each, at)
        for argument in each:
            look_at_operands(argument, at)
    return sorted(out)


def check(folder):
    return [
        f"{path}:{line}: two draws in an order that C++ leaves open"
        for path in sorted([*folder.rglob("*.cpp"), *folder.rglob("*.hpp")])
        for line in faults(path.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    found = [fault for folder in sys.argv[1:] for fault in check(Path(folder))]
    print("\n".join(found))
    sys.exit(bool(found))
