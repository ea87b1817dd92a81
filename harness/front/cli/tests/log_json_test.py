#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# `--log json` of the commands that run for long: standard error is JSON lines of results/record/schema/log.schema.json and
# nothing else, standard output has the result, and without the flag nothing changes.
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[4]
BUILD = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", SOURCE / "build"))
ASSAY = BUILD / "bin" / "assay"
SCHEMA = json.loads((SOURCE / "results" / "record" / "schema" / "log.schema.json").read_text())
NODE = SOURCE / "model" / "examples" / "node"
PLAN = """\
[measure]
max_seconds = 0.05
max_warmup_seconds = 0.01
[[sweep]]
cases = ["memory.host.copy"]
axes = { bytes = '64KiB:128KiB:x2', threads = 1, store = 'temporal' }
"""
CAMPAIGN = """\
name = "small"
[[stage]]
name = "each"
on = "nodes"
plan = "plan.toml"
[[stage]]
name = "verdict"
on = "judge"
"""
TYPES = {"string": str, "number": (int, float), "null": type(None)}


class LogJson(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        (self.folder / "plan.toml").write_text(PLAN)
        (self.folder / "campaign.toml").write_text(CAMPAIGN)

    def assay(self, *words, status=0):
        """Standard output, and the lines of standard error."""
        done = subprocess.run([ASSAY, *words], cwd=self.folder, capture_output=True, text=True, timeout=240, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr.splitlines()

    def logged(self, *words, status=0):
        printed, lines = self.assay(*words, "--log", "json", status=status)
        log = [json.loads(line) for line in lines]
        for line in log:
            self.expect_schema(line)
        self.assertEqual((log[-1]["message"], log[-1]["fields"]["exit_code"]), (f"{words[0]} ended with exit code {status}", status))
        return printed, log

    def expect_schema(self, line):
        self.assertEqual(list(line), SCHEMA["required"])
        for name in ("time", "program"):
            self.assertRegex(line[name], SCHEMA["properties"][name]["pattern"])
        self.assertIn(line["level"], SCHEMA["properties"]["level"]["enum"])
        self.assertRegex(line["message"], r"\A[^\x00-\x1f]+\Z")
        allowed = tuple(TYPES[name] for name in SCHEMA["properties"]["fields"]["additionalProperties"]["type"])
        for name, value in line["fields"].items():
            self.assertTrue(any(isinstance(value, kind) for kind in allowed), (name, value))

    def test_a_run_logs_its_size_and_each_point_with_its_value(self):
        printed, log = self.logged("run", "--plan", "plan.toml", "--out", "out", "--run-id", "r")
        self.assertEqual((log[0]["program"], log[0]["fields"]["run"], log[0]["fields"]["points"]), ("assay", "r", 2))
        points = [line for line in log if "case" in line["fields"]]
        self.assertEqual([(one["program"], one["fields"]["case"], one["fields"]["status"], one["fields"]["done"], one["fields"]["total"])
                          for one in points],
                         [("assay-memory", "memory.host.copy", "ok", done, 2) for done in (1, 2)])
        records = [json.loads(line) for line in (self.folder / "out" / "r" / "journal.jsonl").read_text().splitlines()]
        values = [record["metrics"][0]["value"] for record in records if record["record"] == "point"]
        self.assertEqual([one["fields"]["value"] for one in points], values)
        self.assertIn("\njournal  out/r/journal.jsonl\n", printed)
        self.assertNotIn("[1/2]", printed)

    def test_without_it_people_read_the_same_lines(self):
        printed, lines = self.assay("run", "--plan", "plan.toml", "--out", "out", "--run-id", "r")
        self.assertEqual(lines, [])
        self.assertRegex(printed, r"\Arun r: 2 points, at most [^{]+ of measuring\n")
        self.assertRegex(printed, r"\n\[1/2\] memory\.host\.copy [^{]+\n\[2/2\] [^{]+\n")
        self.assertNotIn("exit code", printed)

    def test_a_refusal_is_an_error_in_the_log(self):
        printed, lines = self.assay("run", "--log", "json", "--plan", "none.toml", "--out", "out", status=2)
        log = [json.loads(line) for line in lines]
        for line in log:
            self.expect_schema(line)
        self.assertEqual(printed, "")
        self.assertEqual([(line["level"], line["program"]) for line in log], [("error", "assay")])
        self.assertIn("none.toml", log[0]["message"])

    def test_another_format_is_refused(self):
        _, lines = self.assay("run", "--log", "xml", status=2)
        self.assertEqual(len(lines), 1)
        self.assertIn("--log", lines[0])

    def test_a_check_logs_what_is_not_well(self):
        printed, log = self.logged("check", "--root", NODE, "--gpus", NODE / "gpus.json", "--window", "0", "--format", "line", status=1)
        self.assertTrue(printed.startswith("FAIL: "), printed)
        found = [line["fields"] for line in log if "check" in line["fields"]]
        self.assertIn(("gpu.count", "failed"), [(one["check"], one["status"]) for one in found])
        self.assertEqual(log[-2]["fields"], {"verdict": "FAIL"})
        self.assertEqual({line["level"] for line in log if line["fields"].get("status") == "failed"}, {"error"})

    def test_a_burn_in_logs_its_rounds(self):
        # Whether this host is healthy is not at issue.
        done = subprocess.run([ASSAY, "burn-in", "--plan", "plan.toml", "--rounds", "2", "--run-id", "b", "--log", "json", "--check-every", "600"],
                              cwd=self.folder, capture_output=True, text=True, timeout=240, check=False)
        log = [json.loads(line) for line in done.stderr.splitlines()]
        for line in log:
            self.expect_schema(line)
        self.assertEqual([line["fields"]["round"] for line in log if "round" in line["fields"]], [1, 2], done.stderr)
        self.assertIn("\ntimeline  ", done.stdout)

    def test_a_campaign_logs_its_stages_and_its_verdict(self):
        done = subprocess.run([ASSAY, "campaign", "campaign.toml", "--campaign-id", "c", "--log", "json"], cwd=self.folder,
                              capture_output=True, text=True, timeout=240, check=False)
        log = [json.loads(line) for line in done.stderr.splitlines()]
        for line in log:
            self.expect_schema(line)
        self.assertEqual(log[0]["fields"], {"campaign": "c", "nodes": 1})
        verdict = json.loads((self.folder / "assay-campaigns" / "c" / "verdicts.json").read_text())["verdict"]
        self.assertIn({"campaign": "c", "verdict": verdict}, [line["fields"] for line in log])
        self.assertEqual(log[-1]["fields"], {"command": "campaign", "exit_code": done.returncode})


if __name__ == "__main__":
    if not ASSAY.exists() or not (BUILD / "bin" / "assay-memory").exists():
        print("skipped: not built here: assay, assay-memory")
        sys.exit(77)
    unittest.main()
