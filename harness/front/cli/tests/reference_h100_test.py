#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What was measured on a real H100 (results/reference): it fits, it predicts a transformer block of other shapes, a sound GPU
# meets the shipped limits, and what its records cannot show is shown nowhere: power over too short a window, a limit of a
# GPU that was still getting slower.
import csv
import json
import lzma
import os
import pathlib
import re
import subprocess
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
RECORDS = ROOT / "results/reference/h100-sxm-80gb"
LIMITS = ROOT / "results/limits/hgx-h100-sxm.toml"
ASSAY = pathlib.Path(os.environ["ASSAY_BIN_DIR"]) / "assay"
MOST_BLOCK_ERROR = 0.10
SHORTEST_POWER_WINDOW_S = 1
LAYERS = ("qkv", "attention_output", "up_gate", "down")


def moving(point):
    """Whether its GPU was still getting slower."""
    return not point["warmup"]["stationary"] and point["warmup"]["last_moving"] in ("power_w", "sm_clock_mhz")


class ReferenceH100(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for packed in RECORDS.glob("*.jsonl.xz"):
            (cls.folder / packed.stem).write_bytes(lzma.decompress(packed.read_bytes()))
        cls.store = cls.store_of("calibration", "calibration-block", "vector")
        cls.coefficients = cls.folder / "h100.json"
        cls.assay("fit", "all", "--store", cls.store, "--run", "h100", "vector", "-o", cls.coefficients)

    @classmethod
    def assay(cls, *words, statuses=(0,)):
        done = subprocess.run([ASSAY, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode not in statuses:
            raise AssertionError(f"assay {words} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    @classmethod
    def store_of(cls, *journals):
        store = cls.folder / f"{journals[0]}.sqlite"
        cls.assay("import", *(cls.folder / f"{name}.jsonl" for name in journals), "--store", store)
        return store

    def points(self, *journals):
        """The ok points as the journals have them."""
        lines = [json.loads(line) for name in journals for line in (self.folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if line["record"] == "point" and line["status"] == "ok"]

    def predictions(self, kind):
        """Measured and predicted microseconds of each part of the block, none of which the fit has seen."""
        file = self.folder / f"{kind}.csv"
        self.assay("fit", "evaluate", f"{self.coefficients}#{kind}", "--store", self.store, "--run", "h100-block",
                   "--predictions", file)
        with file.open(newline="", encoding="utf-8") as lines:
            return [(float(row["measured_us"]), float(row["predicted_us"])) for row in csv.DictReader(lines)]

    def test_a_block_of_other_shapes_is_predicted_within_ten_percent(self):
        parts = self.predictions("gemm") + self.predictions("vector")
        self.assertEqual(len(parts), 11)
        measured, predicted = (sum(column) for column in zip(*parts))
        self.assertLess(abs(predicted / measured - 1), MOST_BLOCK_ERROR, f"{predicted} of {measured} us")
        for part_measured, part_predicted in parts:
            self.assertLess(abs(part_predicted / part_measured - 1), 0.15)

    def test_memory_is_fitted_as_cache_and_hbm(self):
        said = self.assay("fit", "memory", "--store", self.store, "--run", "h100", "-o", self.folder / "memory.json")
        read = re.search(r"^cuda\.read gpu=0 cache_state=hot\n((?:  .*\n)+)", said, re.M)[1]
        rates = [float(rate) for rate in re.findall(r"gb_per_s +([\d.]+)", read)]
        self.assertTrue(7000 < rates[0] < 10000, read)  # L2
        self.assertTrue(3000 < rates[-1] < 3352, read)  # HBM3 moves at most 5120 bits x 5.236 Gbit/s

    def test_the_measured_cost_of_a_checkpoint_gives_its_best_interval(self):
        said = json.loads(self.assay("reliability", "--gpus", 16384, "--rates", ROOT / "model/examples/rates/llama-3.toml", "--json",
                                     "--checkpoint", self.store_of("quick"), "--state", "20GB", "--recovery", "5m"))["checkpoints"]
        self.assertIn(", measured", said["source"])
        self.assertAlmostEqual(said["best_interval_s"], (2 * said["stall_s"] * 54 * 86400 / 419) ** 0.5, delta=1)
        self.assertTrue(0 < said["stall_s"] < 2 < said["durable_after_s"], said)
        self.assertGreater(said["recovery_s"], 300, "restore")

    def test_power_over_less_than_a_second_is_on_no_page(self):
        for journal, known in (("products", 0), ("copies-and-interference", 6), ("burn-in", 5)):
            written = [point for point in self.points(journal) if "power_w" in str(point["metrics"])]
            long_enough = [point for point in written if point["conditions"]["telemetry_window_s"] >= SHORTEST_POWER_WINDOW_S]
            self.assertEqual(len(long_enough), known, journal)
            page = self.folder / f"{journal}.html"
            self.assay("report", "--store", self.store_of(journal), "-o", page)
            shown = re.findall(r'"power_w":([\d.]+)', page.read_text(encoding="utf-8"))
            self.assertEqual(len(shown), known, f"{journal}: {len(written)} points have one")

    def test_a_shipped_limit_of_a_gpu_that_was_still_getting_slower_says_so(self):
        measured = self.points("quick", "products", "memory")
        judged = 0
        for limit in tomllib.loads(LIMITS.read_text(encoding="utf-8"))["limit"]:
            if RECORDS.name not in limit["source"]:
                continue
            of_limit = [point for point in measured if point["case"] == limit["case"] and limit["point"].items() <= point["point"].items()]
            self.assertEqual(any(map(moving, of_limit)), not limit.get("stationary", True), limit)
            judged += len(of_limit)
        self.assertEqual(judged, 1)

    def test_the_page_marks_products_of_no_steady_state(self):
        found = {(point["point"]["tp"], dtype, point["point"]["gemm"]): point
                 for journal, dtype in (("products", "bf16"), ("products-fp8", "fp8_e4m3")) for point in self.points(journal)
                 if point["case"] == "gemm.cuda.transformer" and point["point"]["pass"] == "forward"}
        page = (RECORDS / "README.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| (\d+) \|((?: \d+\*? \|){8})$", page, re.M)
        self.assertEqual(len(rows), 5)
        for degree, cells in rows:
            products = [found[int(degree), dtype, layer] for dtype in ("bf16", "fp8_e4m3") for layer in LAYERS]
            self.assertEqual(cells.strip(" |").split(" | "), [f"{product['metrics'][0]['value']:.0f}{'*' if moving(product) else ''}" for product in products])

    def test_limits_leave_such_points_out_and_name_them(self):
        said = self.assay("limits", "--from-store", self.store_of("quick"), "-o", self.folder / "made.toml", "--signed-by", "Ada", statuses=(3,))
        expected = [point for point in self.points("quick") if ".cuda." in point["case"] and moving(point)]
        note = next(line for line in said.splitlines() if "still getting slower" in line)
        left_out = int(re.search(r"(\d+) measurements of", note)[1])
        self.assertTrue(0 < left_out <= len(expected), note)  # those that are rates or times
        self.assertIn("gemm.cuda.matmul/m=8192", note)
        self.assertFalse((self.folder / "made.toml").exists())

    def test_a_sound_gpu_meets_the_shipped_limits_but_for_one_that_is_no_evidence(self):
        limits = self.folder / "limits.toml"  # of one GPU of the eight
        limits.write_text(LIMITS.read_text(encoding="utf-8").replace("gpus = 8", "gpus = 1"), encoding="utf-8")
        verdicts = []
        for store in (self.store_of("quick"), self.store_of("memory")):
            said = self.assay("accept", "--store", store, "--limits", limits, "--format", "csv", statuses=(0, 1, 3))
            verdicts += [(row["metric"].split("/")[0], row["verdict"]) for row in csv.DictReader(said.splitlines())
                         if row["limit"] and row["verdict"] != "NOT_RUN"]
        self.assertEqual(verdicts, [("gemm.cuda.matmul", "INCONCLUSIVE"), ("offload.cuda.copy", "PASS"),
                                    ("memory.cuda.copy", "PASS"), ("memory.cuda.copy", "PASS")])


unittest.main()
