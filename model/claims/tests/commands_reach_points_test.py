#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A row that needs hardware gives a command that measures its point there: each module lists it, on the simulated GPU.
import fnmatch
import os
import pathlib
import shlex
import subprocess
import sys
import tomllib
import unittest

BUILD = pathlib.Path(os.environ["ASSAY_BUILD_DIR"])
ROWS = tomllib.loads((pathlib.Path(__file__).parents[1] / "rows" / "measured.toml").read_text())["claim"]
MODULES = ("collectives", "gemm", "memory", "offload", "rdma")
LACKING = [module for module in MODULES if not (BUILD / "simulated" / f"assay-{module}").exists()]


def in_module_words(command):
    """The modules of `run ...`, and the options that it passes on to them."""
    modules, plan, options = MODULES, "quick", []
    words = shlex.split(command)[1:]
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name == "--modules":
            modules = value.split(",")
        elif name == "--plan":
            plan = value
        elif name not in ("--ranks", "--workload"):  # a site's own
            options += [name, value]
    return modules, ["--plan", plan, *options]


def listed(command):
    modules, options = in_module_words(command)
    points = []
    for module in modules:
        done = subprocess.run([BUILD / "simulated" / f"assay-{module}", *options, "--benchmark_list_tests=true"],
                              capture_output=True, text=True, env={**os.environ, "ASSAY_SIMULATED_GPUS": "2"}, check=False)
        if done.returncode != 0 and "select no point of this module" not in done.stderr:
            raise AssertionError(f"{module} {options}: {done.stderr}")
        points += [line.removesuffix("/manual_time").rpartition("/iterations:")[0] for line in done.stdout.splitlines()]
    return points


class CommandsReachPoints(unittest.TestCase):
    def test_of_every_measured_row(self):
        for row in ROWS:
            with self.subTest(row["id"]):
                self.assert_reaches(row["command"], row["point"])
                if "against_point" in row:
                    self.assert_reaches(row.get("against", row["command"]), row["against_point"])

    def assert_reaches(self, command, glob):
        points = listed(command)
        self.assertTrue(fnmatch.filter(points, glob), f"assay {command}: no {glob} among {points[:4]}")


if __name__ == "__main__":
    if LACKING:
        print("skipped: not built here, on the simulated GPU:", ", ".join(LACKING))
        sys.exit(77)
    unittest.main()
