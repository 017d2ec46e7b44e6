#!/usr/bin/env python3
"""The test of type names finds every kind of second definition, and nothing where names are apart."""
import tempfile
import unittest
from pathlib import Path

import one_definition


class OneDefinition(unittest.TestCase):
    def found(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name.replace("__", "/") + ".hpp")
                path.parent.mkdir(parents=True, exist_ok=True)
                space = path.relative_to(folder).parts[0]
                path.write_text(f"namespace banyan::{space} {{\n{text}\n}}  // namespace banyan::{space}\n")
            return one_definition.check(Path(folder))

    def test_kinds_of_types(self):
        for text in (
            "struct Thing {\n};",
            "class Thing final : public Base {\n};",
            "template <class T> class Thing {\n};",
            "template <class T>\nstruct Thing {\n};",
            "enum class Thing : u8 { one, two };",
            "enum Thing { one, two };",
            "struct Thing { int x; };",
            "using Thing = std::vector<int>;",
        ):
            with self.subTest(text):
                self.assertEqual(len(self.found(fabric__a="struct Thing {\n};", fabric__b=text)), 1)
                self.assertEqual(len(self.found(fabric__a="struct Thing {\n};", cli__b=text)), 1)

    def test_what_is_no_second_definition(self):
        for text in ("struct Thing;", "enum class Thing : u8;", "struct Other {\n  struct Thing {};\n};"):
            self.assertEqual(self.found(fabric__a="struct Thing {\n};", fabric__b=text), [])

    def test_siblings_and_subfolders(self):
        self.assertEqual(self.found(verify__a="struct Thing {\n};", engines__b="struct Thing {\n};"), [])
        self.assertEqual(len(self.found(flit__a="struct Thing {\n};", flit__rails__b="struct Thing {\n};")), 1)

    def test_types_of_one_file(self):
        local = "namespace {\nstruct Thing {\n};\n}  // namespace"
        self.assertEqual(self.found(fabric__a=local, cli__b="struct Thing {\n};"), [])
        self.assertEqual(len(self.found(fabric__a=local, fabric__b=local)), 1)


if __name__ == "__main__":
    unittest.main()
