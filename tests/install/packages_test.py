#!/usr/bin/env python3
"""The Debian packages: built by one command, unpacked into an empty tree, and used from there; and the other recipes, as far as
their linters are to be had in Debian. tools/bare-debian-packages, another test, installs them with apt in a bare Debian.
Usage: packages_test.py SOURCE"""
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import yaml

from checks import expect, run

source = Path(sys.argv[1]).resolve()


def deb(work):
    built = [Path(line) for line in run(source / "packaging/build-deb", work / "packages").split()]
    names = {path.name.split("_")[0] for path in built}
    expect({"banyan", "libbanyan0", "libbanyan-dev", "python3-banyan"} <= names, names)
    tree = work / "tree"
    needed = set()
    for path in built:
        fields = {key: run("dpkg-deb", "-f", path, key).strip() for key in ("Depends", "Description", "Version", "Architecture")}
        expect(all(fields.values()), f"{path.name}: {fields}")
        needed |= set(re.findall(r"(?:^|, )([a-z0-9.+-]+)", fields["Depends"]))
        run("dpkg-deb", "-x", path, tree)
    expect("prerm" in run("dpkg-deb", "--ctrl-tarfile", *[p for p in built if p.name.startswith("python3")], encoding="latin-1"), "prerm")
    found = run("dpkg-query", "-W", "-f", "${Package}\\n", *sorted(needed - names), "dpkg").split()
    expect(needed - names <= set(found), f"packages that they need and that there are not: {needed - names - set(found)}")
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tree / "usr/lib/python3/dist-packages"), "HOME": str(work)}
    said = json.loads(run(tree / "usr/bin/banyan", "check", "4-ary 3-tree", "--json", env=env, cwd=work))
    expect(said["yes"], "the unpacked program")
    run("/usr/bin/python3", "-B", "-c", "import banyan as bn; assert bn.check(bn.route(bn.fabric('4-ary 2-tree'))).ok", env=env, cwd=work)
    for file in ("usr/lib/systemd/system/banyan-serve.service", "usr/share/man/man1/banyan-serve.1.gz", "usr/share/fish/vendor_completions.d/banyan.fish",
                 "usr/lib/libbanyan.so.0", "usr/include/banyan/banyan.h"):
        expect((tree / file).exists(), file)
    # There is no mailbox of the authors to name.
    run("lintian", "--no-cfg", "--fail-on", "error", "--suppress-tags",
        "bogus-mail-host,bogus-mail-host-in-debian-changelog", *built)
    return sorted(names)


def service():
    """Nothing that systemd finds wrong, and little that a service of this kind could do."""
    file = source / "packaging/banyan-serve.service"
    said = run("systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20", file)
    return "exposure " + re.search(r"Overall exposure level for .*: ([0-9.]+)", said)[1]


def spack_style(recipe):
    """The tools that `spack style` runs, with its settings: a line of 99, and names that come from a star."""
    compile(recipe.read_text(), "package.py", "exec")
    run("black", "--check", "--line-length=99", recipe)
    run("isort", "--check", "--profile=black", "--line-length=99", recipe)
    run("flake8", "--isolated", "--max-line-length=99", "--extend-ignore=F403,F405,F821", recipe)


def recipes():
    """What reads them here; the rest is only parsed."""
    spack_style(source / "packaging/spack/package.py")
    expect("FROM" in (source / "packaging/Containerfile").read_text(), "Containerfile")
    parsed = run("rpmspec", "-P", source / "packaging/banyan.spec", env={**os.environ, "HOME": "/nonexistent"})
    expect("%files" in parsed, "the spec")
    text = (source / "packaging/conda/meta.yaml").read_text()
    recipe = yaml.safe_load(re.sub(r"\{\{.*?\}\}", "rendered", re.sub(r"\{%.*?%\}", "", text)))
    expect({"package", "source", "build", "requirements", "test", "about"} <= set(recipe), recipe)
    said = run("rpmlint", "--rpmlintrc", source / "packaging/banyan.rpmlintrc", source / "packaging/banyan.spec")
    expect("0 errors, 0 warnings" in said, said)
    return "rpmlint finds nothing in the spec"


with tempfile.TemporaryDirectory() as folder:
    print(deb(Path(folder)), service(), recipes(), sep="; ")
