#!/usr/bin/env python3
"""The collectives send what Open MPI sends: the same messages, of the same size, between the same ranks, for every
algorithm and for the choice among them, as recorded by Open MPI's monitoring component.

Usage: collectives_test.py BANYAN"""
import collections
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
BANYAN = Path(sys.argv.pop(1)).resolve()
RANKS = [3, 4, 6, 8, 13, 16]
MPIRUN = ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "--mca", "btl", "self,vader",
          "--mca", "pml", "^ucx", "--mca", "coll", "^sm,han,adapt,sync", "--mca", "coll_tuned_use_dynamic_rules", "1",
          "--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3"]

# Open MPI's name of a collective: ours, and our names of its algorithms by number.
ALGORITHMS = {
    "barrier": ("barrier", {1: "linear", 2: "double-ring", 3: "recursive-doubling", 4: "bruck", 6: "tree"}),
    "bcast": ("broadcast", {1: "linear", 2: "chain", 3: "pipeline", 4: "split-binary", 5: "binary", 6: "binomial",
                            7: "k-nomial", 8: "scatter-allgather", 9: "scatter-allgather-ring"}),
    "reduce": ("reduce", {1: "linear", 2: "chain", 3: "pipeline", 4: "binary", 5: "binomial", 6: "in-order-binary",
                          7: "rabenseifner"}),
    "allreduce": ("allreduce", {1: "linear", 2: "non-overlapping", 3: "recursive-doubling", 4: "ring",
                                5: "segmented-ring", 6: "rabenseifner"}),
    "reduce_scatter": ("reduce-scatter", {1: "non-overlapping", 2: "recursive-halving", 3: "ring", 4: "butterfly"}),
    "gather": ("gather", {1: "linear", 2: "binomial", 3: "linear-sync"}),
    "scatter": ("scatter", {1: "linear", 2: "binomial", 3: "linear"}),
    "allgather": ("allgather", {1: "linear", 2: "bruck", 3: "recursive-doubling", 4: "ring",
                                5: "neighbour-exchange"}),
    "alltoall": ("alltoall", {1: "linear", 2: "pairwise", 3: "bruck", 4: "linear"}),
}
OPTIONS = {"broadcast": "bytes segment chains root", "reduce": "bytes segment chains element root",
           "allreduce": "bytes segment element", "reduce-scatter": "bytes element", "gather": "bytes segment root",
           "scatter": "bytes root", "allgather": "bytes", "alltoall": "bytes", "barrier": ""}
FORCED_SIZES = [8, 1000, 4104]
AUTO_SIZES = [1, 20, 100, 700, 3000, 6000, 20000, 100000, 300000, 1200000]

Case = collections.namedtuple("Case", "collective number segment chains bytes element root")


def cases_for(ranks):
    """What the rules choose; then every algorithm with several sizes, the other options taken in turn."""
    turns = {key: itertools.cycle(values) for key, values in
             {"segment": [0, 64, 1000, 100], "chains": [4, 2, 3], "element": [1, 4, 8, 1, 4, 8, 8],
              "root": [0, ranks - 1, 1]}.items()}
    for collective, (ours, algorithms) in ALGORITHMS.items():
        options = OPTIONS[ours].split()
        draw = lambda key: next(turns[key]) if key in options else 1 if key == "element" else 0
        for size in AUTO_SIZES if "bytes" in options else [0]:
            yield Case(collective, 0, 0, 0, size, 1, draw("root"))
        for number in algorithms:
            segment, chains = draw("segment"), draw("chains")
            for size in FORCED_SIZES if "bytes" in options else [0]:
                yield Case(collective, number, segment, chains, size, draw("element"), draw("root"))


