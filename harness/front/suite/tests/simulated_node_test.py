#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Pretended nodes of eight simulated GPUs, by the commands that a node gets: a healthy one passes, and a planted fault
# ends in a verdict that names exactly that GPU.
import concurrent.futures
import json
import pathlib
import sys
import tempfile
import unittest

from simulated_node import SimulatedNode, address_of, lacking

PLAN = pathlib.Path(__file__).resolve().parent / "plans" / "simulated_burn_in.toml"

ADAPTERS = """\
[measure]
max_seconds = 0.3
max_warmup_seconds = 0.02
min_samples = 3
[[sweep]]
cases = ["rdma.verbs.bandwidth"]
axes = { bytes = "64KiB", operation = "send", device = ["rail:0", "rail:1", "rail:2"] }
[[sweep]]
cases = ["rdma.verbs.latency"]
axes = { bytes = 8, operation = "send", device = "rail:0" }
"""


# The ramp has windows of more than ten steps of the energy counter.
RAMP = """\
[measure]
max_seconds = 0.05
max_warmup_seconds = 0.01
min_samples = 3
[[sweep]]
cases = ["gemm.cuda.power_ramp"]
measure = { max_seconds = 1.3, relative_width = 0.000001 }
axes = { m = 64, dtype = "bf16", layout = "forward", data = "integer", cache = "hot" }
[[sweep]]
cases = ["memory.cuda.corruption"]
axes = { bytes = "64KiB", path = "device" }
"""


PRODUCTS = """\
[measure]
max_seconds = 0.04
max_warmup_seconds = 0.01
min_samples = 3
[[sweep]]
cases = ["gemm.cuda.matmul"]
axes = { m = 64, dtype = "bf16", layout = "forward", data = "integer", cache = "hot", gpu = 0 }
[[sweep]]
cases = ["gemm.cuda.matmul"]
axes = { m = 64, dtype = "bf16", layout = "forward", data = "integer", cache = "hot", gpu = 1 }
measure = { max_seconds = 3, min_samples = 100000 }
"""


COPIES = """\
[measure]
max_seconds = 0.3
max_warmup_seconds = 0.02
min_samples = 3
[[sweep]]
cases = ["offload.cuda.copy"]
axes = { gpu = 0, numa = -1, bytes = "16MiB", direction = "h2d", by = "engine", memory = "pinned" }
"""


