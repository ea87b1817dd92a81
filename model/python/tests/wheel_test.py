#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""The wheel that the build makes: installed without a compiler, and answering from there."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from here import BUILD, SAMPLES, json_of, skip

WHEELS = sorted((BUILD / "python/wheel").glob("assay-*.whl"))
SYSTEMS = re.compile(r"(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so\.\d+")
for module in ("ensurepip", "pip"):
    if importlib.util.find_spec(module) is None:
        skip(f"{module} is not installed (scripts/setup --for python)")
if not WHEELS:
    skip("the build has made no wheel (scripts/setup --for python)")


class Wheel(unittest.TestCase):
    def test_is_installed_and_answers_as_the_command(self):
        self.assertEqual(len(WHEELS), 1)
        with tempfile.TemporaryDirectory() as folder:
            environment = pathlib.Path(folder) / "environment"
            subprocess.run([sys.executable, "-m", "venv", environment], check=True)
            python = environment / "bin/python3"
            subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index", "--no-deps", WHEELS[0]],
                           check=True)
            files = [str(SAMPLES / f"{name}.json") for name in ("application", "system", "execution")]
            said = subprocess.run([python, "-c", f"import assay; print(assay._assay.__file__); "
                                   f"print(repr(assay.predict(*{files!r})['stats']['total_time']))"],
                                  capture_output=True, text=True, cwd=folder, check=True).stdout.split()
            self.assertTrue(said[0].startswith(str(environment)), said[0])
            application, system, execution = files
            self.assertEqual(float(said[1]), json_of("predict", application, execution, system)["stats"]["total_time"])
            for line in subprocess.run(["ldd", said[0]], capture_output=True, text=True, check=True).stdout.splitlines():
                name, _, place = line.strip().partition(" => ")
                self.assertTrue(place.startswith(str(environment)) or SYSTEMS.match(pathlib.Path(name.split()[0]).name), line)


if __name__ == "__main__":
    unittest.main()
