#!/usr/bin/env python3
"""The header test finds a header without a contract, and one that leans on what others include; it compiles only what has
changed."""
import tempfile
import unittest
from pathlib import Path

import headers

GOOD = {
    "base/types.hpp": "#pragma once\nusing u32 = unsigned;\n",
    "base/use.hpp": '#pragma once\n#include "base/types.hpp"\ninline u32 three() { return 3; }\n',
}


class Headers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.src = Path(folder.name)
        (self.src / "base").mkdir()
        for name, text in GOOD.items():
            (self.src / name).write_text(text)
        self.passed = {}

    def test_a_clean_tree_is_clean(self):
        self.assertEqual(headers.check(self.src, self.passed), [])
        self.assertEqual(sorted(self.passed), sorted(GOOD))

    def test_a_header_that_includes_too_little(self):
        (self.src / "base/bad.hpp").write_text("#pragma once\ninline u32 four() { return 4; }\n")
        found = headers.check(self.src, self.passed)
        self.assertEqual(len(found), 1, found)
        self.assertIn("base/bad.hpp: ", found[0])
        self.assertIn("u32", found[0])
        self.assertNotIn("base/bad.hpp", self.passed)

    def test_a_header_without_a_contract(self):
        (self.src / "base/good.hpp").write_text("// What it is for.\n#pragma once\n")
        found = headers.without_contract(self.src)
        self.assertEqual([line.split(":")[0] for line in found], sorted(GOOD))

    def test_a_change_below_is_seen(self):
        headers.check(self.src, self.passed)
        (self.src / "base/types.hpp").write_text("#pragma once\n")
        self.assertIn("base/use.hpp: ", "\n".join(headers.check(self.src, self.passed)))

    def test_what_passed_is_not_compiled_again(self):
        headers.check(self.src, self.passed)
        compiler, headers.COMPILER = headers.COMPILER, ["false"]
        self.addCleanup(setattr, headers, "COMPILER", compiler)
        self.assertEqual(headers.check(self.src, self.passed), [])


if __name__ == "__main__":
    unittest.main()
