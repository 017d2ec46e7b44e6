#!/usr/bin/env python3
"""Killed at every call that changes files, and with every such call failing in turn. Usage: faults_test.py BANYAN

After each, a folder of tables holds the old set or the new one, whole; a file is the old one or the new one; and a
study goes on to the rows it would have had. What is left over goes with the next run.
"""
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from full_device import full_device  # noqa: E402

SOURCE = Path(__file__).resolve().parent / "faults.c"
FABRIC = "HyperX(3x3; hosts=2)"
STUDY = 'fabrics = ["4-ary 2-tree", "2-ary 3-tree"]\nengines = "updn"\n[describe]\n[verdict]\n'
MOST_CALLS = 2000


class Faults:
    """Runs commands with a fault at one call after another."""

    def __init__(self, scratch):
        self.library = scratch / "faults.so"
        self.counts = {"kill": 0, "fail": 0}
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, SOURCE], check=True)

    def run(self, command, fault, at, folder=None):
        """The exit status, and whether the fault came before the end."""
        environment = os.environ | {"LD_PRELOAD": str(self.library), "BANYAN_FAULT": fault, "BANYAN_FAULT_AT": str(at)}
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=120)
        assert done.returncode >= 0 or (fault == "kill" and done.returncode == -signal.SIGKILL), done.stderr
        return done.returncode

    def each(self, command, fault, before, after, folder=None):
        """Until a run is not reached by the fault any more. A fault that nobody noticed ends as a run without one."""
        harmless = 0
        for at in range(1, MOST_CALLS):
            before()
            status = self.run(command, fault, at, folder)
            harmless = harmless + 1 if status == 0 else 0
            after(status, f"{fault} at call {at}")
            if harmless == 12:
                return
            self.counts[fault] += status != 0
        raise AssertionError("a run without a fault never came")


