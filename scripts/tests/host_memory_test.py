#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/compare-host-memory with programs that only report a rate: ours is that of the call, 1, 2, 3 ... GB/s, likwid-bench's
# is always 1 GB/s.
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "compare-host-memory"
OURS = """#!/usr/bin/env python3
import json, pathlib, sys
calls = pathlib.Path(__file__).with_name("calls")
calls.write_text(calls.read_text() + "x" if calls.exists() else "x")
rate = max(1, len(calls.read_text()) - 1)  # the first call sets the iterations and is not compared
point = {"record": "point", "verification": {"result": "RESULT", "why": "other bits"}, "conditions": {"instruction_set": "avx2"},
         "work": {"bytes": 1e9}, "time": {"mean_s": 1 / rate}}
pathlib.Path(sys.argv[sys.argv.index("--journal") + 1]).write_text(json.dumps(point))
"""


def coverage(count, left_out):
    """Of the interval between order statistics left_out + 1 and count - left_out, for the median."""
    return 1 - 2 * sum(math.comb(count, at) for at in range(left_out + 1)) / 2**count


class HostMemory(unittest.TestCase):
    def setUp(self):
        self.made = tempfile.TemporaryDirectory()
        self.addCleanup(self.made.cleanup)
        self.folder = pathlib.Path(self.made.name)
        self.make("likwid-bench", "#!/bin/sh\necho 'MByte/s:   1000.0'\n")

    def make(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def compare(self, rounds, result="right"):
        self.make("assay-memory", OURS.replace("RESULT", result))
        (self.folder / "calls").unlink(missing_ok=True)
        path = os.pathsep.join([str(self.folder), os.environ["PATH"]])
        return subprocess.run([SCRIPT, "--program", self.folder / "assay-memory", "--threads", "1", "--kernels", "copy",
                               "--stores", "temporal", "--rounds", str(rounds)], capture_output=True, text=True,
                              env={**os.environ, "PATH": path}, check=False)

    def test_the_interval_holds_the_median_in_95_of_100_cases_and_no_narrower_one_does(self):
        for rounds in (6, 15, 21):
            done = self.compare(rounds)
            self.assertEqual(done.returncode, 0, done.stderr)
            row = done.stdout.splitlines()[4].split("|")
            low, high = (float(end) for end in row[9].split(" to "))
            self.assertEqual(low + high, rounds + 1)
            self.assertGreaterEqual(coverage(rounds, int(low) - 1), 0.95)
            self.assertLess(coverage(rounds, int(low)), 0.95)

    def test_few_rounds_give_their_whole_range(self):
        row = self.compare(4).stdout.splitlines()[4]
        self.assertIn("| 2.500 | 1.000 to 4.000 |", row)

    def test_a_low_ratio_fails(self):
        self.make("likwid-bench", "#!/bin/sh\necho 'MByte/s:   3100.0'\n")
        done = self.compare(5)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("1 of 1 rows with a ratio of pairs below 0.98", done.stdout)

    def test_a_wrong_result_is_not_compared(self):
        done = self.compare(4, result="wrong")
        self.assertEqual(done.returncode, 3)
        self.assertIn("was not verified: other bits", done.stderr)


if __name__ == "__main__":
    unittest.main()
