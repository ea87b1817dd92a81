#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Pretended nodes with drivers of each age: `assay machine`, `check` and `run` report one that is too old for this build's CUDA
# in the same sentence, `run` uses the site's forward-compatibility libraries, and on every other driver GPUs are measured.
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from simulated_node import ASSAY, SimulatedNode, lacking

PLAN = """\
[measure]
max_seconds = 0.02
max_warmup_seconds = 0.01
min_samples = 3
[[sweep]]
cases = ["memory.cuda.read"]
axes = { bytes = "1MiB", gpu = 0, cache_state = "hot" }
"""
AGES = ("525.60.13", "535.161.08", "550.54.15", "575.57.08", "580.95.05")
OLDEST = {12: (525, 60, 13), 13: (580, 65, 6)}


def toolkit():
    """Of this build, as [13, 0]."""
    said = subprocess.run([ASSAY, "--version", "--verbose"], capture_output=True, text=True, check=True).stdout
    return [int(number) for number in re.search(r"CUDA toolkit (\d+)\.(\d+)", said).groups()]


class DriverOfEachAge(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-driver-")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.cuda = ".".join(map(str, toolkit()))

    def node(self, driver, compat=None):
        node = SimulatedNode(self.folder / driver, gpus=2, faults=f"driver:{driver}")
        node.environment.pop("LD_LIBRARY_PATH", None)
        (node.folder / "plan.toml").write_text(PLAN)
        if compat:
            folder = node.root / f"usr/local/cuda-{self.cuda}/compat"
            folder.mkdir(parents=True)
            (folder / f"libcuda.so.{compat}").touch()
            (folder / "libcuda.so.1").symlink_to(f"libcuda.so.{compat}")
        return node

    def run_plan(self, node):
        """Exit code, what was said, and the records of the run."""
        ended = node.assay("run", "--plan", "plan.toml", "--run-id", "r")
        journal = node.folder / "assay-results" / "r" / "journal.jsonl"
        return ended.returncode, ended.stdout, [json.loads(line) for line in journal.read_text().splitlines()]

    def check_driver(self, node, *words):
        ended = node.assay("check", "--window", "0", "--all", *words)
        lines = ended.stdout.splitlines()
        return [" ".join(line.split()) for line in lines if "driver" in line and node.faults[0][1] in line], ended.stdout

    def test_each_age_measures_or_is_called_too_old_by_all_three_commands(self):
        oldest = OLDEST[toolkit()[0]]
        for driver in AGES:
            with self.subTest(driver):
                node = self.node(driver)
                machine = json.loads(node.assay("machine", "--format", "json").stdout)
                code, said, records = self.run_plan(node)
                points = [record for record in records if record["record"] == "point"]
                checked, all_said = self.check_driver(node)
                self.assertEqual(len(points), 1, said)
                if tuple(map(int, driver.split("."))) >= oldest:
                    self.assertNotIn("driver_too_old", machine)
                    self.assertEqual((code, points[0]["status"]), (0, "ok"), said)
                    self.assertNotIn("is older than", said + all_said)
                    continue
                sentence = machine["driver_too_old"]
                self.assertRegex(sentence, rf"^NVIDIA driver {driver} is older than {oldest[0]}\S+, which programs made with "
                                 rf"CUDA {self.cuda} need: install .* cuda-compat-{self.cuda.replace('.', '-')} .*, or a build .* CUDA 12")
                self.assertEqual(said.count(f"assay: {sentence}\n"), 1, said)
                self.assertNotEqual(code, 0, said)
                self.assertEqual(points[0]["status"], "unsupported")
                self.assertIn(sentence, json.dumps(points[0]))
                what, _, ways = sentence.partition(": ")
                self.assertIn(what, " ".join(all_said.split()))
                self.assertIn(ways, " ".join(all_said.split()))
                text = node.assay("machine").stdout
                self.assertIn(sentence, " ".join(text.split()))

    def test_forward_compatibility_libraries_of_the_site_are_used_and_recorded(self):
        if toolkit()[0] < 13:
            self.skipTest("every driver here starts CUDA 12")
        node = self.node("535.161.08", compat="580.95.05")
        folder = f"/usr/local/cuda-{self.cuda}/compat"
        code, said, records = self.run_plan(node)
        self.assertEqual(code, 0, said)
        self.assertIn(f"modules start on driver 535.161.08 with the forward-compatibility libraries of {folder}\n", said)
        context = next(record for record in records if record["record"] == "context")
        self.assertTrue(context["environment"]["LD_LIBRARY_PATH"].endswith(folder), context["environment"])
        self.assertEqual([record["status"] for record in records if record["record"] == "point"], ["ok"])
        machine = json.loads(node.assay("machine", "--format", "json").stdout)
        self.assertEqual(machine["cuda_compat"], folder)
        checked, all_said = self.check_driver(node)
        self.assertTrue(any(folder in line for line in checked), all_said)

    def test_compatibility_libraries_of_an_older_cuda_do_not_help(self):
        if toolkit()[0] < 13:
            self.skipTest("every driver here starts CUDA 12")
        code, said, _ = self.run_plan(self.node("535.161.08", compat="575.57.08"))
        self.assertNotEqual(code, 0, said)
        self.assertIn("assay: NVIDIA driver 535.161.08 is older", said)

    def test_a_site_that_expects_an_older_cuda_passes_its_old_driver(self):
        node = self.node("535.161.08")
        for cuda, words in (("12.4", "driver 535.161.08, for CUDA 12.4"), ("13.0", "failed")):
            (node.folder / "expect.toml").write_text(f'source = "the test"\ngpus = 2\nnvlinks = 18\ncuda = "{cuda}"\n')
            checked, said = self.check_driver(node, "--expect", "expect.toml")
            self.assertTrue(any(words in line for line in checked), said)


if __name__ == "__main__":
    if LACKING := lacking("memory"):
        print(f"skipped: not built: {', '.join(LACKING)}")
        sys.exit(77)
    unittest.main()
