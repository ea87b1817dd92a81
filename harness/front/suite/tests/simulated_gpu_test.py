#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# `assay run` with modules on the simulated GPU, from plan to report and coefficients: every kernel, right and wrong, and a GPU
# that is lost in the middle. Its times are worth nothing, and whatever is made of them says `simulated`.
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["ASSAY_BUILD_DIR"])
ASSAY = BUILD / "bin" / "assay"
PROGRAMS = BUILD / "simulated"
LACKING = [module for module in ("collectives", "gemm", "memory", "offload") if not (PROGRAMS / f"assay-{module}").exists()]

PLAN = """\
[measure]
max_seconds = 0.05
max_warmup_seconds = 0.01
min_samples = 3
[[sweep]]
cases = ["memory.cuda.read", "memory.cuda.triad"]
axes = { bytes = "1MiB" }
[[sweep]]
cases = ["gemm.cuda.matmul"]
axes = { m = 128, dtype = ["bf16", "fp8_e4m3"] }
[[sweep]]
cases = ["offload.cuda.copy", "offload.cuda.peer_copy", "offload.cuda.node_copy"]
axes = { bytes = "1MiB" }
[[sweep]]
cases = ["offload.cuda.interference"]
axes = { m = 256, bytes = "3MiB", blocks = "0:8:4", round_ms = 1, victim = "gemm", aggressor = ["spin", "sm_copy_h2d", "copy_h2d"] }
measure = { max_seconds = 1, min_samples = 8 }
"""


class SimulatedGpu(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-simulated-")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        (self.folder / "plan.toml").write_text(PLAN)

    def assay(self, *words, **environment):
        ended = subprocess.run([ASSAY, *words], cwd=self.folder, env={**os.environ, **environment}, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        self.said = ended.stdout
        return ended.returncode

    def run_plan(self, *words, **environment):
        return self.assay("run", "--programs", PROGRAMS, "--plan", "plan.toml", "--out", "out", "--run-id", "r", *words,
                          **environment)

    def records(self, kind):
        journal = (self.folder / "out" / "r" / "journal.jsonl").read_text()
        return [record for record in map(json.loads, journal.splitlines()) if record["record"] == kind]

    def statuses(self):
        return {f"{record['case']}/{record['key']}": record["status"] for record in self.records("point")}

    def test_a_run_is_right_and_whatever_is_made_of_it_says_simulated(self):
        self.assertEqual(self.run_plan(ASSAY_SIMULATED_GPUS="2"), 0, self.said)
        statuses = self.statuses()
        done = [record for record in self.records("point") if "not a peer of itself" not in record.get("reason", "")]
        self.assertEqual({record["status"] for record in done}, {"ok"}, self.said)
        self.assertEqual({record["verification"]["result"] for record in done}, {"right"})
        self.assertEqual({record["origin"] for record in self.records("context")}, {"simulated"})
        self.assertIn(": simulated ", self.said)
        self.assertIn('<span class="origin other">simulated</span>', (self.folder / "out" / "r" / "report.html").read_text())
        # On each GPU no load, spin and sm_copy_h2d on 4 and 8 multiprocessors, and the copy engine, which has no number of them, once.
        self.assertEqual(len([name for name in statuses if "interference" in name]), 12, statuses)
        self.assertEqual(self.assay("fit", "interference", "--store", "out/store.sqlite", "-o", "usage.json"), 0, self.said)
        self.assertEqual(json.loads((self.folder / "usage.json").read_text())["provenance"]["origin"], "simulated")

    def test_ranks_copy_between_their_gpus_by_fabric_handles(self):
        (self.folder / "plan.toml").write_text('[measure]\nmax_seconds = 0.05\n[[sweep]]\ncases = ["collectives.nvlink_domain.copy"]\n'
                                               'axes = { bytes = "64KiB" }\n')
        self.assertEqual(self.run_plan("--ranks", "3", ASSAY_SIMULATED_GPUS="3"), 0, self.said)
        points = self.records("point")
        statuses = {(record["point"]["pattern"], record["status"]) for record in points}
        self.assertEqual(statuses, {("pair", "ok"), ("both_ways", "ok"), ("ring", "ok"), ("halves", "unsupported"),
                                    ("one_to_all", "ok"), ("all_to_one", "ok")}, self.said)
        self.assertEqual({record["verification"]["result"] for record in points if record["status"] == "ok"}, {"right"})
        gpus = [rank["conditions"]["gpu_pci_address"] for rank in points[0]["ranks"]]
        self.assertEqual(len(set(gpus)), 2, gpus)

    def test_wrong_sums_are_found(self):
        self.assertEqual(self.run_plan("--filter", "memory.cuda.triad", ASSAY_SIMULATED_FAULT="sums_are_wrong"), 1, self.said)
        self.assertEqual(set(self.statuses().values()), {"wrong"}, self.said)

    def test_a_lost_gpu_ends_the_module_with_what_it_has_and_a_later_run_goes_on(self):
        self.assertEqual(self.run_plan("--filter", "memory.cuda.*", ASSAY_SIMULATED_FAULT="lost_after_grids=40"), 1, self.said)
        before = self.statuses()
        self.assertIn("failed", before.values())
        self.assertIn("unspecified launch failure", self.said)
        self.assertEqual(self.run_plan("--filter", "memory.cuda.*", "--resume"), 0, self.said)
        self.assertEqual(set(self.statuses().values()), {"ok"}, self.said)
        self.assertGreaterEqual(set(self.statuses()), set(before))


if __name__ == "__main__":
    if LACKING:
        print("skipped: not built here, on the simulated GPU:", ", ".join(LACKING))
        sys.exit(77)
    unittest.main()
