#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What scripts made for Google Benchmark read of a module: its three formats, its context, and its compare.py over two
# outputs and over the program itself. ASSAY_COMPARE_PY names compare.py (default: where Debian's libbenchmark-tools puts it).
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MODULE = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "fake_modules" / "assay-memory"
COMPARE = pathlib.Path(os.environ.get("ASSAY_COMPARE_PY", "/usr/share/benchmark/compare.py"))
CONTEXT = {
    "date", "host_name", "executable", "num_cpus", "mhz_per_cpu", "caches", "library_build_type",
    "assay_version", "assay_source_revision", "assay_origin", "assay_plan", "assay_real_time", "assay_cpu_time",
}
STEADY = "memory.fake.steady/n=1/iterations:1/manual_time"
SLEEP_US = 200  # of the fake case, which uses next to no CPU


def module(*flags, filter="fake.steady/n=1$"):
    return subprocess.run([MODULE, f"--benchmark_filter={filter}", *flags], capture_output=True, text=True)


class Formats(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name) / "out"

    def check_rows(self, rows):
        self.assertEqual([row["name"] for row in rows], [STEADY])
        self.assertAlmostEqual(float(rows[0]["real_time"]), SLEEP_US, delta=2 * SLEEP_US)
        self.assertLess(float(rows[0]["cpu_time"]), SLEEP_US)  # of one iteration, not of the whole measurement
        self.assertGreater(float(rows[0]["cpu_time"]), 0)
        self.assertEqual(rows[0]["time_unit"], "us")

    def test_json_is_all_of_standard_output(self):
        done = module("--benchmark_format=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        read = json.loads(done.stdout)
        self.assertLessEqual(CONTEXT, set(read["context"]))
        self.assertEqual(read["context"]["executable"], str(MODULE))
        self.assertEqual(read["context"]["assay_origin"], "measured")
        self.check_rows(read["benchmarks"])
        self.assertIn("bandwidth_gb_per_s", read["benchmarks"][0])
        self.assertIn("[1/1] memory.fake.steady", done.stderr)

    def test_a_document_that_cannot_be_written_is_inconclusive_with_a_journal_too(self):
        with open("/dev/full", "w") as full:
            for words, expected in [(["--benchmark_format=json"], 3), (["--benchmark_format=csv"], 3), ([], 0)]:
                done = subprocess.run([MODULE, "--benchmark_filter=fake.steady/n=1$", "--journal", self.file, *words], stdout=full,
                                      stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, expected, done.stderr)
                self.assertEqual("standard output could not be written" in done.stderr, expected == 3, done.stderr)

    def test_csv_is_all_of_standard_output(self):
        done = module("--benchmark_format=csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_rows(list(csv.DictReader(io.StringIO(done.stdout))))

    def test_console_has_the_librarys_columns_and_no_colour_in_a_pipe(self):
        done = module("--benchmark_format=console")
        self.assertRegex(done.stdout, r"Benchmark +Time +CPU +Iterations")
        self.assertRegex(done.stdout, STEADY + r" +\d+ us +[\d.]+ us +1 ")
        self.assertNotIn("\033", done.stdout)

    def test_a_file_has_json_or_the_format_asked_for(self):
        self.assertEqual(module(f"--benchmark_out={self.file}").returncode, 0)
        self.check_rows(json.loads(self.file.read_text())["benchmarks"])
        self.assertEqual(module(f"--benchmark_out={self.file}", "--benchmark_out_format=csv").returncode, 0)
        self.check_rows([row for row in csv.DictReader(
            line for line in self.file.read_text().splitlines() if line.startswith(("name,", '"')))])

    def test_bad_values_are_refused_before_anything_runs(self):
        for flags, filter, said in (
            (["--benchmark_format=xml"], ".", "--benchmark_format=xml: expected console, json or csv"),
            (["--benchmark_out=/no/such/folder/out"], ".",
             "--benchmark_out=/no/such/folder/out: expected a file that can be written"),
            ([], "n=(1", "expected a POSIX extended regular expression"),
            ([], "no_such_case", "nothing to run: plan and filters select no point of this module"),
            (["--benchmark_nonsense=1"], ".", "unknown flag '--benchmark_nonsense=1'"),
        ):
            with self.subTest(flags=flags, filter=filter):
                done = module(*flags, filter=filter)
                self.assertEqual(done.returncode, 2)
                self.assertIn(said, done.stderr)
                self.assertNotIn("memory.fake", done.stdout)

    def test_a_point_that_failed_is_an_error_of_its_row(self):
        done = module("--benchmark_format=json", filter="fake.fails/n=1$")
        self.assertEqual(done.returncode, 1)
        row = json.loads(done.stdout)["benchmarks"][0]
        self.assertTrue(row["error_occurred"])
        self.assertIn("Cannot allocate memory", row["error_message"])

    def test_the_list_has_the_names_that_the_filter_takes(self):
        listed = module("--benchmark_list_tests", filter="fake.steady").stdout.split()
        self.assertIn(STEADY, listed)
        self.assertEqual(module("--benchmark_list_tests", filter=f"^{STEADY}$").stdout.split(), [STEADY])


def python_of_compare():
    """The first interpreter that has what compare.py imports: packages are the system's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy, scipy.stats"], capture_output=True).returncode == 0:
            return python
    return None


class ComparePy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.sides = [str(pathlib.Path(cls.folder.name) / name) for name in ("old.json", "new.json")]
        for side in cls.sides:
            done = module(f"--benchmark_out={side}", "--benchmark_repetitions=3")
            assert done.returncode == 0, done.stderr

    def compare(self, *words):
        done = subprocess.run([python_of_compare(), "-B", COMPARE, "--no-color", *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_compares_two_outputs(self):
        said = self.compare("benchmarks", *self.sides)
        self.assertRegex(said, r"memory[.]fake[.]steady/n=1/iterations:1/manual_time +[+-]\d")
        self.assertRegex(said, r"_pvalue +\d\.\d+ +\d\.\d+ +U Test, Repetitions: 3 vs 3")
        self.assertRegex(said, r"_median +[+-]\d")

    def test_compares_programs(self):
        said = self.compare("benchmarks", str(MODULE), str(MODULE), "--benchmark_filter=fake.steady/n=1$")
        self.assertRegex(said, STEADY.replace(".", "[.]") + r" +[+-]\d")


def absent():
    if not MODULE.exists():
        return f"{MODULE} is not built"
    return ""


def no_comparison():
    if not COMPARE.exists():
        return f"{COMPARE} is absent (package libbenchmark-tools, or ASSAY_COMPARE_PY)"
    return "" if python_of_compare() else "no Python here has numpy and scipy, which compare.py needs (python3-scipy)"


if __name__ == "__main__":
    if absent():
        print(f"skipped: {absent()}")
        sys.exit(77)
    if sys.argv[1:2] == ["ComparePy"] and no_comparison():
        print(f"skipped: {no_comparison()}")
        sys.exit(77)
    unittest.main(verbosity=2)
