#!/usr/bin/env python3
"""The clock test finds a clock that is read beside another call, and nothing else."""
import tempfile
import unittest
from pathlib import Path

import clocks


class Clocks(unittest.TestCase):
    def test_the_fault_that_was_there(self):
        self.assertEqual(clocks.faults("void f() {\n  finish(*point, measure(point),\n         seconds_now() - start);\n}\n"), [2])

    def test_any_clock_and_any_place(self):
        self.assertEqual(clocks.faults("store(Steady::now(), measure<int>(x));"), [1])
        self.assertEqual(clocks.faults("store(std::clock() - start, run());"), [1])
        self.assertEqual(clocks.faults("store(seconds_now(), seconds_now());"), [1])
        self.assertEqual(clocks.faults("outer(1, store(seconds_now() - begin, at.measure(1)));"), [1])

    def test_what_is_in_order(self):
        for text in (
            "const double begin = seconds_now();\nfinish(measure(point), taken);",
            "store(seconds_now() - start, rows, 3);",
            "store(static_cast<double>(std::clock() - start), rows);",
            "store(std::move(rows), seconds_now());",
            "times.push_back({measure(point), seconds_now()});",  # braces are evaluated from left to right
            "run([&] { measure(); }, seconds_now());",
            "run(measure(), [&] { return seconds_now(); });",
            "// finish(measure(), seconds_now());\n",
            'say("finish(measure(), seconds_now())");',
            "if (Clock::now() > deadline && is_done()) stop();",
        ):
            self.assertEqual(clocks.faults(text), [], text)

    def test_names_file_and_line(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "run.cpp").write_text("\nvoid f() { finish(measure(), seconds_now()); }\n", encoding="utf-8")
            self.assertEqual([text.split(": ")[0] for text in clocks.check(Path(folder))], ["run.cpp:2"])


if __name__ == "__main__":
    unittest.main()