def messages_of_open_mpi(program, folder, ranks, cases):
    """For each case a Counter of (from, to, bytes)."""
    listed, out = Path(folder, "cases"), Path(folder, "out")
    listed.write_text("".join(" ".join(map(str, case)) + "\n" for case in cases))
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TMPDIR=folder)
    subprocess.run([*MPIRUN, "-np", str(ranks), "--mca", "pml_monitoring_filename", Path(folder, "monitor"), program,
                    listed, out], check=True, env=environment, timeout=500)
    found = [collections.Counter() for _ in cases]
    for sender in range(ranks):
        totals = {}
        for line in Path(f"{out}.{sender}").read_text().splitlines():
            word = line.split()
            if word[0] == "total":
                totals[int(word[1])] = (int(word[2]), int(word[3]))
            else:
                found[int(word[0])][sender, int(word[1]), int(word[2])] += 1
        if not any(case.number for case in cases):  # setting parameters suppresses the component's file
            confirm(totals, Path(f"{folder}/monitor.{sender}.prof"))
    return found


def confirm(totals, profile):
    """The component's own sums, inside (I) and outside (E) of collectives, are those of the messages we saw."""
    sums = collections.Counter()
    for line in profile.read_text().splitlines():
        word = line.split()
        if word and word[0] in "EI":
            sums[int(word[2]), "messages"] += int(word[5])
            sums[int(word[2]), "bytes"] += int(word[3])
    ours = collections.Counter()
    for to, (count, size) in totals.items():
        ours[to, "messages"], ours[to, "bytes"] = count, size
    if +sums != +ours:
        raise AssertionError(f"{profile}: the component has {+sums}, we saw {+ours}")


def our_pattern(case):
    ours, algorithms = ALGORITHMS[case.collective]
    options = [f"{key}={getattr(case, key)}" for key in OPTIONS[ours].split()
               if case.number or key not in ("segment", "chains")]
    if case.number:
        options.append(f"algorithm={algorithms[case.number]}")
    return ":".join([ours, ",".join(options)]) if options else ours


def our_messages(case, ranks):
    done = subprocess.run([BANYAN, "patterns", our_pattern(case), "--ranks", str(ranks), "--json"], check=True,
                          capture_output=True)
    rounds = json.loads(done.stdout)["rounds"]
    return collections.Counter(tuple(message) for messages in rounds for message in messages)


class Collectives(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan mpi ")
        cls.program = Path(cls.folder, "record")
        subprocess.run(["mpicc", "-O1", "-Wall", "-Werror", "-rdynamic", HERE / "record.c", "-o", cls.program, "-ldl"],
                       check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_every_message_is_seen(self):
        cases = [case for case in cases_for(5) if not case.number and case.bytes < 5000]
        self.assertTrue(any(messages_of_open_mpi(self.program, self.folder, 5, cases)))
        self.profiles_are_read(5)

    def profiles_are_read(self, ranks):
        """What the component wrote, as traffic: the bytes between any two ranks are those of the messages we saw."""
        profile = Path(self.folder, "app.prof")
        profile.write_text("".join(Path(self.folder, f"monitor.{r}.prof").read_text() for r in range(ranks)))
        seen = collections.Counter()
        for sender in range(ranks):
            for line in Path(self.folder, f"out.{sender}").read_text().splitlines():
                word = line.split()
                if word[0] == "total":
                    seen[sender, int(word[1])] += int(word[3])
        done = subprocess.run([BANYAN, "patterns", f"demand:{profile}", "--ranks", str(ranks), "--json"], check=True,
                              capture_output=True)
        read = collections.Counter()
        for messages in json.loads(done.stdout)["rounds"]:
            for sender, to, size in messages:
                read[sender, to] += size
        self.assertGreater(sum(read.values()), 10000)
        self.assertEqual(+read, +seen)

    def test_the_same_messages(self):
        compared = sent = 0
        for ranks in RANKS:
            cases = list(cases_for(ranks))
            for case, theirs in zip(cases, messages_of_open_mpi(self.program, self.folder, ranks, cases)):
                ours = our_messages(case, ranks)
                compared, sent = compared + 1, sent + sum(theirs.values())
                with self.subTest(ranks=ranks, pattern=our_pattern(case)):
                    self.assertTrue(theirs, "Open MPI sent nothing")
                    self.assertEqual(ours, theirs)
        print(f"{compared} cases, {sent} messages")


if __name__ == "__main__":
    unittest.main()
