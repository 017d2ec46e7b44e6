#!/usr/bin/env python3
"""The layer test finds every kind of violation, and nothing in a tree that has none."""
import tempfile
import unittest
from pathlib import Path

import layers

GOOD = {
    "base/types.hpp": "#include <cstdint>\n",
    "fabric/fabric.hpp": '#include "base/types.hpp"\n#include <vector>\n',
    "fabric/fabric.cpp": '#include "fabric/fabric.hpp"\n#include <nlohmann/json.hpp>\n',
    "topology/shape.hpp": '#include "fabric/fabric.hpp"\n',
    "routing/routing.hpp": '#include "topology/shape.hpp"\n',
    "engines/dmodk.hpp": '#include "routing/routing.hpp"\n',
    "traffic/shift.hpp": '#include "topology/shape.hpp"\n',
    "flow/load.cpp": '#include "traffic/shift.hpp"\n#include "routing/routing.hpp"\n',
    "flit/clock.cpp": '#include "traffic/shift.hpp"\n',
    "verify/judge.hpp": '#include "routing/routing.hpp"\n',
    "formats/dot.cpp": '#include <expat.h>\n#include "topology/shape.hpp"\n',
    "study/sweep.cpp": '#include <mpi.h>\n#include "engines/dmodk.hpp"\n#include "verify/judge.hpp"\n',
    "cli/main.cpp": '#include <CLI/CLI.hpp>\n#include "verify/judge.hpp"\n',
}


class Layers(unittest.TestCase):
    def violations(self, **planted):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **planted}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return layers.check(Path(folder))

    def assert_found(self, name, line, text):
        found = self.violations(**{name: line + "\n"})
        self.assertEqual(len(found), 1, found)
        self.assertIn(name, found[0])
        self.assertIn(text, found[0])

    def test_a_clean_tree_is_clean(self):
        self.assertEqual(self.violations(), [])

    def test_upward_include(self):
        self.assert_found("base/up.cpp", '#include "fabric/fabric.hpp"', "must not include fabric/")
        self.assert_found("fabric/up.hpp", '  #  include "cli/../topology/shape.hpp"', "must not include cli/")

    def test_subfolders_that_include_each_other(self):
        found = self.violations(**{
            "flit/rails/policy.hpp": '#include "flit/clock.hpp"\n',
            "flit/clock.hpp": '#include "flit/rails/policy.hpp"\n',
        })
        self.assertEqual(len(found), 1, found)
        self.assertIn("flit/ includes flit/rails/ (flit/clock.hpp:1)", found[0])
        self.assertIn("flit/rails/ includes flit/ (flit/rails/policy.hpp:1)", found[0])
        self.assertEqual(self.violations(**{"flit/rails/policy.hpp": '#include "flit/clock.hpp"\n', "flit/clock.hpp": "\n"}), [])

    def test_siblings(self):
        self.assert_found("verify/x.cpp", '#include "engines/dmodk.hpp"', "must not include engines/")
        self.assert_found("engines/x.cpp", '#include "verify/judge.hpp"', "must not include verify/")
        self.assert_found("formats/x.cpp", '#include "traffic/shift.hpp"', "must not include traffic/")
        self.assert_found("traffic/x.cpp", '#include "engines/dmodk.hpp"', "must not include engines/")

    def test_unclear_includes(self):
        self.assert_found("fabric/x.cpp", '#include "fabric.hpp"', "write \"folder/file.hpp\"")
        self.assert_found("fabric/x.cpp", "#include <base/types.hpp>", "is ours")
        self.assert_found("fabric/x.cpp", '#include "base/absent.hpp"', "does not exist")

    def test_unknown_folder(self):
        self.assert_found("misc/x.cpp", "", "in none of the folders")
        self.assert_found("x.cpp", "", "in none of the folders")

    def test_headers_of_others(self):
        self.assert_found("formats/x.hpp", "#include <nlohmann/json.hpp>", "too slow")
        self.assert_found("flit/x.cpp", "#include <mpi.h>", "MPI")

    def test_cli11_in_one_file_of_cli(self):
        found = self.violations(**{"cli/second.cpp": "#include <CLI/CLI.hpp>\n"})
        self.assertEqual(len(found), 2, found)
        self.assertTrue(any("CLI11 belongs to src/cli" in line for line in
                            self.violations(**{"report/x.cpp": "#include <CLI/App.hpp>\n"})))


if __name__ == "__main__":
    unittest.main()
