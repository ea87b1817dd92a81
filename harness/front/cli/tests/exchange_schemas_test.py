#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What `assay` writes for other programs, by the schemas that their projects publish: measured records of the H100, judged, and this
# machine, checked. The schemas are not part of this project.
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
ASSAY = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", ROOT / "build")) / "bin" / "assay"
OCP = os.environ.get("ASSAY_OCP_SCHEMA_DIR", "")
CTRF = os.environ.get("ASSAY_CTRF_SCHEMA_DIR", "")


class OfCommands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assay(self, *words, statuses=(0, 1, 3)):
        done = subprocess.run([ASSAY, *map(str, words)], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertIn(done.returncode, statuses, done.stdout + done.stderr)
        return done.stdout

    def outputs(self, form):
        """What three commands print: a check, and measurements with limits, judged and judged again."""
        records = self.folder / "memory.jsonl"
        records.write_bytes(lzma.decompress((ROOT / "results/reference/h100-sxm-80gb/memory.jsonl.xz").read_bytes()))
        self.assay("import", records, "--store", "s.sqlite")
        limits = ROOT / "results/reference/public-h100/limits-gpu.toml"
        self.assay("bundle", "-o", "b.bundle", "--store", "s.sqlite", "--limits", limits)
        yield "check", self.assay("check", "--logbook", "health.json", "--window", 0, "--format", form)
        yield "accept", self.assay("accept", "--store", "s.sqlite", "--limits", limits, "--format", form)
        yield "replay", self.assay("replay", "b.bundle", "--format", form)


class Ocp(OfCommands):
    def setUp(self):
        super().setUp()
        schemas = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(pathlib.Path(OCP).glob("*.json"))]
        registry = Registry().with_resources((schema["$id"], Resource.from_contents(schema)) for schema in schemas)
        whole, = (schema for schema in schemas if schema["$id"].endswith("/output"))
        self.validator = jsonschema.Draft202012Validator(whole, registry=registry)

    def test_every_line_conforms(self):
        for command, text in self.outputs("ocp"):
            lines = text.splitlines()
            self.assertGreater(len(lines), 9, command)
            for number, line in enumerate(lines, 1):
                for breach in self.validator.iter_errors(json.loads(line)):
                    self.fail(f"{command}, line {number}: {breach.json_path}: {breach.message}")

    def test_a_key_that_the_schema_does_not_know_is_refused(self):
        text = self.assay("check", "--logbook", "health.json", "--window", 0, "--format", "ocp")
        diagnosis = next(json.loads(line) for line in text.splitlines() if '"diagnosis"' in line)
        diagnosis["testStepArtifact"]["diagnosis"]["origin"] = "measured"
        self.assertFalse(self.validator.is_valid(diagnosis))


class Ctrf(OfCommands):
    def setUp(self):
        super().setUp()
        schema = json.loads((pathlib.Path(CTRF) / "ctrf.schema.json").read_text(encoding="utf-8"))
        self.validator = jsonschema.Draft7Validator(schema)

    def test_every_report_conforms(self):
        for command, text in self.outputs("ctrf"):
            report = json.loads(text)
            self.assertGreater(report["results"]["summary"]["tests"], 3, command)
            for breach in self.validator.iter_errors(report):
                self.fail(f"{command}: {breach.json_path}: {breach.message}")

    def test_a_status_that_the_schema_does_not_know_is_refused(self):
        report = json.loads(self.assay("check", "--logbook", "health.json", "--window", 0, "--format", "ctrf"))
        report["results"]["tests"][0]["status"] = "inconclusive"
        self.assertFalse(self.validator.is_valid(report))


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


if not ASSAY.is_file():
    skip("assay is not built")
if "Ocp" in sys.argv and not (OCP and (pathlib.Path(OCP) / "root.json").is_file()):
    skip("configure with -DASSAY_OCP_SCHEMA_DIR: json_spec/output of opencomputeproject/ocp-diag-core")
if "Ctrf" in sys.argv and not (CTRF and (pathlib.Path(CTRF) / "ctrf.schema.json").is_file()):
    skip("configure with -DASSAY_CTRF_SCHEMA_DIR: schema of ctrf-io/ctrf")
try:
    import jsonschema
    from referencing import Registry, Resource
except ImportError as missing:
    skip(f"python3-jsonschema 4.18 or later is not installed: {missing}")
unittest.main()
