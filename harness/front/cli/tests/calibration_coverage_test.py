#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What a calibration of a simulated GPU states of its known coefficients: of runs whose executions differ by noise, the
# intervals hold the true value in 95 of 100. ASSAY_CALIBRATIONS=100 for a number worth quoting.
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "suite" / "tests"))
from simulated_node import ASSAY, SimulatedNode, lacking  # noqa: E402

RUNS = int(os.environ.get("ASSAY_CALIBRATIONS", "3"))
# Relative standard deviations: of each execution, and of all executions of one size in one run.
SPREAD = "0.01:0.005"
PLAN = """\
[measure]
max_seconds = 0.005
max_warmup_seconds = 0.001
min_samples = 5
[[sweep]]
cases = ["memory.cuda.copy"]
axes = { bytes = "64KiB:4MiB:x2", cache_state = "cold", mover = "sm" }
[[sweep]]
cases = ["memory.cuda.vector"]
axes = { kernel = "gelu", dtype = "bf16", elements = "32768:524288:x2", columns = 512 }
[[sweep]]
cases = ["offload.cuda.copy"]
axes = { bytes = "4KiB:4MiB:x4", direction = ["h2d", "d2h"], by = "engine" }
"""
# Of the simulated H100 (harness/core/tests/simulated/h100.hpp); a byte of a vector kernel's size is moved so often.
LAUNCH_US, PCIE_GB_PER_S, MEMORY_GB_PER_S = 2.5, 64, 3350
MOVED = {"cuda.gelu": 2}


class Calibration(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-coverage-")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        (self.folder / "plan.toml").write_text(PLAN)

    def coefficients(self, name, spread=""):
        """By section and model: latency and rate, with their intervals."""
        node = SimulatedNode(self.folder / name, gpus=1)
        node.environment["ASSAY_SIMULATED_SPREAD"] = spread
        ended = node.assay("run", "--plan", self.folder / "plan.toml", "--out", "out")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        ended = node.assay("fit", "all", "--store", "out/store.sqlite", "-o", "coefficients.json")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        sections = json.loads((node.folder / "coefficients.json").read_text())["sections"]
        return {(model, part): segment[part] for section in ("memory", "vector", "links")
                for model, (segment, *_) in sections[section]["models"].items() for part in ("latency", "gb_per_s")}

    def test_what_is_known_of_the_gpu_is_recovered_within_the_intervals(self):
        truth = {name: part["value"] for name, part in self.coefficients("undisturbed").items()}
        self.assertEqual(len(truth), 8)
        for (model, part), value in truth.items():
            rate = PCIE_GB_PER_S if "by=engine" in model else MEMORY_GB_PER_S / MOVED.get(model.split()[0], 1)
            self.assertAlmostEqual(value / (LAUNCH_US if part == "latency" else rate), 1, delta=0.01, msg=f"{model} {part}")
        held = {name: 0 for name in truth}
        for seed in range(RUNS):
            for name, stated in self.coefficients(f"n{seed}", f"{SPREAD}:{seed}").items():
                self.assertTrue(stated["supported"], name)
                held[name] += stated["lower"] <= truth[name] <= stated["upper"]
        for name, count in held.items():
            print(f"{' '.join(name)}: {count} of {RUNS}")
        # Three standard deviations of a binomial count; latency and rate of one line err together.
        asked = RUNS * len(held) * 0.95
        self.assertGreaterEqual(sum(held.values()), asked - 3 * math.sqrt(2 * asked * 0.05), held)


if __name__ == "__main__":
    if lacking("memory", "offload"):
        print("skipped: not built here:", ", ".join(lacking("memory", "offload")))
        sys.exit(77)
    unittest.main()
