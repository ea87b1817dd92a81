#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What a CMake that cannot read presets is given instead: the cache variables, inherited ones first.
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def settings(preset):
    command = ["cmake", "-D", f"PRESET={preset}", "-P", str(ROOT / "harness/cmake/preset_settings.cmake")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class PresetSettings(unittest.TestCase):
    def test_release_is_optimised_and_without_tests(self):
        self.assertEqual(sorted(settings("release").stdout.splitlines()),
                         ["-DASSAY_BUILD_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release"])

    def test_inherited_settings_come_before_own_ones(self):
        lines = settings("tsan").stdout.splitlines()
        self.assertLess(lines.index("-DASSAY_SANITIZE=address,undefined"), lines.index("-DASSAY_SANITIZE=thread"))
        self.assertIn("-DCMAKE_BUILD_TYPE=Debug", lines)
        self.assertIn("-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1", lines)

    def test_an_unknown_preset_is_named(self):
        done = settings("fast")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no preset 'fast' in CMakePresets.json", done.stderr)


unittest.main()
