"""The type stubs are what the module lists, and Python can read them."""
import ast

import banyan as bn
import stubs


def test_stubs_are_up_to_date():
    assert stubs.FILE.read_text(encoding="utf-8") == stubs.stubs(), "run tests/python/stubs.py --write"


def test_stubs_name_what_the_module_has():
    named = {node.name for node in ast.parse(stubs.stubs()).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert set(bn.__all__) <= named
    assert all(hasattr(bn, name) for name in named)
