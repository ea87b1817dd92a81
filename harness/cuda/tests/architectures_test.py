#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every kernel compiles for the oldest and the newest compute capability that assay states; --all: for each of them. Needs the
# compiler and no device. architectures_test.py BUILD-FOLDER [--all]
import concurrent.futures
import itertools
import pathlib
import re
import subprocess
import sys
import unittest

from resource_usage_test import SKIPPED, commands, compiled

SUPPORT = pathlib.Path(__file__).resolve().parents[2] / "machine" / "gpu_support.cpp"


def stated():
    """Compute capabilities that `assay machine` calls checked, as the compiler writes them: 9.0 is 90."""
    (table,) = re.findall(r"checked\{([^}]*)\}", SUPPORT.read_text())
    return [int(major) * 10 + int(minor) for major, minor in re.findall(r'"(\d+)\.(\d)"', table)]


def known(compiler):
    """Those that the compiler knows."""
    listed = subprocess.run([compiler, "--list-gpu-code"], capture_output=True, text=True, check=True).stdout
    return [one for one in stated() if f"sm_{one}\n" in listed + "\n"]


class Architectures(unittest.TestCase):
    def test_every_kernel_compiles(self):
        entries = commands(BUILD)
        capabilities = known(entries[0]["command"].split()[0])
        self.assertGreaterEqual(len(capabilities), 2, capabilities)
        chosen = capabilities if ALL else [min(capabilities), max(capabilities)]
        print("sm_" + ", sm_".join(map(str, chosen)))
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            list(threads.map(lambda one: compiled(*one), itertools.product(entries, chosen)))


if __name__ == "__main__":
    BUILD, ALL = pathlib.Path(sys.argv[1]), "--all" in sys.argv
    if not commands(BUILD):
        print("skipped: this build has no device code")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
