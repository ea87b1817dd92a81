#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every shipped limit has a point that some shipped plan measures: else no run could ever be judged by it.
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
UNITS = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def number(text):
    """The number that a size stands for; another word stays what it is."""
    found = re.fullmatch(r"(-?\d+)(B|KiB|MiB|GiB|)", str(text))
    return int(found[1]) * UNITS[found[2]] if found else text


def values(written):
    """All values of an axis as a plan writes it, with "64:8MiB:x4" spelled out."""
    found = []
    for one in written if isinstance(written, list) else [written]:
        geometric = re.fullmatch(r"([^:]+):([^:]+):x(\d+)", str(one))
        if not geometric:
            found.append(number(one))
            continue
        value, last, factor = number(geometric[1]), number(geometric[2]), int(geometric[3])
        while value <= last:
            found.append(value)
            value *= factor
    return found


def measures(sweep, limit, axes):
    """Whether the sweep has a point of the limit; what of a limit is no axis of the case is found out by the run."""
    cases = sweep["cases"] if isinstance(sweep["cases"], list) else [sweep["cases"]]
    if not any(fnmatch.fnmatchcase(limit["case"], glob) for glob in cases):
        return False
    swept = sweep.get("axes", {})
    return all(number(value) in values(swept.get(axis, axes[axis])) for axis, value in limit["point"].items()
               if axis in axes)


def read(folder):
    return {path.stem: tomllib.loads(path.read_text()) for path in sorted((ROOT / folder).glob("*.toml"))}


def without_a_plan(limits, plans, axes_of):
    sweeps = [sweep for plan in plans.values() for sweep in plan["sweep"]]
    return [f"{name}: {limit['case']} {limit['point']}" for name, file in limits.items() for limit in file["limit"]
            if not any(measures(sweep, limit, axes_of[limit["case"]]) for sweep in sweeps)]


class LimitsInPlans(unittest.TestCase):
    def setUp(self):
        listed = subprocess.run([PROGRAM, "list", "--format", "json"], capture_output=True, text=True, check=True)
        self.axes = {case["name"]: {axis["name"]: axis["default"] for axis in case["axes"]}
                     for case in json.loads(listed.stdout)}
        self.limits, self.plans = read("results/limits"), read("harness/plan/plans")
        absent = {limit["case"] for file in self.limits.values() for limit in file["limit"]} - set(self.axes)
        if absent:
            self.skipTest("this build lacks " + ", ".join(sorted(absent)))

    def test_every_shipped_limit_has_a_point_of_a_shipped_plan(self):
        self.assertEqual(without_a_plan(self.limits, self.plans, self.axes), [])

    def test_a_limit_that_no_plan_measures_is_found(self):
        limit = self.limits["hgx-h100-sxm"]["limit"][0]
        limit["point"]["m"] = 8193
        self.assertEqual(without_a_plan(self.limits, self.plans, self.axes),
                         [f"hgx-h100-sxm: {limit['case']} {limit['point']}"])

    def test_a_sweep_that_is_gone_is_found(self):
        for plan in self.plans.values():
            plan["sweep"] = [sweep for sweep in plan["sweep"] if "rdma" not in str(sweep["cases"])]
        self.assertEqual(len(without_a_plan(self.limits, self.plans, self.axes)), 2)

    def test_values_are_read_as_plans_write_them(self):
        self.assertEqual(values(["8B:2KiB:x4", "1GiB", "all"]), [8, 32, 128, 512, 2048, 1 << 30, "all"])
        self.assertEqual(values(4), [4])


PROGRAM = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", ROOT / "build" / "dev")) / "bin" / "assay"
if not PROGRAM.is_file():
    print("skipped: assay is not built")
    sys.exit(77)
unittest.main()
