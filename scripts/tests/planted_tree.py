# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A source tree made for one test, and what a check says about it.
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent


class PlantedTree(unittest.TestCase):
    check = ""  # the script under test

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def plant(self, path, text=""):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def findings(self):
        """What the check prints, one entry a line; its exit status must agree with it."""
        command = [sys.executable, "-B", str(SCRIPTS / self.check), "--root", str(self.root)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 77:
            print(done.stdout, end="")
            sys.exit(77)
        lines = done.stderr.splitlines()
        self.assertEqual(done.returncode, 1 if lines else 0, done.stderr)
        return lines
