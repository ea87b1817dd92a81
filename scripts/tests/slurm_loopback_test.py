#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/slurm-loopback where there is no Slurm, and with words it does not take. With a Slurm: the label cluster.
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).resolve().parent.parent / "slurm-loopback"


class SlurmLoopback(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def run_it(self, *words, **variables):
        done = subprocess.run([sys.executable, RUNNER, *words], env={**os.environ, **variables}, capture_output=True,
                              text=True, check=False)
        return done.returncode, done.stderr

    def test_wrong_words_are_one_line(self):
        for words, says in ((["run"], "the following arguments are required: COMMAND"),
                            (["up", "--nodes", "0", "x"], "--nodes: invalid choice: 0"),
                            (["fly"], "invalid choice: 'fly'")):
            status, said = self.run_it(*words)
            self.assertEqual((status, said.count("\n")), (2, 1), said)
            self.assertIn(says, said)

    def test_a_folder_that_holds_no_cluster_is_left_alone(self):
        (self.folder / "precious").write_text("")
        status, said = self.run_it("down", str(self.folder))
        self.assertEqual((status, said), (2, f"scripts/slurm-loopback: {self.folder.resolve()}: no cluster was started there\n"))
        self.assertTrue((self.folder / "precious").exists())

    def test_a_folder_that_exists_is_not_used(self):
        status, said = self.run_it("up", str(self.folder))
        self.assertEqual(status, 2)
        self.assertIn("exists (expected a new folder)", said)

    def test_a_machine_without_slurm_is_told_what_to_install(self):
        without = ("import runpy, shutil, sys; shutil.which = lambda *_, **__: None; sys.argv = sys.argv[1:]; "
                   "runpy.run_path(sys.argv[0])")
        done = subprocess.run([sys.executable, "-c", without, RUNNER, "run", "true"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (77, "skipped: not installed: munge, slurm-wlm (scripts/setup --for cluster)\n"))


unittest.main()
