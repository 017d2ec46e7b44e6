#!/usr/bin/env python3
"""The test of draws finds two of them in an order that is left open, and nothing else."""
import unittest

import draws


class Draws(unittest.TestCase):
    def test_arguments(self):
        self.assertEqual(draws.faults("x;\nt = broken(t, draw(0, 10), draw(0, 1000));"), [2])
        self.assertEqual(draws.faults("build(random_pgft(), draw(1, 2));"), [1])
        self.assertEqual(draws.faults("f(Host{draw(0, 1)}, draw(0, 2));"), [1])
        self.assertEqual(draws.faults("std::ldexp(random.unit(), -int(random.below(random.below(2))));"), [1])
        self.assertEqual(draws.faults("t = broken(t, u32(random_.below(15)), random_());"), [1])
        self.assertEqual(draws.faults("send(Rank{u32(draw.below(9))}, draw.unit());"), [1])

    def test_operands(self):
        self.assertEqual(draws.faults("const u32 a = draw(0, 1) * draw(0, 30);"), [1])
        self.assertEqual(draws.faults("return (u64{draw(0, 9)} << 30) + draw(0, 9);"), [1])
        self.assertEqual(draws.faults("s = std::to_string(draw(1, 6)) + std::to_string(draw(1, 6));"), [1])

    def test_what_is_in_order(self):
        for text in (
            "const u32 a = draw(0, 1), b = draw(0, a);",
            "const Shape shape{draw(1, 2), draw(1, 3)};",
            "draw(0, 2) == 0 ? 0 : draw(1, 12);",
            "if (draw(0, 1) == 0) resize(draw(1, 9));",
            "draw(1, 1u << draw(2, 12));",
            "random.below(random.below(2) * 50 + 1);",
            "degraded(whole, share, random, random.below(2) == 0);",
            "run(3, [&] { draw(1, 2); draw(1, 2); });",
            "// draw(1, 2) * draw(1, 2)",
        ):
            self.assertEqual(draws.faults(text), [], text)


if __name__ == "__main__":
    unittest.main()
