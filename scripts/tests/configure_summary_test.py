#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The table that ends a configure run, with every optional component switched off: byte for byte, but for versions. And that
# build files come of every preset, with all components of this machine.
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from bare_settings import BARE, ROOT

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden" / "configure_summary.txt"
OFF = ["-DCMAKE_BUILD_TYPE=Release", *BARE]


def configure(build, *arguments):
    command = ["cmake", "-S", str(ROOT), "-B", build, "-G", "Ninja", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def table(output):
    """The lines from "assay <version>" to the end of the table, versions replaced."""
    lines = [line[3:] for line in output.splitlines() if line.startswith("-- ")]
    start = next(index for index, line in enumerate(lines) if re.match(r"assay \d", line))
    rows = [line for line in lines[start:] if line.startswith(("assay ", "  "))]
    return "".join(re.sub(r"\b\d+(\.\d+)+\S*", "VERSION", row) + "\n" for row in rows)


class ConfigureSummary(unittest.TestCase):
    def test_every_absent_component_is_named_with_what_it_costs(self):
        with tempfile.TemporaryDirectory() as build:
            done = configure(build, *OFF)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        printed = table(done.stdout)
        for component in ("CUDA toolkit", "oneDNN", "BLAS", "libibverbs", "liburing", "libdeflate", "protobuf", "MPI", "node"):
            self.assertRegex(printed, rf"(?m)^  {component} +missing: \w.+$")
        if os.environ.get("ASSAY_APPROVE") == "1":
            GOLDEN.write_text(printed)
        self.assertEqual(printed, GOLDEN.read_text())

    def assert_stops(self, message, *arguments):
        with tempfile.TemporaryDirectory() as build:
            done = configure(build, *arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(message, done.stderr)

    def test_a_component_that_was_demanded_and_is_absent_stops_the_run(self):
        self.assert_stops("ASSAY_WITH_ONEDNN is ON but oneDNN was not found", *OFF, "-DASSAY_WITH_ONEDNN=ON",
                          "-DASSAY_ONEDNN=")

    def test_a_setting_that_is_none_of_the_three_stops_the_run(self):
        self.assert_stops("ASSAY_WITH_BLAS takes AUTO, ON or OFF; got 'maybe'", *OFF, "-DASSAY_WITH_BLAS=maybe")


    def test_build_files_come_of_every_preset(self):
        for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]:
            if preset.get("hidden"):
                continue
            settings = subprocess.run(["cmake", "-D", f"PRESET={preset['name']}", "-P", ROOT / "harness/cmake/preset_settings.cmake"],
                                      capture_output=True, text=True, check=True).stdout.splitlines()
            self.assertTrue(settings, preset["name"])
            if "-DASSAY_WITH_CUDA=ON" in settings:
                settings[settings.index("-DASSAY_WITH_CUDA=ON")] = "-DASSAY_WITH_CUDA=AUTO"  # this machine may have none
            with self.subTest(preset=preset["name"]), tempfile.TemporaryDirectory() as build:
                done = configure(build, *settings)
                self.assertEqual(done.returncode, 0, done.stderr)


unittest.main()
