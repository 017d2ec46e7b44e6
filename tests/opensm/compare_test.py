#!/usr/bin/env python3
"""Damaged fabrics, drawn anew: OpenSM's engines beside ours, and three judges of the same tables. Usage: compare_test.py BANYAN

The seed is that of RC_PARAMS (seed=N), which ./test --explore sets; then more fabrics are drawn.
"""
import json
import math
import os
import random
import re
import sys
import unittest

from opensm import Ibsim, Scratch, banyan, ibdmchk, opensm, require, table
from walk import Subnet, walk

PROGRAM = sys.argv[1]
GIVEN = re.search(r"seed=(\d+)", os.environ.get("RC_PARAMS", ""))
SEED, FABRICS = (int(GIVEN[1]), 12) if GIVEN else (20080601, 4)


def draw(dice):
    small = dice.choice
    return small([
        lambda: f"PGFT(2; {small((3, 4))},{small((3, 4))}; 1,{small((2, 3))}; 1,{small((1, 2))})",
        lambda: f"PGFT(3; {small((2, 3))},3,{small((2, 3))}; 1,{small((2, 3))},2; 1,1,{small((1, 2))})",
        lambda: f"HyperX({small((3, 4))}x{small((3, 4, 5))}; hosts={small((1, 2))})",
        lambda: f"Torus({small((3, 4, 5))}x{small((3, 4))}; hosts={small((1, 2))})",
        lambda: "Dragonfly(2,4,1)",
    ])()


class Damaged(unittest.TestCase):
    """OpenSM's engines and ours on each of the fabrics."""

    @classmethod
    def setUpClass(cls):
        dice = random.Random(SEED)
        cls.fabrics = [(draw(dice), f"links={dice.randint(1, 4)},seed={dice.randint(1, 10**6)}")
                       for _ in range(FABRICS)]

    def judge_theirs(self, engine, folder):
        """The most destinations on a channel; all three judges agree on OpenSM's tables."""
        with Ibsim(folder / "x.net") as sim:
            dump = opensm(sim, "-R", engine + ",no_fallback", "--nue_max_num_vls", "1")
            found = folder / "found.out"
            found.write_text(sim.run("ibnetdiscover"))
            for name in "opensm-subnet.lst", "guid2lid":
                (folder / name).write_text((sim.folder / name).read_text())
            walked = walk(Subnet(folder / "opensm-subnet.lst"), table(dump))
            ours = json.loads(banyan(PROGRAM, "check", found, "--tables", dump, "--lids", folder / "guid2lid", "--json",
                                     expect=0 if walked.lost == 0 and walked.acyclic else 1))
            self.assertEqual((ours["pairs"], ours["failing_pairs"], ours["deadlock_free"]),
                             (walked.pairs, walked.lost, walked.acyclic), engine)
            self.assertEqual(ibdmchk(sim.folder), (walked.lost == 0, walked.acyclic), engine)
        most = max(walked.destinations.values(), default=0)
        self.assertEqual(ours["max_destinations_per_channel"], most, engine)
        return most

    def judge_ours(self, engine, folder, one_lane):
        """The same for what we route on the fabric that OpenSM found, whose addresses it keeps."""
        out = folder / engine.split(":")[0]
        banyan(PROGRAM, "route", folder / "found.out", "--engine", engine, "--out", out)
        verdict = json.loads(banyan(PROGRAM, "check", folder / "found.out", "--engine", engine, "--json"))
        self.assertEqual((verdict["failing_pairs"], verdict["deadlock_free"]), (0, True), engine)
        walked = walk(Subnet(folder / "opensm-subnet.lst"), table(out / "lfts"))
        self.assertEqual((walked.pairs, walked.lost), (verdict["pairs"], 0), engine)
        if one_lane:
            self.assertTrue(walked.acyclic, engine)
        return max(walked.destinations.values(), default=0)

    def test_our_engines_beside_theirs(self):
        """No pair is lost and no promise broken; on the average no channel gathers more destinations than with OpenSM."""
        ratios = []
        for notation, fault in self.fabrics:
            with self.subTest(seed=SEED, fabric=notation, without=fault), Scratch() as folder:
                banyan(PROGRAM, "convert", notation, folder / "x.net", "--without", fault)
                for engine in "minhop", "sssp", "dfsssp":
                    self.judge_theirs(engine, folder)
                theirs = self.judge_theirs("nue", folder)
                ours = self.judge_ours("nue", folder, one_lane=True)
                self.judge_ours("updn", folder, one_lane=True)
                self.judge_ours("dfsssp", folder, one_lane=False)
                if theirs == 0:  # nothing connects the leaves any more
                    self.assertEqual(ours, 0)
                else:
                    ratios.append(math.log(ours / theirs))
        self.assertTrue(ratios, f"seed {SEED}: every fabric fell apart")
        self.assertLessEqual(sum(ratios) / len(ratios), math.log(1.1), f"seed {SEED}: {ratios}")


class Walker(unittest.TestCase):
    """The judge in this folder finds what is wrong."""

    def test_faults(self):
        with Scratch() as folder:
            banyan(PROGRAM, "convert", "4-ary 2-tree", folder / "x.net")
            with Ibsim(folder / "x.net") as sim:
                tables = table(opensm(sim, "-R", "minhop,no_fallback"))
                subnet = Subnet(sim.folder / "opensm-subnet.lst")
            good = walk(subnet, tables)
            self.assertEqual((good.pairs, good.lost, good.acyclic), (240, 0, True))
            lid, (leaf, _) = next(iter(subnet.hosts.items()))
            del tables[leaf][lid]
            self.assertEqual(walk(subnet, tables).lost, 15)


if __name__ == "__main__":
    require()
    unittest.main(argv=["compare_test.py"])
