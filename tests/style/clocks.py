#!/usr/bin/env python3
"""A clock is not read in the argument list of a call that has another call among its arguments: C++ leaves open which of them
comes first, so what the clock measures is unknown. Braces fix the order and are left alone. Usage: clocks.py SRC"""
import re
import sys
from pathlib import Path

CLOCK = re.compile(r"(?:\bseconds_now|\bclock|::now)\s*\(\s*\)")
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S)
WORD = re.compile(r"([A-Za-z_]\w*)\s*(?:<[^<>()]*>)?\s*$")
CALL = re.compile(r"([A-Za-z_]\w*)\s*(?:<[^<>()]*>)?\s*\(")
NO_CALL = {"if", "for", "while", "switch", "return", "sizeof", "decltype", "static_cast", "const_cast", "reinterpret_cast", "move"}


def without_text(source):
    """The source with comments and literals blanked, line by line as it was."""
    return TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)


def arguments(code, opening):
    """The arguments between the parenthesis at `opening` and the one that closes it."""
    out, depth, begin = [], 0, opening + 1
    for at in range(opening, len(code)):
        if code[at] in "([{":
            depth += 1
        elif code[at] in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and code[at] == ","):
            out.append(code[begin:at])
            begin = at + 1
        if depth == 0:
            return out
    return out


def calls(argument):
    """Whether it calls anything but a cast; the body of a lambda is not run by the call."""
    without_body = re.sub(r"\{.*\}", "", argument, flags=re.S) if re.match(r"\s*\[", argument) else argument
    return any(name not in NO_CALL for name in CALL.findall(without_body))


def faults(source):
    """Numbers of lines where a call has a clock in one argument and a call in another."""
    code, out = without_text(source), []
    for at, letter in enumerate(code):
        before = WORD.search(code[max(0, at - 80) : at]) if letter == "(" else None
        if not before or before[1] in NO_CALL:
            continue
        each = arguments(code, at)
        clocks = [i for i, argument in enumerate(each) if CLOCK.search(argument) and not re.match(r"\s*\[", argument)]
        if any(calls(argument) for i, argument in enumerate(each) if clocks and i != clocks[0]):
            out.append(code.count("\n", 0, at) + 1)
    return out


def check(src):
    return [
        f"{path.relative_to(src)}:{line}: a clock is read beside another call, in an order that C++ leaves open"
        for path in sorted(p for p in src.rglob("*") if p.suffix in (".cpp", ".hpp", ".h"))
        if CLOCK.search(text := path.read_text(encoding="utf-8"))
        for line in faults(text)
    ]


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(bool(found))
