"""The notebooks: their cells run in order, in one process, and draw something. Jupyter is not needed for it."""
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples/notebooks"


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.ipynb")))
def test_notebook(name):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    names = {"__name__": "__main__"}
    for cell in json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")  # figures are made, not kept
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{name}:{cell['id']}", "exec"), names)
    assert plt.get_fignums() and all(plt.figure(i).axes for i in plt.get_fignums())
    plt.close("all")