class Nodes(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-node-")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.nodes = 0

    def node(self, **how):
        self.nodes += 1
        return SimulatedNode(self.folder / f"n{self.nodes}", **how)

    def judged(self, node, *words):
        """Exit code, the verdicts, and the addresses of GPUs that do not pass."""
        ended = node.assay(*words, "--verdicts", "verdicts.json")
        self.assertTrue((node.folder / "verdicts.json").exists(), ended.stdout)
        verdicts = json.loads((node.folder / "verdicts.json").read_text())
        bad = {row["unit"] for row in verdicts["rows"] if row["verdict"] != "PASS" and not row.get("excused")}
        return ended.returncode, verdicts, {unit.rpartition(" ")[2] for unit in bad if unit.startswith("GPU")}, ended.stdout

    def burn_in(self, node):
        return self.judged(node, "burn-in", "--plan", PLAN, "--rounds", "1", "--run-id", "b")

    def check(self, **how):
        node = self.node(**how)
        (node.folder / "expect.toml").write_text('source = "the test"\ngpus = 8\nnvlinks = 18\n')
        ended = node.assay("check", "--window", "0", "--expect", "expect.toml", "--all")
        return ended.returncode, [line for line in ended.stdout.splitlines() if line.startswith("failed")], ended.stdout

    def test_a_healthy_node_passes_the_health_check_and_says_that_it_is_simulated(self):
        code, failed, said = self.check()
        self.assertEqual((code, failed), (0, []), said)
        self.assertIn("Health of this node (simulated)", said)

    def test_a_fault_that_there_is_not_is_refused(self):
        for fault in ("slwo:5:4", "slow:5", "missing"):
            with self.assertRaisesRegex(ValueError, fault):
                self.node(faults=fault)

    def test_a_missing_gpu_and_a_narrow_link_are_named_and_nothing_else(self):
        for faults in ("missing:3", "pcie_width:3:8"):
            code, failed, said = self.check(faults=faults)
            self.assertEqual(code, 1, said)
            self.assertEqual(len(failed), 1, said)
            self.assertIn(address_of(3), failed[0])

    def test_each_node_has_its_host_name_its_driver_and_its_boards(self):
        nodes = [self.node(host="n1", seed=1), self.node(host="n2", seed=2, faults="driver:581.1.2")]
        told = [json.loads(node.assay("machine", "--format", "json").stdout) for node in nodes]
        self.assertEqual([machine["host"] for machine in told], ["n1", "n2"])
        self.assertEqual(["581.1.2" in json.dumps(machine) for machine in told], [False, True])
        self.assertEqual(len({gpu["serial"] for machine in told for gpu in machine["gpus"]}), 16)

    def test_a_burn_in_of_a_healthy_node_passes_and_its_records_are_simulated(self):
        node = self.node(host="n7")
        code, verdicts, bad, said = self.burn_in(node)
        self.assertEqual((code, verdicts["verdict"], bad), (0, "PASS", set()), said)
        journals = (node.folder / "assay-results" / "b").glob("r*.jsonl")
        records = [json.loads(line) for journal in journals for line in journal.read_text().splitlines()]
        contexts = [record for record in records if record["record"] == "context"]
        self.assertEqual({(record["origin"], record["host"]) for record in contexts}, {("simulated", "n7")})

    def test_ten_healthy_nodes_with_other_noise_pass_ten_times(self):
        nodes = [self.node(seed=seed) for seed in range(11, 21)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for node, (code, verdicts, bad, said) in zip(nodes, pool.map(self.burn_in, nodes)):
                self.assertEqual((code, verdicts["verdict"], bad), (0, "PASS", set()), said)
                self.assertEqual(sum(row["metric"] == "tflops_of_equals" for row in verdicts["rows"]), 8, said)

    def test_a_slow_gpu_and_one_that_throttles_only_when_all_work_fail_by_their_address(self):
        for faults in ("slow:5:4", "throttles_together:2"):
            code, verdicts, bad, said = self.burn_in(self.node(faults=faults))
            self.assertEqual((code, verdicts["verdict"], bad), (1, "FAIL", {address_of(int(faults.split(":")[1]))}), said)

    def test_a_gpu_that_gets_slower_over_a_soak_fails_by_its_address(self):
        node = self.node(faults="fades:4:12")
        _, verdicts, _, said = self.judged(node, "burn-in", "--plan", PLAN, "--filter", "*.node_matmul", "--rounds", "6")
        drift = {row["unit"].rpartition(" ")[2]: row["verdict"] for row in verdicts["rows"] if row["metric"] == "tflops_drift"}
        self.assertEqual(drift, {address_of(slot): "FAIL" if slot == 4 else "PASS" for slot in range(8)}, said)

    def test_power_is_of_the_energy_counter_and_left_out_of_a_window_with_too_few_of_its_steps(self):
        node = self.node()
        (node.folder / "plan.toml").write_text(PRODUCTS)
        ended = node.assay("run", "--plan", "plan.toml", "--out", "out", "--run-id", "r")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        records = map(json.loads, (node.folder / "out" / "r" / "journal.jsonl").read_text().splitlines())
        short, long = (record for record in records if record["record"] == "point")
        figures = {"power_w", "energy_j", "joules_per_tflop"}
        self.assertFalse(figures & {metric["name"] for metric in short["metrics"]}, short["metrics"])
        self.assertRegex(short["conditions"]["power_left_out"], r"^\d changes of the energy counter in 0\.\d+ s: 10 or more are needed$")
        found = {metric["name"]: metric["value"] for metric in long["metrics"]}
        self.assertEqual(long["conditions"]["power_by"], "energy_counter")
        self.assertGreaterEqual(long["conditions"]["power_sensor_changes"], 10)
        self.assertAlmostEqual(found["power_w"] / 640, 1, delta=0.05)
        self.assertAlmostEqual(found["energy_j"] / found["power_w"], long["conditions"]["telemetry_window_s"], delta=1e-6)
        self.assertAlmostEqual(found["joules_per_tflop"] * found["tflops"], found["power_w"], delta=1)

    def test_a_gpu_that_does_not_draw_its_power_when_all_work_fails_by_its_address(self):
        for faults, bad in (("", set()), ("throttles_together:2", {address_of(2)})):
            node = self.node(faults=faults)
            (node.folder / "plan.toml").write_text(RAMP)
            _, verdicts, _, said = self.judged(node, "burn-in", "--plan", "plan.toml", "--rounds", "1")
            target = {row["unit"].rpartition(" ")[2]: row["verdict"] for row in verdicts["rows"] if row["metric"] == "power_of_limit"}
            self.assertEqual(target, {address_of(slot): "FAIL" if address_of(slot) in bad else "PASS" for slot in range(8)}, said)
            ramps = [row["because"] for row in verdicts["rows"] if row["metric"] == "power_ramp"]
            self.assertEqual(len(ramps), 8, said)
            self.assertTrue(all("at 25 %" in ramp and "at 100 %" in ramp for ramp in ramps), ramps)

    def test_a_missing_gpu_does_not_hide_which_of_the_others_is_slow(self):
        code, _, bad, said = self.burn_in(self.node(faults="missing:1,slow:6:5"))
        self.assertEqual((code, bad), (1, {address_of(1), address_of(6)}), said)

    def test_copies_are_compared_with_the_link_that_they_take(self):
        if lacking("offload"):
            self.skipTest("assay-offload was not built")
        for faults, link, ceiling in (("", "pcie", 63.015), ("c2c:10", "c2c", 447.12)):
            node = self.node(gpus=1, faults=faults)
            (node.folder / "plan.toml").write_text(COPIES)
            ended = node.assay("run", "--plan", "plan.toml", "--out", "out", "--run-id", "r")
            self.assertEqual(ended.returncode, 0, ended.stdout)
            records = map(json.loads, (node.folder / "out" / "r" / "journal.jsonl").read_text().splitlines())
            points = [record for record in records if record["record"] == "point"]
            self.assertEqual([point["status"] for point in points], ["ok"], ended.stdout)
            conditions = points[0]["conditions"]
            self.assertEqual(conditions["link"], link)
            self.assertAlmostEqual(conditions["link_ceiling_gb_per_s"], ceiling, 2)
            share = next(metric["value"] for metric in points[0]["metrics"] if metric["name"] == "percent_of_link")
            self.assertTrue(0 < share <= 105, share)

    def test_adapters_have_their_figures_a_slow_rail_less_and_a_bad_cable_counts_errors(self):
        if lacking("rdma"):
            self.skipTest("not built here: assay-rdma on simulated adapters (libibverbs is not installed)")
        node = self.node(rails=3, faults="rail_slow:1:3,cable_errors:2:100")
        (node.folder / "plan.toml").write_text(ADAPTERS)
        ended = node.assay("run", "--plan", "plan.toml", "--out", "out", "--run-id", "r")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        records = [json.loads(line) for line in (node.folder / "out" / "r" / "journal.jsonl").read_text().splitlines()]
        self.assertEqual({record["origin"] for record in records if record["record"] == "context"}, {"simulated"})
        points = {(record["case"], record["point"]["device"]): record for record in records if record["record"] == "point"}
        rates = [points["rdma.verbs.bandwidth", f"rail:{rail}"]["metrics"][0]["value"] for rail in range(3)]
        self.assertAlmostEqual(rates[0], 48.7, delta=0.6)
        self.assertAlmostEqual(rates[1] / rates[0], 0.97, delta=0.012)
        self.assertLess(points["rdma.verbs.latency", "rail:0"]["metrics"][0]["value"], 1.2)
        classes = [points["rdma.verbs.bandwidth", f"rail:{rail}"]["links"][0]["class"] for rail in range(3)]
        self.assertEqual(classes, ["clean", "clean", "faulty"])

    def test_a_gpu_that_computes_wrong_now_and_then_fails_by_its_address(self):
        code, verdicts, _, said = self.burn_in(self.node(faults="wrong_once_in:5:40"))
        self.assertEqual((code, verdicts["verdict"]), (1, "FAIL"), said)
        failed = [row for row in verdicts["rows"] if row["verdict"] == "FAIL"]
        self.assertEqual({row["unit"].rpartition(" ")[2] for row in failed if row["kind"] == "gpu"}, {address_of(5)}, said)


if __name__ == "__main__":
    if lacking():
        print("skipped: not built here:", ", ".join(lacking()))
        sys.exit(77)
    unittest.main()
