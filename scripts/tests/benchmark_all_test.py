#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What benchmark-all reads out of its programs, what it refuses, and that assay compare judges its rounds.
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import types
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))

from benchmarks import figures, journal, page


def done(output):
    return types.SimpleNamespace(words=["program"], output=output, seconds=0.25)


class Reading(unittest.TestCase):
    def test_a_time_of_google_benchmark_is_in_seconds(self):
        text = '{"benchmarks": [{"name": "loop/100/real", "real_time": 250.0, "time_unit": "us"}]}'
        self.assertAlmostEqual(figures.google("loop/100")(done(text)), 250e-6)
        self.assertAlmostEqual(figures.google("loop/100", 100)(done(text)), 2.5e-6)
        with self.assertRaisesRegex(figures.Failed, "no benchmark 'loop/10'"):
            figures.google("loop/10")(done(text))

    def test_a_rate_is_the_time_of_one(self):
        self.assertAlmostEqual(figures.rate(r"([0-9.]+) records/s")(done("0.43 s, 400000 records/s")), 2.5e-6)

    def test_what_a_program_does_not_print_is_an_error_that_says_so(self):
        for read in (figures.google("loop"), figures.after(r"slowest +([0-9.]+) s")):
            with self.assertRaisesRegex(figures.Failed, "program"):
                read(done("nothing"))
        with self.assertRaisesRegex(figures.Failed, "no benchmark 'search'"):
            figures.google("search")(done('{"benchmarks": []}'))

    def test_every_figure_has_a_name_of_its_own_and_an_input_that_is_known(self):
        names = [figure.name for figure in figures.FIGURES]
        self.assertEqual(len(names), len(set(names)))
        for figure in figures.FIGURES:
            self.assertIn(figure.needs, ["", *figures.INPUTS])


class Page(unittest.TestCase):
    def test_times_are_in_units_that_people_read(self):
        self.assertEqual([page.in_units(s) for s in (1.66, 0.3, 0.0000077, 2.5e-8)], ["1.66 s", "300 ms", "7.7 us", "25 ns"])

    def test_only_what_is_between_the_marks_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "page.md")
            path.write_text("before\n" + page.BEGIN + "old\n" + page.END + "after\n")
            page.write(path, "new\n")
            self.assertEqual(path.read_text(), "before\n" + page.BEGIN + "\nnew\n\n" + page.END + "after\n")
            path.write_text("no marks\n")
            with self.assertRaisesRegex(figures.Failed, "expected the marks"):
                page.write(path, "new\n")

    def test_the_table_of_two_revisions_has_medians_of_both(self):
        known, fresh = figures.FIGURES[:2]
        after = {known.name: [(1e-6, 20), (3e-6, 30), (2e-6, 10)], fresh.name: [(0.5, 10)]}
        head, _, first, second = page.table_of((known, fresh), after, {known.name: [(8e-6, 90)]}).splitlines()
        self.assertTrue(head.startswith("| what | before | median |"), head)
        self.assertTrue(first.startswith(f"| {known.what} | 8 us | 2 us | 1 us to 3 us | 1.25 us; 1.6 times that | 30 |"), first)
        self.assertTrue(second.startswith(f"| {fresh.what} | - | 500 ms | 500 ms to 500 ms | - | 10 |"), second)

    def test_every_row_of_the_page_is_of_a_figure(self):
        text = (SCRIPTS.parent / "docs" / "performance.md").read_text()
        table = text.split(page.BEGIN, 1)[1].split(page.END, 1)[0]
        for row in table.strip().splitlines()[2:]:
            self.assertIn(row.split(" | ")[0].removeprefix("| "), [figure.what for figure in figures.FIGURES])


@unittest.skipUnless(os.environ.get("ASSAY_BIN_DIR"), "without ASSAY_BIN_DIR")
class Programs(unittest.TestCase):
    def test_have_every_benchmark_that_a_figure_reads(self):
        for figure in figures.FIGURES:
            name = getattr(figure.read, "benchmark", None)
            program = pathlib.Path(os.environ["ASSAY_BIN_DIR"], figure.words[0])
            if name is None or not program.exists():
                continue
            listed = subprocess.run([program, "--benchmark_list_tests"], capture_output=True, text=True, check=True)
            self.assertTrue(any(figures.is_named(row, name) for row in listed.stdout.split()), f"{figure.name}: {name}")


@unittest.skipUnless(os.environ.get("ASSAY_BIN_DIR"), "without ASSAY_BIN_DIR")
class Judging(unittest.TestCase):
    def test_assay_compare_finds_what_changed_and_what_did_not(self):
        assay, noise = pathlib.Path(os.environ["ASSAY_BIN_DIR"], "assay"), random.Random(1)
        with tempfile.TemporaryDirectory() as folder:
            stores = {}
            for name, slower in (("before", 1.0), ("after", 1.2)):
                paths = []
                for number in range(5):
                    seconds = {"slow": 8.2 * slower * noise.gauss(1, 0.01), "same": 2e-6 * noise.gauss(1, 0.01)}
                    paths.append(pathlib.Path(folder, f"{name}-{number}.jsonl"))
                    paths[-1].write_text(journal.text_of(f"{name}-{number}", 2 * number + (name == "after"), seconds))
                stores[name] = pathlib.Path(folder, f"{name}.sqlite")
                subprocess.run([assay, "import", "--store", stores[name], *paths], check=True, capture_output=True)
            compared = subprocess.run([assay, "compare", "--baseline", "all", "--store", stores["before"], "--candidate", "all",
                                       "--store-of-b", stores["after"], "--margin", "5%"], capture_output=True, text=True, check=False)
        self.assertEqual(compared.returncode, 1, compared.stdout + compared.stderr)
        self.assertRegex(compared.stdout, re.compile("benchmark.slow .*worse"))
        self.assertRegex(compared.stdout, re.compile("benchmark.same .*equivalent"))


class Refusals(unittest.TestCase):
    def test_each_is_one_line_with_what_was_expected(self):
        for words in (["--only", "nothing*"], ["--rounds", "0"], ["--against", "HEAD", "--rounds", "2"], ["--write", "--only", "import*"]):
            refused = subprocess.run([SCRIPTS / "benchmark-all", *words], capture_output=True, text=True, check=False)
            self.assertEqual(refused.returncode, 2, words)
            self.assertRegex(refused.stderr, "^benchmark-all: --.*expected .*\n$")


if __name__ == "__main__":
    unittest.main()
