#!/usr/bin/env python3
"""The version says which sources a program was compiled from; what another one measured is not current.

Usage: version_test.py BANYAN
"""
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STUDY = 'fabrics = ["4-ary 2-tree", "2-ary 3-tree"]\n[describe]\n'


def version_of(sources, scratch):
    """The version that a build of these sources would have."""
    out = scratch / "version.cpp"
    subprocess.run(["cmake", f"-DROOT={sources}", "-DVERSION=0.1.0", f"-DOUT={out}", "-P",
                    str(sources / "tools/version.cmake")], check=True)
    return re.search(r'return "(.*)"', out.read_text())[1]


def tarball(scratch):
    """The tree without git."""
    tree = scratch / "tree"
    for folder in ("src", "studies", "tools"):
        shutil.copytree(ROOT / folder, tree / folder)
    shutil.copy(ROOT / "CMakeLists.txt", tree)
    return tree


def measured(banyan, file, folder):
    done = subprocess.run([banyan, "study", str(file), "--out", str(folder), "--no-report"], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    again = re.search(r"banyan: (\d+) of the (\d+) stored points have other inputs", done.stderr)
    return int(re.search(r"(\d+) of them measured now", done.stdout)[1]), again and again.groups()


def versions_in(folder):
    with sqlite3.connect(folder / "results.sqlite") as db:
        return {text for text, in db.execute("SELECT DISTINCT version FROM rows")}


def main():
    banyan = sys.argv[1]
    version = subprocess.check_output([banyan, "--version"], text=True).strip()
    number, sources = re.fullmatch(r"(\d+\.\d+\.\d+)\+([0-9a-f]{12})", version).groups()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        tree = tarball(scratch)
        assert version_of(tree, scratch) == version, "a tarball of the same sources has another version"
        (tree / "src/README").write_text("no source")
        assert version_of(tree, scratch) == version, "what is not compiled changes the version"
        with open(tree / "src/verify/judge.cpp", "a") as changed:
            changed.write("\n")
        assert version_of(tree, scratch) != version, "a changed source leaves the version as it was"

        # A program of other sources.
        other = scratch / "other"
        code = Path(banyan).read_bytes()
        assert code.count(version.encode()) == 1
        other.write_bytes(code.replace(version.encode(), f"{number}+{sources[::-1]}".encode()))
        other.chmod(0o755)
        file, folder = scratch / "study.toml", scratch / "results"
        file.write_text(STUDY)
        assert measured(banyan, file, folder) == (2, None)
        assert measured(banyan, file, folder) == (0, None)
        assert versions_in(folder) == {version}
        assert measured(other, file, folder) == (2, ("2", "2")), "results of another build were taken for its own"
        assert versions_in(folder) == {f"{number}+{sources[::-1]}"}
        print(f"{version}, and five variations of it")


if __name__ == "__main__":
    main()
