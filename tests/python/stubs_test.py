"""The type stubs name all that the module has, and nothing else."""
import ast
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
