"""The type stubs name all that the module has, and nothing else; mypy reads them."""
import ast
import os
import subprocess
import sys
from pathlib import Path

import banyan as bn


def test_stubs_name_what_the_module_has():
    stubs = (Path(bn.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    named = {node.name: node for node in ast.parse(stubs).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert set(bn.__all__) <= set(named)
    assert all(hasattr(bn, name) for name in named)
    load = {each.arg for each in named["load"].args.kwonlyargs}
    assert {"samples", "seed", "rate_model", "threads"} <= load
    assert "max_load" in {each.name for each in named["LoadAnswer"].body}


USE = """
import banyan as bn
fabric = bn.fabric("4-ary 3-tree", without=["links=1"])
routing = bn.route(fabric, "nue", lanes=3)
bn.route(fabric, lambda fabric: [[0]])
right: bool = bn.check(routing).ok
load: float = bn.load(routing, lambda ranks: [(0, 1)], samples=1000, seed=1, progress=False).max_load
total: float = bn.load(routing, channels=True).channel_loads.sum()
"""
WRONG = {
    "bn.load(routing, sampels=3)": "did you mean",
    "bn.load(fabric)": 'expected "Routing"',
    "text: str = bn.load(routing).max_load": "Incompatible types",
    "fabric.host": 'has no attribute "host"',
}


def mypy(*arguments):
    done = subprocess.run([sys.executable, "-B", "-m", *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, "MYPYPATH": str(Path(bn.__file__).parents[1])})
    return done.stdout + done.stderr


def test_mypy_reads_them(tmp_path):
    file = tmp_path / "use.py"
    file.write_text(USE + "\n".join(WRONG), encoding="utf-8")
    said = mypy("mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file))
    first = len(USE.splitlines()) + 1
    for line, expected in enumerate(WRONG.values(), first):
        assert any(f"use.py:{line}: error" in each and expected in each for each in said.splitlines()), said
    assert f"Found {len(WRONG)} errors in 1 file" in said, said


def test_they_agree_with_the_module():
    assert "Success: no issues found" in mypy("mypy.stubtest", "banyan")
