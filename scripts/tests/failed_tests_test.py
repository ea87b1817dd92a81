#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The last lines of failed tests, read from a log that ctest itself writes.
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "failed-tests"
TESTS = """\
add_test(sound sh -c "echo all is well")
add_test(wrong sh -c "seq 40; echo AssertionError: 3 != 4; exit 1")
add_test(slow sh -c "echo begins; exec sleep 30")
set_tests_properties(slow PROPERTIES TIMEOUT 1)
"""


class FailedTests(unittest.TestCase):
    def test_the_last_lines_of_each_failed_test_are_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(TESTS)
            subprocess.run(["ctest"], cwd=folder, capture_output=True, check=False)
            log = pathlib.Path(folder) / "Testing/Temporary/LastTest.log"
            done = subprocess.run([str(SCRIPT), str(log)], capture_output=True, text=True, check=True)
        expected = [f"failed wrong: {number}" for number in range(12, 41)]
        expected += ["failed wrong: AssertionError: 3 != 4", "failed slow: begins"]
        self.assertEqual(done.stdout.splitlines(), expected)

    def test_a_log_that_is_not_there_is_a_usage_error(self):
        done = subprocess.run([str(SCRIPT), "no-such.log"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("got 'no-such.log'", done.stderr)


unittest.main()
