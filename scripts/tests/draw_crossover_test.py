#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# draw-crossover: what it draws of the fixed run, whose winners are known, and a run from journal to file.
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts" / "draw-crossover"
GOLDEN = ROOT / "results" / "tests" / "golden"
JOURNAL = GOLDEN / "journal.approved.jsonl"  # every 20th point: none has a contender
BUILD = pathlib.Path(os.environ.get("ASSAY_BIN_DIR", ROOT / "build" / "bin")).parent
MODULES = BUILD / "results" / "report" / "node_modules"
SVG = "{http://www.w3.org/2000/svg}"


def draw(*words):
    return subprocess.run([SCRIPT, "--build", BUILD, *words], capture_output=True, text=True)


class DrawCrossover(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = pathlib.Path(self.folder.name, "crossover.svg")

    def texts(self):
        tree = xml.etree.ElementTree.parse(self.output)
        return [element.text for element in tree.iter(f"{SVG}text")], list(tree.iter())

    def test_every_operation_has_its_chart_and_the_library_its_regret(self):
        data = GOLDEN / "report_data.approved.json"
        subprocess.run(["node", ROOT / "results" / "report" / "draw_crossover.mjs", data, MODULES, self.output], check=True)
        texts, elements = self.texts()
        self.assertIn("all_reduce on 4 ranks", texts)
        self.assertIn("all_gather on 8 ranks", texts)
        self.assertIn("recursive_doubling", texts)
        plots = [element for element in elements if element.tag == f"{SVG}svg" and "plot" in element.get("class", "")]
        self.assertEqual(len(plots), 2 + 1)
        # 18 times, 7 wins, 4 regrets, and the legend's ring.
        self.assertEqual(len([element for element in elements if element.tag == f"{SVG}circle"]), 18 + 7 + 4 + 1)
        self.assertIn("Run 20260102T030405Z-node-a-0001 (simulated); every point: fp32.", texts)

    def test_a_journal_becomes_a_file(self):
        journal = pathlib.Path(self.folder.name, "run.jsonl")
        subprocess.run([BUILD / "bin" / "assay-collectives", "--ranks", "2", "--filter", "*assay.all_gather/*", "--axis",
                        "bytes=8,64", "--journal", journal], check=True, capture_output=True)
        ended = draw(journal, "-o", self.output)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("all_gather on 2 ranks", self.texts()[0])

    def test_a_missing_journal_is_one_line(self):
        ended = draw("/nowhere/run.jsonl", "-o", self.output)
        self.assertEqual(ended.returncode, 2)
        self.assertEqual(ended.stderr, "draw-crossover: /nowhere/run.jsonl: no such file; expected a journal of a run\n")

    def test_a_run_without_contests_has_nothing_to_draw(self):
        ended = draw(JOURNAL, "-o", self.output)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("the clock went back", ended.stderr)  # the fixed run's processes start at one time
        self.assertTrue(ended.stderr.endswith(
            "draw-crossover: nothing to draw: no operation of this run has two contenders at one size\n"), ended.stderr)
        self.assertFalse(self.output.exists())

    def test_a_build_without_charts_says_what_to_do(self):
        ended = subprocess.run([SCRIPT, "--build", self.folder.name, JOURNAL], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 3)
        self.assertIn("no build with charts is here: build assay with -DASSAY_WITH_CHARTS=ON", ended.stderr)


if __name__ == "__main__":
    if not (BUILD / "bin" / "assay").is_file() or not MODULES.is_dir() or not shutil.which("node"):
        print("skipped: this build has no charts (node or the registry of its packages was missing)")
        sys.exit(77)
    unittest.main()
