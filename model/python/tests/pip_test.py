#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""`pip install .` builds the module offline, of what Debian packages, into an environment of its own."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from here import BUILD, SAMPLES, SOURCE, json_of, skip

if os.environ.get("ASSAY_TEST_PIP") != "1":
    skip("ASSAY_TEST_PIP=1 runs it: it compiles the libraries once more, as a release")
for module in ("ensurepip", "pip", "setuptools", "wheel"):
    if importlib.util.find_spec(module) is None:
        skip(f"{module} is not installed (scripts/setup --for python)")


class Pip(unittest.TestCase):
    def test_installs_a_module_that_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = pathlib.Path(folder) / "environment"
            subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", environment], check=True)
            python = environment / "bin" / "python3"
            # A tree that stays: another run of the test builds what has changed.
            tree = {"ASSAY_PYTHON_BUILD_DIR": str(BUILD / "python-pip"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
            done = subprocess.run([python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", SOURCE],
                                  capture_output=True, text=True, env={**os.environ, **tree})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            files = [str(SAMPLES / f"{name}.json") for name in ("application", "system", "execution")]
            said = subprocess.run([python, "-c", f"import assay, json; print(assay.__file__); "
                                   f"print(json.dumps(assay.predict(*{files!r})['stats']['total_time']))"],
                                  capture_output=True, text=True, cwd=folder, check=True).stdout.split()
            self.assertTrue(said[0].startswith(str(environment)), said[0])
            application, system, execution = files
            self.assertAlmostEqual(float(said[1]), json_of("predict", application, execution, system)["stats"]["total_time"],
                                   delta=1e-12)


if __name__ == "__main__":
    unittest.main()
