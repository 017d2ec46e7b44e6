#!/usr/bin/env python3
"""An installed tree: what it holds, that nothing in it needs the checkout, and a project that is built against it.
Usage: install_test.py BUILD SOURCE"""
import json
import math
import os
import sys
import tempfile
from pathlib import Path

from checks import expect, run

build, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()


def holds(prefix):
    """The files that others look for."""
    expect(os.access(prefix / "bin/banyan", os.X_OK), "bin/banyan")
    for name in ("banyan.h", "banyan.hpp"):
        expect((prefix / "include/banyan" / name).is_file(), name)
    expect(list(prefix.glob("lib/**/BanyanConfig.cmake")), "BanyanConfig.cmake")
    expect(list(prefix.glob("lib/**/pkgconfig/banyan.pc")), "banyan.pc")
    for name in ("share/man/man1/banyan-load.1", "share/bash-completion/completions/banyan"):
        expect((prefix / name).is_file(), name)
    library = next(prefix.glob("lib/**/libbanyan.so.0"), None)
    expect(library and library.is_symlink(), "libbanyan.so.0, a link to the version")
    return library


def only_public(library):
    """The library's symbols are those that its header declares, all of them."""
    seen = {line.split()[-1].split("@")[0] for line in run("nm", "-D", "--defined-only", library).splitlines()}
    header = (source / "include/banyan/banyan.h").read_text()
    declared = {word.split("(")[0] for word in header.replace("*", " ").split() if word.startswith("banyan_") and "(" in word}
    declared = {name for name in declared if f"{name}(" in header and f"(*{name}" not in header and name != "banyan_network_advance()"}
    declared = {name.rstrip(",;") for name in declared}
    expect(seen == declared, f"symbols: only seen {sorted(seen - declared)}, only declared {sorted(declared - seen)}")


def needs_no_checkout(prefix, work):
    """The program answers from an empty folder with nothing around it, and no file names the checkout or the build."""
    alone = {"PATH": "/usr/bin:/bin", "HOME": str(work)}
    said = json.loads(run(prefix / "bin/banyan", "load", "4-ary 3-tree", "--engine", "dmodk", "--samples", "10", "--json",
                          cwd=work, env=alone))
    expect(said["max_load"] > 1, "the program's answer")
    run(prefix / "bin/banyan", "reproduce", "--help", cwd=work, env=alone)
    for file in prefix.rglob("*"):
        if file.is_file() and not file.is_symlink():
            content = file.read_bytes()
            for path in (build, source):
                expect(str(path).encode() not in content, f"{file.relative_to(prefix)} names {path}")
    return said


def python(prefix, work):
    """The installed module gives the program's number."""
    code = ("import banyan as bn; r = bn.route(bn.fabric('4-ary 3-tree'), 'dmodk'); "
            "print(bn.load(r, 'permutation', samples=1000, seed=1).max_load, bn.__file__)")
    said, file = run("/usr/bin/python3", "-B", "-c", code, cwd=work,
                     env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(prefix / "lib/python3/dist-packages")}).split()
    expect(file.startswith(str(prefix)), file)
    return float(said)


def under_mpirun(prefix, work):
    """The installed program finds its part for several processes, and answers as alone."""
    sys.path.insert(0, str(source / "tests/mpi"))
    from job import environment, mpirun

    command = [prefix / "bin/banyan", "simulate", "4-ary 2-tree", "--load", "0.2", "--cycles", "200", "--json"]
    expect(run(*mpirun(2), *command, env=environment(work)) == run(*command), "the same under mpirun")


def consumer(prefix, work):
    """A project outside, by find_package and by pkg-config."""
    at = {**os.environ, "CMAKE_PREFIX_PATH": str(prefix)}
    run("cmake", "-S", source / "tests/install/consumer", "-B", work / "consumer", "-G", "Ninja",
        f"-DEXAMPLES={source / 'examples/library'}", "-DCMAKE_BUILD_TYPE=Debug", env=at)
    run("cmake", "--build", work / "consumer")
    run(work / "consumer/interface")
    said = run(work / "consumer/load", cwd=work)
    expect("right: yes" in said and "64 hosts, 48 switches" in said, said)
    # A message visits 64 hosts one after the other: each hop is its bytes over the link, and a delay for each switch.
    expect(run(work / "consumer/ring").startswith("back after 0.0013"), "ring")
    # 30 steps of a microsecond of computing and of 2^20 bytes at 50 GB/s, told in whole nanoseconds; or of one and of 40 of waiting.
    expect(run(work / "consumer/astra") == f"{30 * (1000 + math.ceil(2**20 / 50))} ns\n{30 * (1000 + 40000)} ns\n", "astra")
    if not any((Path(folder) / "pkg-config").exists() for folder in os.environ["PATH"].split(":")):
        return said
    pc = {**os.environ, "PKG_CONFIG_PATH": str(next(prefix.glob("lib/**/pkgconfig")))}
    flags = run("pkg-config", "--cflags", "--libs", "banyan", env=pc).split()
    expect(f"-I{prefix}/include" in " ".join(os.path.normpath(f) if f[0] != "-" else f[:2] + os.path.normpath(f[2:]) for f in flags), flags)
    return said


def header_examples(prefix, work):
    """What the headers show in their first comment, as the body of a program: it compiles and prints the program's number."""
    library = next(prefix.glob("lib/**/libbanyan.so")).parent
    said = []
    for header, mark, language, standard, included in (
        ("banyan.h", " *   ", "c", "c11", "#include <stdio.h>"),
        ("banyan.hpp", "//   ", "cpp", "c++17", "#include <iostream>"),
    ):
        first = (prefix / "include/banyan" / header).read_text().split("#ifndef")[0].splitlines()
        body = "\n".join(line.removeprefix(mark).removesuffix(" */") for line in first if line.startswith(mark))
        expect(body.count(";") > 3, f"{header} has an example")
        source_file, program = work / f"example.{language}", work / f"example_{language}"
        source_file.write_text(f"#include <banyan/{header}>\n{included}\nint main() {{\n{body}\nreturn 0;\n}}\n")
        run("c++" if language == "cpp" else "cc", f"-std={standard}", "-Wall", "-Wextra", "-Werror", f"-I{prefix}/include", source_file,
            "-o", program, f"-L{library}", "-lbanyan", f"-Wl,-rpath,{library}")
        said.append(float(run(program)))
    return said


def readme():
    expect((source / "examples/library/load.cpp").read_text() in (source / "README.md").read_text(), "README.md shows load.cpp")


def main():
    readme()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prefix = work / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        library = holds(prefix)
        only_public(library)
        answer = needs_no_checkout(prefix, work)
        said = consumer(prefix, work)
        if (prefix / "lib/banyan/libbanyan_mpi.so").exists():
            under_mpirun(prefix, work)
        exact = json.loads(run(prefix / "bin/banyan", "load", "4-ary 3-tree", "--engine", "dmodk", "--samples", "1000", "--json"))
        expect(f"max_load {exact['max_load']:.6g} " in said, f"the same number as the program: {said}")
        expect(header_examples(prefix, work) == [float(f"{exact['max_load']:.6g}")] * 2, "the headers' examples print the same")
        if (prefix / "lib/python3").exists():
            expect(python(prefix, work) == exact["max_load"], "the same number in Python")
        print(f"{len([f for f in prefix.rglob('*') if f.is_file()])} files, version {answer['version']}")


main()
