#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Plan device and the steps of assay-device-check: each point is of one step, and each step's budget is within its seconds
# of eight minutes. Modules on the simulated GPU count, which supports what a GPU does.
import json
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROGRAMS = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "simulated"
PLAN = ROOT / "harness/plan/plans/device.toml"
MODULES = ("gemm", "memory", "offload", "collectives")
LACKING = [module for module in MODULES if not (PROGRAMS / f"assay-{module}").exists()]
STARTING_S = 2  # a module, on a GPU whose driver is loaded
EACH_S = 0.7  # of a point of collectives, which this machine may not support: budgets of the plan's default
PEERS_ALONE = "gemm.cuda.matmul/*cache=hot,algorithm=best*"  # measured next to a peer only


def counted(module, *filters):
    words = [PROGRAMS / f"assay-{module}", "--plan", PLAN, "--count", *(f"--filter={one}" for one in filters)]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return json.loads(said.splitlines()[-1])


def steps():
    """Of each step that measures plan device: name, seconds, modules, filters."""
    said = subprocess.run([ROOT / "scripts/assay-device-check", "--steps"], capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        name, seconds, kind, *words = line.split()
        if kind == "plan":
            filters = [word for word in words[2:] if word != "--filter"]
            yield name, int(seconds), words[1].split(","), filters
        elif kind == "ranks":
            yield name, int(seconds), ["collectives"], []


def of_module(filters, module):
    return [one for one in filters if one.startswith(f"{module}.")]


class DevicePlan(unittest.TestCase):
    def test_every_point_is_of_one_step(self):
        for module in ("gemm", "memory", "offload"):
            shared = sum(counted(module, *of_module(filters, module))["planned"]
                         for name, _, modules, filters in steps() if module in modules)
            alone = counted(module, PEERS_ALONE)["planned"] if module == "gemm" else 0
            self.assertEqual(shared + alone, counted(module)["planned"], module)

    def test_every_step_s_budget_is_within_its_seconds(self):
        for name, seconds, modules, filters in steps():
            counts = [counted(module, *of_module(filters, module)) for module in modules]
            budget = sum(count["budget_s"] or EACH_S * count["planned"] for count in counts)
            self.assertGreater(budget, 0, name)
            self.assertLessEqual(budget + STARTING_S * len(modules), seconds, name)

    def test_the_whole_budget_is_less_than_half_of_eight_minutes(self):
        budget = sum(counted(module)["budget_s"] for module in MODULES)
        self.assertGreater(budget, 60)
        self.assertLess(budget, 240)

    def test_the_product_that_limits_rest_on_warms_up_for_five_seconds(self):
        text = PLAN.read_text()
        sweep = next(part for part in text.split("[[sweep]]") if 'm = 8192, dtype = "bf16", cache = "cold"' in part)
        warm = float(sweep.split("max_warmup_seconds = ")[1].split()[0])
        self.assertGreaterEqual(warm, 5)


if __name__ == "__main__":
    if LACKING:
        print("skipped: not built here, on the simulated GPU:", ", ".join(LACKING))
        sys.exit(77)
    unittest.main()
