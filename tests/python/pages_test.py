"""What README.md shows of Python is what Python says."""
import doctest
from pathlib import Path


def test_readme():
    page = Path(__file__).resolve().parents[2] / "README.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 10 and failed == 0
