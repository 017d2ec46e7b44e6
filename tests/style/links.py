#!/usr/bin/env python3
"""Every relative link in our Markdown leads to a file that is there. Usage: links.py [ROOT]"""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
dead = 0
for page in sorted(p for p in root.rglob("*.md") if "build" not in p.relative_to(root).parts):
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("    "):  # shown as it is
            continue
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", line):
            if "://" not in target and not (page.parent / target).exists():
                print(f"{page.relative_to(root)}:{number}: there is no {target}")
                dead += 1
sys.exit(1 if dead else 0)