def content(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def tables(banyan, faults, scratch):
    """route --out over a live folder, in which OpenSM keeps a file of its own."""
    live, other = scratch / "live", scratch / "other"
    route = lambda engine, folder: [banyan, "route", FABRIC, "--engine", engine, "--out", str(folder)]
    quietly = lambda command: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def set_of(engine):
        quietly(route(engine, live))
        return content(live)

    quietly(route("updn", live))
    (live / "neighbors").write_text("of OpenSM\n")
    sets = {"new": set_of("dfsssp"), "old": set_of("updn")}
    assert sets["old"].keys() != sets["new"].keys(), "one of them has lanes"
    assert all(files["neighbors"] == b"of OpenSM\n" for files in sets.values())

    def before():
        if content(live) != sets["old"]:
            quietly(route("updn", live))

    def after(status, where):
        found = content(live)
        assert found in sets.values(), f"{where}: a mixture of two sets"
        assert status != 0 or found == sets["new"], f"{where}: it said that it had written"

    for fault in ("kill", "fail"):
        faults.each(route("dfsssp", live), fault, before, after)
    quietly(route("dfsssp", live))
    left = [path.name for path in scratch.iterdir() if path.name.endswith(".tmp")]
    assert not left, f"left over: {left}"
    # Another folder, one that is made, a link to one, and those that are refused.
    (scratch / "link").symlink_to(live)
    quietly(route("updn", scratch / "link"))
    assert (live / "lfts").read_bytes() == sets["old"]["lfts"] and (scratch / "link").is_symlink()
    quietly(route("updn", live))
    (other / "inner").mkdir(parents=True)
    for folder, cwd in ((other, scratch), (Path("."), live)):
        done = subprocess.run(route("updn", folder), cwd=cwd, capture_output=True, text=True)
        assert done.returncode == 2 and "replaced" in done.stderr, done.stderr
    assert content(live) == sets["old"] and (other / "inner").is_dir()


def files(banyan, faults, scratch):
    """One file over another."""
    folder = scratch / "files"
    folder.mkdir()
    target = folder / "fabric.json"
    write = lambda fabric: [banyan, "convert", fabric, str(target)]
    subprocess.run(write("4-ary 2-tree"), check=True)
    old = target.read_bytes()
    subprocess.run(write("2-ary 3-tree"), check=True)
    new = target.read_bytes()

    def before():
        target.write_bytes(old)
        target.chmod(0o600)

    def after(status, where):
        assert target.read_bytes() in (old, new), f"{where}: neither the old file nor the new one"
        assert status != 0 or target.read_bytes() == new, f"{where}: it said that it had written"
        assert target.stat().st_mode & 0o777 == 0o600, f"{where}: others may read it now"

    for fault in ("kill", "fail"):
        faults.each(write("2-ary 3-tree"), fault, before, after)
    subprocess.run(write("2-ary 3-tree"), check=True)
    assert [path.name for path in folder.iterdir()] == ["fabric.json"], "left over"
    # A link where a temporary file might have been is not followed: its name cannot be known.
    victim = scratch / "victim"
    victim.write_text("safe")
    for name in range(os.getpid(), os.getpid() + 400):
        (folder / f".fabric.json.{name}.tmp").symlink_to(victim)
    subprocess.run(write("2-ary 3-tree"), check=True)
    assert victim.read_text() == "safe"


def outputs(banyan, faults, scratch):
    """Every other verb that writes, each write failing in turn: status 0 means that all was written."""
    folder = scratch / "outputs"
    folder.mkdir()
    device = full_device(scratch)
    tree = "2-ary 2-tree"
    commands = [["load", tree, "--traffic", "shift:1", "--out", "loads"],
                ["demands", tree, "--job", "traffic=ring", "--out", "demands.txt"],
                ["check", tree, "--engine", "minhop", "--certificate", "proof.json"],
                ["study", str(scratch / "study.toml"), "--out", "store", "--threads", "1", "--csv", "rows.csv"],
                ["describe", tree], ["describe", tree, "--json"], ["describe", tree, "--csv"], ["draw", tree, "--json"],
                ["path", tree, "h0", "h3"], ["fail", tree, "--without", "link=s1-0:3", "--samples", "2"],
                ["diff", tree, tree], ["convert", tree, "-", "--format", "dot"], ["patterns", "ring", "--ranks", "3"]]
    for arguments in commands:
        command = [banyan, *arguments]
        if arguments[0] != "demands":  # which says nothing
            with open(device, "wb") as full:
                done = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, timeout=120)
            assert done.returncode == 2 and b"standard output" in done.stderr, f"{arguments} into a full disk: {done}"
        if "--out" not in arguments and "--certificate" not in arguments:
            continue
        target = folder / arguments[arguments.index("--out" if "--out" in arguments else "--certificate") + 1]
        shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        compared = target if target.suffix else folder / "rows.csv" if arguments[0] == "study" else target / "loads.csv"
        wanted = compared.read_bytes()

        def before(target=target, compared=compared):
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
            compared.unlink(missing_ok=True)

        def after(status, where, arguments=arguments, compared=compared, wanted=wanted):
            assert status in (0, 1, 2), f"{arguments}, {where}: status {status}"
            assert status != 0 or compared.read_bytes() == wanted, f"{arguments}, {where}: it said that it had written"

        faults.each(command, "fail", before, after, folder)


def studies(banyan, faults, scratch):
    file = scratch / "study.toml"
    file.write_text(STUDY)
    command = lambda folder: [banyan, "study", str(file), "--out", str(folder), "--threads", "1", "--no-report"]

    def rows(folder):
        with sqlite3.connect(folder / "results.sqlite") as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            return db.execute("SELECT * FROM rows").fetchall()

    whole = scratch / "whole"
    subprocess.run(command(whole), check=True, stdout=subprocess.DEVNULL)
    wanted = rows(whole)
    for fault in ("kill", "fail"):
        for at in range(1, 100, 3):
            torn = scratch / f"torn-{fault}-{at}"
            faults.counts[fault] += faults.run(command(torn), fault, at) != 0
            subprocess.run(command(torn), check=True, stdout=subprocess.DEVNULL)
            assert rows(torn) == wanted, f"{fault} at call {at}: other rows"


def main():
    banyan = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch).resolve()
        faults = Faults(scratch)
        tables(banyan, faults, scratch)
        files(banyan, faults, scratch)
        studies(banyan, faults, scratch)
        outputs(banyan, faults, scratch)
        print(f"{faults.counts['kill']} kills, {faults.counts['fail']} faults injected")


if __name__ == "__main__":
    main()
