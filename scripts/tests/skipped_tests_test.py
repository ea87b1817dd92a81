#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The reasons of skipped tests, read from a log as ctest writes it.
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "skipped-tests"
LOG = """\
Start testing: Nov 21 02:00 UTC
1/4 Testing: device.Copy.IsVerified
1/4 Test: device.Copy.IsVerified
Output:
----------------------------------------------------------
[ RUN      ] Copy.IsVerified
memory/tests/copy_test.cpp:12: Skipped
no CUDA device: CUDA driver version is insufficient for CUDA runtime version
[  SKIPPED ] Copy.IsVerified (0 ms)
2/4 Testing: unit.Axis.ParsesARange
2/4 Test: unit.Axis.ParsesARange
[       OK ] Axis.ParsesARange (0 ms)
3/4 Testing: lint.spelling
3/4 Test: lint.spelling
skipped: codespell is not installed (scripts/setup --for test)
4/4 Testing: unit.axis_test.1
4/4 Test: unit.axis_test.1
[ RUN      ] Axis.IsLong
axis_test.cpp:3: Skipped
no time
[  SKIPPED ] Axis.IsLong (0 ms)
[ RUN      ] Axis.IsWide
axis_test.cpp:9: Skipped
no room
[  SKIPPED ] Axis.IsWide (0 ms)
"""
EXPECTED = """\
skipped device.Copy.IsVerified: no CUDA device: CUDA driver version is insufficient for CUDA runtime version
skipped lint.spelling: codespell is not installed (scripts/setup --for test)
skipped unit.Axis.IsLong: no time
skipped unit.Axis.IsWide: no room
"""


class SkippedTests(unittest.TestCase):
    def test_each_skipped_test_is_printed_with_its_reason(self):
        with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
            log.write(LOG)
            log.flush()
            done = subprocess.run([str(SCRIPT), log.name], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, EXPECTED)

    def test_a_log_that_is_not_there_is_a_usage_error(self):
        done = subprocess.run([str(SCRIPT), "no-such.log"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("got 'no-such.log'", done.stderr)


unittest.main()
